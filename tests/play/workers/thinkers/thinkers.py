"""Bots that think, listen, and fail in every way a bot can fail."""

import os
import signal
import subprocess
import sys
from pathlib import Path
from random import Random
from threading import Event
from time import sleep
from typing import Any

from cardhub import AnyBot, BotEntry, Number, Observation, Option, Rated, hookimpl

Seen = Observation[Any]
LONG = 10**14


class Ponder:
    """Thinks for some milliseconds, and finds the last legal action; before that, the first.

    Can be interrupted.
    """

    def __init__(self, rng: Random, milliseconds: int) -> None:
        self._milliseconds = milliseconds
        self._stop = Event()

    def choose(self, observation: Seen, /) -> int:
        """Return the best-rated action."""
        return self.advise(observation)[0].action

    def advise(self, observation: Seen, /) -> list[Rated]:
        """Return ratings with 100 visits at most, or with one each after an interruption."""
        self._stop.clear()
        was_stopped = self._stop.wait(self._milliseconds / 1000)
        legal = observation.legal()
        order = legal if was_stopped else legal[::-1]
        tries = 1 if was_stopped else 100
        return [Rated(a, max(tries - n, 1), 0.5 - n / 10) for n, a in enumerate(order)]

    def interrupt(self) -> None:
        """Make `advise` return immediately."""
        self._stop.set()


class Stubborn:
    """Thinks for some milliseconds and does not listen."""

    def __init__(self, rng: Random, milliseconds: int) -> None:
        self._milliseconds = milliseconds

    def choose(self, observation: Seen, /) -> int:
        """Return the last legal action after the time is over."""
        sleep(self._milliseconds / 1000)
        return observation.legal()[-1]


class Counting:
    """Takes the action with the number of times it was asked; so it remembers."""

    def __init__(self, rng: Random) -> None:
        self._asked = -1

    def choose(self, observation: Seen, /) -> int:
        """Return the next legal action in turn."""
        self._asked += 1
        legal = observation.legal()
        return legal[self._asked % len(legal)]


class Drawing:
    """Chooses at random, and prints to stdout and stderr."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng

    def choose(self, observation: Seen, /) -> int:
        """Return a random action after writing to stdout and stderr."""
        sys.stdout.write("noise")
        os.write(1, b"noise")
        os.write(2, b"noise")
        return self._rng.choice(observation.legal())


class Failing:
    """Fails as its option says, but only while the file that CARDHUB_TEST_FAIL names exists.

    The file then holds the number of its process.
    """

    def __init__(self, rng: Random, way: int, then: Any) -> None:
        self._way = way
        self._then = then(rng)

    def choose(self, observation: Seen, /) -> int:
        """Fail, or return the action of the other bot."""
        path = Path(os.environ["CARDHUB_TEST_FAIL"])
        if path.exists():
            path.write_text(str(os.getpid()))
            WAYS[self._way]()
        return int(self._then.choose(observation))


def _loop() -> None:
    while True:
        pass


def _hog() -> None:
    max(range(LONG))  # no other thread of this process runs meanwhile


def _leave() -> None:
    sys.exit("enough")


def _vanish() -> None:
    os._exit(7)


def _kill() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


def _raise() -> None:
    raise ValueError("no idea [/what]")


def _bear() -> None:
    """Leave a process behind, and its number after our own."""
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    path = Path(os.environ["CARDHUB_TEST_FAIL"])
    path.write_text(f"{os.getpid()} {child.pid}")
    _loop()


WAYS = [_loop, _hog, _leave, _vanish, _kill, _raise, _bear]
LOOP, HOG, LEAVE, VANISH, KILL, RAISE, BEAR = range(len(WAYS))


@hookimpl
def register_bots() -> list[BotEntry]:
    """Offer them all."""
    time: dict[str, Option] = {"milliseconds": Number(100, "How long it thinks.", 0, 100_000)}
    way: dict[str, Option] = {
        "way": Number(0, "How it fails.", 0, len(WAYS) - 1),
        "then": AnyBot("random", "Who answers afterwards."),
    }
    return [
        BotEntry("ponder", "thinks and listens", Ponder, options=time),
        BotEntry("stubborn", "thinks and does not listen", Stubborn, options=time),
        BotEntry("counting", "remembers", Counting),
        BotEntry("drawing", "draws lots, and makes noise", Drawing),
        BotEntry("failing", "fails", Failing, options=way),
    ]
