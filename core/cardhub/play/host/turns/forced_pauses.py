"""Pauses before turns with one legal action: their speed must not show that there was no choice.

This module stands apart because people's turns and bots' turns use it.
"""

from collections import defaultdict, deque
from random import Random

from cardhub.play.host.scheduler import Callback, Scheduler
from cardhub.play.host.turns.clock import Clock

# The number of turns of a seat from which a pause is drawn, and the longest pause in seconds.
TURNS, LONGEST = 8, 5.0
# A pause differs from the time of an earlier turn, because equal times would give it away.
LEAST, MOST = 0.9, 1.1
# The time of a person's turn, until the person has chosen once.
USUAL = 1.0


class ForcedPauses:
    """Draws pauses in seconds from the times of a seat's turns with several legal actions."""

    def __init__(self, scheduler: Scheduler, rng: Random) -> None:
        self._scheduler = scheduler
        self._rng = rng
        self._times: dict[int, deque[float]] = defaultdict(lambda: deque(maxlen=TURNS))
        self._started_at = scheduler.now()

    def start_turn(self) -> None:
        """Start the time of a person's turn."""
        self._started_at = self._scheduler.now()

    def end_turn(self, seat: int, *, has_choice: bool) -> None:
        """Record the time of a person's turn, if it had several legal actions."""
        if has_choice:
            self.record(seat, self._scheduler.now() - self._started_at)

    def record(self, seat: int, seconds: float) -> None:
        """Record the time of a turn with several legal actions."""
        self._times[seat].append(seconds)

    def draw(self, seat: int, usual: float = 0.0) -> float:
        """Return a pause for a seat; `usual`: the time of a turn if none has been recorded."""
        seconds = self._rng.choice(self._times.get(seat) or [usual])
        return min(seconds, LONGEST) * self._rng.uniform(LEAST, MOST)

    def call_later(self, play: Callback, seat: int, pace: float, clock: Clock | None) -> None:
        """Play a person's only legal action after a pause, which leaves time on the clock."""
        pause = max(pace, self.draw(seat, USUAL))
        left = pause if clock is None else clock.left(seat) / 2
        self._scheduler.call_later(min(pause, left), play)
