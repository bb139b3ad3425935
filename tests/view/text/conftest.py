"""Tables of three games at any point of a random game."""

from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from tests.games.magpie import Magpie
from tests.kit.table_texts import text_of, view_of
from tests.view.text.patchwork import Patchwork

from cardhub import Game
from cardhub.model.hidden.observation import Observation
from cardhub.play.referee import Referee
from cardhub.play.seating import seat_players
from cardhub.play.setup import set_up
from cardhub.view.text import UNICODE, Glyphs
from cardhub.view.view import View
from cardhub_gargon import Gargon

GAMES: dict[str, Game[Any]] = {"gargon": Gargon(), "magpie": Magpie(), "patchwork": Patchwork()}
NAMES = ["Anna", "Bob", "Chris", "David", "Eva"]


class Table:
    """A table with a referee, and the views one seat gets."""

    def __init__(self, referee: Referee[Any], rng: Random) -> None:
        self.referee = referee
        self._rng = rng

    def play(self, actions: int) -> "Table":
        """Take random actions, fewer if the game ends."""
        for _ in range(actions):
            if not self.referee.is_over:
                self.referee.apply(self._rng.choice(self.observe().legal()))
        return self

    def all_positions(self) -> Iterator[Observation[Any]]:
        """Play on to the end; yield the observation of the seat to act at every turn."""
        while not self.referee.is_over:
            yield self.observe()
            self.play(1)

    def observe(self, seat: int | None = None) -> Observation[Any]:
        """Return a seat's observation, by default of the seat to act."""
        return self.referee.observe(self.referee.seat if seat is None else seat)

    def view(self, seat: int | None = None) -> View:
        """Return a seat's view."""
        return view_of(self.observe(seat), NAMES[: len(self.referee.players)])

    def text(self, seat: int | None = None, width: int = 53, glyphs: Glyphs = UNICODE) -> str:
        """Return a seat's table as plain text."""
        return text_of(self.observe(seat), NAMES[: len(self.referee.players)], width, (), glyphs)


@pytest.fixture
def table() -> Callable[..., Table]:
    """Return a function that sets up a table, Gargon's if no game is named."""

    def set_up_table(game: str = "gargon", seats: int = 0, seed: int = 1, **options: Any) -> Table:
        rules = GAMES[game]
        players = seat_players([], seats or rules.seats.default, "random")
        referee = set_up(rules, players, options, seed)
        referee.proceed()
        return Table(referee, Random(seed))

    return set_up_table
