"""Positions of Gamon set up by hand."""

from collections.abc import Mapping
from typing import Self

from cardhub.model.table.settings import Value
from cardhub.testing import ByHand
from cardhub_gamon import Gamon
from cardhub_gamon.rounds import begin_round, begin_turn
from cardhub_gamon.table import SIDES, Table

BELIEVED = ("believe", "believe")


class Position(ByHand[Table]):
    """A position of Gamon, whose players are called by their sides."""

    @property
    def logged(self) -> list[str]:
        """The sentences that the rules logged about the last actions, for a spectator."""
        return self.log_lines(self.state.seats, SIDES)

    def turn(self, attacker: str, defender: str, *doubts: str) -> Self:
        """Play a turn: card and call of both, then who cries Gamon or believes (both do if silent).

        Calls follow the card's name: `corsair 4`.
        """
        for card, _, number in (attacker.partition(" "), defender.partition(" ")):
            self.act(f"place {card}", f"call {number}")
        return self.act(*(doubts or BELIEVED))


def set_up(
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
    """Set up a position at the start of a turn: hands by the names of their cards.

    All other cards are in the decks, or are discarded if `only_named`. With a prize of 0 it is the
    start of a round.
    """
    at = Position(Gamon(), 2, options)
    state = at.state
    state.attacker, state.prize, state.pile, state.purse = attacker, prize, pile, list(purse)
    for seat, names in enumerate((navy, pirate)):
        state.put_all(at.take(names), state.hand, seat)
        rest = [token for token in at.left if state.back[token] == seat]
        state.put_all(rest, state.discard if only_named else state.deck, seat)
    state.round = 1 if prize else 0
    (begin_turn if prize else begin_round)(state)
    return at
