"""Clocks of people: the time for their actions, in minutes for a game or in days for an action."""

import re
from collections.abc import Callable
from typing import NamedTuple

from cardhub.base.errors import OptionError
from cardhub.play.history_entries import Entry, Taken, TakenBack, Undone
from cardhub.play.host.scheduler import Scheduler, Timer

FIX = 'fix: write "5+10" (minutes for the game, and seconds for each action), "30s", "12h" or "3d"'
UNITS = {"s": 1, "m": 60, "h": 3600, "d": 86400}
# 365 days; a longer time would not be a limit.
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
        if match := GAME_TIME.fullmatch(text.strip()):
            control = cls(60.0 * int(match[1]), float(int(match[2])), False)
        elif match := ACTION_TIME.fullmatch(text.strip()):
            control = cls(float(int(match[1]) * UNITS[match[2]]), 0.0, True)
        else:
            raise OptionError(f"invalid clock {text!r}. {FIX}")
        if not control.base + control.increment > 0 or control.base > LONGEST:
            raise OptionError(f"invalid clock {text!r}: more than 0, at most 365 days. {FIX}")
        return control


class ClockTimes(NamedTuple):
    """The state of a clock as plain data: the remaining seconds by seat, and the seat to act.

    Between two turns `turn` is None.
    """

    left: tuple[float, ...]
    turn: int | None = None


class Clock:
    """The clocks of all seats; only the clock of the person to act runs.

    `expired` is called once in a turn, with the seat whose time has run out. In later turns it has
    at least the increment. Clocks stand still while the server is down.
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
        self._turn: int | None = None  # the seat to act, even while its clock is stopped
        self._since: float | None = None  # the time at which its clock started
        self._timer: Timer | None = None
        self._has_expired = False
        # For undo: the seconds left before and after each of the last consecutive actions of a
        # seat.
        self._past: list[tuple[int, float, float]] = []

    @property
    def running(self) -> int | None:
        """The seat whose clock runs, or None."""
        return self._turn if self._since is not None else None

    def left(self, seat: int) -> float:
        """Return the seconds that a seat has left, 0 or more."""
        spent = self._scheduler.now() - self._since if self._since is not None else 0.0
        return max(self._left[seat] - (spent if seat == self._turn else 0.0), 0.0)

    def run(self, seat: int | None) -> None:
        """Start the clock of `seat`, or stop all clocks if None. No-op if it already runs."""
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
        """Update the clocks after an entry of the game's history."""
        match entry:
            case Taken(seat) if seat >= 0:
                self.acted(seat)
            case Undone(seat):
                self.undid(seat)
            case TakenBack():
                self.end_turn()

    def acted(self, seat: int) -> None:
        """Stop the clock of a seat that acted, and add the increment."""
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
        """Restore the clock of a seat that undid its last action, without the time since then."""
        if not self._past or self._past[-1][0] != seat:
            return
        self._stop()
        _, before, after = self._past.pop()
        # Otherwise a person who undoes and repeats an action would gain time.
        self._left[seat] = max(before - (after - self._left[seat]), 0.0)
        self._turn = seat

    def end_turn(self) -> None:
        """Stop all clocks; the next turn is a new turn even if the same seat acts."""
        self._stop()
        self._turn, self._has_expired = None, False
        self._past.clear()

    def state(self) -> ClockTimes:
        """Return the current state."""
        return ClockTimes(tuple(map(self.left, range(len(self._left)))), self._turn)

    def restore(self, times: ClockTimes) -> None:
        """Continue with earlier times; raises ValueError if their number of seats differs."""
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
