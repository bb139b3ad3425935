"""The screen of a menu: cursor, search, typed lines, mouse; and its widget."""

from collections.abc import Callable
from typing import Any, ClassVar, Literal

from rich.segment import Segment
from textual import events
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.message import Message
from textual.screen import Screen
from textual.strip import Strip
from textual.widget import Widget
from typing_extensions import override

from cardhub.tui.dialogs.help_screen import HelpScreen, words_page
from cardhub.tui.home.menu.menu_drawing import (
    Aside,
    DrawnMenu,
    MenuPage,
    MenuRow,
    MenuState,
    Preview,
    draw_menu,
    section_of,
)
from cardhub.tui.palette import palette_of, rich_style
from cardhub.view.text.glyphs import UNICODE, Glyphs

# The most characters of a typed line.
MOST = 400


class TypedLine:
    """A prompt and the typed text.

    `on_done` is called with the complete text; `on_change` after each change, with an empty
    text if the line is cancelled.
    """

    def __init__(
        self,
        prompt: str,
        text: str,
        on_done: Callable[[str], None],
        on_change: Callable[[str], None] = lambda text: None,
    ) -> None:
        self.prompt = prompt
        self.text = text
        self.on_done = on_done
        self.on_change = on_change

    @property
    def shown(self) -> str:
        """The prompt and the text."""
        return f"{self.prompt}{self.text}"

    def add(self, text: str) -> None:
        """Append the printable characters of a text's first line."""
        first = text.partition("\n")[0]
        self.text = (self.text + "".join(c for c in first if c.isprintable()))[:MOST]

    def press(self, key: str, character: str | None) -> Literal["typing", "done", "cancelled"]:
        """Handle a key; return whether the line is incomplete, complete or cancelled."""
        if key == "enter":
            return "done"
        if key == "escape" or (key == "backspace" and not self.text):
            return "cancelled"
        if key == "backspace":
            self.text = self.text[:-1]
        elif key == "ctrl+u":
            self.text = ""
        elif character is not None:
            self.add(character)
        return "typing"


