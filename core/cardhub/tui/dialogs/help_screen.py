"""The help: pages for the current decision, rules, cards, keys and words, with a search."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import dropwhile, takewhile
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderableType, RenderResult
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical, VerticalScroll
from textual.events import Click
from textual.widgets import Input, Static
from typing_extensions import override

from cardhub.base.errors.quoting import printable
from cardhub.play.table_model import TableReader
from cardhub.tui.dialogs.dialog import Dialog
from cardhub.tui.keys import CURSOR_KEYS, TABLE_KEYS, Key, key_lines
from cardhub.view.text.glyphs import Glyphs
from cardhub.view.view import CardCatalogue, CardFace, ChoiceView, View

# Returns the Markdown lines of a page; the argument is the text to search for.
Page = Callable[[str], Sequence[str]]


# What Rich draws before items and quotations, also where it draws frames in ASCII.
MARKS_IN_ASCII = str.maketrans("•▌", "*|")


class PageWithoutFrames:
    """A page that Rich draws without the characters for frames, bullets and blocks."""

    def __init__(self, page: RenderableType) -> None:
        self._page = page

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        plain = options.copy()
        plain.encoding = "ascii"
        for segment in console.render(self._page, plain):
            yield segment._replace(text=segment.text.translate(MARKS_IN_ASCII))


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
        Binding("left,h,shift+tab", "turn(-1)", "Previous page", show=False, id="help.before"),
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
        self._page = name
        tabs = (f"[ {tab} ]" if tab == name else f"  {tab}  " for tab in self._names)
        self.query_one(".tabs", Static).update("".join(tabs))
        lines = self._search_lines() if self._search else list(self._pages[name](""))
        text = printable("\n".join(map(self._glyphs.text, lines)), lines=True)
        self.query_one(".page", Static).update(self._drawn(text))
        scroll = self.query_one(VerticalScroll)
        scroll.scroll_home(animate=False)
        start = 0 if self._search else self._start.get(name, 0)
        if start:
            before = "\n".join(map(self._glyphs.text, lines[:start]))
            self.call_after_refresh(self._scroll_past, printable(before, lines=True))

    def _drawn(self, text: str) -> RenderableType:
        from rich.markdown import Markdown  # its import takes 5 % of the time to the first board

        # Rich draws the text as one widget; Textual makes a widget of each paragraph: slow.
        page = Markdown(text, hyperlinks=False)
        return page if self._glyphs.has_frames else PageWithoutFrames(page)

    def _scroll_past(self, before: str) -> None:
        scroll = self.query_one(VerticalScroll)
        options = self.app.console.options.update_width(max(1, scroll.size.width))
        rows = len(self.app.console.render_lines(self._drawn(before), options))
        scroll.scroll_to(y=rows, animate=False)

    def _search_lines(self) -> list[str]:
        words = self._search.casefold().split()
        lines: list[str] = []
        for name, page in self._pages.items():
            all_lines = (line.strip("#- ") for line in page("") if line.strip() != "```")
            matches = [x for x in all_lines if x and all(word in x.casefold() for word in words)]
            lines += [f"# {name}", "", *(f"- {line}" for line in matches), ""] if matches else []
        return lines or [f"Nothing here contains {self._search!r}."]


# The most choices whose consequences are listed.
MOST_CHOICES = 12
# The title of a section is a heading, or the bold beginning of a paragraph.
TITLE = re.compile(r"##+ .*|\*\*[^*]+\*\*")
NUMBERED = re.compile(r"\d+\. ")
MARKS = (
    ("▸", "the player to act"),
    ("•", "moved or revealed since you acted"),
    ("heavy frame", "the cursor, and the cards that its action takes together"),
    ("faint frame", "cannot be played now; press w to see why"),
    ("▒", "a card face down: its letter or colour is known, its face is not"),
    ("outline", "a card is expected here"),
    ("✓ ✗", "a race that a player has won, or has lost"),
)
# The heading in the rules of a game above the list of its words.
WORDS_HEADING = "## Words"
WORDS = (
    ("seat", "a player's place at the table"),
    ("hand", "the cards that only their owner sees"),
    ("round", "a part of the game that ends with points or a new deal"),
    (
        "only choice",
        "a turn with only one legal action; press F to have such turns played for you",
    ),
    ("seed", "the number that decides the deal: the same seed deals the same cards again"),
    (
        "commitment",
        "a fingerprint of a secret seed: at the end it proves that the seed was not changed",
    ),
    ("hint", "a bot's rating of your actions, from what you know; the record notes that you asked"),
    ("record", "the file in which the game is saved, after every action"),
)


def now_page(reader: TableReader, view: View, why_no_undo: str) -> list[str]:
    """Return the decision, the consequences of its choices, the state of undo, and the seed."""
    lines = ["# Your task", "", "The game is over." if view.is_over else view.prompt, ""]
    if view.status:
        lines += [view.status, ""]
    if view.choices:
        lines += ["# Your choices", "", *_consequences(reader, view.choices), ""]
    undo = why_no_undo or "Press u to take your last action back."
    lines += ["# Undo", "", undo, "", "# Seed", "", reader.seed(), "", "# Players", ""]
    return lines + [f"- {_player(view, seat)}" for seat in range(len(view.players))]


def rules_page(reader: TableReader) -> list[str]:
    """Return the rules of the game with the options in use."""
    return reader.rules().splitlines()


def cards_page(catalogue: CardCatalogue, wanted: str = "") -> list[str]:
    """Return a list with an item for each face whose name or text contains all wanted words."""
    words = wanted.casefold().split()
    lines = [f"- {_card(face)}" for face in catalogue.faces]
    matches = [line for line in lines if all(word in line.casefold() for word in words)]
    return matches or [f"No card matches {wanted!r}."]


def keys_page(keys: Iterable[Key] = (*TABLE_KEYS, *CURSOR_KEYS)) -> list[str]:
    """Return the keys, and the use of numbers and the mouse."""
    return [
        "```",
        *key_lines(keys),
        "1 to 9   press the button with this number",
        "click    point at a card; a second click plays it",
        "wheel    scroll the log; a click on a line shows the table after that step",
        "ctrl+p   list all commands",
        "```",
    ]


def words_page(glyphs: Glyphs, rules: Sequence[str] = ()) -> list[str]:
    """Return the words of a game from its rules, the marks of the table, and common words.

    The words of a game are the section `## Words` of its rules.
    """
    own = list(dropwhile(lambda line: line != WORDS_HEADING, rules))[1:]
    own = list(takewhile(lambda line: not line.startswith("## "), own))
    marks = [f"- {glyphs.text(mark)}: {text}" for mark, text in MARKS]
    words = [f"- {word}: {text}" for word, text in WORDS]
    of_game = ["# Words of this game", "", *own, ""] if own else []
    return [*of_game, "# Marks", "", *marks, "", "# Words", "", *words]


def phase_line(lines: Sequence[str], phase: str) -> int:
    """Return the line at which the rules of a phase begin, 0 if it is not found.

    Headings and bold beginnings of paragraphs come before numbered rules. A phase matches by the
    stem of its first word: `laying` matches "1. Laying." and "lays a card".
    """
    words = phase.split()
    if not words:
        return 0
    named = re.compile(
        rf"(?<!in )\b{re.escape(_stem(words[0]))}(\w?ing|e?s|ed|e)?\b", re.IGNORECASE
    )
    titles = [(n, match[0]) for n, line in enumerate(lines) if (match := TITLE.match(line))]
    matches = [n for n, title in titles if named.search(title)]
    return matches[0] if matches else next(_numbered(lines, named), 0)


def _stem(word: str) -> str:
    bare = word.removesuffix("ing") if len(word) > 5 else word
    # `bidding`, but not `passing`
    return bare[:-1] if bare != word and bare[-2:] in ("dd", "gg", "nn", "pp", "tt") else bare


def _numbered(lines: Sequence[str], named: re.Pattern[str]) -> Iterator[int]:
    """Yield the first line of each numbered rule that has the word."""
    begin = 0
    for number, line in enumerate(lines):
        begin = number if NUMBERED.match(line) else begin if line.strip() else 0
        if begin and named.search(line):
            yield begin


def _consequences(reader: TableReader, choices: Sequence[ChoiceView]) -> list[str]:
    lines: list[str] = []
    for choice in choices[:MOST_CHOICES]:
        answers: list[str] = []
        if choice.amounts is None:
            reader.consequence(choice.action, answers.append)
        text = answers[0] if answers else ""
        lines.append(f"- {choice.name}: {text}" if text else f"- {choice.name}")
    if len(choices) > MOST_CHOICES:
        lines.append(f"- and {len(choices) - MOST_CHOICES} more")
    return lines


def _player(view: View, seat: int) -> str:
    player = view.players[seat]
    kind = f"bot {player.bot}" if player.bot else "a person"
    return ", ".join(filter(None, [player.name, kind, player.score, *player.badges]))


def _card(face: CardFace) -> str:
    title = "" if face.title in ("", face.label) else f" {face.title}"
    corner = "" if face.corner in ("", face.short, face.label) else f", {face.corner}"
    detail = f", {face.detail}" if face.detail else ""
    text = f": {face.text}" if face.text else ""
    return f"{face.label}{title}{corner}{detail}{text}"
