"""Positions of Gamon set up by hand."""

from collections.abc import Iterable, Mapping
from typing import Protocol

import pytest

from cardhub.game.opening import settle_options, start
from cardhub.hidden.naming import Naming
from cardhub.hidden.observation import Observation
from cardhub.table.settings import Value
from cardhub_gamon import Gamon
from cardhub_gamon.rounds import begin_round, begin_turn
from cardhub_gamon.table import CARDS, Table
from cardhub_gamon.wording import sentences

BELIEVED = ("believe", "believe")


class Position:
    """A position that is acted on in the notation of records."""

    def __init__(self, state: Table) -> None:
        self.game = Gamon()
        self.state = state
        self.told: list[str] = []

    def act(self, *actions: str) -> "Position":
        """Carry out legal actions, one after the other."""
        for text in actions:
            legal = self.game.legal(self.state)
            self.game.apply(self.state, self._naming().parse(text, legal))
            self.told = sentences(self.state.news)
        return self

    def turn(self, attacker: str, defender: str, *doubts: str) -> "Position":
        """Play a turn: card and call of both, then who cries Gamon or believes (both do if silent).

        Calls follow the card's name: `corsair 4`.
        """
        for card, _, number in (attacker.partition(" "), defender.partition(" ")):
            self.act(f"place {card}", f"call {number}")
        return self.act(*(doubts or BELIEVED))

    def legal(self) -> set[str]:
        """Return the legal actions in the notation of records."""
        names = self._naming().notations(self.game.legal(self.state))
        return {name.partition("#")[0] for name in names}

    def cards(self, tokens: Iterable[int]) -> str:
        """Return cards by name, in order."""
        return " ".join(CARDS.faces[self.state.face[token]].name for token in tokens)

    def observe(self, viewer: int) -> Observation[Table]:
        """Return what a viewer knows."""
        return Observation(self.game, self.state, viewer)

    def _naming(self) -> Naming:
        return Naming(self.game, self.state.face, self.state.back)


class SetUp(Protocol):
    """Sets up a position at the start of a turn: hands by the names of their cards.

    All other cards lie in the decks, or are discarded if `only_named`. With a prize of 0 it is the
    start of a round.
    """

    def __call__(
        self,
        navy: str,
        pirate: str,
        *,
        attacker: int = 0,
        prize: int = 1,
        purse: tuple[int, int] = (0, 0),
        pile: int = 30,
        only_named: bool = False,
        options: Mapping[str, Value] | None = None,
    ) -> Position:
        """Return the position, with the attacker to place a card if nobody is stuck."""
        ...


@pytest.fixture
def set_up() -> SetUp:
    """Return what sets up a position by hand."""
    return _position


def _position(
    navy: str,
    pirate: str,
    *,
    attacker: int = 0,
    prize: int = 1,
    purse: tuple[int, int] = (0, 0),
    pile: int = 30,
    only_named: bool = False,
    options: Mapping[str, Value] | None = None,
) -> Position:
    game = Gamon()
    settings = settle_options(game, options or {}, 2)
    state = start(game, settings, 2, game.pack(settings, 2))
    state.attacker, state.prize, state.pile, state.purse = attacker, prize, pile, list(purse)
    for seat, names in enumerate((navy, pirate)):
        free = sorted(state.deck[seat] + state.hand[seat])
        for pile_of_cards in (state.deck, state.hand):
            pile_of_cards[seat].clear()
        hand = [_take(state, free, name) for name in names.split()]
        state.put_all(free, state.discard if only_named else state.deck, seat)
        for token in free:
            state.seen[token] = state.everybody if only_named else 0
        state.put_all(hand, state.hand, seat)
    state.news = ()
    state.round = 1 if prize else 0
    (begin_turn if prize else begin_round)(state)
    at = Position(state)
    at.told = sentences(state.news)
    return at


def _take(state: Table, free: list[int], name: str) -> int:
    token = next(t for t in free if state.face[t] == CARDS.face(name))
    free.remove(token)
    return token
