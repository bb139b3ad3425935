"""The replay of a game of bots while it is played."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from typing_extensions import override

from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.announcing.announcer import follow
from cardhub.play.announcing.events import Event
from cardhub.play.history_entries import Entry
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.replays.replay_steps import step_after, steps_so_far
from cardhub.play.referee import Referee


class LiveReplay(Replay):
    """A replay that grows with every step of the game; `referee` is that of the game.

    It is for all viewers, so no person may be playing.
    """

    def __init__(self, referee: Referee[Any], path: Path | None = None) -> None:
        seats = len(referee.players)
        viewers = (*range(seats), seats, EVERYTHING)
        super().__init__(referee, steps_so_far(referee)[1], viewers, seats, path)
        referee.subscribe(self._grow)

    @override
    def events(self, viewer: int) -> Sequence[Event]:
        if viewer not in self._events:
            events = list(super().events(viewer))
            follow(self._referee, viewer, events.append)
            self._events[viewer] = events
        return self._events[viewer]

    def _grow(self, entry: Entry) -> None:
        self._steps.append(step_after(self._referee, entry))
        self._logs.clear()
        self._chapters.clear()
        self._facts.clear()
        # Computed anew when they are next asked for.
        for name in ("stops", "_stop_set"):
            self.__dict__.pop(name, None)
