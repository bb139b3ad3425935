"""Models of a local table: views, hints, answers, summaries, people at one terminal."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.games.lanterns import Lanterns
from tests.play.host.conftest import Table

from cardhub import Game
from cardhub.base.errors import BotCrashError
from cardhub.bots import Rated
from cardhub.play.host.running_table import NO_HELPS, WATCHES
from cardhub.play.host.terminal import SharedTerminal
from cardhub.play.table_messages import HintMessage
from cardhub.play.table_model import TableModel
from cardhub.play.view_matching import read_choice
from cardhub.view.view import AreaView, Spot, View
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from cardhub_garner import Garner
from hearts import Hearts

Tables = Callable[..., Table]


def past_of(session: TableModel, step: int) -> View:
    """Return the view after a past step."""
    views: list[View] = []
    session.view_at(step, views.append)
    return views[0]


def test_a_view_is_made_once_for_each_revision(table: Tables) -> None:
    """It is the same object until the table changes."""
    at = table().begin()
    session = at.host.model(0)
    first = session.view()
    assert session.view() is first
    at.act()
    assert session.view().revision == first.revision + 1


def test_cards_that_left_since_the_viewer_acted_are_counted(table: Tables) -> None:
    """The table draws an outline for each of them."""
    at = table(Gamon(), people=(0, 1)).begin()
    session = at.host.model(0)
    while at.referee.seat == 0:
        at.act(0)
    assert gone(session.view()) == {}
    at.act(1)
    assert gone(session.view()) == {("hand", 1): 1}


def gone(view: View) -> dict[tuple[str, int | None], int]:
    """Return the number of cards that left, by caption and seat of their area."""
    areas = [area for area in view.areas if isinstance(area, AreaView)]
    return {(area.caption, area.seat): area.gone for area in areas if area.gone}


def test_undo_is_refused_with_the_reason(table: Tables) -> None:
    at = table(Gamon()).begin()
    session = at.host.model(0)
    session.undo(at.told.append)
    assert "You have not acted yet" in at.told.pop()
    assert session.table.why_no_undo
    at.act()
    assert (session.table.why_no_undo, session.view().can_undo) == ("", True)
    session.undo(at.told.append)
    assert (at.told, at.referee.action_count) == ([], 0)
    assert [line.kind for line in session.log()] == ["action", "undo"]


def test_a_hint_is_recorded_before_it_is_shown_as_text(table: Tables) -> None:
    at = table(Gamon(), people=(0, 1)).begin()
    anna, bob = at.host.model(0), at.host.model(1)
    answers: list[HintMessage] = []
    revision = anna.view().revision
    anna.hint(answers.append)
    legal = at.referee.observe(0).legal()
    at.adviser.answer(
        [Rated(legal[1], 100, 0.2), Rated(legal[0], 90, 0.1), Rated(legal[2], 30, 0.0)]
    )
    at.clock.wait()
    (hint,) = answers
    assert [rating.value_text for rating in hint.ratings] == ["60 %", "55 %", "50 %"]
    assert hint.actions[0].comparison.startswith("About as good as ")
    assert [line.kind for line in anna.log()] == ["hint"]
    assert bob.log() == []
    anna.act(legal[0], revision, at.told.append)
    assert at.told == []


def test_a_hint_that_is_dropped_or_fails_is_not_recorded(table: Tables) -> None:
    at = table(Gamon()).begin()
    session = at.host.model(0)
    answers: list[HintMessage] = []
    session.hint(answers.append)
    at.adviser.answer(BotCrashError("it is gone"))
    at.clock.wait()
    assert answers.pop().why_none == "No hint: rule failed. it is gone"
    session.hint(answers.append)
    assert at.adviser.question
    late = at.adviser.question[1]
    at.act()
    assert at.adviser.stopped == 1
    late([Rated(0, 1, 0.0)])
    at.clock.wait()
    assert answers == []
    assert [line.kind for line in session.log()] == ["action"]


def test_a_table_without_helps_refuses_hints_and_undo(table: Tables) -> None:
    at = table(Gamon()).begin()
    at.referee.helps = False
    session = at.host.model(0)
    session.hint(lambda hint: at.told.append(hint.why_none))
    at.act()
    session.undo(at.told.append)
    assert at.told == [NO_HELPS] * 2
    assert (session.table.why_no_undo, session.view().can_undo) == (NO_HELPS, False)
    assert at.adviser.asked == 0


def test_a_spectator_cannot_take_anything_back(table: Tables) -> None:
    at = table(Gamon()).begin()
    at.act()
    session = at.host.model(len(at.host.players))
    session.undo(at.told.append)
    assert session.table.why_no_undo == WATCHES == at.told[0]
    assert not session.table.can_take_back


def test_typed_text_and_spots_are_explained(table: Tables) -> None:
    """A legal action is found, an illegal one has its reason, a card its description."""
    at = table(Hearts(), seats=4).begin()
    while at.host.is_bots_turn:
        at.answer()
    session = at.host.model(0)
    choice = session.view().choices[0]
    assert read_choice(session.view(), choice.name) == choice.action
    session.why_not("dance", at.told.append)
    assert "not one of the choices" in at.told.pop()
    session.why_not(choice.name, at.told.append)
    assert at.told.pop() == f"You can do that: {choice.name}."
    session.explain(choice.spots[0], at.told.append)
    assert choice.name.split()[-1] in at.told.pop()
    session.consequence(choice.action, at.told.append)
    at.host.model(len(at.host.players)).why_not("dance", at.told.append)
    assert at.told[-1] == "It is not your turn."


@pytest.mark.parametrize("game", [Garner(), Gargon(), Hearts()], ids=lambda game: game.name)
def test_questions_about_an_old_view_are_answered(table: Tables, game: Game[Any]) -> None:
    """A front end draws late, and a remote one may send any number."""
    at = table(game, people=range(game.seats.default), seats=game.seats.default).begin()
    old = list(at.host.model(at.referee.seat).view().spots())
    nowhere = [Spot("card", 999, 0), Spot("card", 0, 99), Spot("site", 99, 0), Spot("seat", 99)]
    for _ in range(4):
        session = at.host.model(at.referee.seat)
        for spot in (*old[::5], *nowhere, Spot("area", 0, 99), Spot("button", -3)):
            for ask in (session.explain, session.why_not):
                ask(spot, at.told.append)
                if spot not in session.view().spots():
                    assert at.told[-1] == "This is no longer on the table, which has changed."
        legal = {choice.action for choice in session.view().choices}
        for action in {-1, 0, 10**9, game.actions.size - 1} - legal:
            at.told.clear()
            session.consequence(action, at.told.append)
            session.act(action, session.view().revision, at.told.append)
            assert at.told[0] == ""
            assert at.told[1]
        old = list(session.view().spots())
        at.act(at.referee.seat)
        assert past_of(session, -3).areas == past_of(session, 0).areas
        session.view_at(10**6, lambda _: pytest.fail("there is no such step"))
        assert not session.is_answering


def test_a_past_step_can_be_shown_without_choices(table: Tables) -> None:
    at = table().begin()
    session = at.host.model(0)
    first = session.view()
    at.act()
    past = past_of(session, 0)
    assert (past.areas, past.choices) == (first.areas, ())


def test_bots_wait_until_a_summary_has_been_read(table: Tables) -> None:
    """A person reads it in peace; then the game goes on."""
    at = table(Gargon(), seats=3).begin()
    session = at.host.model(0)
    while not session.unread_summaries():
        if at.host.is_bots_turn:
            at.answer()
        else:
            at.act(choice=-1)
    asked = at.bots.asked
    at.clock.wait(100)
    assert at.bots.asked == asked
    assert at.bots.question is None
    session.request("read")
    at.clock.wait()
    assert session.unread_summaries() == ()
    assert at.bots.asked == asked + at.host.is_bots_turn


def test_a_game_of_bots_stops_at_a_summary_only_if_it_is_shown_step_by_step(
    table: Tables,
) -> None:
    at = table(Gargon(), people=(), seats=3)
    at.host.model(len(at.host.players))
    at.begin()
    while not at.host.is_over:
        at.answer()
    assert at.host.model(len(at.host.players)).result() is not None
    paced = table(Gargon(), people=(), seats=3, pace=0.6)
    paced.host.model(len(paced.host.players))
    paced.begin()
    while paced.bots.question:
        paced.answer(seconds=1)
    assert not paced.host.is_over
    assert paced.host.model(len(paced.host.players)).unread_summaries()


def test_several_people_take_the_terminal_in_turn(table: Tables) -> None:
    """While it is handed over bots wait; at the end all see the spectator's view."""
    at = table(people=(0, 1))
    terminal = SharedTerminal(at.host)
    at.begin()
    assert terminal.model.viewer == 2
    assert terminal.next_holder == 0
    terminal.take(0)
    assert terminal.model.viewer == 0
    while at.referee.seat == 0:
        at.act(0)
    assert terminal.next_holder == 1
    terminal.take(1)
    assert terminal.model.view().choices
    while not at.host.is_over:
        at.act(at.referee.seat)
    assert terminal.model.viewer == 2