class MenuWidget(Widget, can_focus=True):
    """Draws a page line by line; text repeats all information of colours."""

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
        self._aside = Aside()
        self._drawn: DrawnMenu | None = None

    def show_page(
        self, page: MenuPage, state: MenuState, preview: Preview | None, aside: Aside
    ) -> None:
        """Show another page or state."""
        self._page, self._state, self._preview, self._aside = page, state, preview, aside
        self._drawn = None
        self.refresh()

    @property
    def drawn(self) -> DrawnMenu:
        """The drawn page in the current size."""
        if self._drawn is None:
            width, height = self.size
            self._drawn = draw_menu(
                self._page,
                self._state,
                width,
                max(height, 3),
                self._glyphs,
                self._preview,
                self._aside,
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
        """Post a message after a click on a row or on a key."""
        drawn = self.drawn
        if event.y in drawn.stops:
            self.post_message(self.Clicked(row=drawn.stops[event.y]))
        elif event.y == self.size.height - 1:
            keys = (key for start, end, key in drawn.footer if start <= event.x < end)
            if key := next(keys, ""):
                self.post_message(self.Clicked(key=key))

    def on_mouse_scroll_down(self) -> None:
        """Move the cursor down with the wheel."""
        self.post_message(self.Clicked(key="↓"))

    def on_mouse_scroll_up(self) -> None:
        """Move the cursor up with the wheel."""
        self.post_message(self.Clicked(key="↑"))


# The prompts of typed lines.
SEARCH, COMMAND = "/", ":"
# Textual's names of keys by their names in the footer; the keys of a pair are clicked separately.
FOOTER_KEYS = {
    "esc": "escape",
    "?": "question_mark",
    "/": "slash",
    ":": "colon",
    "↑": "up",
    "↓": "down",
    "←": "left",
    "→": "right",
    **{key: key for key in ("enter", "tab", "q", "e", "x", "a")},
}

MORE_KEYS = {
    "tab": "next part",
    "home end": "first and last row",
    "/": "search; escape ends it",
    ":": "type a command, on the home screen",
    "click": "point at a row; a second click opens it",
    "q esc": "back",
}


class MenuScreen(Screen[Any]):
    """A page with a cursor; subclasses build the page and open its rows.

    `build` is called after each change, because pages always show current data.
    """

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", show=False, id="menu.down"),
        Binding("up,k", "move(-1)", show=False, id="menu.up"),
        Binding("pagedown", "move(10)", show=False, id="menu.page_down"),
        Binding("pageup", "move(-10)", show=False, id="menu.page_up"),
        Binding("home", "end(0)", show=False, id="menu.first"),
        Binding("end", "end(-1)", show=False, id="menu.last"),
        Binding("tab", "section(1)", show=False, id="menu.section"),
        Binding("shift+tab", "section(-1)", show=False, id="menu.section_before"),
        Binding("enter,space", "open", show=False, id="menu.open"),
        Binding("right,l,plus", "change(1)", show=False, id="menu.next_value"),
        Binding("left,minus", "change(-1)", show=False, id="menu.previous_value"),
        Binding("slash", "type('/')", show=False, id="menu.search"),
        Binding("colon", "type(':')", show=False, id="menu.command"),
        Binding("question_mark,f1", "help", show=False, id="menu.help"),
        Binding("q,ctrl+q", "quit_screen", show=False, id="menu.quit"),
        Binding("escape", "back", show=False, id="menu.back"),
    ]

    def __init__(self, glyphs: Glyphs = UNICODE) -> None:
        super().__init__()
        self.glyphs = glyphs
        self.menu = MenuWidget(glyphs)
        self.state = MenuState()
        self.page = MenuPage("", "", ())
        self._search = ""
        self._line: TypedLine | None = None

    def build(self) -> MenuPage:
        """Return the page."""
        raise NotImplementedError

    def open_row(self, row: MenuRow) -> None:
        """Open a row of the page."""

    def click_row(self, row: MenuRow) -> None:
        """Handle a second click on a row: open it."""
        self.open_row(row)

    def change_row(self, row: MenuRow, by: int) -> None:
        """Change the value of a row to its next or previous one."""

    def run_command(self, text: str) -> None:
        """Run a typed command."""
        self.say(f"Unknown command: {text}")

    def preview(self, row: MenuRow | None) -> Preview | None:
        """Return the preview for the row under the cursor, or None."""
        return None

    def aside(self, row: MenuRow | None) -> Aside:
        """Return the preview next to the rows for the row under the cursor; by default none."""
        return Aside()

    @override
    def compose(self) -> ComposeResult:
        yield self.menu

    def on_mount(self) -> None:
        """Show the page."""
        self.menu.focus()
        self.rebuild()

    def on_screen_resume(self) -> None:
        """Show the page with current data."""
        self.rebuild()

    def rebuild(self) -> None:
        """Build the page again; the cursor stays at its row, or goes to the first one."""
        page = self.build()
        self.page = page.matching(self._search) if self._search else page
        ids = [row.id for row in self.page.stops]
        if self.state.cursor not in ids:
            self.state = self.state._replace(cursor=ids[0] if ids else "")
        self.draw_page()

    def draw_page(self) -> None:
        """Draw the page with the current cursor and message."""
        state = self.state._replace(first=self.menu.drawn.first if self.menu.size else 0)
        self.menu.show_page(self.page, state, self.preview(self.here), self.aside(self.here))

    @property
    def here(self) -> MenuRow | None:
        """The row under the cursor."""
        return next((row for row in self.page.stops if row.id == self.state.cursor), None)

    def say(self, message: str) -> None:
        """Show a message until the next key."""
        self.state = self.state._replace(message=message)
        self.draw_page()

    def ask_text(self, prompt: str, start: str, on_done: Callable[[str], None]) -> None:
        """Ask for a line of text in the footer; Escape cancels it."""
        self._line = TypedLine(prompt, start, on_done)
        self._show_line()

    def point(self, row: str) -> None:
        """Move the cursor to a row."""
        self.state = self.state._replace(cursor=row, message="")
        self.draw_page()

    def on_key(self, event: events.Key) -> None:
        """Type into the line, or open the row with this key."""
        if event.key == "ctrl+c":
            return  # the app leaves, also while a line is being typed
        if self._line is not None:
            event.stop()
            event.prevent_default()
            self._type(self._line, event)
            return
        if event.character in (SEARCH, COMMAND):
            # Bindings would act later, when the next key may already be handled.
            event.stop()
            event.prevent_default()
            self.action_type(event.character)
            return
        rows = (row for row in self.page.stops if row.key and row.key == event.character)
        if row := next(rows, None):
            event.stop()
            event.prevent_default()
            self.point(row.id)
            self.open_row(row)

    def on_paste(self, event: events.Paste) -> None:
        """Add pasted text to the line."""
        if self._line is not None:
            self._line.add(event.text)
            self._line.on_change(self._line.text)
            self._show_line()

    def on_menu_widget_clicked(self, event: MenuWidget.Clicked) -> None:
        """Point at a row with the first click and open it with the second; or press a key."""
        if event.key:
            active = self.active_bindings.get(FOOTER_KEYS.get(event.key, ""))
            if active is not None:
                self.call_later(self.app.run_action, active.binding.action, active.node)
        elif event.row == self.state.cursor and self.here:
            self.click_row(self.here)
        else:
            self.point(event.row)

    def action_move(self, by: int) -> None:
        """Move the cursor by rows."""
        ids = [row.id for row in self.page.stops]
        if ids:
            here = ids.index(self.state.cursor) if self.state.cursor in ids else 0
            self.point(ids[min(max(here + by, 0), len(ids) - 1)])

    def action_end(self, index: int) -> None:
        """Move the cursor to the first or the last row."""
        if self.page.stops:
            self.point(self.page.stops[index].id)

    def action_section(self, by: int) -> None:
        """Move the cursor to the next section."""
        self.point(section_of(self.page, self.state.cursor, by))

    def action_open(self) -> None:
        """Open the row under the cursor."""
        if self.here:
            self.open_row(self.here)

    def action_change(self, by: int) -> None:
        """Change the value under the cursor."""
        if self.here:
            self.change_row(self.here, by)

    def action_type(self, kind: str) -> None:
        """Begin to type a search or a command."""
        if kind == SEARCH:
            self._line = TypedLine(kind, "", self._find, self._find)
            self._show_line()
        else:
            self.ask_text(kind, "", self.run_command)

    def action_back(self) -> None:
        """End the search, or leave the screen."""
        if self._search:
            self._find("")
        else:
            self.action_quit_screen()

    def action_quit_screen(self) -> None:
        """Leave the screen."""
        self.dismiss(None)

    def action_help(self) -> None:
        """Open the help with the keys of this screen and the vocabulary of cardhub."""
        pages = {"Keys": lambda _: self._key_lines(), "Words": lambda _: words_page(self.glyphs)}
        self.app.push_screen(HelpScreen(pages, self.glyphs, first="Keys"))

    def _key_lines(self) -> list[str]:
        keys = dict(self.page.footer) | MORE_KEYS
        return ["```", *(f"{key:<10} {text}" for key, text in keys.items()), "```"]

    @property
    def is_searching(self) -> bool:
        """Whether only the rows of a search are shown."""
        return bool(self._search)

    def _find(self, text: str) -> None:
        self._search = text
        self.rebuild()

    def _type(self, line: TypedLine, event: events.Key) -> None:
        outcome = line.press(event.key, event.character)
        if outcome == "typing":
            line.on_change(line.text)
            self._show_line()
            return
        self._line = None
        self._show_line()
        if outcome == "cancelled":
            line.on_change("")
        else:
            line.on_done(line.text)

    def _show_line(self) -> None:
        shown = self._line.shown if self._line else ""
        self.state = self.state._replace(typed=shown, message="")
        self.draw_page()
