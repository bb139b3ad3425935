"""Asking bots: every exception is a fault, and ratings are checked."""

import signal
import sys
import time
from typing import Any

import pytest
from tests.kit.scripted_bot import ScriptedAdviser, ScriptedBot

from cardhub.base.errors import BotExceptionError, BotFaultError, BotIllegalError, BotTimeoutError
from cardhub.bots import Rated
from cardhub.bots.asking import advise, ask, call_bot, choose, visits_of
from cardhub.bots.deadline import record_signals
from cardhub.model.hidden.observation import Observation


@pytest.mark.parametrize(
    ("bot", "kind", "why"),
    [
        (ScriptedAdviser([]), BotIllegalError, "it returned no ratings"),
        (ScriptedAdviser(None), BotExceptionError, "TypeError"),
        (ScriptedAdviser([(-7, 1, 0.0)]), BotIllegalError, "action -7 is not legal"),
        (ScriptedAdviser([("lay", 1, 0.0)]), BotIllegalError, "action 'lay' is not legal"),
        (ScriptedAdviser([(0, 1)]), BotExceptionError, "TypeError"),
        (ScriptedBot(-7), BotIllegalError, "action -7 is not legal"),
        (ScriptedBot(None), BotIllegalError, "action None is not legal"),
        (ScriptedBot(ValueError("tired")), BotExceptionError, "ValueError: tired"),
        (ScriptedBot(BotIllegalError("oh")), BotIllegalError, "^oh$"),
    ],
)
def test_advice_that_is_none_is_the_bots_fault(
    seen: Observation[Any], bot: Any, kind: type[BotFaultError], why: str
) -> None:
    with pytest.raises(kind, match=why):
        advise(bot, seen)


def test_a_value_that_is_no_number_is_the_bots_fault(seen: Observation[Any]) -> None:
    with pytest.raises(BotIllegalError, match="with nan"):
        advise(ScriptedAdviser([Rated(seen.legal()[0], 1, float("nan"))]), seen)


@pytest.mark.parametrize(
    ("visits", "why"),
    [
        ({}, "it visited no action"),
        ({0: 0}, "it visited no action"),
        ({0: 3, 1: -1}, "less than 0 times"),
        ({-7: 3}, "action -7 is not legal"),
    ],
)
def test_visits_that_mean_nothing_are_the_bots_fault(
    seen: Observation[Any], visits: dict[int, int], why: str
) -> None:
    class Lost(ScriptedBot):
        """Gives these visits."""

        def visits(self, observation: Observation[Any], /) -> dict[int, int]:
            return visits

    with pytest.raises(BotIllegalError, match=why):
        visits_of(Lost(), seen)


def test_a_choice_is_a_number_before_it_is_judged(seen: Observation[Any]) -> None:
    """Whether it is legal is for the referee to say."""
    assert choose(ScriptedBot(-7), seen) == -7
    with pytest.raises(BotIllegalError, match=r"action 1\.0 is not legal"):
        choose(ScriptedBot(1.0), seen)


@pytest.mark.parametrize("error", [ValueError("tired"), SystemExit(3), KeyboardInterrupt()])
def test_an_exception_of_a_bot_is_part_of_its_answer(
    seen: Observation[Any], error: BaseException
) -> None:
    """The exception itself is the cause of the fault; without a signal none of them passes."""
    answer = ask(ScriptedBot(error), seen)
    assert isinstance(answer.fault, BotExceptionError)
    assert answer.fault.__cause__ is error


@pytest.mark.skipif(sys.platform == "win32", reason="signals are not raised there")
def test_signals_are_recorded_once_around_many_calls(seen: Observation[Any]) -> None:
    """An interrupt of a person ends the call within; a bot's own one is a fault all the same."""
    with record_signals() as received:
        handler = signal.getsignal(signal.SIGINT)
        with pytest.raises(KeyboardInterrupt):
            call_bot(signal.raise_signal, signal.SIGINT)
        assert received == [signal.SIGINT]
        assert isinstance(ask(ScriptedBot(KeyboardInterrupt()), seen).fault, BotExceptionError)
        assert signal.getsignal(signal.SIGINT) is handler
    assert signal.getsignal(signal.SIGINT) is not handler


def test_a_bot_is_asked_within_a_limit(seen: Observation[Any]) -> None:
    """The answer has the time also after a timeout."""

    class Slow:
        def choose(self, observation: Observation[Any], /) -> int:
            time.sleep(30)
            return 0

    answer = ask(Slow(), seen, 0.05)
    assert isinstance(answer.fault, BotTimeoutError)
    assert 0.05 <= answer.seconds < 10
