"""The log: all events of a game, as its viewer was told of them."""

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from typing_extensions import override

from cardhub.play.events import Event
from cardhub.text.glyphs import Glyphs


class EventLog(ScrollView, can_focus=True):
    """Lists events below a heading, wrapped to the width; old ones are dim."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up,k", "scroll_up", "Up", show=False, id="log.up"),
        Binding("down,j", "scroll_down", "Down", show=False, id="log.down"),
    ]
    DEFAULT_CSS = """
    EventLog {
        width: 26; height: 1fr; border-left: solid $foreground 30%; padding-left: 1;
        scrollbar-size-vertical: 1; scrollbar-gutter: stable;
    }
    EventLog:focus { border-left: heavy $foreground; }
    """

    def __init__(self, glyphs: Glyphs, heading: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._glyphs = glyphs
        self._heading = heading
        self._events: Sequence[Event] = ()
        self._new = 0
        self._lines: list[tuple[str, int]] = []  # text and index of the event, -1 for the heading
        self._wrapped = 0

    def show(self, events: Sequence[Event], new: int) -> None:
        """Show all events; the last `new` of them are new."""
        # A list that only grows is wrapped from its first new event: a long game has thousands.
        if events is not self._events:
            self._clear()
        self._events, self._new = events, new
        self._wrap()

    def on_resize(self) -> None:
        """Wrap for the new width."""
        self._clear()
        self._wrap()

    @override
    def render_line(self, y: int) -> Strip:
        number, width = y + self.scroll_offset.y, self.size.width
        if number >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        text, event = self._lines[number]
        is_old = event < len(self._events) - self._new
        strip = Strip([Segment(text, Style(dim=is_old))])
        return strip.crop_extend(0, width, None).apply_style(self.rich_style)

    def _clear(self) -> None:
        self._lines, self._wrapped = [], 0

    def _wrap(self) -> None:
        width = self.scrollable_content_region.width
        if width < 1:
            return
        if not self._lines:
            self._lines = [(line, -1) for line in self._in_lines([self._heading], width)]
        for number in range(self._wrapped, len(self._events)):
            lines = self._in_lines(self._events[number].lines, width)
            self._lines += [(line, number) for line in lines]
        self._wrapped = len(self._events)
        self.virtual_size = Size(width, len(self._lines))
        # Immediately: an animation would still run when the next event arrives.
        self.scroll_end(animate=False, immediate=True)
        self.refresh()

    def _in_lines(self, sentences: Iterable[str], width: int) -> Iterable[str]:
        for sentence in sentences:
            yield from wrap(self._glyphs.text(sentence), width, subsequent_indent=" ")
