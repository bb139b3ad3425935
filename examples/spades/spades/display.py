"""The display of Spades: the table and all texts for people."""

from collections.abc import Iterable
from typing import Literal

from typing_extensions import override

from cardhub import (
    OVER,
    Area,
    BreakdownRow,
    BreakdownSection,
    Display,
    Names,
    Scene,
    SeatLine,
    Summary,
    amount,
    clockwise,
    listed,
)
from spades import hints
from spades.scoring import BAG_COST, BAG_LIMIT, NIL_POINTS, team_result
from spades.table import (
    ACTIONS,
    BIDDING,
    DEAL,
    DEALING,
    HAND,
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
    bid_text,
    suit_led,
    tricks,
)
from spades.tricks import best_seat, playable, power


class SpadesDisplay(Display[Table]):
    """The trick, the hands, and sentences about bids and bags."""

    primary = ("deal",)

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the last trick, and the areas of each seat, the viewer's own last."""
        is_playing = state.phase == PLAYING and any(state.taken)
        last = state.taken[state.leader][-SEATS:] if is_playing else []
        areas = [Area("last trick", last, room=SEATS)]
        # A spectator sees the table from the last seat.
        own = viewer if viewer < SEATS else SEATS - 1
        for seat in clockwise(own + 1, SEATS):
            areas += areas_of(state, seat, viewer)
        lines = {seat: line_of(state, seat, viewer) for seat in range(SEATS)}
        return Scene(prompt(state), areas, status=status(state), seats=lines)

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Return an action as a sentence; the rules log who takes the trick."""
        if action == DEAL:
            return [f"Deal {after.number + 1}: {names.player(after.seat)} bids first"]
        player = names.player(before.seat)
        if action < PLAY:
            return [f"{player} bids {bid_text(action)}"]
        return [f"{player} plays {names.card(action - PLAY)}"]

    @override
    def summary(self, before: Table, action: int, after: Table, names: Names) -> Summary | None:
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
                    listed([names.player(seat) for seat in seats]),
                    "+".join(bid_text(before.bids[seat]) for seat in seats),
                    "+".join(str(taken[seat]) for seat in seats),
                    f"{total - before.total[team]:+}",
                    str(total),
                    str(after.bags[team]),
                ]
            )
        return Summary(f"Deal {after.number}", rows)

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        verb, token = ACTIONS.verb_and_index[action]
        match verb:
            case "deal":
                return None if state.phase == DEALING else "the cards are dealt by chance"
            case "bid":
                return "all bids have been made" if state.phase == PLAYING else None
        if state.phase != PLAYING:
            return (
                "first make your bid" if state.phase == BIDDING else "the cards are not dealt yet"
            )
        if token not in state.hand[state.seat]:
            return "it is not in your hand"
        legal = playable(state)
        if action in legal:
            return None
        held = names.cards(sort(state, (choice - PLAY for choice in legal)))
        suit = suit_led(state)
        if suit is None:
            return f"no spade may be led before a spade has been played; you hold {held}"
        return f"{SUITS[suit]} were led, and you hold {held}"

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return what a bid promises, or whether a card would take the current trick."""
        verb, bid = ACTIONS.verb_and_index[action]
        if verb == "bid":
            return hints.promise(state, bid, names)
        if action < PLAY or suit_led(state) is None:
            return ""
        best, face = best_seat(state), state.face
        led = suit_led(state)
        is_best = power(face[action - PLAY], led) > power(face[state.laid[best][0]], led)
        if sum(map(len, state.laid)) == SEATS - 1:
            return "you take the trick" if is_best else f"{names.player(best)} takes the trick"
        return "this is the best card so far" if is_best else f"{names.player(best)} stays ahead"

    @override
    def hint(self, state: Table, action: int, names: Names) -> str:
        """Return what a hand has for a bid, or which cards beat a card."""
        if state.phase == BIDDING:
            return hints.bidding(state, names)
        return hints.playing(state, action - PLAY, names)

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        """Return the points of the last deal by cause, and the sum of the deals before it."""
        teams = [team_causes(state, team) for team in (0, 1)]
        rows = [
            BreakdownRow(label, [teams[team][label] for team in TEAMS])
            for label in teams[0]
            if any(team[label] for team in teams)
        ]
        return [BreakdownSection("", rows)]

    @override
    def chapter(self, state: Table) -> str:
        return f"deal {state.number + (state.seat != OVER)}"


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
    if state.phase != DEALING and state.bids[seat] == NO_BID:
        badges.append("no bid yet")
    elif state.phase != DEALING:
        badges.append(f"took {tricks(state)[seat]}/{bid_text(state.bids[seat])}")
    if viewer < SEATS and seat != viewer and team == TEAMS[viewer]:
        badges.append("partner")
    if state.bags[team]:
        badges.append(amount(state.bags[team], "bag"))
    return SeatLine(amount(state.total[team], "point"), badges)


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
        return "bid a number of tricks"
    suit = suit_led(state)
    if suit is not None:
        return f"play a card: {SUITS[suit]} if possible"
    return "lead any card" if state.is_broken else "lead a card, but not a spade yet"


def team_causes(state: Table, team: int) -> dict[str, int]:
    """Return the points of a team by cause."""
    points, bags = team_result(state, team)
    members = [seat for seat in range(SEATS) if TEAMS[seat] == team]
    nils = [seat for seat in members if state.bids[seat] == NIL]
    nil = sum(-NIL_POINTS if state.taken[seat] else NIL_POINTS for seat in nils)
    # The bags before the deal were fewer than the limit, so the bags now show how often it was hit.
    penalty = BAG_COST * -(-(bags - state.bags[team]) // BAG_LIMIT)
    before = state.total[team] - points + penalty
    return {
        "deals before": before,
        "tricks bid": points - bags - nil,
        "bags": bags,
        "nil": nil,
        f"every {BAG_LIMIT}th bag": -penalty,
    }
