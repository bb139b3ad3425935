"""Run all checks of a game on random games."""

import random
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

from cardhub.game.game import Game, S
from cardhub.hidden.labels import Labels
from cardhub.table.state import OVER
from cardhub.testing.checking import CheckRunner, ConformanceError, error_line, run_or_raise
from cardhub.testing.game_checks.determinization_bias import check_guesses, check_variety
from cardhub.testing.game_checks.display import (
    check_labels,
    check_layout,
    check_notations,
    check_scene,
    check_story,
    check_summary,
    check_why_not,
)
from cardhub.testing.game_checks.error_texts import check_same_errors
from cardhub.testing.game_checks.goal_checks import check_goal, check_team_scores, check_teams
from cardhub.testing.game_checks.record_checks import CUTS, check_record, check_same_record
from cardhub.testing.game_checks.secrecy import check_legal_is_public, check_secrecy
from cardhub.testing.game_checks.setup_checks import check_deal_is_blind, check_deal_is_fair
from cardhub.testing.game_checks.state_checks import (
    check_clone,
    check_hints,
    check_pickle,
    check_random_action,
    check_replay,
    check_step,
)
from cardhub.testing.random_play import (
    Position,
    Trial,
    changed_options,
    default_trial,
    play,
    trials,
)

# The suite stops after as many games that an error of the rules ended.
MOST_FAULTY_GAMES = 3

# Checks of sampled positions: all that people read and type.
SAID_CHECKS = (
    check_notations,
    check_labels,
    check_story,
    check_summary,
    check_why_not,
    check_scene,
    check_layout,
)

# Games in check_guesses with the default number of players.
GUESS_GAMES = 150
# The same with other numbers of players.
FEWER_GUESS_GAMES = 50


def check_game(game: Game[Any], *, games: int = 5, seed: int = 0) -> None:
    """Raise ConformanceError unless the game fulfils the contract.

    Plays `games` random games for each number of seats with default options, and as many with each
    option changed.
    """
    run_suite(game, games, seed, run_or_raise)


def run_suite(
    game: Game[Any],
    games: int,
    seed: int,
    run: CheckRunner,
    watch: Callable[[int], None] = lambda played: None,
) -> None:
    """Run all checks; see check_game. `watch` is called with the number of games played so far."""
    faulty = 0
    for number, trial in enumerate(trials(game, games, seed)):
        is_sound = check_trial(game, trial, run, is_first=trial.seed == seed)
        watch(number + 1)
        faulty += not is_sound
        # Rules that fail in every game would give the same finding for hundreds of them.
        if faulty == MOST_FAULTY_GAMES:
            return
    run(check_goal, game, default_trial(game, game.seats.default, seed))
    for seats in range(game.seats.low, game.seats.high + 1):
        count = GUESS_GAMES if seats == game.seats.default else FEWER_GUESS_GAMES
        run(check_guesses, game, default_trial(game, seats, seed), count)


def check_trial(game: Game[S], trial: Trial, run: CheckRunner, *, is_first: bool) -> bool:
    """Check one random game; of the first with its options also the deal and a record."""
    is_default = not changed_options(game, trial)
    if is_first:
        check_deals(game, trial, run)
    is_sound = check_playout(game, trial, run=run, closely=is_first and is_default)
    # A record takes as long as ten games, so each kind of trial has one only.
    if is_first:
        run(check_record, game, trial, CUTS if is_default else 1)
    return is_sound


def check_deals(game: Game[S], trial: Trial, run: CheckRunner = run_or_raise) -> None:
    """Check the teams and the deal of a trial."""
    run(check_teams, game, trial)
    run(check_deal_is_fair, game, trial)
    run(check_deal_is_blind, game, trial)


