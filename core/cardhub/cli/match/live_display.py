"""Live table of a match on a terminal.

It has no verdicts and no ranks, because they are computed together at the end of a match. The
intervals are for single bots and anytime-valid, so they may be watched.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress

from rich.console import Console, ConsoleDimensions, Group, JustifyMethod, RenderableType
from rich.live import Live
from rich.progress_bar import ProgressBar
from rich.table import Table
from rich.text import Text

from cardhub.base.errors.quoting import printable
from cardhub.base.writing import amount, percent
from cardhub.cli.match.live_state import ContestScores, LiveState
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.runner import Watcher

# Width below which the table has no intervals.
NARROW = 60
LLR_WIDTH = 21
# Refreshes per second.
REFRESHES = 2


INTERVAL = "anytime-valid"
# The columns, each with its alignment.
COLUMNS: dict[str, JustifyMethod] = {
    "game": "left",
    "bot": "left",
    "blocks": "right",
    "score": "right",
    INTERVAL: "left",
    "faults": "left",
}


@contextmanager
def live_watcher(match: Match, *, is_wanted: bool) -> Iterator[Watcher]:
    """Yield a Watcher that displays a match on stderr, or the default Watcher without a display."""
    can_draw = sys.stderr.isatty() and os.environ.get("TERM", "") not in ("", "dumb", "unknown")
    if not is_wanted or not can_draw:
        yield Watcher()
        return
    live_state = LiveState(match)
    console = Console(stderr=True, highlight=False)
    live = Live(
        console=console,
        refresh_per_second=REFRESHES,
        get_renderable=lambda: render(live_state, console.size),
        transient=True,
    )
    live.start()
    try:
        yield live_state
    except BaseException:
        live.transient = False  # keep the last table on the screen
        raise
    finally:
        with suppress(OSError):  # the terminal may have been closed
            live.stop()


def render(live_state: LiveState, size: ConsoleDimensions) -> RenderableType:
    """Return the live table as a rich object, fitted to the size of the terminal."""
    progress = Table.grid(expand=True)
    progress.add_row(ProgressBar(total=max(live_state.all_blocks, 1), completed=live_state.blocks))
    above: list[RenderableType] = [_text(_heading(live_state), "bold"), progress]
    below = list(_test_state(live_state))
    height = size.height - len(above) - len(below) - 2  # the heads, and the line of the cursor
    return Group(*above, _table(live_state, size.width, height), *below)


def _text(text: str, style: str = "") -> Text:
    # Not a plain string, which rich would parse as markup.
    return Text(printable(text), style)


def _heading(live_state: LiveState) -> str:
    if live_state.state is None:
        return f"{live_state.match.name}: reading its log"
    parts = [f"{live_state.blocks} of {amount(live_state.all_blocks, 'block')}"]
    parts.append(amount(live_state.state.counts.games, "game"))
    speed, remaining = live_state.speed(), live_state.left()
    if live_state.blocks >= live_state.all_blocks or live_state.state.stop:
        parts.append("computing the statistics")
    elif speed is not None:
        parts.append(f"{speed:.3g} games/s")
        # A sequential test or a race may end before the schedule.
        may_stop = live_state.match.sprt or live_state.match.order.mode == "racing"
        limit = "at most " if may_stop else ""
        parts += [] if remaining is None else [f"{limit}{clock(remaining)} left"]
    return f"{live_state.match.name}: {', '.join(parts)}"


def _table(live_state: LiveState, width: int, height: int) -> Table:
    """Return a rich table with the bots of each game, as many rows as fit."""
    shown_columns = [head for head in COLUMNS if head != INTERVAL or width >= NARROW]
    table = Table(box=None, pad_edge=False, header_style="dim")
    for head in shown_columns:
        level = f"{percent(live_state.match.rating.level)} " if head == INTERVAL else ""
        table.add_column(f"{level}{head}", justify=COLUMNS[head], no_wrap=True, overflow="ellipsis")
    rows = [row for scores in live_state.scores.values() for row in _rows(live_state, scores)]
    # A line that scrolls off the terminal could not be erased at the next refresh.
    shown = rows if len(rows) < height else rows[: max(height - 2, 0)]
    for row in shown:
        cells = dict(zip(COLUMNS, row, strict=True))
        table.add_row(*(_text(cells[head]) for head in shown_columns))
    if len(shown) < len(rows):
        table.add_row("", f"and {len(rows) - len(shown)} more")
    return table


def _rows(live_state: LiveState, scores: ContestScores) -> Iterator[tuple[str, ...]]:
    """Yield the cells of a row for each bot of a game, the best first."""
    if live_state.state is None:
        return
    counts = live_state.state.counts
    game, blocks = scores.contest.id, str(scores.blocks)
    form = "+.2f" if scores.contest.in_points else ".3f"
    # Bots without a score yet come last.
    for bot in sorted(scores.bots, key=lambda bot: _order(_mean(live_state, scores, bot))):
        interval = scores.interval(bot)
        ends = [end for end in interval or () if end is not None][1:]
        bounds = " to ".join(format(end, form) for end in ends)
        row = counts.bot(scores.contest.id, bot)
        faults = [f"{count} {fault}" for fault, count in sorted(row.faults.items())]
        faults += ["withdrawn"] if bot in counts.withdrawn else []
        mean = _number(_mean(live_state, scores, bot), form)
        yield game, bot, blocks, mean, bounds, ", ".join(faults)
        game = blocks = ""  # only in the first row of a game
        mixed = scores.mean_with_others(bot)
        if mixed is not None:
            yield "", f"{bot} with others", "", _number(mixed, form), "", ""


def _mean(live_state: LiveState, scores: ContestScores, bot: str) -> float | None:
    if scores.contest.partners == "mixed":
        return scores.mean(bot)
    counts = live_state.state.counts if live_state.state else None
    return counts.bot(scores.contest.id, bot).mean_score if counts else None


def _order(mean: float | None) -> tuple[bool, float]:
    return mean is None, -(mean or 0)


def _number(value: float | None, form: str) -> str:
    return "" if value is None else format(value, form)


def _test_state(live_state: LiveState) -> Iterator[Text]:
    test = live_state.state.test if live_state.state else None
    if test is None:
        return
    state = test.state()
    low, high = state.bounds
    yield _text(f"{state.a} against {state.b} in {state.game}: {state.verdict}")
    yield Text(f"LLR {state.llr:.2f}: {low:.2f} {scale(state.llr, low, high)} {high:.2f}")


def scale(value: float, low: float, high: float) -> str:
    """Return a scale as a string, with the position of a value between two bounds."""
    # The LLR may overshoot the bound that ends the test.
    share = min(max((value - low) / (high - low), 0), 1)
    index = round(share * (LLR_WIDTH - 1))
    return "".join("o" if n == index else "-" for n in range(LLR_WIDTH))


def clock(seconds: float) -> str:
    """Return seconds as a string of hours, minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
