"""The rule of every card: functions of the state for its condition, value and effect."""

from collections.abc import Callable
from typing import NamedTuple

from cardhub_gamon.effects import (
    add_cards_played,
    add_one,
    ask_to_move,
    ask_to_pay,
    ask_to_remove,
    double,
    no_effect,
    take_one,
    weaken_next,
)
from cardhub_gamon.table import BASE, CARDS, SIDES, Table

Condition = Callable[[Table, int], bool]
Modifier = Callable[[Table, int, int], int]
Effect = Callable[[Table, int], None]

DECKHAND = CARDS.face("deckhand")
MOST_PRIZE_COUNTED = 5


# Conditions: state and seat of the card's owner.


def always(state: Table, seat: int) -> bool:
    """Return True: the card has no condition."""
    return True


def prize_holds_four(state: Table, seat: int) -> bool:
    """Return whether the prize holds at least four coins."""
    return state.prize >= 4


def opponent_is_richer(state: Table, seat: int) -> bool:
    """Return whether the other purse is larger; the prize is in neither (gamon N13)."""
    return state.purse[1 - seat] > state.purse[seat]


def no_battle_lost(state: Table, seat: int) -> bool:
    """Return whether the owner has lost no battle this round."""
    return not state.lost[seat]


def won_turn(state: Table, seat: int) -> bool:
    """Return whether the owner has won this turn, by Gamon or otherwise."""
    return state.winner == seat


def won_battle(state: Table, seat: int) -> bool:
    """Return whether the owner has won this turn and it counts as a battle (gamon N8)."""
    return state.winner == seat and state.battle


def lost_battle(state: Table, seat: int) -> bool:
    """Return whether the owner has lost this turn and it counts as a battle (gamon N8)."""
    return state.winner != seat and state.battle


def caught_a_lie(state: Table, seat: int) -> bool:
    """Return whether the owner has won a turn of this round by Gamon, this turn included."""
    return state.caught[seat] > 0


def opponent_never_cried(state: Table, seat: int) -> bool:
    """Return whether the opponent has not cried Gamon this round, right or wrong (gamon N17)."""
    return not state.cried[1 - seat]


def called_falsely(state: Table, seat: int) -> bool:
    """Return whether the call of this turn differs from the base value of the owner's card."""
    return state.called[seat] != BASE[state.face[state.played[seat][-1]]]


# Modifiers: added to the base value of a seat's card with the given face. They count earlier turns
# only (gamon N17): the card itself is not among those played yet.


def no_modifier(state: Table, seat: int, face: int) -> int:
    """Return 0."""
    return 0


def number_called(state: Table, seat: int, face: int) -> int:
    """Return the number called; the base value is 0."""
    return state.called[seat]


def per_coin_in_prize(state: Table, seat: int, face: int) -> int:
    """Return 1 per coin in the prize, at most 5."""
    return min(state.prize, MOST_PRIZE_COUNTED)


def three_per_deckhand(state: Table, seat: int, face: int) -> int:
    """Return 3 per Deckhand that the owner has played earlier this round."""
    return 3 * sum(state.face[token] == DECKHAND for token in state.played[seat])


def three_if_poorer(state: Table, seat: int, face: int) -> int:
    """Return 3 if the other purse is larger."""
    return 3 if opponent_is_richer(state, seat) else 0


def two_if_cried(state: Table, seat: int, face: int) -> int:
    """Return 2 if the owner has cried Gamon earlier this round."""
    # Values are compared only in a turn without Gamon, so any cry was earlier.
    return 2 if state.cried[seat] else 0


def three_if_false(state: Table, seat: int, face: int) -> int:
    """Return 3 if the call is false."""
    return 3 if state.called[seat] != BASE[face] else 0


def two_per_card(state: Table, seat: int, face: int) -> int:
    """Return 2 per card the owner has played earlier this round, by option this card included."""
    cards = len(state.played[seat])
    return 2 * (cards + 1 if state.settings.flag("high_officer_counts_itself") else cards)


class Rule(NamedTuple):
    """Placed in states with `place`, never called `never`, `value` added, `effect` if `when`."""

    place: Condition = always
    never: int = 0
    value: Modifier = no_modifier
    when: Condition = always
    effect: Effect = no_effect


RULES = {
    "all-hands-on-deck": Rule(value=number_called),
    "cadet": Rule(when=caught_a_lie, effect=ask_to_move),
    "petty-officer": Rule(when=lost_battle, effect=ask_to_remove),
    "midshipman": Rule(value=three_if_poorer),
    "naval-spy": Rule(when=opponent_never_cried, effect=take_one),
    "corsair": Rule(value=three_if_false),
    "high-officer": Rule(value=two_per_card),
    "gunner": Rule(when=won_battle, effect=add_one),
    "ship-in-the-fog": Rule(never=5),
    "captain-mayn": Rule(when=won_battle, effect=add_cards_played),
    "dreadnought": Rule(when=won_battle, effect=weaken_next),
    "hms-peril": Rule(place=no_battle_lost),
    "lord-of-the-seas": Rule(place=opponent_is_richer),
    "all-hands-hoay": Rule(value=number_called),
    "polly-the-parrot": Rule(when=won_turn, effect=ask_to_move),
    "deckhand": Rule(value=per_coin_in_prize),
    "boatswain": Rule(value=three_per_deckhand),
    "gambling-drunk": Rule(when=always, effect=ask_to_pay),
    "mate-with-a-cutlass": Rule(value=two_if_cried),
    "hornswagging-seadog": Rule(when=called_falsely, effect=take_one),
    "cannoneer": Rule(when=won_battle, effect=add_one),
    "singing-sirens": Rule(never=5),
    "captain-blackbrow": Rule(when=won_battle, effect=double),
    "the-kraken": Rule(when=won_battle, effect=weaken_next),
    "queen-annes-vengeance": Rule(place=prize_holds_four),
    "the-flying-dutchman": Rule(place=opponent_is_richer),
}

# The same indexed by face, as simulations look up rules for every action.
BY_FACE = tuple(RULES[card.name] for card in CARDS.faces)
VALUE = tuple(rule.value for rule in BY_FACE)
WHEN = tuple(rule.when for rule in BY_FACE)
EFFECT = tuple(rule.effect for rule in BY_FACE)

# By seat, the faces (as bits of a mask) that can be placed only under a condition.
CONDITIONAL = tuple(
    tuple(
        (1 << face, rule.place)
        for face, rule in enumerate(BY_FACE)
        if CARDS.deck_of[face] == seat and rule.place is not always
    )
    for seat in range(len(SIDES))
)

# By seat, the number of cards with a condition in the deck; a larger hand has a card without one.
MOST_CONDITIONAL = tuple(
    sum(CARDS.faces[bit.bit_length() - 1].copies for bit, _ in rows) for rows in CONDITIONAL
)

# By number, the mask of the faces that must not be called this number.
NEVER_CALLED = tuple(
    sum(1 << face for face, rule in enumerate(BY_FACE) if number and rule.never == number)
    for number in range(7)
)
