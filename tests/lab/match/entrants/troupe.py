"""Bots for matches: some play by fixed rules, the others are at fault in their own ways."""

import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

from typing_extensions import override

from cardhub import BotEntry, Number, Observation, hookimpl


class First:
    """Takes the first legal action."""

    def __init__(self, rng: Random) -> None:
        pass

    def choose(self, observation: Observation[Any], /) -> int:
        """Return the first legal action."""
        return observation.legal()[0]


class Steady:
    """Chooses by its information state alone: equal states get equal actions."""

    def __init__(self, rng: Random) -> None:
        pass

    def choose(self, observation: Observation[Any], /) -> int:
        """Return the action drawn from a generator seeded by the information state."""
        legal = observation.legal()
        return Random(str(observation.information_state())).choice(legal)


class Faulty(First):
    """Plays like First for a number of answers, then fails."""

    def __init__(self, rng: Random, after: int) -> None:
        self._left = after

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        self._left -= 1
        return super().choose(observation) if self._left >= 0 else self.fail(observation)

    def fail(self, observation: Observation[Any]) -> int:
        """Commit the fault."""
        raise NotImplementedError


class Cheat(Faulty):
    """Answers with an action that is not legal."""

    @override
    def fail(self, observation: Observation[Any]) -> int:
        return observation.game.actions.size


class Babbler(Faulty):
    """Answers with an object that is not an action."""

    @override
    def fail(self, observation: Observation[Any]) -> Any:
        return "whatever"


class Raiser(Faulty):
    """Raises an exception at its fault."""

    @override
    def fail(self, observation: Observation[Any]) -> int:
        raise ValueError("I have no idea")


class Quitter(Faulty):
    """Tries to end the program."""

    @override
    def fail(self, observation: Observation[Any]) -> int:
        sys.exit("enough")


class Killer(Faulty):
    """Ends its process when it is asked."""

    @override
    def fail(self, observation: Observation[Any]) -> int:
        os._exit(7)


class Dozer(Faulty):
    """Sleeps, and swallows exceptions."""

    @override
    def fail(self, observation: Observation[Any]) -> int:
        for _ in range(1000):
            try:
                time.sleep(10)
            except Exception:  # noqa: BLE001  # this is what is wrong with it
                continue
        return observation.legal()[0]


class Diver(Faulty):
    """Computes in compiled code, where no signal is heard."""

    @override
    def fail(self, observation: Observation[Any]) -> int:
        return sum(range(10**12))


class Unborn(First):
    """Cannot be made."""

    def __init__(self, rng: Random) -> None:
        raise RuntimeError("not today")


class Selfish(Faulty):
    """Raises KeyboardInterrupt."""

    @override
    def fail(self, observation: Observation[Any]) -> int:
        raise KeyboardInterrupt


class Stolid(Steady):
    """Is slow to be made, to answer and to be closed; swallows all exceptions."""

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._rest()

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        self._rest()
        return super().choose(observation)

    def close(self) -> None:
        """Take a rest that swallows a signal."""
        self._rest()

    def _rest(self) -> None:
        try:
            time.sleep(0.003)
        except BaseException:  # noqa: BLE001  # this is what is wrong with it
            time.sleep(0.001)


class Confused(Steady):
    """Replaces any exception that interrupts it by another one."""

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        try:
            time.sleep(0.003)
        except BaseException as error:
            raise ValueError("I was disturbed") from error
        return super().choose(observation)


class Caller(Steady):
    """Sends the signal for which there is an order, while it is made, asked or closed.

    The order is a file, named by the environment, with when, to which process and which signal.
    """

    def __init__(self, rng: Random) -> None:
        super().__init__(rng)
        self._call("made")

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        self._call("asked")
        return super().choose(observation)

    def close(self) -> None:
        """Send the ordered signal, if it is for this moment."""
        self._call("closed")

    def _call(self, when: str) -> None:
        order = Path(os.environ.get("TROUPE_ORDER", "nowhere"))
        if order.exists() and order.read_text().startswith(when):
            _, process, number = order.read_text().split()
            order.unlink()
            os.kill(int(process), int(number))
            time.sleep(0.5)


class Slow(First):
    """Takes a twentieth of a second for every answer."""

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        time.sleep(0.05)
        return super().choose(observation)


class Brisk(Steady):
    """Takes a thousandth of a second, which makes it possible to stop a match of many short games.

    With TROUPE_LOG in the environment it stops answering once that file has TROUPE_LINES lines, so
    that a match cannot end before it is interrupted.
    """

    @override
    def choose(self, observation: Observation[Any], /) -> int:
        time.sleep(0.001)
        while self._is_held():
            time.sleep(0.01)
        return super().choose(observation)

    def _is_held(self) -> bool:
        log, lines = Path(os.environ.get("TROUPE_LOG", "nowhere")), os.environ.get("TROUPE_LINES")
        return lines is not None and log.exists() and log.read_bytes().count(b"\n") >= int(lines)


@hookimpl
def register_bots() -> Iterator[BotEntry]:
    """Offer them all."""
    yield BotEntry("first", "takes the first", First)
    yield BotEntry("steady", "goes by what it sees", Steady)
    yield BotEntry("unborn", "cannot be made", Unborn)
    yield BotEntry("slow", "takes its time", Slow)
    yield BotEntry("brisk", "takes little time", Brisk)
    yield BotEntry("stolid", "is not to be disturbed", Stolid)
    yield BotEntry("confused", "is easily disturbed", Confused)
    yield BotEntry("caller", "sends signals to order", Caller)
    yield BotEntry("timed", "says that it needs a clock", First, uses_clock=lambda settings: True)
    for kind in (Cheat, Babbler, Raiser, Quitter, Selfish, Killer, Dozer, Diver):
        options = {"after": Number(0, "After how many answers it fails.", 0, 1000)}
        yield BotEntry(kind.__name__.lower(), "fails", kind, options=options)
