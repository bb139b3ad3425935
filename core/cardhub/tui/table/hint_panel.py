"""The panel of hints: a bot's actions in words, next to the cards; and the sign of thinking."""

from collections.abc import Callable, Collection, Iterator
from time import monotonic

from msgspec.structs import replace
from textual.widgets import Static

from cardhub.play.advice import advice_lines, number_lines
from cardhub.play.table_messages import HintMessage, TableStatus
from cardhub.view.layout.canvas import Box, cut_lines
from cardhub.view.layout.plan import Plan
from cardhub.view.text.glyphs import Glyphs, wrapped
from cardhub.view.view import Spot, View

# The most columns of a panel over the middle of the table.
WIDEST = 62
# Columns and rows of a panel's borders and padding.
ACROSS, DOWN = 4, 2
MIDDLE = ("fronts", "centre", "own_front")


class HintPanel(Static):
    """Shows a hint, or that a bot is thinking about one, in a free part of the table."""

    DEFAULT_CSS = """
    HintPanel {
        display: none; layer: front; border: round $accent; padding: 0 1; background: $surface;
    }
    HintPanel.-open { display: block; }
    """

    def __init__(
        self, glyphs: Glyphs, plan: Callable[[], Plan | None], *, id: str | None = None
    ) -> None:
        super().__init__("", id=id, markup=False)
        self._glyphs = glyphs
        self._plan = plan
        self._shown: HintMessage | str = ""
        self._started_at: float | None = None
        self._shows_numbers = False
        self._rows = range(0)  # of the terminal

    @property
    def is_open(self) -> bool:
        """Whether the panel shows a hint or the sign of thinking."""
        return self.has_class("-open")

    @property
    def is_thinking(self) -> bool:
        """Whether a bot is thinking about a hint."""
        return self._started_at is not None

    @property
    def hides_detail(self) -> bool:
        """Whether a hint covers the detail, because the table has no other room for it."""
        if not self.is_open or (plan := self._plan()) is None:
            return False
        detail = plan.box("detail")
        return detail.height > 0 and detail.y in self._rows

    def wait(self) -> None:
        """Show that a bot is thinking."""
        self._started_at, self._shows_numbers = monotonic(), False
        self.add_class("-open")
        self.show_thinking()

    def show_thinking(self) -> None:
        """Update the sign of thinking."""
        if self._started_at is not None:
            sign = thinking_sign(monotonic() - self._started_at)
            self._shown = f"Hint: thinking {sign}. Press . for the hint so far, or i for no hint."
            self.lay_out()

    def show_hint(self, hint: HintMessage) -> None:
        """Show a hint, or the reason why there is none."""
        self._started_at = None
        self.add_class("-open")
        self._shown = hint.why_none or hint
        self.lay_out()

    def toggle_numbers(self) -> None:
        """Show the numbers behind the hint, or its words again."""
        self._shows_numbers = not self._shows_numbers
        self.lay_out()

    def close(self) -> None:
        """Hide the panel."""
        self._started_at = None
        self.remove_class("-open")

    def lay_out(self) -> None:
        """Place the panel into a free part of the table."""
        if not self.is_open:
            return  # without a look at the plan, for which the table would be drawn
        plan = self._plan()
        if plan is None:
            return
        (x, y, width, height), is_low = hint_room(plan)
        lines = self._lines(width - ACROSS, height - DOWN)
        rows = min(len(lines) + DOWN, height)
        # A terminal that is too small for a table has no room.
        self.visible = rows > DOWN
        top = y + height - rows if is_low else y
        self.styles.width, self.styles.height = width, rows
        self.styles.offset = (x, top)
        self._rows = range(top, top + rows)
        self.update("\n".join(lines))

    def _lines(self, width: int, height: int) -> list[str]:
        if isinstance(self._shown, HintMessage):
            if self._shows_numbers:
                lines = number_lines(self._shown.bot, self._shown.ratings, width)
                return [self._glyphs.text(line) for line in lines[:height]]
            return hint_lines(self._shown, width, height, self._glyphs)
        return cut_lines(wrapped(self._glyphs.text(self._shown), width), height, width, "")


def thinking_sign(seconds: float) -> str:
    """Return one to three dots, which change with time, and the seconds passed."""
    dots = "·" * (int(seconds * 4) % 3 + 1)
    return f"{dots:<3} {seconds:.0f} s"


def busy_text(status: TableStatus) -> str:
    """Return the text after the name of a bot that is thinking."""
    stop = "· press . again to stop it" if status.is_unresponsive else ""
    return f"thinks {thinking_sign(status.thinking or 0)} {stop}".rstrip()


def hinted_spots(hint: HintMessage, view: View) -> list[Collection[Spot]]:
    """Return the spots of each action that a hint shows, the best first."""
    choices = [view.choice_named(action.name) for action in hint.actions]
    return [choice.spots if choice else () for choice in choices]


def hint_room(plan: Plan) -> tuple[Box, bool]:
    """Return the room for a hint: the log, the side of a board, or the middle of the table.

    A hint never covers the hand or the sites of a board, which it is about. The second value says
    whether it goes to the lower end of the room.
    """
    log, side, footer = plan.box("log"), plan.box("side"), plan.box("footer")
    if log.height:
        return log, False
    if side.height:
        # A side below the board has few rows, so the hint also covers buttons and the detail.
        end = footer.y if side.width == plan.width else side.y + side.height
        return side._replace(height=end - side.y), True
    middle = [box for name in MIDDLE if (box := plan.box(name)).height]
    if not middle:
        return Box(0, 0, 0, 0), False
    line, top, news = plan.box("own_line"), middle[0], plan.box("news")
    width, x = min(WIDEST, top.width), top.x + top.width
    # Where lines of the log replace large cards, a hint may need the rows above the middle as well.
    is_low = news.height > 1
    y = news.y if is_low else top.y
    return Box(x - width, y, width, line.y - y), is_low


def hint_lines(hint: HintMessage, width: int, height: int, glyphs: Glyphs) -> list[str]:
    """Return a hint in lines of `width` cells; if they exceed `height`, with less about it."""
    lines: list[str] = []
    for shown in _shorter_hints(hint):
        actions = advice_lines(shown.bot, shown.actions, width)
        lines = [glyphs.text(line) for line in actions] + wrapped(glyphs.text(shown.why), width)
        lines = [line for line in lines if line]
        if len(lines) <= height:
            return lines
    return cut_lines(lines, height, width, glyphs.text("…"))


def _shorter_hints(hint: HintMessage) -> Iterator[HintMessage]:
    """Yield a hint, and the same without the least important sentences, one after another."""
    yield hint
    hint = replace(hint, why="")
    yield hint
    best, others = hint.actions[:1], hint.actions[1:]
    hint = replace(hint, actions=best + tuple(replace(action, reason="") for action in others))
    yield hint
    yield replace(hint, actions=best + tuple(replace(a, comparison="") for a in hint.actions[1:]))
    yield replace(hint, actions=best)
