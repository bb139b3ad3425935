"""Run all checks of a game on random games."""

from collections.abc import Callable
from itertools import chain, islice
from math import inf
from time import monotonic
from typing import Any, NamedTuple

from cardhub.base.errors import DeterminizationError
from cardhub.bots.deadline import deadlines
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.determinize import why_no_determinizations
from cardhub.testing.checking import CheckRunner, run_or_raise
from cardhub.testing.coverage import Coverage
from cardhub.testing.exploration import rounds
from cardhub.testing.game_checks.determinization_bias import check_guesses
from cardhub.testing.game_checks.display_checks.table_plan import check_plan, check_room
from cardhub.testing.game_checks.playout_checks import check_goal, check_playout, check_teams
from cardhub.testing.game_checks.record_checks import CUTS, check_record
from cardhub.testing.game_checks.setup_checks import check_deal_is_blind, check_deal_is_fair
from cardhub.testing.random_play import Trial, changed_options, default_trial

# The suite stops after as many games that an error of the rules ended.
MOST_FAULTY_GAMES = 3

# Games in check_guesses with the default number of players.
GUESS_GAMES = 150
# The same with other numbers of players.
FEWER_GUESS_GAMES = 50

# Thoroughly checked positions of a game, and determinizations of each per viewer: with default
# options, with changed ones, and in later rounds.
MANY, SOME, FEW = (3, 2), (2, 2), (1, 1)


class PlayBudget(NamedTuple):
    """How much a suite plays: a number of rounds of random games, or for a number of seconds."""

    rounds: int
    seconds: float | None = None


def check_game(game: Game[Any], *, games: int = 5, seed: int = 0) -> None:
    """Raise ConformanceError unless the game fulfils the contract.

    Plays `games` random games for each number of seats with default options, and as many with each
    option changed.
    """
    run_suite(game, PlayBudget(games), seed, run_or_raise, Coverage(game))


def run_suite(
    game: Game[Any],
    extent: PlayBudget,
    seed: int,
    run: CheckRunner,
    coverage: Coverage,
    watch: Callable[[int], None] = lambda played: None,
) -> None:
    """Run all checks; see check_game. `watch` is called with the number of played games.

    The games are the same for a number of rounds and for a number of seconds, except that these end
    after any game.
    """
    if why := why_no_determinizations(game):
        raise DeterminizationError(why)
    with deadlines():
        ends = inf if extent.seconds is None else monotonic() + extent.seconds
        faulty = 0
        every = rounds(game, seed)
        limited = every if extent.seconds is not None else islice(every, extent.rounds)
        for number, trial in enumerate(chain.from_iterable(limited)):
            if number and monotonic() > ends:
                break
            is_sound = check_trial(game, trial, run, coverage, is_first=not trial.round)
            watch(number + 1)
            faulty += not is_sound
            # Rules that fail in every game would give the same finding for hundreds of them.
            if faulty == MOST_FAULTY_GAMES:
                return
        for check in (check_goal, check_room, check_plan):
            run(check, game, default_trial(game, game.seats.default, seed))
        _check_all_guesses(game, seed, run, ends)


def check_trial(
    game: Game[S],
    trial: Trial,
    run: CheckRunner,
    coverage: Coverage | None = None,
    *,
    is_first: bool,
) -> bool:
    """Check one random game; of the first with its options also the deal and a record."""
    is_default = not changed_options(game, trial)
    samples, draws = (MANY if is_default else SOME) if is_first else FEW
    if is_first:
        check_deals(game, trial, run)
    is_sound = check_playout(
        game, trial, samples, draws, run, coverage, closely=is_first and is_default
    )
    # A record takes as long as ten games, so each kind of trial has one only.
    if is_first:
        run(check_record, game, trial, CUTS if is_default else 1)
    return is_sound


def check_deals(game: Game[S], trial: Trial, run: CheckRunner = run_or_raise) -> None:
    """Check the teams and the deal of a trial."""
    run(check_teams, game, trial)
    run(check_deal_is_fair, game, trial)
    run(check_deal_is_blind, game, trial)


def _check_all_guesses(game: Game[Any], seed: int, run: CheckRunner, ends: float) -> None:
    run(check_guesses, game, default_trial(game, game.seats.default, seed), GUESS_GAMES)
    for seats in range(game.seats.low, game.seats.high + 1):
        if seats != game.seats.default and monotonic() < ends:
            run(check_guesses, game, default_trial(game, seats, seed), FEWER_GUESS_GAMES)
