"""The scene of a state of Gamon for one viewer."""

from cardhub import OVER, Area, Scene
from cardhub_gamon.display.event_texts import coins, last_turn
from cardhub_gamon.table import (
    BASE,
    CALLING,
    CHOOSING,
    DOUBTING,
    MOVE,
    PLACING,
    PRICING,
    REMOVE,
    SIDES,
    Table,
)

# Seats by side (gamon N1).
NAVY, PIRATES = range(2)


def table(state: Table, viewer: int) -> Scene:
    """Return the scene: the coins, then both sides, the viewer's last."""
    areas = [Area("prize", note=_prize(state))]
    own = viewer if viewer < state.seats else state.seats - 1
    for seat in (1 - own, own):
        areas += _side(state, seat, viewer)
    return Scene(_prompt(state), areas)


def _prize(state: Table) -> str:
    there = f"{coins(state.prize)} · pile {coins(state.pile)}"
    if state.seat == OVER or not state.round:
        return there
    # While an effect is chosen, the cards of the turn are among the played ones already.
    turn = len(state.played[0]) + 1 if state.phase != CHOOSING else len(state.played[0])
    return f"{there} · round {state.round}, turn {turn}"


def _side(state: Table, seat: int, viewer: int) -> list[Area]:
    areas = [
        Area("", seat=seat, note=_role(state, seat)),
        Area("purse", seat=seat, note=str(state.purse[seat])),
        Area("won", seat=seat, note=f"{state.won[seat]}/2"),
        *(Area("", seat=seat, note=note) for note in _remembered(state, seat)),
        *_before(state, seat),
        *_last_turn(state, seat),
        # With cards face down, the table needs their lines at 80×24; pointing lists the discards.
        Area("discard", state.discard[seat], seat, look="count" if any(state.placed) else "pile"),
        Area("deck", state.deck[seat], seat, look="count"),
    ]
    if seat == viewer:
        # Only for the viewer: sorting another hand by value would read hidden faces.
        hand = sorted(state.hand[seat], key=lambda token: (BASE[state.face[token]], token))
        return [*areas, Area("hand", hand, seat, look="hand")]
    return [*areas, Area("hand", state.hand[seat], seat)]


def _role(state: Table, seat: int) -> str:
    if state.seat == OVER or not state.round:
        return SIDES[seat]
    return f"{SIDES[seat]} {'attacks' if seat == state.attacker else 'defends'}"


def _remembered(state: Table, seat: int) -> list[str]:
    """Return the events of this round on which cards still depend, and a waiting +2 or -2."""
    if state.seat == OVER:
        return []
    notes = []
    # Only of the side whose cards ask for it: HMS Peril and Cadet, Naval Spy and Mate.
    if seat == NAVY and state.lost[seat]:
        notes.append("battle lost")
    if seat == NAVY and state.caught[seat]:
        notes.append("won by Gamon")
    if seat == PIRATES and state.cried[seat]:
        notes.append("cried Gamon")
    if state.bonus[seat]:
        notes.append(f"next card {state.bonus[seat]:+}")
    if state.carried[seat] and state.placed[seat]:
        notes.append(f"this card {state.carried[seat]:+}")
    return notes


def _last_turn(state: Table, seat: int) -> list[Area]:
    if not state.outcome or any(state.placed):
        return []
    return [Area("last turn", seat=seat, note=last_turn(state.outcome, seat))]


def _before(state: Table, seat: int) -> list[Area]:
    """Return the cards of this round with their calls: those played, and the one face down."""
    areas = []
    # The attacker calls first, then both by turns.
    calls = state.calls[0::2] if seat == state.attacker else state.calls[1::2]
    played, placed = state.played[seat], state.placed[seat]
    if played:
        told = ", ".join(map(str, calls[: len(played)]))
        areas.append(Area("played", played, seat, note=f"called {told}"))
    if placed:
        open_call = calls[len(played) :]
        note = f"called {open_call[0]}" if open_call else ""
        areas.append(Area("face down", placed, seat, note=note))
    return areas


def _prompt(state: Table) -> str:
    called = state.called[1 - state.seat] if state.seat >= 0 else 0
    if state.phase == PRICING:
        return "leave the prize at one coin, or raise it"
    if state.phase == PLACING:
        heard = "" if state.seat == state.attacker else f"the attacker called {called}: "
        return f"{heard}place a card face down"
    if state.phase == CALLING:
        return "call a value for your card, true or not"
    if state.phase == DOUBTING:
        return f"the other face-down card was called {called}: cry Gamon, or believe?"
    if state.phase == CHOOSING:
        return _choice(state)
    return "who attacks first?"


def _choice(state: Table) -> str:
    if state.choice == MOVE:
        return "move how many coins from the other purse to the prize?"
    if state.choice == REMOVE:
        return "remove how many coins from the prize?"
    return "pay a coin into the prize, so that your next card has +2?"
