"""Build a finished game's replay page in a separate process, off the event loop.

    python -m cardhub.online.server.web.replay_builder RECORD PAGE [DIRECTORY...]

The directories contain plugins.
"""

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from cardhub.base.files import replace_text
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.host.opening import recorded_game
from cardhub.play.host.replays.replay import open_replay
from cardhub.play.pages.replay_page import shared_html
from cardhub.play.records.reading import read_record
from cardhub.plugins.registry import find_plugins

# Increment of the nice value, because players' actions have priority.
NICENESS = 10


def build(record: Path, page: Path, directories: Sequence[Path] = ()) -> None:
    """Write the page of a record atomically; raises CardhubError or OSError."""
    read = read_record(record)
    game = recorded_game(find_plugins(directories), read)
    replay, spectator = open_replay(game, read), len(read.header.players)
    # The record has all cards, but visitors may see only what the game has opened.
    replace_text(page, shared_html(replay, EVERYTHING if game.opens_at_end else spectator))


if __name__ == "__main__":
    if hasattr(os, "nice"):
        os.nice(NICENESS)
    given, written, *folders = map(Path, sys.argv[1:])
    build(given, written, folders)
