"""Replay pages that a person saves to share them."""

from pathlib import Path

from cardhub.base.files import numbered_paths, write_unused
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.host.replays.replay import Replay
from cardhub.play.pages.building_data import build_replay_data
from cardhub.play.pages.replay_page import replay_html


def save_page(replay: Replay, viewer: int, folder: Path | None = None) -> Path:
    """Write the page of a replay to a new file and return its path; raises OSError.

    `viewer` is shown first. The page goes into the record's folder; a replay without a record file
    goes into `folder`, or into the current folder if that is None.
    """
    stem = replay.path.stem if replay.path else replay.game.name
    place = replay.path.parent if replay.path else (folder or Path.cwd())
    return write_unused(numbered_paths(place, stem, ".html"), shared_html(replay, viewer))


def shared_html(replay: Replay, viewer: int) -> str:
    """Return the page of a replay, limited to viewers who may share one page.

    These are all viewers if one of them sees everything, else `viewer` and the spectator.
    """
    return replay_html(build_replay_data(replay.limited(_shared(replay, viewer), viewer)))


def _shared(replay: Replay, viewer: int) -> tuple[int, ...]:
    if EVERYTHING in replay.viewers:
        return replay.viewers
    # In an unfinished game, people must not see the hands of others.
    spectator = len(replay.players)
    return tuple(seen for seen in replay.viewers if seen in (viewer, spectator))
