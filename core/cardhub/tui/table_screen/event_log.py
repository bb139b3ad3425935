"""The log: everything that happened, as far as the viewer may know it."""

from collections.abc import Iterable, Sequence
from textwrap import wrap
from typing import ClassVar

from rich.segment import Segment
from rich.style import Style
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.scroll_view import ScrollView
from textual.strip import Strip

from cardhub.play.events import Event
from cardhub.text.glyphs import Glyphs


class EventLog(ScrollView, can_focus=True):
    """Sentences from top to bottom, wrapped to the width; the news stand out and are in sight.

    `head` is what stands above them.
    """

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

    def __init__(self, glyphs: Glyphs, head: str = "", *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._glyphs = glyphs
        self._head = head
        self._events: Sequence[Event] = ()
        self._news = 0
        self._lines: list[tuple[str, int]] = []
        self._wrapped = 0

    def show(self, events: Sequence[Event], news: int) -> None:
        """Show all events; the last `news` of them are new."""
        if events is not self._events:
            self._forget()
        self._events, self._news = events, news
        self._wrap()

    def on_resize(self) -> None:
        """Wrap for the new width."""
        self._forget()
        self._wrap()

    def render_line(self, y: int) -> Strip:
        """Return one line of the visible part."""
        number, width = y + self.scroll_offset.y, self.size.width
        if number >= len(self._lines):
            return Strip.blank(width, self.rich_style)
        text, event = self._lines[number]
        is_old = event < len(self._events) - self._news
        strip = Strip([Segment(text, Style(dim=is_old))])
        return strip.crop_extend(0, width, None).apply_style(self.rich_style)

    def _forget(self) -> None:
        self._lines, self._wrapped = [], 0

    def _wrap(self) -> None:
        """Wrap the events that have been added."""
        width = self.scrollable_content_region.width
        if width < 1:
            return
        if not self._lines:
            self._lines = [(line, -1) for line in self._in_lines([self._head], width)]
        for number in range(self._wrapped, len(self._events)):
            lines = self._in_lines(self._events[number].lines, width)
            self._lines += [(line, number) for line in lines]
        self._wrapped = len(self._events)
        self.virtual_size = Size(width, len(self._lines))
        self.scroll_end(animate=False, immediate=True)
        self.refresh()

    def _in_lines(self, sentences: Iterable[str], width: int) -> Iterable[str]:
        for sentence in sentences:
            yield from wrap(self._glyphs.text(sentence), width, subsequent_indent=" ")
