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
    """Turn both cards up and decide the turn; return whether no effect waits for a choice."""
    for seat in (state.attacker, 1 - state.attacker):
        state.put(state.placed[seat].pop(), state.played, seat)
    winner = _judge(state) if state.caller != NOBODY else _compare(state)
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


def _judge(state: Table) -> int:
    """Return who wins by Gamon: only the base value of the doubted card counts (gamon N7)."""
    accused = 1 - state.caller
    face, called = state.face[state.played[accused][-1]], state.called[accused]
    tell(state, TURNED, state.caller, state.face[state.played[state.caller][-1]])
    tell(state, JUDGED, accused, face, called)
    return accused if BASE[face] == called else state.caller


def _compare(state: Table) -> int:
    """Return whose card is worth more; the defender wins ties."""
    attacker = state.attacker
    if _worth(state, attacker) > _worth(state, 1 - attacker):
        return attacker
    return 1 - attacker


def _worth(state: Table, seat: int) -> int:
    face = state.face[state.played[seat][-1]]
    modifier, carried = VALUE[face](state, seat), state.carried[seat]
    tell(state, WORTH, seat, face, modifier, carried)
    return BASE[face] + modifier + carried
