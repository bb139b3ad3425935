"""Live display of `cardhub match` on a terminal."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cardhub.cli.match.live_state import LiveState
    from cardhub.match.blocks import Block
    from cardhub.match.match_spec import Match
    from cardhub.match.run.match_state import MatchState
    from cardhub.match.run.runner import Watcher
    from cardhub.match.task import GameResult, Timing

A_SECOND = 2
"""Refreshes per second."""


@contextmanager
def live_watcher(match: "Match", *, is_wanted: bool) -> Iterator["Watcher"]:
    """Yield a Watcher that displays a match on stderr, or a NullWatcher without a terminal."""
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
        live.transient = False  # keep the last table on the screen
        raise
    finally:
        with suppress(OSError):  # the terminal may have been closed
            live.stop()


class LiveTable:
    """Watcher that updates the state of the live table, which another thread renders."""

    def __init__(self, live_state: "LiveState") -> None:
        self._live_state = live_state

    def begin(self, state: "MatchState") -> None:
        """See Watcher."""
        self._live_state.state = state

    def block(self, block: "Block", results: Sequence["GameResult"]) -> None:
        """See Watcher."""
        self._live_state.block(block, results)

    def game(self, result: "GameResult", timing: "Timing | None") -> None:
        """See Watcher."""
        self._live_state.game(is_new=timing is not None)

    def wait(self) -> None:
        """See Watcher; the table is rendered by its own thread."""


def _can_draw() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")
