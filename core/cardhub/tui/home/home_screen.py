"""The home screen: unfinished games, new games, replays, statistics, matches and settings."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from textual.timer import Timer
from typing_extensions import override

from cardhub.base.errors.quoting import did_you_mean
from cardhub.lab.match.log.known_matches import MatchProgress, known_matches
from cardhub.model.game.game import Game
from cardhub.play.host.saved.saved_list import numbered
from cardhub.tui.home.menu.menu_drawing import (
    Aside,
    MenuPage,
    MenuRow,
    Preview,
    aside_room,
    preview_room,
)
from cardhub.tui.home.menu.menu_screen import MenuScreen
from cardhub.tui.home.navigator import Navigator
from cardhub.tui.home.previews import GamePreviews, SavedPreviews
from cardhub.tui.home.saved_screen import MOST_UNFINISHED, home_page
from cardhub.view.explain.card_texts import as_notice
from cardhub.view.text.glyphs import UNICODE, Glyphs

# Seconds between two steps of loading games, in which keys are read.
BREAK = 0.02
COMMANDS = ("play", "resume", "replay", "watch", "stats", "matches", "learn", "settings", "quit")


class HomeScreen(MenuScreen):
    """The first screen; it loads games after it is shown."""

    def __init__(self, navigator: Navigator, glyphs: Glyphs = UNICODE) -> None:
        super().__init__(glyphs)
        self._navigator = navigator
        self._facts = navigator.facts
        self._previews = SavedPreviews(navigator.facts, glyphs)
        self._games = GamePreviews(navigator.facts, glyphs)
        self._matches: list[MatchProgress] = []
        self._steps: Iterator[None] = iter(())
        self._timer: Timer | None = None

    @override
    def build(self) -> MenuPage:
        return home_page(self._facts, self._matches)

    @override
    def on_screen_resume(self) -> None:
        # Saved games and settings may have changed.
        self._facts.read()
        self._matches = known_matches()
        self._steps = self._facts.load(MOST_UNFINISHED)
        self.rebuild()
        if self._timer is None:
            self._timer = self.set_interval(BREAK, self._load)
        self._timer.resume()

    def _load(self) -> None:
        try:
            next(self._steps)
        except StopIteration:
            if self._timer is not None:
                self._timer.pause()
        if self.is_current:
            self.rebuild()

    @override
    def open_row(self, row: MenuRow) -> None:
        kind, _, name = row.id.partition(":")
        if kind == "saved":
            self._navigator.resume(Path(name))
        elif kind == "game":
            self._open_game(name, self._navigator.set_up)
        elif kind == "learn" and name:
            self._open_game(name, self._navigator.learn)
        elif kind == "error":
            self.say(row.detail)
        else:
            self._open(kind)

    @override
    def preview(self, row: MenuRow | None) -> Preview | None:
        width, height = preview_room(self.page, *self.size)
        if row is None or not height:
            return None
        kind, _, name = row.id.partition(":")
        if kind != "saved":
            return None
        cards = self._navigator.preferences.card_size
        return self._previews.of(Path(name), width, height, cards)

    @override
    def aside(self, row: MenuRow | None) -> Aside:
        width, inner, height = aside_room(*self.size)
        kind, _, name = row.id.partition(":") if row else ("", "", "")
        if not width or kind not in ("game", "learn"):
            return Aside()
        preview = self._games.of(name, inner, height, self._navigator.preferences.card_size)
        return Aside(width, preview) if preview else Aside()

    @override
    def run_command(self, text: str) -> None:
        word, _, rest = text.strip().partition(" ")
        if word in ("q", "quit"):
            self._navigator.leave()
        elif (word == "play" and rest) or word in self._facts.games:
            self._open_game(rest if word == "play" else word, self._navigator.set_up)
        elif word in ("resume", "replay") and rest:
            self._open_number(word, rest.strip())
        elif word == "learn" and rest:
            self._open_game(rest.strip(), self._navigator.learn)
        elif word == "resume":
            self._navigator.list_saved(finished=False)
        elif word in COMMANDS[2:]:
            self._open(word)
        else:
            hint = did_you_mean(word, [*COMMANDS, *self._facts.games])
            self.say(f"Unknown command {word!r}.{hint} Commands: {', '.join(COMMANDS)}")

    def _open(self, name: str) -> None:
        navigator = self._navigator
        ways: dict[str, Callable[[], None]] = {
            "unfinished": lambda: navigator.list_saved(finished=False),
            "replay": lambda: navigator.list_saved(finished=True),
            "watch": lambda: navigator.list_games("watch"),
            "learn": lambda: navigator.list_games("learn"),
            "stats": navigator.show_statistics,
            "matches": navigator.list_matches,
            "settings": navigator.show_settings,
        }
        ways[name]()

    def _open_number(self, word: str, number: str) -> None:
        games = self._facts.unfinished if word == "resume" else self._facts.finished
        saved = numbered(games, int(number)) if number.isdecimal() else None
        if saved is None:
            self.say(f"There is no game number {number!r} to {word}.")
        elif word == "resume":
            self._navigator.resume(saved.path)
        else:
            self._navigator.replay(saved.path)

    def _open_game(self, name: str, open_screen: Callable[[Game[Any]], None]) -> None:
        """Call `open_screen` with a loaded game, or show why the game cannot be loaded."""
        facts = self._facts.game(name)
        if facts.game is None:
            self.say(as_notice(facts.error or self._facts.registry.unknown_game(name)))
        else:
            open_screen(facts.game)

    @override
    def action_back(self) -> None:
        if self.is_searching:
            super().action_back()
        else:
            # Escape leads back from every other screen, and may be pressed once too often.
            self.say("Press q to quit cardhub.")

    @override
    def action_quit_screen(self) -> None:
        self._navigator.leave()
