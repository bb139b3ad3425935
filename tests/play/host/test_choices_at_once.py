"""Choices at the same time at a table: any order, other minds, bots beside people, and secrecy."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.games.throws import PAPER, ROCK, SCISSORS, Throws
from tests.play.host.conftest import Table

from cardhub.base.errors import IllegalActionError
from cardhub.bots.bot import Rated
from cardhub.play.host.running_table import NO_UNDO
from cardhub.play.host.turns.clock import Clock, TimeControl
from cardhub.play.records.recording import as_record
from cardhub.play.seating import Player
from cardhub.play.table_messages import HintMessage
from cardhub.view.text.table_text import prompt_text
from goofspiel.game import Goofspiel

Tables = Callable[..., Table]
BOTH = (0, 1)


def throw(at: Table, seat: int, action: int) -> None:
    """Throw for a person, by the view that is shown."""
    at.host.act(seat, action, at.host.model(seat).view().revision)
    at.clock.wait()


def names(at: Table, viewer: int) -> list[tuple[str, tuple[str, ...]]]:
    """Return the names of the players with what a viewer's table says of them."""
    return [(player.name, player.badges) for player in at.host.model(viewer).view().players]


def actions(at: Table) -> list[tuple[int, int]]:
    """Return the actions of the record."""
    return [(step.seat, step.action) for step in at.referee.observe(-1).history]


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
def test_people_choose_in_any_order_and_the_record_has_the_order_of_seats(
    table: Tables, order: tuple[int, int]
) -> None:
    at = table(Throws(), people=BOTH).begin()
    assert [at.host.model(seat).view().to_act for seat in BOTH] == [0, 1]
    for seat in order:
        assert actions(at) == []
        throw(at, seat, (PAPER, ROCK)[seat])
    assert actions(at) == [(0, PAPER), (1, ROCK)]
    assert at.host.is_over


def test_who_has_chosen_is_shown_and_never_what(table: Tables) -> None:
    at = table(Throws(), people=BOTH).begin()
    throw(at, 1, ROCK)
    for viewer in (0, 1, 2):
        assert names(at, viewer) == [("Anna", ()), ("Bob", ("has chosen",))]
    own, other = at.host.model(1).view(), at.host.model(0).view()
    assert own.prompt == "You chose “rock”. You can change it until Anna has chosen"
    assert own.to_act == 0
    assert prompt_text(own) == own.prompt
    assert prompt_text(other) == "Your turn, Anna: Rock, paper or scissors"
    assert [choice.name for choice in own.choices if choice.is_chosen] == ["rock"]
    assert not any(choice.is_chosen for choice in other.choices)


def test_others_see_who_chooses_at_the_same_time(table: Tables) -> None:
    at = table(Throws(), people=BOTH).begin()
    prompt = prompt_text(at.host.model(2).view())
    assert prompt == "Waiting for Anna: Rock, paper or scissors, at the same time as Bob"


def test_a_person_may_think_again_until_all_have_chosen(table: Tables) -> None:
    at = table(Throws(), people=BOTH).begin()
    throw(at, 0, ROCK)
    throw(at, 0, SCISSORS)
    assert at.host.model(0).view().can_undo
    at.host.undo(0)
    assert at.host.model(0).view().to_act == 0
    assert names(at, 1) == [("Anna", ()), ("Bob", ())]
    throw(at, 1, ROCK)
    throw(at, 0, PAPER)
    assert actions(at) == [(0, PAPER), (1, ROCK)]


def messages(at: Table, seat: int, chosen: list[int]) -> list[Any]:
    """Return all that others get while a seat chooses, and thinks again."""
    others = [viewer for viewer in (0, 1, 2) if viewer != seat]
    seen: list[Any] = []
    models = [at.host.model(viewer) for viewer in others]
    clock = Clock(TimeControl.parse("5+10"), 2, at.clock, lambda seat: None)
    at.host.clock = clock
    at.begin()
    for action in chosen:
        at.clock.wait(3)
        throw(at, seat, action)
        seen += [(model.table, model.log(), clock.running) for model in models]
    return seen


@pytest.mark.parametrize("seat", BOTH)
@pytest.mark.parametrize("chosen", [[PAPER], [SCISSORS]])
def test_choices_that_differ_give_equal_messages_to_all_others(
    table: Tables, seat: int, chosen: list[int]
) -> None:
    usual = messages(table(Throws(), people=BOTH), seat, [ROCK])
    assert messages(table(Throws(), people=BOTH), seat, chosen) == usual


def test_nobody_sees_that_a_person_has_thought_again(table: Tables) -> None:
    seen = messages(table(Throws(), people=BOTH), 1, [ROCK, PAPER, PAPER])
    assert seen[:2] == seen[2:4] == seen[4:]


