"""What the rules write into the log, and the pause while both cards of a turn lie open."""

from cardhub_gamon.rules_of_cards import (
    VALUE,
    Modifier,
    no_modifier,
    number_called,
    per_coin_in_prize,
    three_if_false,
    three_if_poorer,
    three_per_deckhand,
    two_if_cried,
    two_per_card,
)
from cardhub_gamon.table import BASE, NO_CALLER, Table

# `{pairs}` and `{trios}` count the things that add 2 or 3 each.
WORTH: dict[Modifier, str] = {
    no_modifier: "{player} shows {cards}: {base}",
    number_called: "{player} shows {cards}: {base} + {up} for the call = {sum}",
    per_coin_in_prize: "{player} shows {cards}: {base} + {up} for {up:coin} in the prize = {sum}",
    three_per_deckhand: "{player} shows {cards}: {base} + {up} for {trios:Deckhand} played = {sum}",
    three_if_poorer: "{player} shows {cards}: {base} + 3 for the smaller purse = {sum}",
    two_if_cried: "{player} shows {cards}: {base} + 2 for crying Gamon this round = {sum}",
    three_if_false: "{player} shows {cards}: {base} + 3 for the false call = {sum}",
    two_per_card: "{player} shows {cards}: {base} + {up} for {pairs:card} played = {sum}",
}
CARRIED = "An earlier card changes {player}'s {worth} to {sum}"
LIE = "{cards} is a {base}, not a {called}: {other} lied, and {player} wins the turn"
TRUTH = "{cards} is a {base}, as called: {player} told the truth and wins the turn"
HIGHER = "{player} wins the turn, {sum} to {worth}"
TIE = "{sum} each: {player} defends and wins the turn"


def show_turn(state: Table) -> None:
    """Log the cards of the turn and its winner, and pause before any effect."""
    winner, caller, *values = state.outcomes[-1]
    if caller == NO_CALLER:
        for seat in (state.attacker, 1 - state.attacker):
            _log_value(state, seat, values[seat])
        text, (worth, most) = TIE if values[0] == values[1] else HIGHER, sorted(values)
        state.log(text, winner, state.played[winner][-1:], has_pause=True, sum=most, worth=worth)
        return
    state.log("{player} shows {cards}", caller, state.played[caller][-1:])
    text, accused = LIE if winner == caller else TRUTH, 1 - caller
    doubted, called = state.played[accused][-1:], state.called[accused]
    base = BASE[state.face[doubted[0]]]
    state.log(text, winner, doubted, other=accused, has_pause=True, base=base, called=called)


def _log_value(state: Table, seat: int, value: int) -> None:
    """Log a value by its causes: `High Officer: 3 + 2 for 1 card played = 5`."""
    cards, bonus = state.played[seat][-1:], state.carried[seat]
    face, worth = state.face[cards[0]], value - bonus
    up = worth - BASE[face]
    text, base = WORTH[VALUE[face] if up else no_modifier], BASE[face]
    state.log(text, seat, cards, base=base, up=up, sum=worth, pairs=up // 2, trios=up // 3)
    if bonus:
        state.log(CARRIED, seat, worth=worth, sum=value)
