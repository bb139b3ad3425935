"""A turn with one legal action takes as long as others, or it would show a part of the hand."""

from collections.abc import Callable

import pytest
from tests.play.host.conftest import Table

from cardhub.play.host.turns.clock import Clock, TimeControl
from cardhub.play.host.turns.forced_pauses import LEAST, LONGEST, MOST, USUAL
from cardhub.play.table_commands import PlayForced
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon

Tables = Callable[..., Table]
THINKING = 2.0


def bot_with_only_choice(table: Tables, *, pace: float = 0.0) -> Table:
    """Return a table whose bot, after a turn of THINKING seconds, has given its only action."""
    at = table(Gamon(), people=(0,), pace=pace).begin()
    at.host.stops_at_summaries = False
    has_thought = False
    while not at.host.is_over:
        at.to_bots_turn()
        is_forced = len(at.referee.observe(1).legal()) == 1
        if is_forced and has_thought:
            at.answer()
            return at
        seconds = 0.0 if is_forced else THINKING
        at.clock.wait(seconds)
        at.answer(seconds=max(pace - seconds, 0.0) + at.host.turns.reading_seconds)
        has_thought |= not is_forced
    raise AssertionError("the bot always has a choice")


def test_a_bot_seems_to_think_about_its_only_legal_action(table: Tables) -> None:
    at = bot_with_only_choice(table)
    step = at.host.step
    at.clock.wait(LEAST * THINKING - 0.01)
    assert at.host.step == step
    assert at.host.status().thinking is not None
    at.clock.wait((MOST - LEAST) * THINKING + 0.02)
    assert at.host.step > step


def test_a_pace_that_is_slower_than_the_bot_holds_for_its_only_action_too(table: Tables) -> None:
    at = bot_with_only_choice(table, pace=3.0)
    step, seconds = at.host.step, at.host.turns.spacing
    assert seconds >= 3.0
    at.clock.wait(seconds - 0.01)
    assert at.host.step == step
    at.clock.wait(0.02)
    assert at.host.step > step


def test_a_bot_that_is_hurried_plays_its_only_action_at_once(table: Tables) -> None:
    at = bot_with_only_choice(table)
    step = at.host.step
    at.host.request("step")
    at.clock.wait()
    assert at.host.step > step


def test_a_pause_of_the_table_holds_an_only_action_back(table: Tables) -> None:
    at = bot_with_only_choice(table)
    step = at.host.step
    at.host.request("pause")
    at.clock.wait(LONGEST)
    assert at.host.step == step
    at.host.request("resume")
    at.clock.wait()
    assert at.host.step > step


def test_a_game_of_bots_waits_for_nobody(table: Tables) -> None:
    at = table(Gamon(), people=()).begin()
    at.host.stops_at_summaries = False
    at.clock.wait(THINKING)
    while not at.host.is_over:
        assert at.bots.question is not None
        at.answer()
    assert at.clock.time == THINKING


def person_with_only_choice(table: Tables, seconds: float, control: str = "") -> Table:
    """Return a table at a person's only legal action, after turns of so many seconds."""
    at = table(Gamon(), people=(0, 1))
    if control:
        at.host.clock = Clock(TimeControl.parse(control), 2, at.clock, lambda _: None)
    at.begin()
    at.host.stops_at_summaries = False
    for seat in (0, 1):
        at.host.model(seat).send(PlayForced(is_on=True))
    while at.host.activity.name != "only_choice":
        at.clock.wait(seconds)
        at.act(at.referee.seat)
    return at


@pytest.mark.parametrize(("seconds", "pause"), [(3.0, 3.0), (60.0, LONGEST)])
def test_a_persons_only_legal_action_is_not_played_at_once(
    table: Tables, seconds: float, pause: float
) -> None:
    """It takes as long as the person's other turns, up to a limit."""
    at = person_with_only_choice(table, seconds)
    step = at.host.step
    is_first = not at.host._pauses._times.get(at.referee.seat)
    at.clock.wait(LEAST * (USUAL if is_first else pause) - 0.01)
    assert at.host.step == step
    at.clock.wait(MOST * pause)
    assert at.host.step > step


def test_the_pause_before_an_only_action_leaves_time_on_the_clock(table: Tables) -> None:
    at = person_with_only_choice(table, 0.5, "1s")
    seat, step, clock = at.referee.seat, at.host.step, at.host.clock
    assert clock is not None
    at.clock.wait(clock.left(seat) / 2)
    assert at.host.step > step


def test_a_game_that_ends_with_an_only_action_is_over(table: Tables) -> None:
    at = table(Gargon(), people=(0, 1, 2), seats=3).begin()
    at.host.stops_at_summaries = False
    at.host.only_choice_seats.update((0, 1, 2))
    while not at.host.is_over:
        at.clock.wait(LONGEST)
        if at.host.activity.name == "person":
            at.act(at.referee.seat)
            is_last_forced = not at.host.is_waiting_for_people
    assert is_last_forced
    assert at.host.activity.name == "over"


def test_a_person_may_play_an_only_action_without_the_pause(table: Tables) -> None:
    at = person_with_only_choice(table, 3.0)
    step = at.host.step
    at.act(at.referee.seat)
    assert at.host.step > step
    assert at.told == []
