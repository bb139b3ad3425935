"""Practice tables: a decision of a finished game is taken again."""

from pathlib import Path

import pytest

from cardhub.base.errors import RecordError
from cardhub.bots import Rated
from cardhub.play.host.opening import Opener
from cardhub.play.host.practice import AT_START, PracticeHost
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.review import RatedDecision, rated_decision
from cardhub.play.table_messages import ReviewedMove
from cardhub.play.table_model import TableModel
from cardhub.plugins.registry import find_plugins
from cardhub_gargon import Gargon
from kuhn import Kuhn

from .conftest import Play


@pytest.fixture(scope="module")
def opener() -> Opener:
    """Return an opener whose bots answer immediately."""
    return Opener(find_plugins(), BlockingScheduler(), pace=0, is_inline=True)


def costly(replay: Replay) -> RatedDecision:
    """Return the first decision of seat 0 with four choices, rated so that the last is the best."""
    for step in replay.decisions(0):
        seen, entry = replay.steps[step].observe(0), replay.action_after(step)
        others = [action for action in seen.legal() if entry and action != entry.action]
        if entry and len(others) >= 3:
            rated = [Rated(others[0], 900, 0.5), Rated(others[1], 400, 0.0)]
            rated += [Rated(entry.action, 200, -0.5), Rated(others[2], 0, 0.0)]
            labels = seen.labels([player.name for player in replay.players])
            names = {action: name for name, action in labels.choices(seen.legal()).items()}
            return rated_decision(step, entry.action, names, seen, rated)
    raise AssertionError("no such decision")


class Table:
    """A practice table with the names of its choices at the decision."""

    def __init__(self, host: PracticeHost, decision: RatedDecision) -> None:
        self.host = host
        self.model: TableModel = host.model(0)
        self.decision = decision
        self.choices = {choice.action: choice.name for choice in self.model.view().choices}

    def choose(self, action: int) -> str:
        """Take an action and return its comparison."""
        self.model.act(action, self.model.view().revision, pytest.fail)
        return self.host.practice.verdict()


@pytest.fixture
def table(play: Play, opener: Opener) -> Table:
    """Return a practice table of Gargon."""
    replay = play(Gargon(), 3)
    decision = costly(replay)
    return Table(opener.practise(replay, 0, decision), decision)


def test_the_position_is_what_the_player_saw_before_the_decision(
    play: Play, opener: Opener
) -> None:
    replay = play(Gargon(), 3)
    decision = costly(replay)
    host = opener.practise(replay, 0, decision)
    before = replay.steps[decision.move.step].observe(0)
    seen = host._referee.observe(0)
    assert seen.information_state() == before.information_state()
    assert seen.legal() == before.legal()


def test_bots_play_against_the_person_who_decides_again(table: Table) -> None:
    kinds = [player.is_human for player in table.host.players]
    assert kinds == [True, False, False]


def test_a_practice_game_has_no_record_and_leaves_the_old_one_as_it_is(
    play: Play, opener: Opener, tmp_path: Path
) -> None:
    replay = play(Gargon(), 3)
    assert replay.path is not None
    before, files = replay.path.read_bytes(), set(tmp_path.rglob("*"))
    decision = costly(replay)
    table = Table(opener.practise(replay, 0, decision), decision)
    table.choose(decision.rated[0].action)
    assert table.host.path is None
    assert replay.path.read_bytes() == before
    assert set(tmp_path.rglob("*")) == files


def test_the_best_choice_is_compared_with_the_old_one_at_once(table: Table) -> None:
    best, _, old, _ = table.decision.rated
    assert table.host.practice.verdict() == ""
    assert table.choose(best.action) == (
        f"You chose “{table.choices[best.action]}”, the bot's best choice. "
        f"About 7 more wins in 10 games than with “{table.choices[old.action]}”."
    )


def test_another_choice_is_compared_with_the_old_and_the_best_one(table: Table) -> None:
    best, second, old, _ = table.decision.rated
    names = table.choices
    assert table.choose(second.action) == (
        f"You chose “{names[second.action]}”. "
        f"About 3 more wins in 10 games than with “{names[old.action]}”. "
        f"The bot would choose “{names[best.action]}”. "
        f"About 3 more wins in 10 games than with “{names[second.action]}”."
    )


def test_the_old_choice_and_an_unrated_one_are_named_as_such(table: Table) -> None:
    *_, old, unrated = table.decision.rated
    assert f"You chose “{table.choices[old.action]}” again." in table.choose(old.action)
    table.model.undo(pytest.fail)
    assert "which the bot has not tried" in table.choose(unrated.action)


def test_undo_goes_back_to_the_decision_to_try_another_choice(table: Table) -> None:
    refusals: list[str] = []
    table.model.undo(refusals.append)
    assert refusals == [AT_START]
    for action in (table.decision.rated[0].action, table.decision.rated[1].action):
        table.choose(action)
        assert table.model.view().can_undo
        while table.host.practice.has_chosen:
            table.model.undo(pytest.fail)
        assert {choice.action for choice in table.model.view().choices} == set(table.choices)


def play_to_end(host: PracticeHost) -> None:
    """Take the first choice of the person until the practice ends."""
    model = host.model(0)

    def waits() -> bool:
        return bool(model.view().is_over or model.view().choices or model.unread_summaries())

    assert isinstance(host.scheduler, BlockingScheduler)
    while not (view := model.view()).is_over:
        if model.unread_summaries():
            model.request("read")
        elif view.choices:
            model.act(view.choices[0].action, view.revision, pytest.fail)
        host.scheduler.run_until(waits)


def test_an_end_can_be_taken_back_again_and_again(table: Table) -> None:
    model = table.model
    table.host.begin()
    for _ in range(2):
        play_to_end(table.host)
        assert model.result() is not None
        assert model.view().can_undo
        model.undo(pytest.fail)
        assert model.view().choices
    while table.host.practice.has_chosen:
        model.undo(pytest.fail)
    assert {choice.action for choice in model.view().choices} == set(table.choices)


def test_a_game_whose_cards_stay_hidden_cannot_be_practised(opener: Opener, play: Play) -> None:
    whole = play(Kuhn(), people=(0,))
    replay = whole.limited((0,), 0)
    move = ReviewedMove(step=replay.decisions(0)[0], taken="check", best="bet")
    decision = RatedDecision(move, (), 1.0)
    with pytest.raises(RecordError, match="some cards of this game stay hidden"):
        opener.practise(replay, 0, decision)
