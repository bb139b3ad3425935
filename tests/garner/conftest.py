"""Positions of Garner set up by hand."""

from collections.abc import Iterable, Mapping
from typing import Protocol

import pytest

from cardhub.game.opening import settle_options, start
from cardhub.hidden.naming import Naming
from cardhub.table.settings import Value
from cardhub_garner import Garner
from cardhub_garner.layouts import LAYOUTS, site_name
from cardhub_garner.table import CARDS, Table


class Position:
    """A position that is acted on in the notation of records."""

    def __init__(self, state: Table) -> None:
        self.game = Garner()
        self.state = state

    def act(self, *actions: str) -> "Position":
        """Carry out legal actions, one after the other."""
        for text in actions:
            legal = self.game.legal(self.state)
            self.game.apply(self.state, self._naming().parse(text, legal))
        return self

    def legal(self) -> set[str]:
        """Return the legal actions in the notation of records."""
        return set(self._naming().notations(self.game.legal(self.state)))

    def sites(self) -> set[str]:
        """Return where the next lifted card may go."""
        return {text.removeprefix("place ") for text in self.legal()}

    def cards(self, tokens: Iterable[int]) -> str:
        """Return cards by name, in order."""
        return " ".join(CARDS.faces[self.state.face[token]].name for token in tokens)

    def stacks(self) -> dict[str, str]:
        """Return the cards of each stack that is not empty, the top one last."""
        stacks = enumerate(self.state.board)
        return {site_name(site): self.cards(stack) for site, stack in stacks if stack}

    def _naming(self) -> Naming:
        return Naming(self.game, self.state.face, self.state.back)


class SetUp(Protocol):
    """Sets up a position: rows of stacks, `D4/A1` with the top card last, `.` for an empty site.

    `won` are the cards a seat has collected. Cards that are not named are nowhere.
    """

    def __call__(
        self,
        rows: str,
        won: Mapping[int, str] | None = None,
        /,
        **options: Value,
    ) -> Position:
        """Return the position, with seat 0 about to lift."""
        ...


@pytest.fixture
def set_up() -> SetUp:
    """Return what sets up a position by hand."""
    return _position


def _position(rows: str, won: Mapping[int, str] | None = None, /, **options: Value) -> Position:
    game = Garner()
    settings = settle_options(game, options, 2)
    state = start(game, settings, 2, game.pack(settings, 2))
    for pile in state.board:
        pile.clear()
    token_of = {CARDS.faces[state.face[t]].name: t for t in range(len(state.face))}

    def tokens(names: Iterable[str]) -> list[int]:
        return [token_of.pop(name) for name in names]

    cells = [row.split() for row in rows.strip().splitlines()]
    layout = LAYOUTS[settings.word("layout")]
    assert [len(row) for row in cells] == [layout.columns] * layout.rows
    stacks = [cell for row in cells for cell in row]
    for site, cell in zip(layout.sites, stacks, strict=True):
        if cell != ".":
            state.put_all(tokens(cell.split("/")), state.board, site)
    for seat, names in (won or {}).items():
        state.put_all(tokens(spelled_out(names)), state.won, seat)
    return Position(state)


def spelled_out(names: str) -> Iterable[str]:
    """Yield the names of cards, of `A1-5` those of five."""
    for name in names.split():
        first, _, last = name.partition("-")
        suit, number = first[0], int(first[1:])
        yield from (f"{suit}{n}" for n in range(number, int(last or number) + 1))
