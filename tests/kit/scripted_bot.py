"""Bots whose answers are chosen by the test."""

from typing import Any

from typing_extensions import override

from cardhub.bots import Bot
from cardhub.model.hidden.observation import Observation


class ScriptedBot(Bot):
    """Gives these answers in turn, raises exceptions among them, then takes first legal actions."""

    def __init__(self, *answers: object) -> None:
        self._answers = list(answers)

    @override
    def choose(self, observation: Observation[Any], /) -> Any:
        answer = self._answers.pop(0) if self._answers else observation.legal()[0]
        if isinstance(answer, BaseException):
            raise answer
        return answer


class ScriptedAdviser(ScriptedBot):
    """Gives one object as its advice, valid or not."""

    def __init__(self, advice: object) -> None:
        super().__init__()
        self._advice = advice

    def advise(self, observation: Observation[Any], /) -> Any:
        """Return the argument of the constructor."""
        return self._advice
