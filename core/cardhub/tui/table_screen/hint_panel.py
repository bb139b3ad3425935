"""The panel of hints: a bot's rated actions, in front of the table but never over the hand."""

from collections.abc import Iterable
from time import monotonic

from textual.widgets import Static

from cardhub.host.session import Hint
from cardhub.text.glyphs import Glyphs, cells, pad

# The most actions that are listed.
MOST_ROWS = 5
SCALE = "0 %: lost, 100 %: won"


class HintPanel(Static):
    """Shows a hint, or that a bot is thinking about one."""

    DEFAULT_CSS = """
    HintPanel {
        display: none; layer: front; dock: right; width: 46; max-width: 100%; height: auto;
        max-height: 10; margin-top: 1; border: round $accent; padding: 0 1; background: $surface;
    }
    HintPanel.-open { display: block; }
    """

    def __init__(self, glyphs: Glyphs, *, id: str | None = None) -> None:
        super().__init__("", id=id, markup=False)
        self._glyphs = glyphs
        self._started_at: float | None = None

    @property
    def is_open(self) -> bool:
        """Whether a hint is shown or computed."""
        return self.has_class("-open")

    @property
    def is_thinking(self) -> bool:
        """Whether a hint is computed."""
        return self._started_at is not None

    def wait(self) -> None:
        """Show that a bot is thinking."""
        self._started_at = monotonic()
        self.add_class("-open")
        self.show_thinking()

    def show_thinking(self) -> None:
        """Update the sign of thinking."""
        if self._started_at is not None:
            sign = thinking_sign(monotonic() - self._started_at)
            self._write(["Hint:", f"thinking {sign}", "", ". what it has so far", "i no hint"])

    def show_hint(self, hint: Hint | str) -> None:
        """Show a hint, or why there is none."""
        self._started_at = None
        self.add_class("-open")
        self._write([hint] if isinstance(hint, str) else _lines(hint))

    def close(self) -> None:
        """Hide the panel."""
        self._started_at = None
        self.remove_class("-open")

    def _write(self, lines: Iterable[str]) -> None:
        self.update("\n".join(map(self._glyphs.text, lines)))


def thinking_sign(seconds: float) -> str:
    """Return a string of one to three dots, by time, and the seconds passed."""
    dots = "·" * (int(seconds * 4) % 3 + 1)
    return f"{dots:<3} {seconds:.0f} s"


def _lines(hint: Hint) -> list[str]:
    rows = hint.rows[:MOST_ROWS]
    names = [f"{number}. {row.name}" for number, row in enumerate(rows, 1)]
    width = max(map(cells, names), default=0)
    lines = [f"Hint by {hint.bot}:"]
    for name, row in zip(names, rows, strict=True):
        told = ", ".join(filter(None, (row.worth, row.tries)))
        lines.append(f"{pad(name, width)}  {told}".rstrip())
    lines += [hint.why] if hint.why else []
    if len(hint.rows) > MOST_ROWS:
        lines.append(f"and {len(hint.rows) - MOST_ROWS} more")
    if any("%" in row.worth for row in rows):
        lines.append(SCALE)
    return lines
