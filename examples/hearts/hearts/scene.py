"""The scene of a state of Hearts for one viewer."""

from cardhub import OVER, Area, Scene, SeatLine, amount, clockwise
from hearts.table import (
    DEALING,
    HAND,
    NO_SUIT,
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
    is_playing = state.phase == PLAYING and not is_first_trick(state)
    areas = [Area("last trick", state.taken[state.leader][-SEATS:] if is_playing else [])]
    # A spectator sees the table from the last seat.
    own = viewer if viewer < SEATS else SEATS - 1
    for seat in clockwise(own + 1, SEATS):
        areas += _player(state, seat, viewer)
    lines = {seat: _line(state, seat, points) for seat, points in enumerate(scores(state))}
    return Scene(_prompt(state), areas, status=_status(state), seats=lines)


def _player(state: Table, seat: int, viewer: int) -> list[Area]:
    slots = int(state.phase == PLAYING)
    counting = [token for token in state.taken[seat] if POINTS[state.face[token]]]
    areas = [
        Area("plays", state.laid[seat], seat, place="front", room=1, slots=slots),
        Area("took", _sorted(state, counting), seat),
    ]
    if state.passed[seat]:
        areas.append(Area("passes", state.passed[seat], seat))
    if seat == viewer:
        return [*areas, Area("hand", _sorted(state, state.hand[seat]), seat, "hand", room=HAND)]
    return [Area("hand", state.hand[seat], seat, room=HAND), *areas]


def _sorted(state: Table, tokens: list[int]) -> list[int]:
    face = state.face
    return sorted(tokens, key=lambda token: (SUIT[face[token]], RANK[face[token]]))


def _line(state: Table, seat: int, points: int) -> SeatLine:
    is_leader = state.phase == PLAYING and seat == state.leader
    return SeatLine(amount(points, "point"), ["leads"] * is_leader)


def _status(state: Table) -> str:
    tricks = sum(map(len, state.taken)) // SEATS
    trick = f" · trick {min(tricks + 1, HAND)} of {HAND}" if state.phase == PLAYING else ""
    return f"hand {state.number + (state.seat != OVER)}{trick}"


def _prompt(state: Table) -> str:
    if state.seat == OVER:
        return "the game is over"
    if state.phase == DEALING:
        return "deal"
    if state.phase == PASSING:
        left = PASSED - len(state.passed[state.seat])
        where = way(state) if way(state) == "across" else f"to the {way(state)}"
        return f"pass {left} cards {where}" if left > 1 else f"pass a card {where}"
    # Nothing here may depend on a hand: all viewers get the same prompt.
    suit = suit_led(state)
    if suit != NO_SUIT:
        return f"play a card: {SUITS[suit]} if you have any"
    if is_first_trick(state):
        return "lead the two of clubs"
    return "lead any card" if state.is_broken else "lead a card, but no heart yet"
