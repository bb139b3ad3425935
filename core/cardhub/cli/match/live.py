"""The live table of `cardhub match`, on a terminal alone."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardhub.cli.match.live_state import LiveState
    from cardhub.match.blocks import Block
    from cardhub.match.run.match_state import MatchState
    from cardhub.match.run.runner import Watcher
    from cardhub.match.spec import Match
    from cardhub.match.task import GameResult, Timing

A_SECOND = 2
"""How often the table is drawn."""


@contextmanager
def live_watcher(match: "Match", *, is_wanted: bool) -> Iterator["Watcher"]:
    """Yield a Watcher that shows a match on stderr; one that shows nothing where it cannot."""
    from cardhub.match.run.runner import NullWatcher

    if not is_wanted or not _can_draw():
        yield NullWatcher()
        return
    from rich.console import Console
    from rich.live import Live

    from cardhub.cli.match.live_state import LiveState
    from cardhub.cli.match.live_table import render

    live_state = LiveState(match)
    console = Console(stderr=True, highlight=False)
    live = Live(
        console=console,
        refresh_per_second=A_SECOND,
        get_renderable=lambda: render(live_state, console.size),
        transient=True,
    )
    live.start()
    try:
        yield LiveTable(live_state)
    except BaseException:
        live.transient = False  # whoever leaves has seen how it stood
        raise
    finally:
        with suppress(OSError):  # the terminal may have been closed
            live.stop()


class LiveTable:
    """A Watcher that keeps the table up to date; another thread draws it."""

    def __init__(self, live_state: "LiveState") -> None:
        self._standing = live_state

    def begin(self, state: "MatchState") -> None:
        """See Watcher."""
        self._standing.state = state

    def block(self, block: "Block", results: Sequence["GameResult"]) -> None:
        """See Watcher."""
        self._standing.block(block, results)

    def game(self, result: "GameResult", timing: "Timing | None") -> None:
        """See Watcher."""
        self._standing.game(is_new=timing is not None)

    def wait(self) -> None:
        """See Watcher; the table is drawn all the while."""


def _can_draw() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")
