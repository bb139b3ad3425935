"""The points of a deal, and the end of the game."""

from collections.abc import Sequence
from typing import NamedTuple

from spades.table import MOST_DEALS, NIL, TEAMS, Table, tricks

NIL_POINTS = 100
TRICK_POINTS = 10
# Number of bags that cost points, and these points.
BAG_LIMIT, BAG_COST = 10, 100


class DealResult(NamedTuple):
    """The points that a team gets for a deal, and its new bags."""

    points: int
    bags: int


def result(bids: Sequence[int], taken: Sequence[int]) -> DealResult:
    """Return a team's result from the bids and tricks of its members (R7, R8)."""
    members = list(zip(bids, taken, strict=True))
    contract = sum(bids)  # nil counts 0
    # The tricks of a nil bid do not count for the partner's contract (ruling 3).
    won = sum(count for bid, count in members if bid != NIL)
    bags = sum(count for bid, count in members if bid == NIL)
    points = sum(-NIL_POINTS if count else NIL_POINTS for bid, count in members if bid == NIL)
    if won < contract:
        return DealResult(points - TRICK_POINTS * contract + bags, bags)
    bags += won - contract
    return DealResult(points + TRICK_POINTS * contract + bags, bags)


def team_result(state: Table, team: int) -> DealResult:
    """Return the result of a team, as if the deal ended in this state."""
    members = [seat for seat, other in enumerate(TEAMS) if other == team]
    taken = tricks(state)
    return result([state.bids[seat] for seat in members], [taken[seat] for seat in members])


def count_deal(state: Table) -> None:
    """Add the points and bags of a deal; every tenth bag costs points (R9)."""
    for team in (0, 1):
        points, bags = team_result(state, team)
        state.total[team] += points
        state.bags[team] += bags
        # A deal may have two tenth bags: 13 of two failed nils after 9.
        penalties, state.bags[team] = divmod(state.bags[team], BAG_LIMIT)
        state.total[team] -= BAG_COST * penalties
    state.number += 1


def is_over(state: Table) -> bool:
    """Return whether the game ends after the deals that were counted (R10)."""
    target, (first, second) = state.settings.number("target"), state.total
    if not target or state.number == MOST_DEALS:
        return True
    # With equal points another deal is played.
    is_reached = max(first, second) >= target or min(first, second) <= -target
    return is_reached and first != second
