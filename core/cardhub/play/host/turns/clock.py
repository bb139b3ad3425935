"""Clocks of people: the time for their actions, in minutes for a game or in days for an action."""

import re
from collections.abc import Callable
from typing import NamedTuple

from cardhub.base.errors import OptionError
from cardhub.play.history_entries import Entry, Taken, TakenBack, Undone
from cardhub.play.host.scheduler import Scheduler, Timer

FIX = 'fix: write "5+10" (minutes for the game, and seconds for each action), "30s", "12h" or "3d"'
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
# More is no limit: 365 days.
LONGEST = 365 * 86400
GAME_TIME = re.compile(r"(\d{1,4})\+(\d{1,4})", re.ASCII)
ACTION_TIME = re.compile(r"(\d{1,8})([smhd])", re.ASCII)


class TimeControl(NamedTuple):
    """The time that each person has, in seconds.

    With `is_per_action` a turn has `base` seconds, and unused ones are lost. Else `base` is for the
    whole game, and each action adds `increment`.
    """

    base: float
    increment: float
    is_per_action: bool

    @classmethod
    def parse(cls, text: str) -> "TimeControl":
        """Return the control of a text such as `5+10`, `30s` or `3d`; raises OptionError."""
        if found := GAME_TIME.fullmatch(text.strip()):
            control = cls(60.0 * int(found[1]), float(int(found[2])), False)
        elif found := ACTION_TIME.fullmatch(text.strip()):
            control = cls(float(int(found[1]) * UNITS[found[2]]), 0.0, True)
        else:
            raise OptionError(f"invalid clock {text!r}. {FIX}")
        if not control.base + control.increment > 0 or control.base > LONGEST:
            raise OptionError(f"invalid clock {text!r}: more than 0, at most 365 days. {FIX}")
        return control


class ClockTimes(NamedTuple):
    """The state of a clock as plain data: the seconds left by seat, and the seat whose turn it is.

    Between two turns `turn` is None.
    """

    left: tuple[float, ...]
    turn: int | None = None


class Clock:
    """The time of each seat; only that of the person to act runs.

    `expired` is called once in a turn, with the seat whose time has run out. In later turns it has
    at least the increment. The time while no server runs is not counted.
    """

    def __init__(
        self,
        control: TimeControl,
        seats: int,
        scheduler: Scheduler,
        expired: Callable[[int], object],
    ) -> None:
        self.control = control
        self._scheduler = scheduler
        self._expired = expired
        self._left = [control.base] * seats
        self._turn: int | None = None  # the seat whose turn it is, also while its time stands
        self._since: float | None = None  # the time at which its time began to run
        self._timer: Timer | None = None
        self._has_expired = False
        # For undo: the seconds left before and after each action of one seat since another acted.
        self._past: list[tuple[int, float, float]] = []

    @property
    def running(self) -> int | None:
        """The seat whose time runs now."""
        return self._turn if self._since is not None else None

    def left(self, seat: int) -> float:
        """Return the seconds that a seat has left, 0 or more."""
        spent = self._scheduler.now() - self._since if self._since is not None else 0.0
        return max(self._left[seat] - (spent if seat == self._turn else 0.0), 0.0)

    def run(self, seat: int | None) -> None:
        """Let the time of a seat run, that of no seat for None; the same seat's goes on."""
        if seat is not None and seat in (self.running, self._turn if self._has_expired else None):
            return
        self._stop()
        if seat is None:
            return
        if seat != self._turn:
            self._begin_turn(seat)
        self._since = self._scheduler.now()
        self._timer = self._scheduler.call_later(self._left[seat], self._expire)

    def on_entry(self, entry: Entry) -> None:
        """Stop and count a seat's time after an entry of the game's history."""
        match entry:
            case Taken(seat) if seat >= 0:
                self.acted(seat)
            case Undone(seat):
                self.undid(seat)
            case TakenBack():
                self.end_turn()

    def acted(self, seat: int) -> None:
        """Note that a seat has acted: its time stands, and the increment is added."""
        if self._past and self._past[-1][0] != seat:
            self._past.clear()
        if seat != self._turn:
            return
        self._stop()
        self._has_expired = False
        before = self._left[seat]
        is_per_action, base, increment = self.control.is_per_action, *self.control[:2]
        self._left[seat] = base if is_per_action else before + increment
        self._past.append((seat, before, self._left[seat]))

    def undid(self, seat: int) -> None:
        """Note that a seat took its last action back: its increment is gone, as is time since."""
        if not self._past or self._past[-1][0] != seat:
            return
        self._stop()
        _, before, after = self._past.pop()
        # Else a person who undoes and repeats an action would gain time.
        self._left[seat] = max(before - (after - self._left[seat]), 0.0)
        self._turn = seat

    def end_turn(self) -> None:
        """Let no time run; the next turn is a new one, also of the same seat."""
        self._stop()
        self._turn, self._has_expired = None, False
        self._past.clear()

    def state(self) -> ClockTimes:
        """Return the times of now."""
        return ClockTimes(tuple(map(self.left, range(len(self._left)))), self._turn)

    def restore(self, times: ClockTimes) -> None:
        """Continue with earlier times; raises ValueError for those of another number of seats."""
        if len(times.left) != len(self._left):
            raise ValueError(f"times of {len(times.left)} seats at a table of {len(self._left)}")
        self.end_turn()
        self._left, self._turn = list(times.left), times.turn

    def _begin_turn(self, seat: int) -> None:
        self._turn, self._has_expired = seat, False
        least = self.control.base if self.control.is_per_action else self.control.increment
        self._left[seat] = max(self._left[seat], least)

    def _stop(self) -> None:
        if self._since is not None and self._turn is not None:
            self._left[self._turn] = self.left(self._turn)
        self._since = None
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _expire(self) -> None:
        seat = self._turn
        self._stop()
        if seat is not None:
            self._left[seat], self._has_expired = 0.0, True
            self._expired(seat)
