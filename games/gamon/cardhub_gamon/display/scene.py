"""The parts of the scene of a state of Gamon for one viewer."""

from cardhub import OVER, Area, amount, signed
from cardhub_gamon.rounds import TURNS_TO_WIN
from cardhub_gamon.table import (
    BASE,
    CALLING,
    CHOOSING,
    DOUBTING,
    HAND,
    MOVE,
    PLACING,
    PRICING,
    REMOVE,
    SIDES,
    Table,
)

# Seats by side (gamon N1).
NAVY, PIRATES = range(2)
MOST_TURNS = 2 * TURNS_TO_WIN - 1


def side(state: Table, seat: int, viewer: int) -> list[Area]:
    """Return the areas of a side; the viewer's own hand is the last."""
    areas = [
        Area("discard", state.discard[seat], seat, look="pile"),
        Area("deck", state.deck[seat], seat, look="count"),
        _in_play(state, seat),
    ]
    if seat == viewer:
        # Only for the viewer: sorting another hand by value would read hidden faces.
        hand = sorted(state.hand[seat], key=lambda token: (BASE[state.face[token]], token))
        return [*areas, Area("hand", hand, seat, look="hand", room=HAND)]
    return [Area("hand", state.hand[seat], seat, room=HAND), *areas]


def _in_play(state: Table, seat: int) -> Area:
    """Return the cards of this round: their calls above, how each turn ended below."""
    played, placed = state.played[seat], state.placed[seat]
    head, foot = _calls(state, seat), dict.fromkeys(placed, "face down")
    for token, (winner, caller, *values) in zip(played, state.outcomes, strict=True):
        end = "won" if winner == seat else "lost"
        if caller == 1 - seat:
            # In place of "calls 3": this call was doubted.
            head[token] = f"GAMON! {head[token].removeprefix('calls ')}"
            end = f"{'true' if winner == seat else 'lie'}: {end}"
        foot[token] = f"{values[seat]}: {end}" if values else end
    return Area(
        "in play",
        [*played, *placed],
        seat,
        place="front",
        room=MOST_TURNS,
        slots=MOST_TURNS if state.round and state.seat != OVER else 0,
        head=head,
        foot=foot,
    )


def _calls(state: Table, seat: int) -> dict[int, str]:
    # The attacker calls first, then both by turns.
    calls = state.calls[0::2] if seat == state.attacker else state.calls[1::2]
    cards = [*state.played[seat], *state.placed[seat]]
    # The card just placed has no call yet.
    return {token: f"calls {call}" for token, call in zip(cards, calls, strict=False)}


def turns(state: Table, seat: int) -> str:
    """Return the turns that a side has won, of those that it needs."""
    return (
        f"won {state.won[seat]} of {TURNS_TO_WIN} turns"
        if state.seat != OVER and state.round
        else ""
    )


def badges(state: Table, seat: int) -> list[str]:
    """Return side and role, the events that cards still depend on, and a waiting +2 or -2."""
    if state.seat == OVER or not state.round:
        return [SIDES[seat]]
    badges = [SIDES[seat], "attacks" if seat == state.attacker else "defends"]
    # Only of the side whose cards ask for it: HMS Peril and Cadet, Naval Spy and Mate.
    if seat == NAVY and state.lost[seat]:
        badges.append("battle lost")
    if seat == NAVY and state.caught[seat]:
        badges.append("won by Gamon")
    if seat == PIRATES and state.cried[seat]:
        badges.append("cried Gamon")
    if state.bonus[seat]:
        badges.append(f"next card {signed(state.bonus[seat])}")
    if state.carried[seat] and state.placed[seat]:
        badges.append(f"this card {signed(state.carried[seat])}")
    return badges


def status(state: Table) -> str:
    """Return the round and the turn."""
    if not state.round:
        return ""
    if state.seat == OVER:
        return amount(state.round, "round")
    if state.phase == PRICING:
        return f"round {state.round}"
    # The turn has ended already while both cards are shown, or an effect is chosen.
    has_ended = state.phase == CHOOSING or (state.phase == DOUBTING and not any(state.placed))
    turn = len(state.outcomes) + (not has_ended)
    return f"round {state.round} · turn {turn} of {MOST_TURNS}"


def prompt(state: Table) -> str:
    """Return the prompt for the seat to act."""
    if state.seat == OVER:
        return "the game is over"
    called = state.called[1 - state.seat] if state.seat >= 0 else 0
    if state.phase == PRICING:
        return "leave the prize at one coin, or raise it"
    if state.phase == PLACING:
        if state.seat == state.attacker:
            return "place a card face down"
        return f"place a card: the attacker called {called}"
    if state.phase == CALLING:
        return "call a value, true or not"
    if state.phase == DOUBTING:
        return f"believe the call of {called}, or cry Gamon"
    if state.phase == CHOOSING:
        return _choice(state)
    return "decide who attacks first"


def _choice(state: Table) -> str:
    if state.choice == MOVE:
        return "move coins from the other purse to the prize"
    if state.choice == REMOVE:
        return "remove coins from the prize, or none"
    return "pay a coin for +2 on the next card, or nothing"
