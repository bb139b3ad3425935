"""The results of a game at a table, made for its viewers from one replay of the game."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.announcing.events import Event
from cardhub.play.host.replays.replay import Replay, replay_so_far
from cardhub.play.host.replays.results.game_result import build_result
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.referee import Referee
from cardhub.view.result_view import ResultView


class FinalResults:
    """Makes the results of a finished game; its replay, with all states, is dropped soon after."""

    def __init__(self, scheduler: Scheduler, path: Path | None) -> None:
        self._scheduler = scheduler
        self._path = path
        self._replay: Replay | None = None

    def of(self, referee: Referee[Any], viewer: int, events: Sequence[Event]) -> ResultView:
        """Return the result of a viewer, given all events as the viewer was told of them."""
        replay = self._replay
        if replay is None:
            viewers = (*range(len(referee.players) + 1), EVERYTHING)
            replay = self._replay = replay_so_far(referee, viewers, self._path)
            # All viewers of a table are told of its end in one callback: they share a replay.
            self._scheduler.call_soon(self._drop)
        replay.keep_events(viewer, events)
        return build_result(replay, viewer)

    def _drop(self) -> None:
        self._replay = None
