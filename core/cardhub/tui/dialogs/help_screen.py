"""The help: pages for the current decision, rules, cards, keys and words, with a search."""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Click
from textual.widgets import Input, Static
from typing_extensions import override

from cardhub.base.errors.quoting import printable
from cardhub.tui.dialogs.dialog import Dialog
from cardhub.view.text.glyphs import Glyphs

# Returns the Markdown lines of a page; the argument is the text to search for.
Page = Callable[[str], Sequence[str]]


class HelpScreen(Dialog[None]):
    """Pages of help by name; `start` maps a page's name to the line at which it opens."""

    # The search line gets keys only after it opens.
    AUTO_FOCUS = ""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("question_mark,f1,q", "close", "Back", show=False, id="help.close"),
        Binding("j,down", "scroll(1)", "Down", show=False, id="help.down"),
        Binding("k,up", "scroll(-1)", "Up", show=False, id="help.up"),
        Binding("pagedown,space", "scroll(12)", "Page down", show=False, id="help.page_down"),
        Binding("pageup", "scroll(-12)", "Page up", show=False, id="help.page_up"),
        Binding("home", "scroll(-10000)", "Begin", show=False, id="help.begin"),
        Binding("end", "scroll(10000)", "End", show=False, id="help.end"),
        Binding("right,l,tab", "turn(1)", "Next page", show=False, id="help.next"),
        Binding("left,h,shift+tab", "turn(-1)", "Page before", show=False, id="help.before"),
        Binding("slash", "search", "Search", show=False, id="help.search"),
    ]
    DEFAULT_CSS = """
    HelpScreen > .box { height: 96%; }
    HelpScreen .tabs { height: 1; margin-bottom: 1; }
    HelpScreen VerticalScroll { height: 1fr; scrollbar-size-vertical: 1; padding-right: 1; }
    HelpScreen Input { display: none; border: none; height: 1; padding: 0; }
    HelpScreen Input.-open { display: block; }
    HelpScreen .foot { height: 1; color: $foreground 70%; }
    """

    def __init__(
        self,
        pages: Mapping[str, Page],
        glyphs: Glyphs,
        *,
        first: str,
        start: Mapping[str, int] | None = None,
    ) -> None:
        super().__init__()
        self._pages = pages
        self._glyphs = glyphs
        self._names = list(pages)
        self._page = first
        self._start = dict(start or {})
        self._search = ""

    @override
    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Static("", classes="tabs", markup=False)
            with VerticalScroll(can_focus=False):
                yield Static("", classes="page", markup=False)
            yield Input(placeholder="search", select_on_focus=False, compact=True)
            foot = "←→ page · ↑↓ scroll · / search · esc back"
            yield Static(self._glyphs.text(foot), classes="foot", markup=False)

    def on_mount(self) -> None:
        """Open the first page."""
        self.query_one(Input).can_focus = False
        self._open(self._page)

    def action_turn(self, step: int) -> None:
        """Turn to the next or the previous page."""
        number = (self._names.index(self._page) + step) % len(self._names)
        self._open(self._names[number])

    def action_search(self) -> None:
        """Open the search line."""
        box = self.query_one(Input)
        box.can_focus = True
        box.add_class("-open")
        box.focus()

    @override
    def action_close(self) -> None:
        box = self.query_one(Input)
        if box.has_focus or self._search:
            box.value = self._search = ""
            self._end_search()
        else:
            super().action_close()

    @on(Input.Changed)
    def find(self, event: Input.Changed) -> None:
        """Show the lines of all pages that contain the text."""
        self._search = event.value.strip()
        self._open(self._page)

    @on(Input.Submitted)
    def keep_search(self) -> None:
        """Return the focus to the page and keep the result of the search."""
        self.query_one(Input).can_focus = False
        self.set_focus(None)

    def _end_search(self) -> None:
        box = self.query_one(Input)
        box.remove_class("-open")
        box.can_focus = False
        self.set_focus(None)
        self._open(self._page)

    @on(Click, ".tabs")
    def open_clicked(self, event: Click) -> None:
        """Open the page whose name is clicked."""
        end = 0
        for name in self._names:
            end += len(name) + 4
            if event.x < end:
                self._open(name)
                return

    def _open(self, name: str) -> None:
        from rich.markdown import Markdown  # its import takes 5 % of the time to the first board

        self._page = name
        tabs = (f"[ {tab} ]" if tab == name else f"  {tab}  " for tab in self._names)
        self.query_one(".tabs", Static).update("".join(tabs))
        lines = self._search_lines() if self._search else list(self._pages[name](""))
        text = printable("\n".join(map(self._glyphs.text, lines)), lines=True)
        # Rich draws the text as one widget; Textual makes a widget of each paragraph: slow.
        page = Markdown(text, hyperlinks=False)
        self.query_one(".page", Static).update(page)
        scroll = self.query_one(VerticalScroll)
        scroll.scroll_home(animate=False)
        start = 0 if self._search else self._start.get(name, 0)
        if start:
            before = "\n".join(map(self._glyphs.text, lines[:start]))
            self.call_after_refresh(self._scroll_past, printable(before, lines=True))

    def _scroll_past(self, before: str) -> None:
        from rich.markdown import Markdown

        scroll = self.query_one(VerticalScroll)
        options = self.app.console.options.update_width(max(1, scroll.size.width))
        rows = len(self.app.console.render_lines(Markdown(before, hyperlinks=False), options))
        scroll.scroll_to(y=rows, animate=False)

    def _search_lines(self) -> list[str]:
        words = self._search.casefold().split()
        lines: list[str] = []
        for name, page in self._pages.items():
            all_lines = (line.strip("#- ") for line in page("") if line.strip() != "```")
            matches = [x for x in all_lines if x and all(word in x.casefold() for word in words)]
            lines += [f"# {name}", "", *(f"- {line}" for line in matches), ""] if matches else []
        return lines or [f"Not found: {self._search}"]
