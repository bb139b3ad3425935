"""What the rules write into the log about turns, and the pause while both cards lie open."""

from cardhub_gamon import rules_of_cards as rules
from cardhub_gamon.table import BASE, NO_CALLER, Table

LIE = "{cards} is a {base}, not a {called}: {other} lied, and {player} wins the turn"
TRUTH = "{cards} is a {base}, as called: {player} told the truth and wins the turn"
WINS = "{player} wins the turn"
SHOWS = "{player} shows {cards}: {base}"
MORE = "{player}'s card is worth {carried} more because of an earlier card: {value}"
LESS = "{player}'s card is worth {carried} less because of an earlier card: {value}"
# The reasons for a modifier, and the points for each thing that is counted.
REASONS: dict[rules.Modifier, tuple[str, int]] = {
    rules.number_called: ("for the call", 1),
    rules.per_coin_in_prize: ("for {counted:coin} in the prize", 1),
    rules.three_per_deckhand: ("for {counted:Deckhand} played", 3),
    rules.three_if_poorer: ("for the smaller purse", 1),
    rules.two_if_cried: ("for crying Gamon this round", 1),
    rules.three_if_false: ("for the false call", 1),
    rules.two_per_card: ("for {counted:card} played", 2),
}
SUMS = {
    modifier: (f"{SHOWS} + {{modifier}} {reason} = {{value}}", points)
    for modifier, (reason, points) in REASONS.items()
}


def show_turn(state: Table) -> None:
    """Log the cards of the turn and its winner, and pause before any effect."""
    winner, caller, *values = state.outcomes[-1]
    if caller == NO_CALLER:
        for seat in (state.attacker, 1 - state.attacker):
            _log_value(state, seat, values[seat])
        state.log(WINS, winner)
        state.pause(WINS, state.played[winner][-1:], winner)
        return
    state.log("{player} shows {cards}", caller, state.played[caller][-1:])
    doubted, accused = state.played[1 - caller][-1:], 1 - caller
    base, called = BASE[state.face[doubted[0]]], state.called[accused]
    text = LIE if winner == caller else TRUTH
    state.log(text, winner, doubted, other=accused, base=base, called=called)
    verdict = "caught a lie" if winner == caller else "told the truth"
    state.pause(f"{{player}} {verdict} and wins the turn", doubted, winner)


def _log_value(state: Table, seat: int, value: int) -> None:
    """Log a value by its causes: `High Officer: 3 + 2 for 1 card played = 5`."""
    card, carried = state.played[seat][-1:], state.carried[seat]
    face = state.face[card[0]]
    base, own = BASE[face], value - carried
    text, points = SUMS[rules.VALUE[face]] if own > base else (SHOWS, 1)
    counted = (own - base) // points
    state.log(text, seat, card, base=base, modifier=own - base, counted=counted, value=own)
    if carried:
        state.log(MORE if carried > 0 else LESS, seat, carried=abs(carried), value=value)
