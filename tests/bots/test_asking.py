"""Asking bots: every exception is a fault, and ratings are checked."""

import time
from typing import Any

import pytest

from cardhub.bots import Rated
from cardhub.bots.asking import advise, ask, choose
from cardhub.errors import BotExceptionError, BotFaultError, BotIllegalError, BotTimeoutError
from cardhub.hidden.observation import Observation


class Advising:
    """A bot whose advice is an argument of its constructor."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def choose(self, observation: Observation[Any], /) -> Any:
        """See Bot."""
        return self._answer

    def advise(self, observation: Observation[Any], /) -> Any:
        """See Adviser."""
        return self._answer


class Choosing:
    """A bot without ratings, whose choice is an argument of its constructor."""

    def __init__(self, answer: Any) -> None:
        self._answer = answer

    def choose(self, observation: Observation[Any], /) -> Any:
        """See Bot."""
        if isinstance(self._answer, BaseException):
            raise self._answer
        return self._answer


@pytest.mark.parametrize(
    ("bot", "kind", "why"),
    [
        (Advising([]), BotIllegalError, "it returned no ratings"),
        (Advising(None), BotExceptionError, "TypeError"),
        (Advising([(-7, 1, 0.0)]), BotIllegalError, "action -7 is not legal"),
        (Advising([("lay", 1, 0.0)]), BotIllegalError, "action 'lay' is not legal"),
        (Advising([(0, 1)]), BotExceptionError, "TypeError"),
        (Choosing(-7), BotIllegalError, "action -7 is not legal"),
        (Choosing(None), BotIllegalError, "action None is not legal"),
        (Choosing(ValueError("tired")), BotExceptionError, "ValueError: tired"),
        (Choosing(BotIllegalError("oh")), BotIllegalError, "^oh$"),
    ],
)
def test_advice_that_is_none_is_the_bots_fault(
    seen: Observation[Any], bot: Any, kind: type[BotFaultError], why: str
) -> None:
    """It is not shown to people."""
    with pytest.raises(kind, match=why):
        advise(bot, seen)


def test_a_value_that_is_no_number_is_the_bots_fault(seen: Observation[Any]) -> None:
    """It could not be compared."""
    with pytest.raises(BotIllegalError, match="with nan"):
        advise(Advising([Rated(seen.legal()[0], 1, float("nan"))]), seen)


def test_a_choice_is_a_number_before_it_is_judged(seen: Observation[Any]) -> None:
    """Whether it is legal is for the referee to say."""
    assert choose(Choosing(-7), seen) == -7
    with pytest.raises(BotIllegalError, match=r"action 1\.0 is not legal"):
        choose(Choosing(1.0), seen)


@pytest.mark.parametrize("error", [ValueError("tired"), SystemExit(3), KeyboardInterrupt()])
def test_an_exception_of_a_bot_is_part_of_its_answer(
    seen: Observation[Any], error: BaseException
) -> None:
    """The exception itself is the cause of the fault; without a signal none of them passes."""
    answer = ask(Choosing(error), seen)
    assert isinstance(answer.fault, BotExceptionError)
    assert answer.fault.__cause__ is error


def test_a_bot_is_asked_within_a_limit(seen: Observation[Any]) -> None:
    """Its time is known also if it is over."""

    class Slow:
        def choose(self, observation: Observation[Any], /) -> int:
            time.sleep(30)
            return 0

    answer = ask(Slow(), seen, 0.05)
    assert isinstance(answer.fault, BotTimeoutError)
    assert 0.05 <= answer.seconds < 10