def test_only_a_person_hides_the_table(table: Tables) -> None:
    """While a bot begins, the terminal does not have a holder."""
    at = table(Gargon(), people=(1, 2), seats=3)
    terminal = SharedTerminal(at.host)
    at.begin()
    terminal.cover()
    assert terminal.next_holder is None
    at.to_bots_turn()
    at.answer()
    while at.host.is_bots_turn:
        at.answer()
    assert terminal.next_holder == 1
    terminal.take(1)
    terminal.cover()
    assert terminal.next_holder == 1


@pytest.mark.parametrize(("game", "holder"), [(Lanterns(), 1), (Gargon(), None)])
def test_hands_that_spectators_see_are_not_shown_before_the_first_turn(
    table: Tables, game: Game[Any], holder: int | None
) -> None:
    """The terminal starts with a person if spectators see hands that owners do not."""
    at = table(game, people=(1, 2), seats=3)
    terminal = SharedTerminal(at.host)
    at.begin()
    is_bot_first = at.host.is_bots_turn
    assert terminal.next_holder == (holder if is_bot_first else at.referee.seat)
    assert (at.bots.question is None) == (holder is not None or not is_bot_first)


@pytest.mark.parametrize("game", [Gargon(), Gamon(), Garner()])
def test_a_whole_game_is_played_through_sessions_alone(table: Tables, game: Game[Any]) -> None:
    at = table(game, people=(0, 1), seats=game.seats.default)
    at.host.stops_at_summaries = False
    at.begin()
    while not at.host.is_over:
        if at.host.is_bots_turn:
            at.answer()
        else:
            at.act(at.referee.seat, choice=-1)
    result = at.host.model(0).result()
    assert result is not None
    assert sorted(column.place for column in result.columns)[0] == 1
    assert at.told == []
