"""The screen that sets up a new game: players, options and table."""

from collections.abc import Callable
from dataclasses import replace
from typing import ClassVar

from textual.binding import Binding, BindingType
from typing_extensions import override

from cardhub.base.errors import CardhubError
from cardhub.bots.spec import parse_spec
from cardhub.model.table.settings import Flag, SeatNumber, format_value
from cardhub.play.seeds import read_seed
from cardhub.tui.home.menu.menu_drawing import MenuPage, MenuRow, MenuSection
from cardhub.tui.home.menu.menu_screen import MenuScreen
from cardhub.tui.home.navigator import Navigator
from cardhub.tui.home.new_game import GameDraft, read_option
from cardhub.view.explain.card_texts import as_notice, as_sentence
from cardhub.view.text.glyphs import UNICODE, Glyphs

FOOTER = (
    ("↑↓", "move"),
    ("←→", "change"),
    ("tab", "next part"),
    ("enter", "start"),
    ("x", "remove player"),
    ("e", "type"),
    ("esc", "back"),
)


class SetupScreen(MenuScreen):
    """Sets up a new game; Enter starts it with the current settings."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("x,delete", "remove", show=False, id="setup.remove"),
        Binding("a", "add", show=False, id="setup.add"),
        Binding("e", "edit", show=False, id="setup.edit"),
    ]

    def __init__(
        self,
        navigator: Navigator,
        draft: GameDraft,
        about: dict[str, str],
        glyphs: Glyphs = UNICODE,
    ) -> None:
        super().__init__(glyphs)
        self._navigator = navigator
        self._about = about
        self.draft = draft
        # Below the lesson of a new game, because Enter starts the game.
        self.state = self.state._replace(cursor="seat:0")

    @override
    def build(self) -> MenuPage:
        sections = [
            MenuSection("learn", self._lesson_rows()),
            MenuSection("players", self._player_rows()),
        ]
        if self.draft.game.options:
            sections.append(MenuSection("options", self._option_rows()))
        sections.append(MenuSection("table", self._table_rows()))
        same = MenuRow("same", "command:", self.draft.command(), is_stop=False)
        sections.append(MenuSection("", [same]))
        sections = [section for section in sections if section.rows]
        return MenuPage(
            f"cardhub  New game  {self.draft.game.title}", "Enter starts the game", sections, FOOTER
        )

    @override
    def open_row(self, row: MenuRow) -> None:
        if row.id == "add":
            self.action_add()
        elif row.id == "advanced":
            self.change_row(row, 1)
        elif row.id == "learn":
            self._navigator.learn(self.draft.game)
        elif fault := self.draft.fault():
            self.say(as_notice(fault))
        else:
            self._navigator.start(self.draft.new_game)

    @override
    def click_row(self, row: MenuRow) -> None:
        if row.id == "learn":
            self.open_row(row)
            return
        # A click changes the value, because a mouse has no arrow keys; the footer starts the game.
        self.change_row(row, 1)
        if row.id == "add":
            self.point(f"seat:{len(self.draft.players) - 1}")

    @override
    def change_row(self, row: MenuRow, by: int) -> None:
        kind, _, name = row.id.partition(":")
        if kind == "seat":
            self._set(self.draft.with_kind(int(name), by))
        elif kind == "option":
            self._set(self.draft.with_option(name, by))
        elif kind == "add":
            self.action_add()
        elif kind == "advanced":
            self._set(replace(self.draft, is_advanced=not self.draft.is_advanced))
        elif kind == "deal":
            if by < 0:
                self._set(replace(self.draft, seed=None))
            else:
                self.action_edit()
        elif kind == "help":
            self._set(replace(self.draft, helps=not self.draft.helps))
        elif kind == "pace":
            preferences = self._navigator.preferences
            pace = round(max(0.0, preferences.pace + by * 0.2), 1)
            self._navigator.save(replace(preferences, pace=pace))
            self.rebuild()

    def action_add(self) -> None:
        """Add a bot."""
        self._try(self.draft.with_seat)

    def action_remove(self) -> None:
        """Remove the player under the cursor."""
        kind, _, name = self.state.cursor.partition(":")
        if kind == "seat":
            self._try(lambda: self.draft.without_seat(int(name)))

    def action_edit(self) -> None:
        """Type a name, a seed or the value of an option."""
        kind, _, name = self.state.cursor.partition(":")
        if kind == "seat":
            seat = int(name)
            start = self.draft.players[seat].name
            self.ask_text(
                "name: ", start, lambda text: self._try(lambda: self.draft.with_name(seat, text))
            )
        elif kind == "deal":
            self.ask_text("seed: ", "", self._set_seed)
        elif kind == "option":
            start = format_value(self.draft.value(name))
            self.ask_text(f"{name}: ", start, lambda text: self._set_option(name, text))

    def _set_seed(self, text: str) -> None:
        try:
            self._set(replace(self.draft, seed=read_seed(text) if text else None))
        except ValueError:
            self.say(f"{text!r} is not a seed: type a whole number, or 32 hexadecimal digits.")

    def _set_option(self, name: str, text: str) -> None:
        option, seats = self.draft.game.options[name], len(self.draft.players)

        def changed() -> GameDraft:
            value = read_option(option, name, text, seats)
            return replace(self.draft, settings={**self.draft.settings, name: value})

        self._try(changed)

    def _try(self, change: Callable[[], GameDraft]) -> None:
        try:
            self._set(change())
        except CardhubError as error:
            self.say(as_notice(str(error)))

    def _set(self, draft: GameDraft) -> None:
        self.draft = draft
        self.rebuild()

    def _lesson_rows(self) -> list[MenuRow]:
        game = self.draft.game
        if not self._navigator.facts.suggests_lesson(game):
            return []
        text = f"a first hand with comments: cardhub learn {game.name}"
        detail = f"Enter starts a first hand of {game.title} with comments."
        return [MenuRow("learn", f"Learn {game.title}", text, detail=detail)]

    def _player_rows(self) -> list[MenuRow]:
        rows = []
        for seat, player in enumerate(self.draft.players):
            about = "you" if player.is_human else self._about_bot(player.kind)
            if player.is_human and sum(p.is_human for p in self.draft.players) > 1:
                about = "a person at this terminal"
            kind = "person" if player.is_human else f"bot: {player.kind}"
            key = str(seat + 1)
            rows.append(MenuRow(f"seat:{seat}", f"{key}  {player.name}", about, "", kind))
        high = self.draft.game.seats.high
        if len(rows) < high:
            rows.append(MenuRow("add", f"—  add a player (up to {high})"))
        if self.draft.further_kinds:
            is_on = self.draft.is_advanced
            text = "all bots can be chosen" if is_on else "more bots, language models"
            rows.append(MenuRow("advanced", "—  Advanced…", text, "", "on" if is_on else "off"))
        return rows

    def _about_bot(self, kind: str) -> str:
        return self._about.get(kind) or self._about.get(parse_spec(kind).name, "")

    def _option_rows(self) -> list[MenuRow]:
        rows = []
        for name, option in self.draft.game.options.items():
            value, text = self.draft.value(name), option.help
            shown, detail = format_value(value), text
            if isinstance(option, Flag):
                shown = "[x]" if value else "[ ]"
            elif isinstance(option, SeatNumber):
                shown = self.draft.players[int(value)].name
                # The number of the first seat is for the command line; here seats have names.
                text = detail = as_sentence(text.partition(";")[0])
            else:
                detail = f"{text} ({option.describe(len(self.draft.players))})"
            label = name.replace("_", " ")
            rows.append(MenuRow(f"option:{name}", label, text, "", shown, detail))
        return rows

    def _table_rows(self) -> list[MenuRow]:
        seed = self.draft.seed
        deal = "new" if seed is None else f"seed {seed}"
        helps = "on" if self.draft.helps else "off"
        pace = f"{self._navigator.preferences.pace:g} s"
        return [
            MenuRow("deal", "deal", "press e to type the seed of a deal", "", deal),
            MenuRow(
                "help",
                "hints and undo",
                "counted separately in the statistics",
                "",
                helps,
            ),
            MenuRow("pace", "pace of the bots", "press + or - at the table to change it", "", pace),
        ]
