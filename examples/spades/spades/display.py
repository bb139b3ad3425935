"""The scene of a state of Spades, and sentences about actions."""

from collections.abc import Iterable

from cardhub import Area, Names, Scene, Summary, clockwise
from spades.table import (
    BIDDING,
    DEAL,
    DEALING,
    NIL,
    NO_BID,
    PLAY,
    PLAYING,
    RANK,
    SEATS,
    SUIT,
    SUITS,
    TEAMS,
    Table,
    suit_led,
    tricks,
)


def scene(state: Table, viewer: int) -> Scene:
    """Return the last trick, and the areas of each seat, the viewer's own last."""
    areas = []
    if state.phase == PLAYING and not any(state.laid) and any(state.taken):
        areas.append(Area("last trick", state.taken[state.leader][-SEATS:]))
    # A spectator sees the table from the last seat.
    own = viewer if viewer < SEATS else SEATS - 1
    for seat in clockwise(own + 1, SEATS):
        areas += areas_of(state, seat, viewer)
    return Scene(prompt(state), areas)


def areas_of(state: Table, seat: int, viewer: int) -> list[Area]:
    """Return the card played, the bid, the tricks, the team's points, and the hand of a seat."""
    areas = [Area("plays", state.laid[seat], seat)] if state.laid[seat] else []
    if state.phase != DEALING and state.bids[seat] != NO_BID:
        note = f"{tricks(state)[seat]} of {bid_text(state.bids[seat])}"
        areas.append(Area("tricks", seat=seat, note=note))
    team = TEAMS[seat]
    areas.append(Area("points", seat=seat, note=str(state.total[team])))
    areas.append(Area("bags", seat=seat, note=str(state.bags[team])))
    if seat == viewer:
        return [*areas, Area("hand", sort(state, state.hand[seat]), seat, "hand")]
    if viewer < SEATS and team == TEAMS[viewer]:
        areas.insert(0, Area("", seat=seat, note="partner"))
    return [Area("hand", state.hand[seat], seat, "count"), *areas]


def sort(state: Table, tokens: Iterable[int]) -> list[int]:
    """Return cards sorted by suit and rank."""
    face = state.face
    return sorted(tokens, key=lambda token: (SUIT[face[token]], RANK[face[token]]))


def prompt(state: Table) -> str:
    """Return the prompt for the seat to act; it depends on no hand."""
    if state.phase == DEALING:
        return "deal"
    if state.phase == BIDDING:
        return "bid the tricks that you will take"
    suit = suit_led(state)
    if suit is not None:
        return f"play a card: {SUITS[suit]} if you have any"
    return "lead any card" if state.is_broken else "lead a card, but no spade yet"


def story(before: Table, action: int, after: Table, names: Names) -> list[str]:
    """Return an action and its results as sentences."""
    if action == DEAL:
        return [f"Deal {after.number + 1}: {names.player(after.seat)} bids first"]
    player = names.player(before.seat)
    if action < PLAY:
        return [f"{player} bids {bid_text(action)}"]
    lines = [f"{player} plays {names.card(action - PLAY)}"]
    if sum(map(len, before.laid)) == SEATS - 1:
        lines.append(f"{names.player(after.leader)} takes the trick")
    return lines


def summary(before: Table, after: Table, names: Names) -> Summary | None:
    """Return the bids, tricks and points of both teams, if a deal is over."""
    if after.number == before.number:
        return None
    taken = tricks(before)
    taken[after.leader] += 1
    rows = [["team", "bids", "tricks", "points", "total", "bags"]]
    for team, total in enumerate(after.total):
        seats = [seat for seat in range(SEATS) if TEAMS[seat] == team]
        rows.append(
            [
                " and ".join(names.player(seat) for seat in seats),
                "+".join(bid_text(before.bids[seat]) for seat in seats),
                "+".join(str(taken[seat]) for seat in seats),
                f"{total - before.total[team]:+}",
                str(total),
                str(after.bags[team]),
            ]
        )
    return Summary(f"End of deal {after.number}", rows)


def bid_text(bid: int) -> str:
    """Return a bid as text."""
    return "nil" if bid == NIL else str(bid)
