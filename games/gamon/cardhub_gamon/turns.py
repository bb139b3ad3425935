"""How a turn is decided, and the effects that follow (gamon N9)."""

from cardhub_gamon.news import JUDGED, TURNED, WON_TURN, WORTH, tell
from cardhub_gamon.rules_of_cards import EFFECT, VALUE, WHEN
from cardhub_gamon.table import BASE, Table

NOBODY = -1


def cry_gamon(state: Table) -> bool:
    """Cry Gamon on the other card; return whether the turn is over by that (gamon N6)."""
    state.caller = state.seat
    state.cried[state.seat] += 1
    return flip(state)


def believe(state: Table) -> bool:
    """Refrain from Gamon; return whether the turn is over by that."""
    if state.seat != state.attacker:
        state.seat = state.attacker
        return False
    state.caller = NOBODY
    return flip(state)


def flip(state: Table) -> bool:
    """Decide the turn and turn both cards up; return whether no effect waits for a choice."""
    winner = _judge(state) if state.caller != NOBODY else _compare(state)
    for seat in (state.attacker, 1 - state.attacker):
        state.put(state.placed[seat].pop(), state.played, seat)
    state.winner = winner
    state.won[winner] += 1
    state.caught[winner] += state.caller == winner
    state.battle = state.caller == NOBODY or state.settings.flag("gamon_counts_as_battle")
    state.lost[1 - winner] += state.battle
    tell(state, WON_TURN, winner)
    state.outcome = state.news
    state.effects = 0
    return finish_effects(state)


def finish_effects(state: Table) -> bool:
    """Carry out the effects left, the attacker's first; return False if one waits for a choice."""
    while state.effects < 2:
        seat = state.attacker if state.effects == 0 else 1 - state.attacker
        state.effects += 1
        face = state.face[state.played[seat][-1]]
        if WHEN[face](state, seat):
            EFFECT[face](state, seat)
            if state.choices:
                return False
    return True


def worth(state: Table, seat: int, face: int) -> int:
    """Return what a seat's card is worth if it has this face."""
    return BASE[face] + VALUE[face](state, seat, face) + state.carried[seat]


def _judge(state: Table) -> int:
    """Return who wins by Gamon: only the base value of the doubted card counts (gamon N7)."""
    caller, accused = state.caller, 1 - state.caller
    face, called = state.face[state.placed[accused][0]], state.called[accused]
    tell(state, TURNED, caller, state.face[state.placed[caller][0]])
    tell(state, JUDGED, accused, face, called)
    return accused if BASE[face] == called else caller


def _compare(state: Table) -> int:
    """Return whose card is worth more; the defender wins ties."""
    attacker, defender = state.attacker, 1 - state.attacker
    values = []
    for seat in (attacker, defender):
        face = state.face[state.placed[seat][0]]
        values.append(worth(state, seat, face))
        carried = state.carried[seat]
        tell(state, WORTH, seat, face, values[-1] - BASE[face] - carried, carried)
    return attacker if values[0] > values[1] else defender
