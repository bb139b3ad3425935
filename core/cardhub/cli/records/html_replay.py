"""`cardhub replay --html`: a replay as a page for a browser."""

from pathlib import Path
from typing import Any

from cardhub.cli.console import echo
from cardhub.cli.records.access import choose_viewer, write_new
from cardhub.model.game.game import Game
from cardhub.online.browser.building_data import build_replay_data
from cardhub.online.browser.replay_page import replay_html
from cardhub.online.browser.saved_page import shared_html
from cardhub.play.host.replays.replay import open_replay
from cardhub.play.records.reading import Record


def write_page(game: Game[Any], record: Record, who: str | None, out: Path) -> None:
    """Write the replay of a record to a new HTML file; raises RecordError or UsageError.

    With `who` the page has only what this viewer saw, otherwise that of all permitted viewers.
    """
    viewer = choose_viewer(game, record, who)
    replay = open_replay(game, record)
    if who is not None:
        text = replay_html(build_replay_data(replay.limited((viewer,), viewer)))
    else:
        text = shared_html(replay, viewer)
    write_new(out, text)
    echo(f"{game.title}: {out}", err=True)
