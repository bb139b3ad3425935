"""Reviews of a finished game at its table."""

from collections.abc import Callable
from random import Random

import pytest

from cardhub.base.errors import BotCrashError
from cardhub.bots import Rated
from cardhub.play.host.running_table import WATCHES
from cardhub.play.host.turns import move_reviews
from cardhub.play.host.turns.move_reviews import IS_BUSY, NOT_OVER
from cardhub.play.host.viewer_session import NOT_REVIEWED
from cardhub.play.table_commands import AskRetry
from cardhub.play.table_messages import AnswerMessage, HintMessage, PastView, Reply, ReviewMessage
from cardhub_gargon import Gargon

from .conftest import Table

Tables = Callable[..., Table]


@pytest.fixture
def over(table: Tables) -> Table:
    """Return a table at which two people and a bot have finished a game of random actions."""
    at = table(Gargon(), people=(0, 1), seats=3)
    rng = Random(3)
    while not at.referee.is_over:
        at.referee.apply(rng.choice(at.referee.observe(at.referee.seat).legal()))
    return at


def rate(at: Table) -> None:
    """Answer the adviser's question: the last legal action is the best, each other one worse."""
    assert at.adviser.question is not None
    legal = at.adviser.question[0].legal()[::-1]
    at.adviser.answer([Rated(a, 500, 0.5 - n / len(legal)) for n, a in enumerate(legal)])
    at.clock.wait()


def test_a_review_reports_its_progress_and_ends_with_the_three_costliest_moves(
    over: Table,
) -> None:
    reviews: list[ReviewMessage] = []
    over.host.model(0).review(reviews.append)
    while over.adviser.question is not None:
        assert over.adviser.question[0].seat == 0
        rate(over)
    assert [review.done for review in reviews] == list(range(reviews[0].total + 1))
    last = reviews[-1]
    assert (last.bot, len(last.moves), last.done) == ("rule", 3, last.total)
    for move in last.moves:
        assert move.comparison.startswith("About ")
        assert move.comparison.endswith(f" “{move.taken}”.")


def test_a_finished_review_is_not_made_again(over: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    reviews: list[ReviewMessage] = []
    over.host.model(0).review(reviews.append)
    while over.adviser.question is not None:
        rate(over)
    asked = over.adviser.asked
    monkeypatch.setattr(move_reviews, "replay_so_far", pytest.fail)
    over.host.model(0).review(reviews.append)
    assert reviews[-1] == reviews[-2]
    assert over.adviser.asked == asked


def test_a_review_has_the_ratings_of_the_hints_that_were_given(table: Tables) -> None:
    at = table(Gargon(), people=(0,), seats=3).begin()
    rng, hints = Random(3), list[HintMessage]()
    at.host.model(0).hint(hints.append)
    rate(at)
    while not at.referee.is_over:
        at.referee.apply(rng.choice(at.referee.observe(at.referee.seat).legal()))
    asked, reviews = at.adviser.asked, list[ReviewMessage]()
    at.host.model(0).review(reviews.append)
    at.clock.wait()
    while at.adviser.question is not None:
        rate(at)
    assert len(hints) == 1
    assert reviews[-1].done == reviews[-1].total == at.adviser.asked - asked + 1


def test_a_review_can_be_cancelled(over: Table) -> None:
    reviews: list[ReviewMessage] = []
    over.host.model(0).review(reviews.append)
    rate(over)
    over.host.model(0).cancel_review()
    assert over.adviser.stopped == 1
    assert over.adviser.question is None
    assert len(reviews) == 2


def test_the_moves_of_one_person_are_reviewed_at_a_time(over: Table) -> None:
    reviews: list[ReviewMessage] = []
    over.host.model(0).review(lambda _: None)
    over.host.model(1).review(reviews.append)
    assert reviews == [ReviewMessage(why_none=IS_BUSY)]
    over.host.model(0).cancel_review()
    over.host.model(1).review(reviews.append)
    assert reviews[-1].total > 0


def test_a_bot_that_fails_ends_the_review_with_a_reason(over: Table) -> None:
    reviews: list[ReviewMessage] = []
    over.host.model(0).review(reviews.append)
    over.adviser.answer(BotCrashError("its process ended"))
    over.clock.wait()
    assert reviews[-1].why_none == "rule failed: its process ended"
    over.host.model(0).review(reviews.append)
    assert reviews[-1].why_none == ""


def test_only_moves_of_a_finished_game_and_of_a_player_are_reviewed(
    table: Tables, over: Table
) -> None:
    reviews: list[ReviewMessage] = []
    table(Gargon(), seats=3).begin().host.model(0).review(reviews.append)
    over.host.model(3).review(reviews.append)
    assert [review.why_none for review in reviews] == [NOT_OVER, WATCHES]


def test_a_costly_decision_can_be_taken_again_while_the_review_goes_on(over: Table) -> None:
    reviews: list[ReviewMessage] = []
    over.host.model(0).review(reviews.append)
    while not reviews[-1].moves:
        rate(over)
    assert reviews[-1].done < reviews[-1].total
    decision = over.host.session(0).find_costly(reviews[-1].moves[0].step)
    assert decision is not None
    assert decision.move == reviews[-1].moves[0]


def test_a_costly_decision_can_be_taken_again_with_a_verdict_on_the_new_choice(
    over: Table,
) -> None:
    reviews: list[ReviewMessage] = []
    over.host.model(0).review(reviews.append)
    while over.adviser.question is not None:
        rate(over)
    move, replies = reviews[-1].moves[0], list[Reply]()
    session = over.host.session(0)
    session.send(AskRetry(id=1, step=move.step), replies.append)
    assert isinstance(replies[0], PastView)
    view = replies[0].view
    assert view is not None
    assert (view.to_act, view.is_over) == (0, False)
    choices = {choice.name: choice.action for choice in view.choices}
    for name, expected in (
        (move.best, f"You chose “{move.best}”, the bot's best choice. {move.comparison}"),
        (move.taken, f"You chose “{move.taken}” again. The bot would choose “{move.best}”."),
    ):
        session.send(AskRetry(id=2, step=move.step, action=choices[name]), replies.append)
        assert isinstance(replies[-1], AnswerMessage)
        assert replies[-1].text.startswith(expected)


def test_only_decisions_of_an_own_finished_review_can_be_taken_again(over: Table) -> None:
    replies: list[Reply] = []
    over.host.session(1).send(AskRetry(id=1, step=0), replies.append)
    over.host.session(1).send(AskRetry(id=2, step=0, action=0), replies.append)
    assert replies == [PastView(id=1, view=None), AnswerMessage(id=2, text=NOT_REVIEWED)]
