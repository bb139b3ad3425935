"""Rendering of the live table of a match."""

import os
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress

from rich.console import Console, ConsoleDimensions, Group, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from cardhub.cli.match.live_state import LiveState, Points
from cardhub.errors.printable import printable
from cardhub.match.blocks import Block
from cardhub.match.match_spec import Match
from cardhub.match.run.match_state import MatchState
from cardhub.match.run.runner import NullWatcher, Watcher
from cardhub.match.task import GameResult, Timing

NARROW = 60
"""Width below which the table has no intervals."""
INTERVAL = "95 % whenever one looks"
LLR_WIDTH = 21


def render(live_state: "LiveState", size: ConsoleDimensions) -> RenderableType:
    """Return the table, fitted to the size of the terminal."""
    found: list[RenderableType] = [text(heading(live_state), "bold"), progress(live_state)]
    tail = list(footing(live_state))
    room = size.height - len(found) - len(tail) - 2
    return Group(*found, table(live_state, size.width, room), *tail)


def text(written: str, style: str = "") -> Text:
    """Return a printable text without markup."""
    return Text(printable(written), style)


def heading(live_state: "LiveState") -> str:
    """Return the first line: progress, speed and remaining time."""
    if live_state.state is None:
        return f"{live_state.match.name}: reading its log"
    told = [f"{live_state.blocks} of {live_state.all_blocks} blocks"]
    told.append(f"{live_state.state.counts.games} games")
    speed, left = live_state.speed(), live_state.left()
    if live_state.blocks >= live_state.all_blocks or live_state.state.stop:
        told.append("computing the statistics")
    elif speed is not None:
        told.append(f"{speed:.3g} games/s")
        told += [] if left is None else [f"{at_most(live_state)}{clock(left)} left"]
    return f"{live_state.match.name}: {', '.join(told)}"


def at_most(live_state: "LiveState") -> str:
    """Return the prefix of the remaining time of a match that may end early."""
    may_stop = live_state.match.sprt or live_state.match.order.mode == "racing"
    return "at most " if may_stop else ""


def progress(live_state: "LiveState") -> Table:
    """Return a progress bar of the finished blocks."""
    line = Table.grid(expand=True)
    line.add_row(ProgressBar(total=max(live_state.all_blocks, 1), completed=live_state.blocks))
    return line


def table(live_state: "LiveState", width: int, room: int) -> Table:
    """Return the bots of each game with their points, as many as fit."""
    drawn = Table(box=None, pad_edge=False, header_style="dim")
    wide = width >= NARROW
    for name in ("game", "bot"):
        drawn.add_column(name, no_wrap=True, overflow="ellipsis")
    for name in ("blocks", "points", *([INTERVAL] if wide else [])):
        drawn.add_column(name, justify="left" if name == INTERVAL else "right", no_wrap=True)
    drawn.add_column("faults", no_wrap=True, overflow="ellipsis")
    rows = [row for points in live_state.points.values() for row in rows_of(live_state, points)]
    kept = rows if len(rows) < room else rows[: max(room - 2, 0)]
    for game, bot, blocks, mean, interval, faults in kept:
        cells = (game, bot, blocks, mean, *([interval] if wide else []), faults)
        drawn.add_row(*map(text, cells))
    if len(kept) < len(rows):
        drawn.add_row("", f"and {len(rows) - len(kept)} more")
    return drawn


def rows_of(live_state: "LiveState", points: "Points") -> Iterator[tuple[str, ...]]:
    """Yield a row for each bot of a game, the best first."""
    if live_state.state is None:
        return
    counts = live_state.state.counts
    found = [(bot, counts.bot(points.contest.id, bot).counts()) for bot in points.bots]
    found.sort(key=lambda each: -(each[1].mean_score or 0))
    for number, (bot, row) in enumerate(found):
        first = (points.contest.id, bot, str(points.blocks)) if not number else ("", bot, "")
        mean = "" if row.mean_score is None else f"{row.mean_score:.3f}"
        interval = points.interval(bot)
        range_ = "" if interval is None else f"{interval.low:.3f} to {interval.high:.3f}"
        faults = [f"{count} {fault}" for fault, count in sorted(row.faults.items())]
        gone = ["withdrawn"] if bot in counts.withdrawn else []
        yield (*first, mean, range_, ", ".join([*faults, *gone]))


def footing(live_state: "LiveState") -> Iterator[Text]:
    """Yield the state of the test."""
    test = live_state.state.test if live_state.state else None
    if test is None:
        return
    found = test.state()
    low, high = found.bounds
    yield text(f"{found.a} against {found.b} in {found.game}: {found.verdict}")
    yield Text(f"LLR {found.llr:.2f}: {low:.2f} {scale(found.llr, low, high)} {high:.2f}")


def scale(value: float, low: float, high: float) -> str:
    """Return a one-line scale with the position of a value between two bounds."""
    share = min(max((value - low) / (high - low), 0), 1)
    index = round(share * (LLR_WIDTH - 1))
    return "".join("o" if n == index else "-" for n in range(LLR_WIDTH))


def clock(seconds: float) -> str:
    """Return a time as hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


A_SECOND = 2
"""Refreshes per second."""


@contextmanager
def live_watcher(match: Match, *, is_wanted: bool) -> Iterator["Watcher"]:
    """Yield a Watcher that displays a match on stderr, or a NullWatcher without a terminal."""
    if not is_wanted or not _can_draw():
        yield NullWatcher()
        return
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

    def begin(self, state: MatchState) -> None:
        """See Watcher."""
        self._live_state.state = state

    def block(self, block: Block, results: Sequence[GameResult]) -> None:
        """See Watcher."""
        self._live_state.block(block, results)

    def game(self, result: GameResult, timing: Timing | None) -> None:
        """See Watcher."""
        self._live_state.game(is_new=timing is not None)

    def wait(self) -> None:
        """See Watcher; the table is rendered by its own thread."""


def _can_draw() -> bool:
    return sys.stderr.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")
