"""Determinizations follow from the present state: an undo takes back what an action ruled out."""

from random import Random
from typing import Any

from tests.games.lanterns import ACTIONS as LANTERN_ACTIONS
from tests.games.lanterns import OF_SUIT, SUIT, SUITS, Lanterns, Table
from typing_extensions import override

from cardhub import Actions, Choice
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up

ACTIONS = Actions(*LANTERN_ACTIONS.groups, Choice("boast", SUITS))
BOAST = ACTIONS.starts[-1]
DRAWS = 60


class Boasts(Lanterns):
    """A seat may also say, truthfully, which suit the cards of its right neighbour all have.

    The turn goes on, no card is shown and no question is asked: so this can be taken back.
    """

    actions = ACTIONS

    @override
    def legal(self, state: Table) -> list[int]:
        suits = {SUIT[state.face[token]] for token in state.hand[state.seat - 1]}
        (suit, *others) = (SUITS.index(suit) for suit in suits) if suits else (0, 1)
        return [*super().legal(state), *([] if others else [BOAST + suit])]

    @override
    def apply(self, state: Table, action: int) -> None:
        if action < BOAST:
            super().apply(state, action)
        else:
            for token in state.hand[state.seat - 1]:
                state.heard[token] &= OF_SUIT[action - BOAST]


def table() -> Referee[Any]:
    """Return a game in which the first seat can boast of its neighbour's hand."""
    for seed in range(20):
        referee = set_up(Boasts(), [Player(n, "human") for n in ("Anna", "Bob")], {}, seed)
        referee.proceed()
        if max(referee.observe(0).legal()) >= BOAST:
            return referee
    raise AssertionError("no hand is of one suit")


def drawn(referee: Referee[Any]) -> list[tuple[int, ...]]:
    """Return determinizations of the second seat's own hand."""
    seen, rng = referee.observe(1), Random(1)
    hand = seen.state.hand[1]
    faces = [seen.determinize(rng).face for _ in range(DRAWS)]
    return [tuple(face[token] for token in hand) for face in faces]


def test_an_undo_takes_back_what_the_action_ruled_out() -> None:
    """The sampler knows the state only (docs/private-knowledge.md)."""
    referee = table()
    before = drawn(referee)
    referee.apply(max(referee.observe(0).legal()))
    ruled_out = drawn(referee)
    assert len({SUIT[face] for hand in ruled_out for face in hand}) == 1
    referee.undo(0)
    assert drawn(referee) == before
    assert len({SUIT[face] for hand in before for face in hand}) == 2


def test_an_answer_cannot_be_taken_back() -> None:
    referee = table()
    referee.apply(LANTERN_ACTIONS.starts[1])
    assert not referee.can_undo(0)
    state = referee.observe(0).state
    assert len(state.answers) == len(state.hand[1])
