"""The scene of a state of Hearts for one viewer."""

from cardhub import Area, Scene, clockwise
from hearts.table import (
    DEALING,
    PASSED,
    PASSING,
    PLAYING,
    POINTS,
    RANK,
    SEATS,
    SUIT,
    SUITS,
    Table,
    is_first_trick,
    suit_led,
    way,
)
from hearts.tricks import scores


def table(state: Table, viewer: int) -> Scene:
    """Return the scene: the last trick, then the cards of each seat, the viewer's own last."""
    areas = []
    if state.phase == PLAYING and not any(state.laid) and not is_first_trick(state):
        areas.append(Area("last trick", state.taken[state.leader][-SEATS:]))
    # A spectator sees the table from the last seat.
    own = viewer if viewer < SEATS else SEATS - 1
    for seat in clockwise(own + 1, SEATS):
        areas += _player(state, seat, viewer)
    return Scene(_prompt(state), areas)


def _player(state: Table, seat: int, viewer: int) -> list[Area]:
    areas = [
        Area("passes" if state.phase == PASSING else "plays", cards, seat)
        for cards in (state.passed[seat], state.laid[seat])
        if cards
    ]
    areas.append(Area("points", seat=seat, note=str(scores(state)[seat])))
    counting = [token for token in state.taken[seat] if POINTS[state.face[token]]]
    if counting:
        areas.append(Area("took", _sorted(state, counting), seat))
    if seat == viewer:
        return [*areas, Area("hand", _sorted(state, state.hand[seat]), seat, "hand")]
    return [Area("hand", state.hand[seat], seat), *areas]


def _sorted(state: Table, tokens: list[int]) -> list[int]:
    face = state.face
    return sorted(tokens, key=lambda token: (SUIT[face[token]], RANK[face[token]]))


def _prompt(state: Table) -> str:
    if state.phase == DEALING:
        return "deal"
    if state.phase == PASSING:
        left = PASSED - len(state.passed[state.seat])
        where = way(state) if way(state) == "across" else f"to the {way(state)}"
        return f"pass {left} cards {where}" if left > 1 else f"pass a card {where}"
    # Nothing here may depend on a hand: all viewers get the same prompt.
    suit = suit_led(state)
    if suit is not None:
        return f"play a card: {SUITS[suit]} if you have any"
    if is_first_trick(state):
        return "lead the two of clubs"
    return "lead any card" if state.is_broken else "lead a card, but no heart yet"