def check_playout(
    game: Game[S],
    trial: Trial,
    samples: int = 3,
    draws: int = 2,
    run: CheckRunner = run_or_raise,
    *,
    closely: bool = False,
) -> bool:
    """Check every step of a random game, and `samples` of its positions thoroughly.

    `draws` is the number of determinizations per viewer and sampled position. `closely` checks the
    names of actions at every step. Returns whether the game was played to its end.
    """
    rng, last = Random(f"{trial.seed} samples"), None
    # Before the deal: rules must not change either of them.
    rng_state, attributes = random.getstate(), _attributes(game)
    chosen: list[Position[S]] = []
    for last in _positions(game, trial, run):
        if not last.number:
            run(check_clone, game, last)
        if not check_step(game, last, run):
            break
        run(check_team_scores, game, last)
        run(check_legal_is_public, game, last)
        for check in (check_notations, check_labels, check_why_not) if closely else ():
            run(check, game, last)
        # Reservoir sampling, because the length of the game is not known yet.
        slot = int(rng.random() * (last.number + 1))
        if len(chosen) < samples:
            chosen.append(last)
        elif slot < samples:
            chosen[slot] = last
    run(check_randomness, game, last or trial, rng_state)
    is_whole = last is not None and last.state.seat == OVER
    if is_whole:
        run(check_replay, game, last)
        _check_samples(game, chosen, rng, draws, run)
    run(check_memory, game, last or trial, attributes)
    return is_whole


def check_position(
    game: Game[S],
    position: Position[S],
    rng: Random,
    draws: int = 2,
    run: CheckRunner = run_or_raise,
) -> None:
    """Check one position thoroughly."""
    for check in (check_clone, check_pickle):
        run(check, game, position)
    for sampling_check in (check_random_action, check_hints):
        run(sampling_check, game, position, rng)
    for check in SAID_CHECKS:
        run(check, game, position)
    check_secrecy(game, position, rng, draws, run)
    run(check_variety, game, position, rng)
    run(check_same_record, game, position, rng.randrange(position.state.seats + 1), rng)


def check_rules(
    game: Game[S],
    last: Trial | Position[S],
    positions: Iterator[Position[S]],
    found: list[Position[S]],
) -> None:
    """Check that the next action raises no error; append the position after it to `found`."""
    try:
        found.extend(islice(positions, 1))
    except ConformanceError:
        raise
    except Exception as error:  # third-party rules may raise anything
        what = f"{_next_step(game, last)} fails: {error_line(error)}"
        raise last.failure(game, "rules", what) from error


def check_randomness(game: Game[Any], last: Trial | Position[Any], before: object) -> None:
    """Check that the rules left the state of the module `random` unchanged."""
    if random.getstate() != before:
        last.fail(game, "randomness", "the rules draw from the module `random`, or seed it")


def check_memory(game: Game[Any], last: Trial | Position[Any], before: dict[str, Any]) -> None:
    """Check that the attributes of the game object and its classes are unchanged."""
    after = _attributes(game)
    changed = [name for name in after if name not in before or after[name] != before[name]]
    if changed:
        last.fail(game, "memory", f"a game has changed {', '.join(changed)} of the game object")


def _check_samples(
    game: Game[S], chosen: list[Position[S]], rng: Random, draws: int, run: CheckRunner
) -> None:
    for position in chosen:
        check_position(game, position, rng, draws, run)
    # Error texts hardly depend on the position, and each comparison replays the game.
    run(check_same_errors, game, rng.choice(chosen), rng)


def _positions(game: Game[S], trial: Trial, run: CheckRunner) -> Iterator[Position[S]]:
    positions, last = play(game, trial), None
    while last is None or last.state.seat != OVER:
        found: list[Position[S]] = []
        run(check_rules, game, last or trial, positions, found)
        if not found:  # the rules raised an error, which `run` has noted
            return
        last = found[0]
        yield last


def _next_step(game: Game[S], last: Trial | Position[S]) -> str:
    if isinstance(last, Trial):
        return "the deal"
    # The game of a position has already appended the action that fails.
    state, action = last.state, last.steps[last.number].action
    return repr(Labels(game, state.face, state.back).label(action))


def _attributes(game: Game[Any]) -> dict[str, Any]:
    return {
        name: value.copy() if isinstance(value, list | dict | set) else value
        for owner in (*reversed(type(game).__mro__), game)
        for name, value in vars(owner).items()
    }
