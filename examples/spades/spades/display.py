"""The scene of a state of Spades."""

from collections.abc import Iterable
from typing import Literal

from cardhub import OVER, Area, Scene, SeatLine, clockwise
from spades.table import (
    BIDDING,
    DEALING,
    HAND,
    NO_BID,
    PLAYING,
    RANK,
    SEATS,
    SUIT,
    SUITS,
    TEAMS,
    Table,
    bid_text,
    suit_led,
    tricks,
)


def scene(state: Table, viewer: int) -> Scene:
    """Return the last trick, and the areas of each seat, the viewer's own last."""
    is_playing = state.phase == PLAYING and any(state.taken)
    areas = [Area("last trick", state.taken[state.leader][-SEATS:] if is_playing else [])]
    # A spectator sees the table from the last seat.
    own = viewer if viewer < SEATS else SEATS - 1
    for seat in clockwise(own + 1, SEATS):
        areas += areas_of(state, seat, viewer)
    lines = {seat: line_of(state, seat, viewer) for seat in range(SEATS)}
    return Scene(prompt(state), areas, status=status(state), seats=lines)


def areas_of(state: Table, seat: int, viewer: int) -> list[Area]:
    """Return the card played and the hand of a seat."""
    slots = int(state.phase == PLAYING)
    laid = Area("plays", state.laid[seat], seat, place="front", room=1, slots=slots)
    if seat == viewer:
        return [laid, Area("hand", sort(state, state.hand[seat]), seat, "hand", room=HAND)]
    # Other players' hands are numbers only; viewers without a seat may see their cards.
    look: Literal["count", "row"] = "count" if viewer < SEATS else "row"
    return [Area("hand", state.hand[seat], seat, look, room=HAND), laid]


def line_of(state: Table, seat: int, viewer: int) -> SeatLine:
    """Return the team's points, the tricks of those bid, who is a partner, and the bags."""
    team, badges = TEAMS[seat], list[str]()
    if state.phase != DEALING and state.bids[seat] != NO_BID:
        badges.append(f"{tricks(state)[seat]} of {bid_text(state.bids[seat])}")
    if viewer < SEATS and seat != viewer and team == TEAMS[viewer]:
        badges.append("partner")
    if state.bags[team]:
        badges.append(f"{state.bags[team]} bags")
    return SeatLine(f"{state.total[team]} points", badges)


def status(state: Table) -> str:
    """Return the deal, the points that win, and whether spades may be led."""
    target = state.settings.number("target")
    aim = f" · to {target} points" if target else ""
    trick = f" · trick {min(sum(tricks(state)) + 1, HAND)}" if state.phase == PLAYING else ""
    return f"deal {state.number + (state.seat != OVER)}{trick}{aim}"


def sort(state: Table, tokens: Iterable[int]) -> list[int]:
    """Return cards sorted by suit and rank."""
    face = state.face
    return sorted(tokens, key=lambda token: (SUIT[face[token]], RANK[face[token]]))


def prompt(state: Table) -> str:
    """Return the prompt for the seat to act; it depends on no hand."""
    if state.seat == OVER:
        return "the game is over"
    if state.phase == DEALING:
        return "deal"
    if state.phase == BIDDING:
        return "bid the tricks that you will take"
    suit = suit_led(state)
    if suit is not None:
        return f"play a card: {SUITS[suit]} if you have any"
    return "lead any card" if state.is_broken else "lead a card, but no spade yet"
