"""Tables whose players change in the middle of a game, and which go back by consent."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.play.host.conftest import Table

from cardhub.base.errors import BotCrashError, IllegalActionError, PluginError, SeatingError
from cardhub.play.host.opening import NewGame, Opener
from cardhub.play.host.running_table import NO_HELPS, STANDS_IN
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.host.turns.clock import Clock, TimeControl
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import as_record
from cardhub.play.seating import Player
from cardhub.plugins.registry import find_plugins
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon

Tables = Callable[..., Table]
REGISTRY = find_plugins()


def to_act(at: Table, seat: int) -> None:
    """Act for all other seats until a seat is to act."""
    while at.referee.seat != seat:
        if at.bots.question:
            at.answer()
        else:
            at.act(at.referee.seat)


def test_a_bot_stands_in_for_a_person_who_comes_back(table: Tables) -> None:
    """The bot acts; the person still sees their seat, and plays on later."""
    at = table(Gargon(), people=(0, 1), seats=3).begin()
    to_act(at, 1)
    session = at.host.model(1)
    assert session.view().choices
    at.host.replace(1, Player("Bob", "random"))
    at.clock.wait()
    assert at.bots.question is not None
    assert at.bots.question[0].seat == 1
    assert (at.host.people, at.host.viewers) == ((0, 1), (0, 1, 3))
    assert at.host.model(1) is session
    assert session.view().players[1].bot == "random"
    assert session.view().own == 1
    at.host.replace(1, Player("Bob", "human"))
    assert session.view().choices
    assert session.view().players[1].bot == ""
    late = at.bots.hurried
    assert late == 1  # the bot that was thinking was cancelled
    at.act(1)
    assert not at.told


def test_the_answer_of_a_bot_that_was_replaced_does_not_count(table: Tables) -> None:
    at = table(Gargon(), people=(0,), seats=3).begin()
    to_act(at, 1)
    assert at.bots.question is not None
    observation, on_answer = at.bots.question
    at.host.replace(1, Player("Dora", "human"))
    count = at.referee.action_count
    on_answer(observation.legal()[0])
    at.clock.wait()
    assert at.referee.action_count == count
    at.act(1)
    assert at.referee.action_count > count


def test_an_action_chosen_before_a_bot_stood_in_does_not_count(table: Tables) -> None:
    at = table(Gargon(), people=(0, 1), seats=3).begin()
    to_act(at, 1)
    session = at.host.model(1)
    view = session.view()
    at.host.replace(1, Player("Bob", "random"))
    session.act(view.choices[0].action, view.revision, at.told.append)
    session.act(view.choices[0].action, at.host.revision, at.told.append)
    session.undo(at.told.append)
    assert at.told == [STANDS_IN] * 3
    assert not session.view().choices
    assert (session.table.why_no_undo, session.table.can_take_back) == (STANDS_IN, False)


def test_players_of_other_seats_can_act_on_the_view_that_they_have(table: Tables) -> None:
    """A name changed, but not the state."""
    at = table(Gargon(), people=(0, 1, 2), seats=3).begin()
    to_act(at, 0)
    session = at.host.model(0)
    view = session.view()
    at.host.replace(2, Player("Dora", "human"))
    at.host.note(1, "left")
    session.act(view.choices[0].action, view.revision, at.told.append)
    assert not at.told
    assert session.view().players[2].name == "Dora"
    texts = [line.text for line in session.log()]
    assert "Dora takes Chris's seat" in texts
    assert "Bob leaves the table" in texts
    assert {line.kind for line in session.log(since=0)} >= {"action", "seating"}


def test_lines_before_keep_the_name_of_then(table: Tables) -> None:
    at = table(Gargon(), people=(0, 1, 2), seats=3).begin()
    to_act(at, 1)
    to_act(at, 0)
    before = [line.text for line in at.host.model(0).log()]
    at.host.replace(1, Player("Dora", "human"))
    assert [line.text for line in at.host.model(0).log()][: len(before)] == before
    to_act(at, 1)
    to_act(at, 0)
    news = [line.text for line in at.host.model(0).log()][len(before) :]
    assert any(text.startswith("Dora") for text in news[1:])
    assert not any("Bob" in text for text in news[1:])


def test_a_bot_that_failed_can_be_replaced(table: Tables) -> None:
    """The fault belongs to the seat; a change of another seat does not clear it."""
    at = table(Gargon(), people=(0, 1), seats=3).begin()
    to_act(at, 2)
    at.answer(BotCrashError("gone"))
    assert at.host.status().fault
    at.host.replace(1, Player("Dora", "human"))
    assert at.host.status().fault
    at.host.replace(2, Player("Chris", "human"))
    assert at.host.status().fault is None
    at.act(2)


def test_a_person_cannot_take_the_seat_of_a_bot_whose_hand_was_shown(table: Tables) -> None:
    at = table(Gargon(), people=(), seats=3).begin()
    at.host.model(len(at.host.players))
    at.host.replace(1, Player("Dora", "human"))
    with pytest.raises(ValueError, match="a person plays"):
        at.host.model(0)
    at = table(Gargon(), people=(), seats=3).begin()
    at.host.model(0)
    with pytest.raises(IllegalActionError, match="have been shown"):
        at.host.replace(1, Player("Dora", "human"))
    at.host.replace(1, Player("Dora", "random"))


def test_a_takeback_is_told_recorded_and_played_on(table: Tables, tmp_path: Path) -> None:
    """Bots that are thinking are cancelled; a forced action is not forced again."""
    path = tmp_path / "game.jsonl"
    at = table(Gargon(), people=(0, 1), seats=3, path=path).begin()
    assert at.host.why_no_takeback(0) == "Anna has not acted yet"
    to_act(at, 0)
    while at.referee.seat == 0:
        view = at.host.model(0).view()
        at.act(0)
    to_act(at, 2)
    assert at.host.why_no_takeback(0) == ""
    count = at.referee.action_count
    at.host.take_back(0, [1])
    count -= at.referee.action_count
    assert at.referee.seat == 0
    assert at.host.model(0).view().choices == view.choices
    last = [json.loads(line) for line in path.read_text("utf-8").splitlines()][-1]
    assert last == {"seat": 0, "takeback": count, "agreed": [1]}
    assert (
        at.host.model(1).log()[-1].text
        == f"Anna takes back {count} actions with the consent of Bob"
    )
    at.act(0)
    assert at.host.model(0).view().areas
    assert path.read_text("utf-8") == as_record(at.referee)


def test_without_helps_there_is_no_takeback(table: Tables) -> None:
    at = table(Gamon(), people=(0, 1)).begin()
    at.act(at.referee.seat)
    at.referee.helps = False
    assert at.host.why_no_takeback(0) == NO_HELPS
    with pytest.raises(IllegalActionError, match="off at this table"):
        at.host.take_back(0, [1])


def test_a_turn_on_the_clock_begins_anew_for_another_player(table: Tables) -> None:
    """While a bot stands in no time runs."""
    at, expired = table(Gargon(), people=(0, 1, 2), seats=3), list[int]()
    clock = at.host.clock = Clock(TimeControl.parse("30s"), 3, at.clock, expired.append)
    at.begin()
    seat = at.referee.seat
    at.clock.wait(20)
    at.host.replace(seat, Player("Dora", "random"))
    at.clock.wait(100)
    assert (clock.running, expired) == ((), [])
    at.host.replace(seat, Player("Dora", "human"))
    assert (clock.running, clock.left(seat)) == ((seat,), 30)
    at.clock.wait(30)
    assert expired == [seat]


def test_nothing_is_noted_once_the_game_is_over(table: Tables) -> None:
    """The scores are the last line, and players cannot sit down any more."""
    at = table(Gargon(), people=(), seats=3).begin()
    while not at.host.is_over:
        at.answer()
    record = as_record(at.referee)
    at.host.note(0, "left")
    assert as_record(at.referee) == record
    with pytest.raises(IllegalActionError, match="the game is over"):
        at.host.replace(0, Player("Dora", "random"))


@pytest.mark.parametrize("is_inline", [True, False])
def test_bots_of_a_table_change_while_it_plays(tmp_path: Path, *, is_inline: bool) -> None:
    scheduler = BlockingScheduler()
    opener = Opener(REGISTRY, scheduler, pace=0, is_inline=is_inline)
    players = [Player("Anna", "human"), Player("Bob", "rule"), Player("Chris", "human")]
    path = tmp_path / "game.jsonl"
    host = opener.start(NewGame("gargon", players, seed=1, record=path))
    try:
        host.begin()
        with pytest.raises(PluginError, match="wizard"):
            host.replace(0, Player("Anna", "wizard"))
        with pytest.raises(SeatingError, match="called 'Bob'"):
            host.replace(0, Player("Bob", "human"))
        host.replace(0, Player("Anna", "random"))
        host.replace(2, Player("Chris", "rule"))
        scheduler.run_until(lambda: host.is_over)
    finally:
        host.close()
    record = read_record(path)
    assert [player.kind for player in record.players] == ["random", "rule", "rule"]
    assert record.people == (0, 2)
    assert record.is_finished
