"""One game of a match in figures."""

from dataclasses import dataclass
from random import Random
from typing import Any

from cardhub.analysis.bots import bot_rows
from cardhub.analysis.contest_tally import ContestTally
from cardhub.analysis.gathering import Gathered
from cardhub.analysis.ladder import ladder_of
from cardhub.analysis.pairs import Met, crosstable, measured, p_value_of, pair_rows
from cardhub.analysis.rows import estimate
from cardhub.match.seeds import statistics_seed
from cardhub.match.spec import Contest, Match
from cardhub.stats import Ratings, fit_ratings, pooled, seat_edge


@dataclass(frozen=True)
class Contested:
    """A contest, its ratings by the number of a bot in the match, and its section of the result."""

    contest: Contest
    ratings: Ratings
    data: dict[str, Any]

    def deals(self, one: str, other: str) -> list[int] | None:
        """Return the first and the last deal on which two bots met."""
        found = (row["deals"] for row in self.data["pairs"] if {*row["bots"]} == {one, other})
        return next(found, None)


def contested(match: Match, tally: ContestTally, gathered: Gathered) -> Contested:
    """Return what came of a contest."""
    contest, rules = tally.contest, match.rating
    ratings = _ratings(match, tally)
    rng = Random(statistics_seed(match.seed, contest.id, "signs"))
    met = measured(match, tally, rng)
    ladder, notes = ladder_of(match, contest, met)
    luck = pooled(one.spread for one in met)
    data = {
        "game": contest.id,
        "name": contest.game,
        "players": contest.players,
        "score": contest.score,
        "blocks": tally.blocks,
        "games": tally.games,
        "games_per_block": tally.games / tally.blocks if tally.blocks else None,
        "left_out": _left_out(tally),
        "p_value_of": p_value_of(met),
        "bots": bot_rows(match, tally, ratings, gathered.tallies.withdrawn),
        "pairs": pair_rows(met, tally, rules.level),
        "crosstable": crosstable(met, rules.level),
        "seats": _seats(tally, ratings, rules.level),
        "luck_share": luck.luck_share if luck else None,
        "factor_saved": luck.factor_saved if luck else None,
        "ladder": ladder,
        "faults": tally.faults.rows(contest.id),
        "audit": tally.audit.row(),
        "notes": [*_notes(match, tally, ratings, met), *notes],
    }
    return Contested(contest, ratings, data)


def _ratings(match: Match, tally: ContestTally) -> Ratings:
    """Return the ratings of all bots of the match in one contest."""
    names, rules = [entrant.id for entrant in match.entrants], match.rating
    anchor = next(iter(rules.anchor), None)
    return fit_ratings(
        tally.table.table(),
        len(names),
        anchor=None if anchor is None else names.index(anchor),
        anchor_elo=rules.anchor.get(anchor, 0.0) if anchor else 0.0,
        draws=rules.bootstrap,
        seed=statistics_seed(match.seed, tally.contest.id, "ratings"),
        level=rules.level,
    )


def _left_out(tally: ContestTally) -> list[dict[str, Any]]:
    """Return the blocks that do not count."""
    return [
        {
            "game": tally.contest.id,
            "bots": first.bots,
            "deals": [first.deal, first.deal],
            "games": games,
            "why": why,
        }
        for first, games, why in tally.left_out
    ]


def _seats(tally: ContestTally, ratings: Ratings, level: float) -> list[dict[str, Any]]:
    """Return what the seats are worth."""
    points = tally.seats.by_deal()
    edges = seat_edge(points.tolist(), level)
    fitted = {edge.players: edge.seats for edge in ratings.seats}.get(tally.contest.players)
    return [
        {
            "seat": seat,
            "blocks": len(points),
            "score": estimate(edges[seat] if edges else None),
            "elo": estimate(fitted[seat] if fitted else None),
        }
        for seat in range(tally.contest.players)
    ]


def _notes(match: Match, tally: ContestTally, ratings: Ratings, met: list[Met]) -> list[str]:
    """Return in sentences what is missing, and why."""
    notes = []
    names = [entrant.id for entrant in match.entrants]
    anchor = next(iter(match.rating.anchor), None)
    if not tally.blocks:
        notes.append("No block is finished yet.")
    elif anchor is not None and ratings.anchor is None:
        notes.append(f"{anchor} has no rating here: 0 is the mean of the others.")
    unrated = [bot for bot in tally.bots if names.index(bot) not in ratings.rated]
    if tally.blocks and unrated:
        notes.append(f"No chain of whole blocks connects {_listed(unrated)} with the others.")
    if any(one.scores.size and not one.is_as_planned for one in met):
        notes.append(
            "Some pairs did not play as many blocks as planned, or were chosen by results: only "
            "the always-valid intervals hold for them."
        )
    return notes


def _listed(names: list[str]) -> str:
    """Return names as a list with an `and`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)