def test_bots_are_asked_beside_people_and_nobody_sees_when_they_have_chosen(
    table: Tables,
) -> None:
    at = table(Goofspiel(), people=(0, 2), seats=3, pace=1.0).begin()
    before = at.host.model(0).table
    assert before.status.thinking is None
    at.clock.wait(5)
    at.answer()
    assert at.host.model(0).table == before
    assert at.host.is_waiting_for_people
    at.act(2)
    assert at.host.model(0).view().to_act == 0
    at.act(0)
    assert [seat for seat, _ in actions(at)[-3:]] == [0, 1, 2]


def test_people_choose_while_a_bot_thinks_and_then_wait_for_it(table: Tables) -> None:
    at = table(Throws()).begin()
    assert at.host.is_waiting_for_people
    at.act(0, choice=1)
    assert not at.host.is_waiting_for_people
    assert at.host.status().thinking is not None
    view = at.host.model(0).view()
    assert view.prompt == "You chose “paper”. You can change it until Bob has chosen"
    throw(at, 0, SCISSORS)
    at.answer(ROCK)
    assert actions(at) == [(0, SCISSORS), (1, ROCK)]


def test_the_fault_of_a_bot_keeps_the_choices_of_people(table: Tables) -> None:
    at = table(Throws()).begin()
    at.act(0)
    at.answer(99)
    assert at.host.activity.fault is not None
    assert "Bob" in (at.host.status().fault or "")
    assert at.host.model(0).view().to_act == 1
    at.host.request("retry")
    at.answer(PAPER)
    assert actions(at) == [(0, ROCK), (1, PAPER)]


def test_among_bots_only_the_last_choice_waits_for_the_pace(table: Tables) -> None:
    at = table(Throws(), people=(), pace=2.0).begin()
    at.answer(ROCK)
    assert at.bots.asked == 2
    at.answer(PAPER)
    assert actions(at) == []
    at.clock.wait(2)
    assert actions(at) == [(0, ROCK), (1, PAPER)]


def test_each_clock_runs_until_its_person_has_chosen(table: Tables) -> None:
    at = table(Throws(), people=BOTH)
    at.host.clock = clock = Clock(TimeControl.parse("5+10"), 2, at.clock, lambda seat: None)
    at.begin()
    at.clock.wait(10)
    throw(at, 1, ROCK)
    at.clock.wait(10)
    assert (clock.running, clock.left(0), clock.left(1)) == ((0,), 280, 290)
    at.host.undo(1)
    at.clock.wait(5)
    assert (clock.left(0), clock.left(1)) == (275, 285)


def test_the_choice_of_a_person_whom_a_bot_replaces_is_dropped(table: Tables) -> None:
    at = table(Throws(), people=BOTH).begin()
    throw(at, 1, ROCK)
    shown = at.host.model(0).view().revision
    at.host.replace(1, Player("Bob", "random"))
    with pytest.raises(IllegalActionError, match="changed since"):
        at.host.act(0, ROCK, shown)
    at.act(0)
    at.answer(SCISSORS)
    assert actions(at) == [(0, ROCK), (1, SCISSORS)]


def test_a_record_has_no_choice_before_all_are_in(table: Tables, tmp_path: Path) -> None:
    at = table(Goofspiel(), people=BOTH, path=tmp_path / "game.jsonl").begin()
    before = as_record(at.referee)
    throw(at, 0, at.host.model(0).view().choices[0].action)
    assert as_record(at.referee) == before


def test_a_whole_round_is_taken_back_with_consent(table: Tables, tmp_path: Path) -> None:
    at = table(Goofspiel(), people=BOTH, path=tmp_path / "game.jsonl").begin()
    for seat in (1, 0):
        at.act(seat)
    assert at.host.why_no_undo(1) == NO_UNDO
    at.act(0)
    at.host.take_back(1, agreed=[0])
    assert actions(at) == []
    assert names(at, 0) == [("Anna", ()), ("Bob", ())]
    assert [at.host.model(seat).view().to_act for seat in BOTH] == [0, 1]
    for seat in BOTH:
        at.act(seat, choice=2)
    assert [seat for seat, _ in actions(at)] == [0, 1]


def test_nothing_can_be_undone_before_the_own_first_choice(table: Tables) -> None:
    """Although another has chosen."""
    at = table(Throws(), people=BOTH).begin()
    throw(at, 0, ROCK)
    with pytest.raises(IllegalActionError, match="You have not acted yet"):
        at.host.undo(1)


def test_people_who_choose_at_once_get_their_hints_one_after_another(table: Tables) -> None:
    at = table(Throws(), people=BOTH).begin()
    hints: list[HintMessage] = []
    for seat in BOTH:
        at.host.model(seat).hint(hints.append)
    throw(at, 0, at.host.model(0).view().choices[0].action)
    for _ in BOTH:
        at.adviser.answer([Rated(ROCK, 1, 0.5)])
        at.clock.wait()
    assert [hint.why_none for hint in hints] == ["", ""]
