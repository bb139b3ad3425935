"""The automatic playing of a replay."""

from collections.abc import Callable
from typing import Any

from textual.screen import Screen
from textual.timer import Timer

from cardhub.play.host.replays.stepping.replay_session import ReplaySession

# Seconds of a step of the pace, the fastest and the slowest one.
PACE_STEP, MIN_PACE, MAX_PACE = 0.3, 0.1, 3.0


class Autoplay:
    """Goes on by one step at a time, at the pace of the session, until the end.

    `changed` is called when it starts or stops, `ended` when it has reached the last step.
    """

    def __init__(
        self,
        screen: Screen[Any],
        session: ReplaySession,
        changed: Callable[[], None],
        ended: Callable[[], None] = lambda: None,
    ) -> None:
        self._screen = screen
        self._session = session
        self._changed = changed
        self._ended = ended
        self._timer: Timer | None = None

    @property
    def is_on(self) -> bool:
        """Whether the replay plays automatically."""
        return self._timer is not None

    def start(self) -> None:
        """Play, from the beginning if the replay is at its end."""
        if self._session.step >= self._session.replay.last:
            self._session.go(0)
        self._session.is_paused = False
        self._set_timer()
        self._changed()

    def stop(self) -> None:
        """Stop at the present step."""
        self._session.is_paused = True
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            self._changed()

    def change_pace(self, sign: int) -> None:
        """Change the pace by a step."""
        pace = round(self._session.pace + sign * PACE_STEP, 1)
        self._session.set_pace(min(max(pace, MIN_PACE), MAX_PACE))
        self.keep_pace()

    def keep_pace(self) -> None:
        """Go on at the pace of the session, which has changed."""
        if self._timer is not None:
            self._timer.stop()
            self._set_timer()

    def _set_timer(self) -> None:
        seconds = max(self._session.pace, MIN_PACE)
        self._timer = self._screen.set_interval(seconds, self._go_on)

    def _go_on(self) -> None:
        self._session.move(1)
        if self._session.step >= self._session.replay.last:
            self.stop()
            self._ended()
