"""The interface through which a table asks its bots, and the forms of questions and answers."""

from collections.abc import Callable, Sequence
from math import isfinite
from typing import Any, Protocol

from typing_extensions import override

from cardhub.base.errors import (
    BotCrashError,
    BotError,
    BotExceptionError,
    BotFaultError,
    BotGarbageError,
    BotIllegalError,
    OptionError,
    PluginError,
)
from cardhub.bots.bot import Rated
from cardhub.bots.processes.child_process import FrameError
from cardhub.bots.processes.python_process import Failed, Ready
from cardhub.model.hidden.observation import Observation, Step
from cardhub.model.hidden.serialization import serialize
from cardhub.play.workers.bot_messages import Advised, Chosen, Lineup, Reply

# Exit codes above it are this number plus a signal's.
KILLED = 128

# Callback for the answer or a BotFaultError; called from another thread.
OnAnswer = Callable[[Any], None]


def pack(observation: Observation[Any], on_answer: OnAnswer) -> bytes | None:
    """Return an observation as bytes, or call `on_answer` with a fault and return None."""
    try:
        return serialize(observation)
    except TypeError as error:
        on_answer(BotExceptionError(f"{observation.game.name} cannot be played there: {error}"))
        return None


def answer_of(
    reply: Reply, legal: Sequence[int] | None
) -> bool | int | list[Rated] | BotFaultError:
    """Return the content of a reply; `legal` are the actions to rate, None where one is chosen."""
    if isinstance(reply, Failed):
        kinds = {kind.fault: kind for kind in BotFaultError.__subclasses__()}
        return kinds.get(reply.kind, BotFaultError)(reply.message, details=reply.details)
    if isinstance(reply, Ready):
        return True
    if isinstance(reply, Chosen) and legal is None:
        return reply.action
    if isinstance(reply, Advised) and legal is not None:
        rated = [
            Rated(action, visits, value, tuple(Step(*step) for step in line))
            for action, visits, value, line in reply.rated
        ]
        if rated and all(r.action in legal and isfinite(r.value) for r in rated):
            return rated
    return BotIllegalError("its process returned an invalid answer")


def end_fault(code: int, wrong: FrameError | None) -> BotFaultError:
    """Return the fault of a process that ended with an exit code, or after an invalid message."""
    if wrong is not None:
        return BotGarbageError(f"its process wrote an invalid message: {wrong}")
    how = f"was killed by signal {code - KILLED}" if code > KILLED else f"ended with code {code}"
    return BotCrashError(f"its process {how}; a new bot without memory of this game takes over")


class BotClient(Protocol):
    """Interface through which a table asks its bots, or the bot that gives hints.

    One question is pending at a time; a new question discards the one before.
    """

    def start(self) -> None:
        """Prepare for questions, where that takes time."""
        ...

    def ask(self, observation: Observation[Any], on_answer: OnAnswer) -> None:
        """Ask the bot of an observation's seat; `on_answer` is called with the answer."""
        ...

    def reseat(self, lineup: Lineup) -> None:
        """Ask the bots of another lineup of the same game from the next question on.

        Bots that stay in their seat keep their memory of the game.
        """
        ...

    def hurry(self) -> None:
        """Ask the bot to stop searching and answer with its best action, if possible."""
        ...

    def stop(self) -> None:
        """Cancel the pending question; it is not answered."""
        ...


class InlineBotClient(BotClient):
    """A BotClient that answers synchronously with `question(observation)`.

    `reseat` gets another lineup, if the question depends on it.
    """

    def __init__(
        self,
        question: Callable[[Observation[Any]], Any],
        reseat: Callable[[Lineup], object] | None = None,
    ) -> None:
        self._question = question
        self._reseat = reseat

    @override
    def start(self) -> None:
        pass  # the bots are here

    @override
    def ask(self, observation: Observation[Any], on_answer: OnAnswer) -> None:
        answer: object
        try:
            answer = self._question(observation)
        except (BotError, OptionError, PluginError) as error:
            answer = error
        on_answer(answer)

    @override
    def reseat(self, lineup: Lineup) -> None:
        if self._reseat is not None:
            self._reseat(lineup)

    @override
    def hurry(self) -> None:
        pass  # no question is pending

    @override
    def stop(self) -> None:
        pass  # no question is pending
