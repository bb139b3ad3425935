"""The gate of piped lines: messages are complete and printed first, and answers have arrived."""

from typing import get_args

import pytest
from tests.play.host.conftest import FakeScheduler

from cardhub.cli.online.line_reader import (
    ANSWER_WITHIN,
    NEWS,
    SETTLE,
    WAITS,
    Event,
    LineGate,
    News,
    Wait,
)


class Gate:
    """A gate with a clock that tests advance."""

    def __init__(self) -> None:
        self.clock = FakeScheduler()
        self.gate = LineGate(self.clock)

    @property
    def state(self) -> tuple[str, str]:
        """What the messages are, and what the next line waits for."""
        return self.gate.news, self.gate.wait

    def print_change(self) -> None:
        """Receive messages, and print them when they are complete."""
        self.gate.on_change()
        self.clock.wait(SETTLE)
        assert self.gate.news == "complete"
        self.gate.on_shown()


def test_messages_that_belong_together_are_printed_together() -> None:
    at = Gate()
    assert at.gate.is_quiet
    at.gate.on_change()
    at.clock.wait(SETTLE / 2)
    at.gate.on_change()
    at.gate.on_shown()
    assert at.state[0] == "arriving"
    at.clock.wait(SETTLE / 2)
    assert at.state[0] == "complete"
    assert not at.gate.is_quiet
    at.gate.on_shown()
    assert at.gate.is_quiet


def test_a_message_before_the_last_ones_are_printed_waits_for_its_own_companions() -> None:
    at = Gate()
    at.gate.on_change()
    at.clock.wait(SETTLE)
    at.gate.on_change()
    assert at.state[0] == "arriving"
    at.clock.wait(SETTLE)
    assert at.state[0] == "complete"


def test_a_command_is_answered_by_messages_or_too_late() -> None:
    at = Gate()
    at.gate.on_command(asks_for_game=False)
    assert at.state[1] == "answer"
    at.print_change()
    assert at.gate.is_quiet
    at.gate.on_command(asks_for_game=False)
    at.clock.wait(ANSWER_WITHIN)
    assert at.gate.is_quiet


def test_the_time_for_an_answer_counts_from_the_last_command() -> None:
    at = Gate()
    at.gate.on_command(asks_for_game=False)
    at.clock.wait(ANSWER_WITHIN * 0.9)
    at.print_change()
    at.gate.on_command(asks_for_game=False)
    at.clock.wait(ANSWER_WITHIN * 0.9)
    assert at.state[1] == "answer"


@pytest.mark.parametrize("end", ["on_game", "on_refusal", "on_line"])
def test_after_a_request_for_a_game_lines_wait_for_it_or_a_refusal(end: str) -> None:
    at = Gate()
    at.gate.on_command(asks_for_game=True)
    at.print_change()
    at.clock.wait(10 * ANSWER_WITHIN)
    assert at.state[1] == "game"
    getattr(at.gate, end)()
    assert at.state[1] == "nothing"


def test_a_game_that_begins_with_the_answer_ends_the_wait() -> None:
    at = Gate()
    at.gate.on_command(asks_for_game=True)
    at.gate.on_game()
    assert at.state[1] == "nothing"
    at.clock.wait(10 * ANSWER_WITHIN)
    assert at.gate.is_quiet


def test_each_state_can_be_reached_and_left() -> None:
    assert {start for start, _ in NEWS} == set(NEWS.values()) == set(get_args(News))
    assert {start for start, _ in WAITS} == set(WAITS.values()) == set(get_args(Wait))
    assert {event for _, event in WAITS} == set(get_args(Event))
