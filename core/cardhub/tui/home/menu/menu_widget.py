"""The widget that shows a page, and tells of clicks on it."""

from rich.segment import Segment
from textual import events
from textual.message import Message
from textual.strip import Strip
from textual.widget import Widget
from typing_extensions import override

from cardhub.tui.home.menu.menu_drawing import DrawnMenu, MenuState, Preview, draw_menu
from cardhub.tui.home.menu.menu_page import MenuPage
from cardhub.tui.palette import rich_style
from cardhub.tui.textual_themes import palette_of
from cardhub.view.text.glyphs import UNICODE, Glyphs


class MenuWidget(Widget, can_focus=True):
    """Draws a page line by line; all that a colour says is also said by text."""

    DEFAULT_CSS = "MenuWidget { width: 1fr; height: 1fr; }"

    class Clicked(Message):
        """A row, or a key of the footer, was clicked."""

        def __init__(self, row: str = "", key: str = "") -> None:
            super().__init__()
            self.row = row
            self.key = key

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self._glyphs = glyphs
        self._page = MenuPage("", "", ())
        self._state = MenuState()
        self._preview: Preview | None = None
        self._drawn: DrawnMenu | None = None

    def show_page(self, page: MenuPage, state: MenuState, preview: Preview | None) -> None:
        """Draw a page from now on."""
        self._page, self._state, self._preview = page, state, preview
        self._drawn = None
        self.refresh()

    @property
    def drawn(self) -> DrawnMenu:
        """The drawn page in the present size."""
        if self._drawn is None:
            width, height = self.size
            self._drawn = draw_menu(
                self._page, self._state, width, max(height, 3), self._glyphs, self._preview
            )
            self._state = self._state._replace(first=self._drawn.first)
        return self._drawn

    @override
    def render_line(self, y: int) -> Strip:
        rows = self.drawn.rows
        palette = palette_of(self.app)
        runs = rows[y] if y < len(rows) else ()
        return Strip([Segment(run.text, rich_style(palette, run.style)) for run in runs])

    def on_resize(self) -> None:
        """Redraw in the new size."""
        self._drawn = None
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        """Tell the screen of a click on a row or on a key."""
        drawn = self.drawn
        if event.y in drawn.stops:
            self.post_message(self.Clicked(row=drawn.stops[event.y]))
        elif event.y == self.size.height - 1:
            found = (key for start, end, key in drawn.footer if start <= event.x < end)
            if key := next(found, ""):
                self.post_message(self.Clicked(key=key))

    def on_mouse_scroll_down(self) -> None:
        """Move the cursor with the wheel, as with the keys."""
        self.post_message(self.Clicked(key="↓"))

    def on_mouse_scroll_up(self) -> None:
        """Move the cursor with the wheel, as with the keys."""
        self.post_message(self.Clicked(key="↑"))
