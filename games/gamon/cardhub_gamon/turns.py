"""A turn: Gamon or belief, the winner, then the effects of both cards (gamon N9)."""

from cardhub import WATCHED
from cardhub_gamon import sentences
from cardhub_gamon.rules_of_cards import EFFECT, VALUE, WHEN
from cardhub_gamon.table import BASE, NO_CALLER, Table


def cry_gamon(state: Table) -> None:
    """Apply the action Gamon: doubt the other card, which ends the turn (gamon N6)."""
    state.caller = state.seat
    state.cried[state.seat] += 1
    _resolve(state)


def believe(state: Table) -> None:
    """Apply the action believe; the attacker decides after the defender."""
    if state.seat != state.attacker:
        state.seat = state.attacker
        return
    state.caller = NO_CALLER
    _resolve(state)


def is_over(state: Table) -> bool:
    """Return whether the state is the end of a turn: both cards up, all effects applied."""
    return not any(state.placed) and state.effects == 2 and not state.choices


def resume_effects(state: Table) -> None:
    """Apply the remaining effects, the attacker's first, up to one that asks for an action."""
    while state.effects < 2 and not state.choices:
        seat = state.attacker if state.effects == 0 else 1 - state.attacker
        # Counted before it happens: an effect that asks for a choice ends this call.
        state.effects += 1
        face = state.face[state.played[seat][-1]]
        if WHEN[face](state, seat):
            EFFECT[face](state, seat)


def value_of(state: Table, seat: int, face: int) -> int:
    """Return the value in this state of a seat's card if it has this face."""
    return BASE[face] + VALUE[face](state, seat, face) + state.carried[seat]


def _resolve(state: Table) -> None:
    # First the winner, by prize and purses before any effect (gamon N9), while both cards are still
    # placed: modifiers count the cards played earlier this round (gamon N17).
    outcome = _compare(state) if state.caller == NO_CALLER else _judge(state)
    for seat in (state.attacker, 1 - state.attacker):
        state.put(state.placed[seat].pop(), state.played, seat)
    state.winner = winner = outcome[0]
    state.won[winner] += 1
    state.caught[winner] += state.caller == winner
    # A turn decided by Gamon counts as a battle unless the option is off (gamon N8).
    state.battle = state.caller == NO_CALLER or state.settings.flag("gamon_counts_as_battle")
    state.lost[1 - winner] += state.battle
    state.outcomes += (outcome,)
    state.effects = 0
    if WATCHED:
        sentences.show_turn(state)
    resume_effects(state)


def _judge(state: Table) -> tuple[int, ...]:
    """Return the outcome by Gamon: only the base value of the doubted card counts (gamon N7)."""
    caller, accused = state.caller, 1 - state.caller
    # Modifiers and the carried bonus do not matter here (gamon N10).
    is_true = BASE[state.face[state.placed[accused][0]]] == state.called[accused]
    return accused if is_true else caller, caller


def _compare(state: Table) -> tuple[int, ...]:
    """Return the outcome by value: the higher card wins, and the defender wins ties."""
    attacker, defender = state.attacker, 1 - state.attacker
    face = state.face
    values = [value_of(state, seat, face[state.placed[seat][0]]) for seat in (0, 1)]
    winner = attacker if values[attacker] > values[defender] else defender
    return winner, NO_CALLER, *values
