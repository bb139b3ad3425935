"""Positions of Gargon set up by hand."""

from collections.abc import Iterable, Mapping
from typing import Protocol

import pytest

from cardhub.game.opening import settle_options, start
from cardhub.hidden.naming import Naming
from cardhub.table.settings import Value
from cardhub_gargon import Gargon
from cardhub_gargon.laying import begin_laying
from cardhub_gargon.table import CARDS, Table


class Position:
    """A position that is acted on in the notation of records."""

    def __init__(self, state: Table) -> None:
        self.game = Gargon()
        self.state = state

    def act(self, *actions: str) -> "Position":
        """Carry out legal actions, one after the other."""
        for text in actions:
            legal = self.game.legal(self.state)
            self.game.apply(self.state, self._naming().parse(text, legal))
        return self

    def legal(self) -> set[str]:
        """Return the legal actions in the notation of records."""
        names = self._naming().notations(self.game.legal(self.state))
        return {name.partition("#")[0] for name in names}

    def cards(self, tokens: Iterable[int]) -> str:
        """Return cards by name, in order."""
        return " ".join(CARDS.faces[self.state.face[token]].name for token in tokens)

    def _naming(self) -> Naming:
        return Naming(self.game, self.state.face, self.state.back)


class SetUp(Protocol):
    """Sets up a position: cards by name, a stack's top card last.

    All other cards lie beneath those named for the stacks, or are discarded if `only_named`.
    """

    def __call__(
        self,
        hands: Mapping[int, str],
        stacks: tuple[str, str] = ("", ""),
        won: Mapping[int, str] | None = None,
        *,
        leader: int = 0,
        seats: int = 4,
        only_named: bool = False,
        options: Mapping[str, Value] | None = None,
    ) -> Position:
        """Return the position at the start of a round."""
        ...


@pytest.fixture
def set_up() -> SetUp:
    """Return what sets up a position by hand."""
    return _position


def _position(
    hands: Mapping[int, str],
    stacks: tuple[str, str] = ("", ""),
    won: Mapping[int, str] | None = None,
    *,
    leader: int = 0,
    seats: int = 4,
    only_named: bool = False,
    options: Mapping[str, Value] | None = None,
) -> Position:
    game = Gargon()
    settings = settle_options(game, options or {}, seats)
    state = start(game, settings, seats, game.pack(settings, seats))
    for pile in (*state.hand, *state.stacks):
        pile.clear()
    state.seen = [0] * len(state.seen)
    free = list(range(len(state.face)))

    def take(names: str) -> list[int]:
        tokens = []
        for name in names.split():
            tokens.append(next(t for t in free if state.face[t] == CARDS.face(name)))
            free.remove(tokens[-1])
        return tokens

    named = [take(cards) for cards in stacks]
    for seat, cards in hands.items():
        state.put_all(take(cards), state.hand, seat)
    for seat, cards in (won or {}).items():
        state.put_all(take(cards), state.won, seat)
    if only_named:
        state.put_all(free, state.discard)
    for number, tokens in enumerate(named):
        state.put_all([] if only_named else free[number::2], state.stacks, number)
        state.put_all(tokens, state.stacks, number)
    begin_laying(state, leader)
    return Position(state)
