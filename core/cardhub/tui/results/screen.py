"""The screen of a result: points by cause, hands, turning points, and the ways to go on."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from typing import ClassVar, Literal

from rich.segment import Segment
from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from typing_extensions import override

from cardhub.base.files import numbered_paths, write_unused
from cardhub.play.table_messages import ReviewedMove, ReviewMessage
from cardhub.tui.dialogs.dialog import SingleResultScreen
from cardhub.tui.dialogs.help_screen import HelpScreen
from cardhub.tui.keys import RESULT_KEYS, Key, bindings, fitting, is_held, key_at, key_lines
from cardhub.tui.palette import palette_of, rich_style
from cardhub.tui.results.result_rows import (
    CARDS_FROM,
    ResultRows,
    head_texts,
    result_rows_of,
    review_rows,
)
from cardhub.view.layout.canvas import Run, Style, TableGlyphs
from cardhub.view.text.glyphs import cells, clip
from cardhub.view.text.result_sheet import result_lines
from cardhub.view.view import CardCatalogue, ResultView

WHEEL_ROWS = 3


@dataclass
class RowClicked(Message):
    """A click: the number of the row, counted from the first one of all rows, and the column."""

    widget: "RowsWidget"
    row: int
    column: int

    @property
    @override
    def control(self) -> "RowsWidget":
        return self.widget


class RowsWidget(Widget):
    """Shows as many rows as fit, from `first` on."""

    DEFAULT_CSS = "RowsWidget { width: 1fr; height: 1fr; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.first = 0
        self._rows: Sequence[Sequence[Run]] = ()

    @property
    def hidden(self) -> int:
        """The number of rows that do not fit."""
        return max(len(self._rows) - self.size.height, 0)

    def show_rows(self, rows: Sequence[Sequence[Run]]) -> None:
        """Show other rows, at the same scroll position if possible."""
        self._rows = rows
        self.scroll_rows(0)

    def scroll_rows(self, by: int) -> None:
        """Scroll by a number of rows, up to the first or last row."""
        self.first = min(max(self.first + by, 0), self.hidden)
        self.refresh()

    def on_resize(self) -> None:
        """Limit the scroll position to the new height."""
        self.scroll_rows(0)

    @override
    def render_line(self, y: int) -> Strip:
        width, number = self.size.width, self.first + y
        if number >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        palette = palette_of(self.app)
        row = self._rows[number]
        strip = Strip(
            [Segment(run.text, rich_style(palette, run.style, is_middle=False)) for run in row]
        )
        return strip.crop_extend(0, width, self.rich_style)

    def on_click(self, event: events.Click) -> None:
        """Post a message with the row."""
        offset = event.get_content_offset(self)
        if offset is not None:
            self.post_message(RowClicked(self, self.first + offset.y, offset.x))

    def on_mouse_scroll_down(self) -> None:
        """Scroll down."""
        self.scroll_rows(WHEEL_ROWS)

    def on_mouse_scroll_up(self) -> None:
        """Scroll up."""
        self.scroll_rows(-WHEEL_ROWS)


# How the person leaves the screen: a new game, the same deal with each player one seat further, the
# replay (a number: at this step), back to the table, or away from the game.
ResultRequest = Literal["again", "same", "replay", "table", "leave"] | int
# Starts an analysis, calls its argument with each state, and returns a function that ends it.
Analyse = Callable[[Callable[[ReviewMessage], None]], Callable[[], None]]
# Opens a practice table at one of the costliest moves; returns why that is impossible, or "".
Practise = Callable[[ReviewedMove], str]
ALL_REQUESTS: frozenset[str] = frozenset(("again", "same", "replay", "table", "leave"))
# Seconds during which Enter is ignored, because it was meant for the table.
GRACE = 0.4
# The message after a key for a costliest move, until something else happens.
REVIEW_BEGINS = "Your moves are being reviewed. The position opens as soon as it is known."
REVIEW_GOES = "Reviewing your moves… {done} of {total}. The position opens as soon as it is known."
OPENING = "Opening the position…"
NO_MOVE = "The review has found no costly move {place}."
BAR, TURN, KEY, MUTED = (
    Style("bar"),
    Style("turn", is_bold=True),
    Style("key", is_bold=True),
    Style("muted"),
)


class ResultScreen(SingleResultScreen[ResultRequest]):
    """Shows a result until the person chooses how to go on; `requests`: the possible choices."""

    KEYS: ClassVar[Sequence[Key]] = RESULT_KEYS
    BINDINGS: ClassVar[list[BindingType]] = bindings(RESULT_KEYS)
    DEFAULT_CSS = """
    ResultScreen #head, ResultScreen #seed, ResultScreen #foot { height: 1; }
    """

    def __init__(
        self,
        result: ResultView,
        catalogue: CardCatalogue,
        glyphs: TableGlyphs,
        requests: Collection[str] = ("table", "leave"),
        analyse: Analyse | None = None,
        practise: Practise | None = None,
        why_no_practice: str = "",
    ) -> None:
        super().__init__()
        self.result = result
        self._catalogue = catalogue
        self._glyphs = glyphs
        self._requests = frozenset(requests)
        self._analyse = analyse
        self._practise = practise
        self._why_no_practice = why_no_practice
        self._analysis: ReviewMessage | None = None
        self._end_analysis: Callable[[], None] | None = None
        self._steps: dict[int, int] = {}
        self._awaited = 0  # the place of the costliest move to open when the review knows it
        self._message = ""
        self._shown_at = 0.0

    @override
    def compose(self) -> ComposeResult:
        yield RowsWidget(id="head")
        yield RowsWidget(id="body")
        yield RowsWidget(id="seed")
        yield RowsWidget(id="foot")

    def on_mount(self) -> None:
        """Show the result."""
        self._shown_at = monotonic()
        self.call_after_refresh(self._show)

    def on_resize(self, _: events.Resize) -> None:
        """Build the rows for the new size."""
        self.call_after_refresh(self._show)

    def on_unmount(self) -> None:
        """End an analysis."""
        if self._end_analysis is not None:
            self._end_analysis()

    def works(self, key: Key) -> bool:
        """Return whether a key has an effect now."""
        needed = {"result.again": "again", "result.same": "same", "result.replay": "replay"}
        if key.id == "result.analyse":
            return self._analyse is not None
        if key.id.startswith("result.practise"):
            return self._practise is not None and bool(self._costliest[int(key.keys) - 1 :])
        if key.id == "result.down":
            return self._body.hidden > 0
        return needed.get(key.id, "leave") in self._requests | {"leave"}

    def action_again(self) -> None:
        """Play again, unless Enter was meant for the table or is still held down."""
        if not is_held(self.app) and monotonic() - self._shown_at >= GRACE:
            self._request("again")

    def action_same_deal(self) -> None:
        """Play the same deal with each player one seat further."""
        self._request("same")

    def action_replay(self) -> None:
        """Replay the game."""
        self._request("replay")

    def action_table(self) -> None:
        """Go back from the analysis to the result, or from the result to the table."""
        if self._analysis is not None:
            self._stop_analysis()
            self._show()
        else:
            self.dismiss("table")

    def action_leave(self) -> None:
        """Leave the game."""
        self.dismiss("leave")

    def action_analyse(self) -> None:
        """Start an analysis of the person's decisions by a bot, or return to the result."""
        if self._analysis is not None:
            self._stop_analysis()
        elif self._analyse is not None:
            self._end_analysis = self._analyse(self._show_analysis)
        self._show()

    def action_practise(self, place: int) -> None:
        """Open a practice table at one of the costliest decisions, counted from 1.

        A review that does not know it yet goes on, and then opens it.
        """
        if self._practise is not None and self._end_analysis is not None:
            self._awaited = place
            self._open_awaited()

    def action_export(self) -> None:
        """Write the result as text into the folder of the record."""
        path = Path(self.result.path) if self.result.path else Path.cwd() / "result.jsonl"
        targets = numbered_paths(path.parent, f"{path.stem}.result", ".txt")
        lines = result_lines(self.result, self._catalogue, 100, self._glyphs.texts)
        try:
            target = write_unused(targets, "\n".join([self.result.title, *lines, ""]))
        except OSError as error:
            self.say(f"The result cannot be saved in {path.parent}: {error.strerror}.")
        else:
            self.say(f"The result is saved as {target}")

    def say(self, text: str) -> None:
        """Show a message instead of seed and path."""
        self._message = text
        self._show()

    def action_scroll(self, by: int) -> None:
        """Scroll the rows."""
        self._body.scroll_rows(by)

    def action_help(self) -> None:
        """Show the keys."""
        lines = ("```", *key_lines(key for key in self.KEYS if self.works(key)), "```")
        pages = {"Keys": lambda _: lines}
        self.app.push_screen(HelpScreen(pages, self._glyphs.texts, first="Keys"))

    @on(RowClicked, "#foot")
    async def press_clicked(self, message: RowClicked) -> None:
        """Run the action of the clicked key in the footer."""
        key = key_at(self._foot_keys(), message.column)
        if key is not None:
            await self.run_action(key.action)

    @on(RowClicked, "#body")
    def click_row(self, message: RowClicked) -> None:
        """Open the replay at the step of a turning point or a decision."""
        if message.row in self._steps and "replay" in self._requests:
            self.dismiss(self._steps[message.row])

    @property
    def _costliest(self) -> Sequence[ReviewedMove]:
        return self._analysis.moves if self._analysis is not None else ()

    @property
    def _body(self) -> RowsWidget:
        return self.query_one("#body", RowsWidget)

    def _request(self, request: Literal["again", "same", "replay"]) -> None:
        if request in self._requests:
            self.dismiss(request)

    def _show(self) -> None:
        if not self.is_attached:
            return
        width = self.app.size.width
        rows, self._steps = self._rows(width)
        self._body.show_rows(rows)
        self.query_one("#head", RowsWidget).show_rows([self._head(width)])
        facts = (self._message,) if self._message else (self.result.seed, self.result.path)
        text = " · ".join(filter(None, facts))
        if not self._message and cells(text) >= width:
            # The name of the file says more than the beginning of its path.
            text = " · ".join(filter(None, (self.result.seed, Path(self.result.path).name)))
        seed = [Run(clip(f" {self._glyphs.texts.text(text)}", width, self._glyphs.more), MUTED)]
        self.query_one("#seed", RowsWidget).show_rows([seed])
        self.query_one("#foot", RowsWidget).show_rows([self._foot()])

    def _rows(self, width: int) -> ResultRows:
        if self._analysis is not None:
            return review_rows(self._analysis, width, self._glyphs, self._why_no_practice)
        has_cards = self.app.size.height >= CARDS_FROM
        return result_rows_of(
            self.result, self._catalogue, width, self._glyphs, has_cards=has_cards
        )

    def _head(self, width: int) -> list[Run]:
        glyphs, (sentence, facts) = self._glyphs, head_texts(self.result)
        tag = f"{glyphs.to_act} {'GAME OVER' if self.result.is_over else 'RESULT'} "
        if cells(tag) + cells(glyphs.texts.text(sentence)) + cells(facts) + 4 > width:
            facts = ""  # the result itself is more important
        room = width - cells(tag) - cells(facts) - 3
        shown = clip(f" {glyphs.texts.text(sentence)}", max(room, 0), glyphs.more)
        gap = width - cells(tag) - cells(shown) - cells(facts) - 1
        return [
            Run(tag, TURN),
            Run(shown, Style("bar", is_bold=True)),
            Run(" " * gap + facts + " ", BAR),
        ]

    def _foot_keys(self) -> list[Key]:
        keys = [self._counted(key) for key in self.KEYS if self.works(key)]
        return fitting(keys, self.app.size.width)

    def _counted(self, key: Key) -> Key:
        """Return the key of the first of the costliest moves with as many numbers as moves."""
        if key.id != "result.practise1":
            return key
        moves = len(self._costliest)
        return key._replace(shown="1" if moves == 1 else f"1-{moves}")

    def _foot(self) -> list[Run]:
        runs = [Run(" ", BAR)]
        for key in self._foot_keys():
            runs += [Run(key.shown, KEY), Run(f" {key.label}  ", BAR)]
        return [*runs, Run(" " * self.app.size.width, BAR)]  # the widget cuts the row

    def _show_analysis(self, analysis: ReviewMessage) -> None:
        self._analysis = analysis
        if self._awaited:
            self._open_awaited()
        else:
            self._show()

    def _open_awaited(self) -> None:
        """Open the awaited move if the review knows it, else show how far the review is."""
        review, place = self._analysis, self._awaited
        if place <= len(self._costliest):
            self._awaited = 0
            self.say(OPENING)
            # Opening takes a moment: first the message is drawn.
            self.call_after_refresh(self._open, self._costliest[place - 1])
        elif review is not None and (review.why_none or 0 < review.total == review.done):
            self._awaited = 0
            self.say(NO_MOVE.format(place=place))
        elif review is None or not review.total:
            self.say(REVIEW_BEGINS)
        else:
            self.say(REVIEW_GOES.format(done=review.done, total=review.total))

    def _open(self, move: ReviewedMove) -> None:
        if self._practise is not None:
            self.say(self._practise(move))

    def _stop_analysis(self) -> None:
        if self._end_analysis is not None:
            self._end_analysis()
        self._analysis = self._end_analysis = None
        self._awaited, self._message = 0, ""
