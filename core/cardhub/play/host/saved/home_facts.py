"""Facts for the home screen: saved games, installed games and results, loaded step by step."""

from collections.abc import Iterator
from contextlib import suppress
from math import fsum
from pathlib import Path
from time import time
from typing import Any, NamedTuple

from cardhub.base.errors import CardhubError
from cardhub.model.game.game import Game
from cardhub.play.host.saved.personal_results import PersonalResult, outcomes, sides_of, tabulate
from cardhub.play.host.saved.saved_list import (
    SavedGame,
    SavedLine,
    describe_saved,
    list_saved,
    opponents,
    time_ago,
)
from cardhub.plugins.discovery import Declaration
from cardhub.plugins.registry import PluginRegistry

# The games that come with cardhub, in the order in which they are listed, before all others.
OWN_GAMES = ("gargon", "gamon", "garner")


class GameFacts(NamedTuple):
    """An installed game: `game` is None until it is loaded, or if it has an `error`."""

    name: str
    title: str
    summary: str
    game: Game[Any] | None = None
    error: str = ""

    @property
    def seats(self) -> str:
        """The numbers of players, or an empty string until it is loaded."""
        if self.game is None:
            return ""
        seats = self.game.seats
        if seats.low == seats.high:
            return "1 player" if seats.low == 1 else f"{seats.low} players"
        return f"{seats.low}–{seats.high} players"

    @property
    def length(self) -> str:
        """The usual length of a game, or an empty string if it is unknown."""
        return f"{self.game.minutes} min" if self.game and self.game.minutes else ""

    @property
    def tagline(self) -> str:
        """A few words about the game: its own ones, else the first line of its docstring."""
        return (self.game.tagline if self.game else "") or self.summary


class HomeFacts:
    """The contents of the home screen; games are imported and replayed one at a time, on request.

    `unfinished` and `finished` are the saved games, numbered from 1, the most recent first. A game
    that cannot be loaded has its error instead of ending the program. `bots` is the number of
    bots of all games, 0 until they are loaded.
    """

    def __init__(self, registry: PluginRegistry) -> None:
        self.registry = registry
        self.games = {
            name: GameFacts(name, name.replace("_", " ").capitalize(), declaration.summarize())
            for name, declaration in sorted(registry.games().items(), key=_order)
        }
        self.unfinished: list[SavedGame] = []
        self.finished: list[SavedGame] = []
        self.errors: list[str] = []
        self.bots = 0
        self._lines: dict[tuple[Path, float], SavedLine] = {}
        self.read()

    def read(self) -> None:
        """Read the folder of saved games again."""
        self.unfinished, self.finished, self.errors = [], [], []
        for entry in list_saved():
            if not isinstance(entry, SavedGame):
                self.errors.append(str(entry))
                continue
            games = self.finished if entry.is_finished else self.unfinished
            games.append(entry._replace(number=len(games) + 1))

    def load(self, shown: int) -> Iterator[None]:
        """Load the games one after the other, then replay the first `shown` unfinished games.

        Each step takes some tens of milliseconds at most.
        """
        for name in self.games:
            self.game(name)
            yield
        for saved in self.unfinished[:shown]:
            self.line(saved, replays=True)
            yield
        if not self.bots:
            self.bots = self._count_bots()
            yield

    def is_new(self, name: str) -> bool:
        """Return whether no game with a name was ever begun."""
        return all(saved.game != name for saved in (*self.unfinished, *self.finished))

    def suggests_lesson(self, game: Game[Any]) -> bool:
        """Return whether a game has a lesson and was never begun."""
        return self.is_new(game.name) and game.display.lesson() is not None

    def game(self, name: str) -> GameFacts:
        """Return an installed game, loaded."""
        facts = self.games.get(name) or GameFacts(name, name, "")
        if facts.game is None and not facts.error:
            try:
                game = self.registry.game(name)
                facts = facts._replace(game=game, title=game.title)
            except CardhubError as error:
                facts = facts._replace(error=str(error))
            self.games[name] = facts
        return facts

    def line(self, saved: SavedGame, *, replays: bool = False) -> SavedLine:
        """Return a saved game in words; without `replays`, only with the facts already known."""
        key = saved.path, saved.changed
        if key not in self._lines and replays:
            self._lines[key] = describe_saved(self.registry, saved, time())
        line = self._lines.get(key) or self._short_line(saved)
        return line._replace(age=time_ago(saved.changed, time()))

    def results(self) -> list[PersonalResult]:
        """Return the results of finished games of one person."""
        return outcomes(self.finished, sides_of(self.registry))

    def results_line(self) -> str:
        """Return the results in a few words: `you won 9 of 21; best at Gamon`."""
        results = self.results()
        won = [won for result in results if (won := result.outcome.won) is not None]
        if not won:
            return "your results, as soon as a game is over"
        text = f"you won {fsum(won):g} of {len(won)}"
        rows = [row for row in tabulate(results) if row.share and row.games > 1]
        if len({row.game for row in rows}) > 1:
            best = max(rows, key=lambda row: row.share or 0)
            text += f"; best at {self.game(best.game).title}"
        return text

    def _count_bots(self) -> int:
        names: set[tuple[str, tuple[str, ...] | None]] = set()
        for name, facts in self.games.items():
            # A fault of the game or of its bots is reported when the game is opened.
            with suppress(CardhubError):
                bots = self.registry.bots_for(name) if facts.game else {}
                names |= {(bot.name, bot.games) for bot in bots.values()}
        return len(names)

    def _short_line(self, saved: SavedGame) -> SavedLine:
        facts = self.games.get(saved.game)
        title = facts.title if facts else saved.game
        return SavedLine(title, "", opponents(saved), "")


def _order(game: tuple[str, Declaration]) -> int:
    name, _ = game
    return OWN_GAMES.index(name) if name in OWN_GAMES else len(OWN_GAMES)
