"""Who leads in the course of a game: how early the winner is settled, and lead changes."""

from collections.abc import Sequence
from itertools import pairwise

from cardhub.lab.study.game_trace import NOBODY_LEADS
from cardhub.lab.study.measures.distributions import distribution
from cardhub.lab.study.measures.seat_advantage import winners
from cardhub.lab.study.measures.study_game import StudyGame, Summand, measure
from cardhub.lab.study.study_schema import Leads, ProgressPoint

# The shares of a game at which its leader is looked at.
POINTS = 20
# Below this share of games with a leader before the last tenth, scores do not move before the end.
LEAST_LED = 0.05
LATE = 0.9


def leads(games: Sequence[StudyGame], level: float) -> Leads | None:
    """Return who led when; None if scores do not tell, or if there are no rivals."""
    led = sum(_leader(game, LATE) != NOBODY_LEADS for game in games)
    if led < LEAST_LED * len(games):
        return None
    shares = [number / POINTS for number in range(POINTS + 1)]
    decided = [game for game in games if len(winners(game)) == 1]
    return Leads(
        leader_wins=tuple(ProgressPoint(s, measure(_won(games, s), level)) for s in shares),
        led=tuple(ProgressPoint(s, measure(_led(games, s), level)) for s in shares),
        settled=distribution(
            [game.deal for game in decided],
            [settled_at(game) for game in decided],
            level,
            is_share=True,
        )
        if decided
        else None,
        changes=distribution(
            [game.deal for game in games], [float(lead_changes(game)) for game in games], level
        ),
    )


def settled_at(game: StudyGame) -> float:
    """Return the share of the decisions after which the only winner led alone to the end."""
    (winner,) = winners(game)
    leaders = game.trace.leaders
    first = len(leaders)
    while first and leaders[first - 1] == winner:
        first -= 1
    return min(first, len(leaders) - 1) / max(1, len(leaders) - 1)


def lead_changes(game: StudyGame) -> int:
    """Return how often the lead passed from one seat or team to another; ties between count not."""
    alone = [leader for leader in game.trace.leaders if leader != NOBODY_LEADS]
    return sum(one != other for one, other in pairwise(alone))


def _leader(game: StudyGame, share: float) -> int:
    leaders = game.trace.leaders
    return leaders[int(share * (len(leaders) - 1))]


def _won(games: Sequence[StudyGame], share: float) -> list[Summand]:
    parts = []
    for game in games:
        leader, first = _leader(game, share), winners(game)
        if leader != NOBODY_LEADS:
            parts.append(Summand(game.deal, (leader in first) / len(first)))
    return parts


def _led(games: Sequence[StudyGame], share: float) -> list[Summand]:
    return [Summand(game.deal, float(_leader(game, share) != NOBODY_LEADS)) for game in games]
