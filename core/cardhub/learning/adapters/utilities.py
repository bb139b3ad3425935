"""Utilities of final scores, for libraries that need one number per player."""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from random import Random
from typing import Any

from cardhub.base.errors import OptionError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import initial_state, shuffled_pack
from cardhub.model.hidden.chance import play_out
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import Scoring, returns
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import State

# Kinds of utilities.
#
# `goal`: the game's returns; `margins`: the score minus the mean score; `places`: from 1 for the
# first place to -1 for the last; `scores`: the score. Greater is better, also if the lowest score
# wins: then scores are negated.
GOAL, MARGINS, PLACES, SCORES = UTILITIES = ("goal", "margins", "places", "scores")

# The number and the maximum length of random games that test whether scores have a constant sum.
SUM_GAMES = 20
SUM_ACTIONS = 10_000


def check_utility(kind: str) -> None:
    """Raise OptionError unless this is a kind of utility."""
    if kind not in UTILITIES:
        hint = did_you_mean(kind, UTILITIES)
        raise OptionError(f"returns cannot be {kind!r}: they are {', '.join(UTILITIES)}.{hint}")


def utilities(scores: Sequence[int], kind: str, scoring: Scoring) -> list[float]:
    """Return the utilities of final scores by seat."""
    if kind == GOAL:
        return scoring.returns(scores)
    if kind == PLACES:
        return returns(scores, lowest_wins=scoring.lowest_wins, teams=scoring.teams)
    sign = -1.0 if scoring.lowest_wins else 1.0
    mean = sum(scores) / len(scores) if kind == MARGINS else 0.0
    return [sign * (score - mean) for score in scores]


def is_bounded(kind: str, scoring: Scoring) -> bool:
    """Return whether utilities are always from -1 to 1; scores have no declared bound."""
    return kind == PLACES or (kind == GOAL and scoring.goal in (Goal.WIN, Goal.RANK))


def is_identical(kind: str, scoring: Scoring) -> bool:
    """Return whether all seats always have the same utility."""
    return kind in (GOAL, SCORES) and scoring.goal is Goal.COMMON


def utility_sum(game: Game[Any], kind: str, scoring: Scoring, settings: Settings) -> float | None:
    """Return the constant sum of all seats' utilities, None if it is not constant or not known.

    If scores count, random games are played: the sum is known if all of them have the same sum.
    """
    if is_bounded(kind, scoring):
        # The sum over teams is 0, so the sum over seats is 0 if all teams have the same size.
        return 0.0 if len(set(Counter(scoring.teams).values())) == 1 else None
    if kind == MARGINS:
        return 0.0
    if kind == GOAL and scoring.goal is Goal.SCORE:
        total = _sum_of_scores(game, len(scoring.teams), tuple(settings.items()))
        return None if total is None else float(-total if scoring.lowest_wins else total)
    return None


# Cached, because a game is loaded many times with the same options.
@lru_cache(maxsize=64)
def _sum_of_scores(
    game: Game[Any], seats: int, options: tuple[tuple[str, bool | int | str], ...]
) -> int | None:
    rng, settings, sums = Random(0), Settings(dict(options)), set()
    for _ in range(SUM_GAMES):
        faces = shuffled_pack(game, settings, seats, rng)
        state: State = initial_state(game, settings, seats, faces)
        if not play_out(game, state, rng, SUM_ACTIONS):
            return None
        sums.add(sum(game.scores(state)))
        if len(sums) > 1:
            return None
    return sums.pop()
