"""The rule of every card, a line each."""

from collections.abc import Callable
from typing import NamedTuple

from cardhub_gamon import effects
from cardhub_gamon.conditions import (
    always,
    called_falsely,
    caught_a_lie,
    lost_battle,
    no_battle_lost,
    opponent_is_richer,
    opponent_never_cried,
    prize_holds_four,
    won_battle,
    won_turn,
)
from cardhub_gamon.effects import (
    add_cards_played,
    add_one,
    ask_to_move,
    ask_to_pay,
    ask_to_remove,
    double,
    take_one,
    weaken_next,
)
from cardhub_gamon.modifiers import (
    nothing,
    number_called,
    per_coin_in_prize,
    three_if_false,
    three_if_poorer,
    three_per_deckhand,
    two_if_cried,
    two_per_card,
)
from cardhub_gamon.table import CARDS, SIDES, Table

Condition = Callable[[Table, int], bool]
Modifier = Callable[[Table, int, int], int]
Effect = Callable[[Table, int], None]


class Rule(NamedTuple):
    """Placed only if `place`, never called `never`, worth `value` more; `effect` if `when`."""

    place: Condition = always
    never: int = 0
    value: Modifier = nothing
    when: Condition = always
    effect: Effect = effects.nothing


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

BY_FACE = tuple(RULES[card.name] for card in CARDS.faces)
VALUE = tuple(rule.value for rule in BY_FACE)
WHEN = tuple(rule.when for rule in BY_FACE)
EFFECT = tuple(rule.effect for rule in BY_FACE)

CONDITIONAL = tuple(
    tuple(
        (1 << face, rule.place)
        for face, rule in enumerate(BY_FACE)
        if CARDS.deck_of[face] == seat and rule.place is not always
    )
    for seat in range(len(SIDES))
)
"""By seat, the faces (as bits of a mask) that cannot always be placed, with their condition."""

MOST_CONDITIONAL = tuple(
    sum(CARDS.faces[bit.bit_length() - 1].copies for bit, _ in rows) for rows in CONDITIONAL
)
"""By seat, how many cards of the deck cannot always be placed; in a larger hand some card can."""

NEVER_CALLED = tuple(
    sum(1 << face for face, rule in enumerate(BY_FACE) if number and rule.never == number)
    for number in range(7)
)
"""By number, the mask of the faces that are never called so."""
