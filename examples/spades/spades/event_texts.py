"""Sentences about actions, summaries of deals, and the points by cause."""

from cardhub import BreakdownRow, BreakdownSection, Names, Summary, listed
from spades.scoring import BAG_COST, BAG_LIMIT, NIL_POINTS, team_result
from spades.table import DEAL, NIL, PLAY, SEATS, TEAMS, Table, bid_text, suit_led, tricks
from spades.tricks import best_seat, power


def narration(before: Table, action: int, after: Table, names: Names) -> list[str]:
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
                listed([names.player(seat) for seat in seats]),
                "+".join(bid_text(before.bids[seat]) for seat in seats),
                "+".join(str(taken[seat]) for seat in seats),
                f"{total - before.total[team]:+}",
                str(total),
                str(after.bags[team]),
            ]
        )
    return Summary(f"End of deal {after.number}", rows)


def consequence(state: Table, action: int, names: Names) -> str:
    """Return whether a card would take the current trick."""
    if action < PLAY or suit_led(state) is None:
        return ""
    best, face = best_seat(state), state.face
    led = suit_led(state)
    is_best = power(face[action - PLAY], led) > power(face[state.laid[best][0]], led)
    if sum(map(len, state.laid)) == SEATS - 1:
        return "you take the trick" if is_best else f"{names.player(best)} takes the trick"
    return "the best card so far" if is_best else f"{names.player(best)} is ahead"


def causes(state: Table) -> list[BreakdownSection]:
    """Return the points of the last deal by cause, and the sum of the deals before it."""
    teams = [_team_causes(state, team) for team in (0, 1)]
    rows = [
        BreakdownRow(label, [teams[team][label] for team in TEAMS])
        for label in teams[0]
        if any(team[label] for team in teams)
    ]
    return [BreakdownSection("", rows)]


def _team_causes(state: Table, team: int) -> dict[str, int]:
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
