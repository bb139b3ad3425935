"""The scene of a state for one viewer."""

from typing import Literal

from cardhub import OVER, Area, Scene, SeatLine, Target, numbers
from gin_rummy.hints import arrange
from gin_rummy.melds import MELDS, deadwood, melds_in
from gin_rummy.showdown import NUMBER
from gin_rummy.table import DRAW, MELD, MOST_MELDS, TAKE, Phase, Table, bits, held
from gin_rummy.turns import HAND

PROMPTS = {
    Phase.DEAL: "deal",
    Phase.DEFENCE: "lay your melds, then done",
    Phase.DRAW: "draw a card or take the upcard",
    Phase.DISCARD: "discard a card, or knock if your deadwood is low",
    Phase.LAST: "knock with the last discard, or pass",
    Phase.KNOCK: "discard the card that is left over",
    Phase.MELDS: "lay your melds, then done",
    Phase.LAYOFFS: "lay off cards, then done",
}


def table(state: Table, viewer: int) -> Scene:
    """Return the scene: stock and discards, then both players, the viewer below."""
    areas = [
        Area("stock", state.stock, look="count"),
        Area("discards", state.discards, look="pile"),
    ]
    own = viewer if viewer < state.seats else 1
    for seat in (1 - own, own):
        areas += _player(state, seat, viewer)
    lines = {seat: _line(state, seat, viewer) for seat in (0, 1)}
    return Scene(_prompt(state), areas, _targets(state), status=_status(state), seats=lines)


def _player(state: Table, seat: int, viewer: int) -> list[Area]:
    first = 0 if seat == state.knocker else MOST_MELDS
    laid = state.melds[first : first + MOST_MELDS] if state.knocker >= 0 else []
    cards = [token for meld in laid for token in _by_face(state, meld)]
    melds = Area("melds", cards, seat, place="front", room=HAND + 1)
    hand = state.hand[seat]
    if not _is_seen(state, seat, viewer):
        return [Area("hand", hand, seat, room=HAND + 1), melds]
    look: Literal["hand", "row"] = "hand" if seat == viewer else "row"
    return [melds, Area("hand", _arranged(state, hand), seat, look, room=HAND + 1)]


def _line(state: Table, seat: int, viewer: int) -> SeatLine:
    badges = ["knocks"] if seat == state.knocker else []
    if state.hand[seat] and _is_seen(state, seat, viewer):
        badges.append(f"deadwood {deadwood(held(state, seat))}")
    return SeatLine(f"{state.points[seat]} points", badges)


def _status(state: Table) -> str:
    is_single = state.settings.flag("single")
    aim = "" if is_single else f" · to {state.settings.number('target')} points"
    return f"deal {state.number + (state.seat != OVER)}{aim}"


def _is_seen(state: Table, seat: int, viewer: int) -> bool:
    return all(state.seen[token] >> viewer & 1 for token in state.hand[seat])


def _arranged(state: Table, hand: list[int]) -> list[int]:
    """Return a hand in the best melds, with the other cards behind them."""
    by_face = {state.face[token]: token for token in hand}
    rest = bits(state, hand)
    faces = []
    for meld in arrange(rest):
        faces += numbers(meld)
        rest ^= meld
    return [by_face[face] for face in faces + numbers(rest)]


def _by_face(state: Table, tokens: list[int]) -> list[int]:
    return sorted(tokens, key=lambda token: state.face[token])


def _prompt(state: Table) -> str:
    if state.seat == OVER:
        return "the game is over"
    if state.phase == Phase.UPCARD:
        return "draw from the stock" if state.passes == 2 else "take the upcard or pass"
    return PROMPTS[state.phase]


def _targets(state: Table) -> dict[int, Target | list[Target]]:
    """Return the areas of stock and discards, and the cards of each meld that can be laid."""
    targets: dict[int, Target | list[Target]] = {
        DRAW: Target("area", "stock"),
        TAKE: Target("area", "discards"),
    }
    # Both hands have been laid down by then.
    if state.seat >= 0 and state.phase in (Phase.MELDS, Phase.DEFENCE):
        by_face = {state.face[token]: token for token in state.hand[state.seat]}
        for number in (NUMBER[meld] for meld in melds_in(held(state, state.seat))):
            cards = numbers(MELDS[number])
            targets[MELD + number] = [Target("card", by_face[face]) for face in cards]
    return targets
