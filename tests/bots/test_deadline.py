"""Time limits for calls into third-party code."""

import signal
import time
from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from cardhub.bots.deadline import TooLateError, deadlines, within


def in_thread(call: Callable[[], Any]) -> Any:
    """Return the result or exception of a call outside of the main thread."""
    outcome: list[Any] = []

    def run() -> None:
        try:
            outcome.append(call())
        except Exception as error:  # noqa: BLE001  # it is what is asked for
            outcome.append(error)

    thread = Thread(target=run)
    thread.start()
    thread.join()
    return outcome[0]


def test_a_call_in_time_returns_or_raises_as_ever() -> None:
    assert within(None, lambda: 3) == within(5, lambda: 3) == 3
    with pytest.raises(ZeroDivisionError):
        within(5, lambda: 1 // 0)


def test_a_call_that_takes_too_long_is_broken_off() -> None:
    """A call that sleeps ends as one that computes."""
    for call in (lambda: time.sleep(30), lambda: all(True for _ in range(10**12))):
        begun = time.monotonic()
        with pytest.raises(TooLateError):
            within(0.05, call)
        assert time.monotonic() - begun < 25


def test_code_that_swallows_exceptions_is_interrupted_all_the_same() -> None:
    """The alarm is not an Exception, and it comes again if the code swallows it."""
    swallowed: list[int] = []

    def stubborn() -> None:
        for number in range(3):
            try:
                time.sleep(30)
            except BaseException:  # noqa: BLE001  # as some bots do
                swallowed.append(number)
        time.sleep(30)

    with pytest.raises(TooLateError):
        within(0.05, stubborn)
    assert swallowed == [0, 1, 2]


def test_the_alarm_is_off_afterwards() -> None:
    within(30, lambda: None)
    assert signal.getitimer(signal.ITIMER_REAL)[0] == 0


def test_each_of_many_calls_has_its_own_time() -> None:
    """Independent of the time left for the others."""
    with deadlines():
        for _ in range(6):
            within(2.5, lambda: time.sleep(0.5))  # an alarm set for the first rings in the last
        within(30, lambda: time.sleep(0.2))
        begun = time.monotonic()
        for _ in range(2):
            with pytest.raises(TooLateError):
                within(0.05, lambda: time.sleep(30))
        assert 0.1 <= time.monotonic() - begun < 25
        within(30, lambda: time.sleep(0.2))
    time.sleep(0.1)


def test_the_previous_alarm_handler_is_restored() -> None:
    rung: list[int] = []
    before = signal.signal(signal.SIGALRM, lambda number, frame: rung.append(number))
    try:
        with deadlines():
            within(30, lambda: None)
        assert signal.getitimer(signal.ITIMER_REAL)[0] == 0
        assert rung == []
        signal.raise_signal(signal.SIGALRM)
        assert rung == [signal.SIGALRM]
    finally:
        signal.signal(signal.SIGALRM, before)


def test_outside_of_the_main_thread_a_call_is_left_alone() -> None:
    """Signals do not reach it, but the waiting caller goes on."""
    assert in_thread(lambda: within(5, lambda: 3)) == 3
    assert isinstance(in_thread(lambda: within(5, lambda: 1 // 0)), ZeroDivisionError)
    assert isinstance(in_thread(lambda: within(0.05, lambda: time.sleep(1))), TooLateError)
