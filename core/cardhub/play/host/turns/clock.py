"""Clocks of people: the time for their actions, in minutes for a game or in days for an action."""

import re
from collections.abc import Callable, Collection, Sequence
from functools import partial
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


class Clock:
    """The clocks of all seats; only the clocks of people to act run.

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
        self._turns: set[int] = set()  # the seats to act, even while their clocks are stopped
        self._since: dict[int, float] = {}  # the times at which clocks started, by running seat
        self._timers: dict[int, Timer] = {}
        self._expired_seats: set[int] = set()
        # For undo: the seconds left before and after each of the last consecutive actions of a
        # seat.
        self._past: list[tuple[int, float, float]] = []

    @property
    def running(self) -> tuple[int, ...]:
        """The seats whose clocks run."""
        return tuple(self._since)

    def left(self, seat: int) -> float:
        """Return the seconds that a seat has left, 0 or more."""
        since = self._since.get(seat)
        spent = 0.0 if since is None else self._scheduler.now() - since
        return max(self._left[seat] - spent, 0.0)

    def run(self, *seats: int, resting: Collection[int] = ()) -> None:
        """Let the clocks of these seats run, and no others.

        `resting`: the seats whose turns go on although their clocks are stopped, because they have
        chosen before others and can choose again.
        """
        for seat in self._since.keys() - set(seats):
            self._stop(seat)
        if not seats:
            return
        self._turns &= {*seats, *resting}
        self._expired_seats &= self._turns
        for seat in seats:
            if seat in self._since or seat in self._expired_seats:
                continue
            if seat not in self._turns:
                self._begin_turn(seat)
            self._since[seat] = self._scheduler.now()
            expire = partial(self._expire, seat)
            self._timers[seat] = self._scheduler.call_later(self._left[seat], expire)

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
        if seat not in self._turns:
            return
        self._stop(seat)
        self._expired_seats.discard(seat)
        before = self._left[seat]
        is_per_action, base, increment = self.control.is_per_action, *self.control[:2]
        self._left[seat] = base if is_per_action else before + increment
        self._past.append((seat, before, self._left[seat]))

    def undid(self, seat: int) -> None:
        """Restore the clock of a seat that undid its last action, without the time since then."""
        if not self._past or self._past[-1][0] != seat:
            return
        self.run()  # stops all
        _, before, after = self._past.pop()
        # Otherwise a person who undoes and repeats an action would gain time.
        self._left[seat] = max(before - (after - self._left[seat]), 0.0)
        self._turns = {seat}

    def end_turn(self, *seats: int) -> None:
        """End the turns of these seats, by default all; their next turns are new turns."""
        for seat in seats or tuple(self._turns):
            self._stop(seat)
            self._turns.discard(seat)
            self._expired_seats.discard(seat)
        self._past.clear()

    def state(self) -> tuple[tuple[float, ...], tuple[int, ...]]:
        """Return the remaining seconds by seat, and the seats to act.

        There are several if they choose at the same time, and none between two turns.
        """
        left = tuple(map(self.left, range(len(self._left))))
        return left, tuple(sorted(self._since.keys() or self._turns))

    def restore(self, left: Sequence[float], turns: Collection[int] = ()) -> None:
        """Continue with an earlier state; raises ValueError if its number of seats differs."""
        if len(left) != len(self._left):
            raise ValueError(f"times of {len(left)} seats at a table of {len(self._left)}")
        self.end_turn()
        self._left, self._turns = list(left), set(turns)

    def _begin_turn(self, seat: int) -> None:
        self._turns.add(seat)
        self._expired_seats.discard(seat)
        least = self.control.base if self.control.is_per_action else self.control.increment
        self._left[seat] = max(self._left[seat], least)

    def _stop(self, seat: int) -> None:
        self._left[seat] = self.left(seat)
        self._since.pop(seat, None)
        timer = self._timers.pop(seat, None)
        if timer is not None:
            timer.cancel()

    def _expire(self, seat: int) -> None:
        self._stop(seat)
        self._left[seat] = 0.0
        self._expired_seats.add(seat)
        self._expired(seat)
