"""A table in play: bots and people in turn, pace, faults, forced actions and failures."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from tests.play.host.conftest import Table

from cardhub.base.errors import BotCrashError, BotIllegalError, BotTimeoutError, RecordError
from cardhub.play.host.running_table import STALE
from cardhub.play.host.turns.bot_turns import ASK_TO_WAIT_AFTER
from cardhub.play.records.reading import read_record
from cardhub.play.table_commands import PlayForced
from cardhub_gamon import Gamon

Tables = Callable[..., Table]


def test_a_bot_is_asked_when_it_is_to_act_and_its_answer_is_carried_out(table: Tables) -> None:
    """Listeners are called after each change; no one has to look."""
    at = table().begin()
    calls: list[int] = []
    at.host.subscribe(lambda: calls.append(at.host.revision))
    at.to_bots_turn()
    assert at.bots.asked == 1
    before = at.host.revision
    at.answer()
    assert at.host.revision == before + 1
    assert calls[-1] == at.host.revision


def test_a_step_of_a_bot_takes_at_least_the_pace(table: Tables) -> None:
    at = table(pace=0.6).begin()
    at.to_bots_turn()
    before = at.host.revision
    at.clock.wait(0.5)
    at.answer(seconds=0.05)
    assert at.host.revision == before
    at.clock.wait(0.06)
    assert at.host.revision == before + 1


def test_skipping_ends_the_search_and_the_waiting_until_a_person_is_to_act(table: Tables) -> None:
    at = table(pace=3.0).begin()
    at.to_bots_turn()
    at.host.request("skip")
    assert at.bots.hurried == 1
    while at.host.is_bots_turn:
        at.answer()
    assert at.host.status().is_waiting
    assert at.clock.now() == 0


def test_while_paused_a_step_lets_one_action_count(table: Tables) -> None:
    """Whether the bot has answered already or not."""
    at = table().begin()
    at.to_bots_turn()
    at.host.request("pause")
    before = at.host.revision
    at.answer(seconds=100)
    assert at.host.revision == before
    at.host.request("step")
    at.clock.wait(100)
    assert at.host.revision == before + 1
    if at.host.is_bots_turn:
        at.host.request("skip")
        at.answer()
        assert at.host.revision == before + 2
    at.host.request("resume")
    assert not at.host.status().is_paused


@pytest.mark.parametrize(
    ("answer", "kind"),
    [(BotCrashError("it is gone"), BotCrashError), (10**6, BotIllegalError), (-7, BotIllegalError)],
)
def test_a_fault_waits_for_a_decision(table: Tables, answer: object, kind: type[Any]) -> None:
    """Its public text names the player, and no card; a retry asks the bot again."""
    at = table().begin()
    at.to_bots_turn()
    at.answer(answer)
    assert isinstance(at.host.activity.fault, kind)
    fault = at.host.status().fault
    assert fault is not None
    assert fault.startswith("the bot Bob (random) ")
    assert "legal:" not in fault.casefold()
    at.clock.wait(1000)
    assert at.bots.asked == 1
    at.host.request("retry")
    assert at.bots.asked == 2
    at.answer()
    assert (at.host.activity.fault, at.host.had_fault) == (None, True)


def test_a_bot_that_ignores_the_wish_to_hurry_can_be_stopped(table: Tables) -> None:
    """Listeners learn of it without looking; its late answer does not count."""
    at = table().begin()
    at.to_bots_turn()
    assert at.bots.question
    late = at.bots.question[1]
    states: list[bool] = []
    at.host.subscribe(lambda: states.append(at.host.status().is_unresponsive))
    at.host.request("skip")
    assert not states[-1]
    at.clock.wait(2)
    assert states[-1]
    before = at.host.revision
    at.host.request("skip")
    assert isinstance(at.host.activity.fault, BotTimeoutError)
    assert at.bots.stopped == 1
    late(0)
    at.clock.wait()
    assert at.host.revision == before


def test_people_are_asked_whether_to_wait_for_a_slow_bot(table: Tables) -> None:
    at = table().begin()
    at.to_bots_turn()
    states: list[bool] = []
    at.host.subscribe(lambda: states.append(at.host.status().is_slow))
    at.clock.wait(ASK_TO_WAIT_AFTER - 1)
    assert not any(states)
    at.clock.wait(1)
    assert states.pop()
    at.host.request("wait")
    assert not states[-1]
    at.clock.wait(ASK_TO_WAIT_AFTER)
    assert states[-1]
    at.host.request("stop")
    assert isinstance(at.host.activity.fault, BotTimeoutError)


def test_an_action_for_an_old_revision_is_refused(table: Tables) -> None:
    """A key pressed twice before the table is drawn again carries out one action."""
    at = table().begin()
    session = at.host.model(0)
    view = session.view()
    for _ in range(2):
        session.act(view.choices[0].action, view.revision, at.told.append)
    assert at.told == [STALE]
    assert len(at.referee.observe(0).history) == 1


def test_turns_with_one_action_can_play_themselves(table: Tables) -> None:
    at = table(Gamon(), people=(0, 1)).begin()
    at.host.stops_at_summaries = False
    taken = 0
    for seat in (0, 1):
        at.host.model(seat).send(PlayForced(is_on=True))
    at.clock.wait()
    while not at.host.is_over:
        view = at.host.model(at.referee.seat).view()
        assert len(view.choices) > 1
        at.act(at.referee.seat)
        taken += 1
    assert taken < sum(step.seat >= 0 for step in at.referee.observe(0).history)


def test_an_action_that_was_taken_back_is_not_forced_again(table: Tables) -> None:
    """Otherwise a person could not undo an action before a single choice."""
    at = table(Gamon()).begin()
    session = at.host.model(0)
    at.act()
    session.send(PlayForced(is_on=True))
    session.undo(at.told.append)
    at.clock.wait(10)
    assert at.told == []
    assert at.referee.observe(0).history == ()


def test_a_record_that_cannot_be_written_ends_the_table(
    table: Tables, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """All actions before are in the record; no bot is asked any more."""
    path = tmp_path / "game.jsonl"
    at = table(path=path).begin()
    at.act()
    lines = len(read_record(path).lines)

    def fail(*_: object) -> None:
        raise RecordError("the disk is full")

    monkeypatch.setattr("cardhub.play.records.recording._RecordFile.append", fail)
    at.referee._history.listeners[0] = fail
    at.act()
    assert at.host.status().failure == "the disk is full"
    assert isinstance(at.host.activity.failure, RecordError)
    assert len(read_record(path).lines) == lines
    at.clock.wait(100)
    assert at.bots.asked == 0


def test_a_closed_host_drops_what_is_on_its_way(table: Tables) -> None:
    at = table().begin()
    at.to_bots_turn()
    closed: list[bool] = []
    at.host.resources.callback(closed.append, True)
    before = at.host.revision
    assert at.bots.question
    on_answer = at.bots.question[1]
    at.host.close()
    on_answer(0)
    at.clock.wait(10)
    assert (closed, at.host.revision) == ([True], before)
