"""Checks of a game's goal and teams."""

from random import Random
from typing import Any

from cardhub.model.game.game import Game, S
from cardhub.model.game.game_scoring import game_scoring
from cardhub.model.hidden.chance import play_out
from cardhub.model.table.goal import Goal
from cardhub.testing.random_play import MOST_ACTIONS, Position, Trial, deal, default_trial

# Random games with each number of players, until the scores of two seats differ.
GOAL_GAMES = 100


def check_teams(game: Game[Any], trial: Trial) -> None:
    """Check that every seat has a team, and that only a common cause has a target."""
    try:
        scoring = game_scoring(game, trial.settings, trial.seats)
    except TypeError as error:
        problem, _, _ = str(error).partition("\n")
        trial.fail(game, "teams", problem)
    if type(game.goal) is not Goal:
        trial.fail(game, "teams", f"goal is {game.goal!r}, not a member of Goal")
    if not (isinstance(game.unit, str) and game.unit.strip()):
        trial.fail(game, "teams", f"unit is {game.unit!r}, not a plural noun such as 'chips'")
    if scoring.target is not None and scoring.goal is not Goal.COMMON:
        what = f"target() returns {scoring.target}, but the goal is {scoring.goal.name}"
        trial.fail(game, "teams", what)


def check_team_scores(game: Game[S], position: Position[S]) -> None:
    """Check that the members of a team have equal scores, and with COMMON all seats."""
    trial = position.trial
    scoring = game_scoring(game, trial.settings, trial.seats)
    is_common = scoring.goal is Goal.COMMON
    teams = (0,) * trial.seats if is_common else scoring.teams
    scores = game.scores(position.state)
    if len({*zip(teams, scores, strict=True)}) > len(set(teams)):
        whose = "of a common cause" if is_common else f"of the teams {list(teams)}"
        position.fail(game, "team_scores", f"scores {whose} differ between members: {scores}")


def check_goal(game: Game[Any], trial: Trial, games: int = GOAL_GAMES) -> None:
    """Check that the scores of two seats differ in some random game, unless they share one.

    Plays games with every number of players from the seed of `trial` on.
    """
    several = range(max(2, game.seats.low), game.seats.high + 1)
    if game.goal is Goal.COMMON or not several:
        return
    seeds = range(trial.seed, trial.seed + games)
    for each in (default_trial(game, seats, seed) for seed in seeds for seats in several):
        scores = _final_scores(game, each)
        # Games without an end are reported by the check `end`.
        if scores is None or len(set(scores)) > 1:
            return
    what = f"in {games} random games with each number of players all seats had equal scores"
    trial.fail(game, "goal", f"{what}, but the goal is {game.goal.name}")


def _final_scores(game: Game[Any], trial: Trial) -> list[int] | None:
    """Return the scores at the end of a random game, None if it does not end."""
    rng, state = Random(f"{trial.seed} goal"), deal(game, trial)
    return game.scores(state) if play_out(game, state, rng, MOST_ACTIONS) else None
