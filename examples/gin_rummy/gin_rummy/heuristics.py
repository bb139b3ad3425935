"""The heuristics of Gin Rummy: sensible actions for playouts, and an evaluation."""

from random import Random

from typing_extensions import override

from cardhub import Heuristics
from gin_rummy.cards import RANKS
from gin_rummy.melds import (
    SUIT_BITS,
    SUIT_STARTS,
    deadwood,
    deadwood_without,
    melded,
    melds_in,
    value,
)
from gin_rummy.showdown import NUMBER, knocker_gains, legal_showdown
from gin_rummy.table import DISCARD, DONE, KNOCK, LAYOFF, MELD, TAKE, Phase, Table, held
from gin_rummy.turns import knocking, legal_turn

ACES = sum(1 << start for start in SUIT_STARTS)
KINGS = ACES << RANKS - 1
# Deadwood for which a card is worth keeping that makes a pair with another one.
PAIRED = 4
# Points that a card of deadwood more than the other player's costs on average.
WEIGHT = 0.6


class GinRummyHeuristics(Heuristics[Table]):
    """Little deadwood, and a knock as soon as it is legal."""

    playout_depth = 2  # longer playouts are no stronger, and slower

    @override
    def playout_action(self, state: Table, rng: Random) -> int:
        """Return an action that keeps deadwood low; knock as soon as it is legal."""
        if state.knocker >= 0:
            return _showdown_action(state)
        if state.phase == Phase.DISCARD:
            return KNOCK if knocking(state) else DISCARD + _worst_card(state)
        legal = legal_turn(state)
        if TAKE in legal and _helps(state):
            return TAKE
        # The first one but for the upcard: to knock, to draw or to pass.
        return next(action for action in legal if action != TAKE)

    @override
    def evaluate(self, state: Table) -> list[float]:
        """Return the points, and for the cards in hand an estimate of the points of this deal."""
        lead = float(state.points[0] - state.points[1])
        if state.seat >= 0:
            first, second = deadwood(held(state, 0)), deadwood(held(state, 1))
            if state.knocker < 0:
                lead += WEIGHT * (second - first)
            elif state.knocker == 0:
                lead += knocker_gains(first, second)
            else:
                lead -= knocker_gains(second, first)
        return [lead, -lead]


def _showdown_action(state: Table) -> int:
    """Return the action that leaves the least deadwood."""
    cards, face = held(state, state.seat), state.face
    if state.phase == Phase.KNOCK:
        left = deadwood_without(cards)
        best = min(knocking(state), key=lambda token: left[face[token]])
        return DISCARD + best
    if state.phase == Phase.LAYOFFS:
        # A card of an own meld would leave the others of it as deadwood.
        now = deadwood(cards)
        for action in legal_showdown(state)[:-1]:
            if deadwood(cards ^ 1 << face[action - LAYOFF]) < now:
                return action
        return DONE
    return next((MELD + NUMBER[meld] for meld in arrange(cards)), DONE)


def _worst_card(state: Table) -> int:
    """Return the card without which the deadwood is lowest; pairs are broken up last."""
    cards, face = held(state, state.seat), state.face
    left, paired = deadwood_without(cards), in_pairs(cards)

    def cost(token: int) -> int:
        return left[face[token]] + PAIRED * (paired >> face[token] & 1)

    return min((token for token in state.hand[state.seat] if token != state.taken), key=cost)


def _helps(state: Table) -> bool:
    """Return whether the upcard makes a meld, or a better one."""
    cards = held(state, state.seat)
    upcard = 1 << state.face[state.discards[-1]]
    return melded(cards | upcard) > melded(cards)


def arrange(cards: int) -> list[int]:
    """Return disjoint melds that leave the least deadwood."""
    for meld in melds_in(cards):
        if value(meld) + melded(cards ^ meld) == melded(cards):
            return [meld, *arrange(cards ^ meld)]
    return []


def in_pairs(cards: int) -> int:
    """Return the cards with a neighbour of their suit or rank among the others, as bits."""
    paired = cards & (cards << 1 & ~ACES | cards >> 1 & ~KINGS)
    for start in SUIT_STARTS:
        others = [cards >> other & SUIT_BITS for other in SUIT_STARTS if other != start]
        paired |= cards & (others[0] | others[1] | others[2]) << start
    return paired
