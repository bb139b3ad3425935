"""All checks of a game in one call; the first that fails raises."""

import random
from collections.abc import Callable, Iterator
from itertools import islice
from random import Random
from typing import Any

from cardhub.game.game import Game, S
from cardhub.hidden.labels import Labels
from cardhub.table.state import OVER
from cardhub.testing.checking import ConformanceError, Run, at_once, explained
from cardhub.testing.game_checks.determinization_bias import check_guesses, check_variety
from cardhub.testing.game_checks.display import (
    check_labels,
    check_layout,
    check_notations,
    check_scene,
    check_story,
)
from cardhub.testing.game_checks.error_texts import check_same_errors
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
from cardhub.testing.location import unusual
from cardhub.testing.random_play import Position, Trial, default_trial, play, trials

FAULTY_GAMES = 3
"""After so many games that a fault of the rules has ended, no more are played."""
GUESSED, FEWER = 150, 50
"""In how many games hidden cards are guessed, with the usual number of players and with others."""


def check_game(game: Game[Any], *, games: int = 5, seed: int = 0) -> None:
    """Raise ConformanceError unless the game keeps all promises of the contract.

    Plays `games` random games for each number of seats with default options, and as many with each
    option changed.
    """
    go_through(game, games, seed, at_once)


def go_through(
    game: Game[Any],
    games: int,
    seed: int,
    run: Run,
    watch: Callable[[int], None] = lambda played: None,
) -> None:
    """Run all checks; see check_game. `watch` is called with how many games have been played."""
    faulty = 0
    for number, trial in enumerate(trials(game, games, seed)):
        is_sound = check_trial(game, trial, run, is_first=trial.seed == seed)
        watch(number + 1)
        faulty += not is_sound
        if faulty == FAULTY_GAMES:
            return
    for seats in range(game.seats.low, game.seats.high + 1):
        guessed = GUESSED if seats == game.seats.default else FEWER
        run(check_guesses, game, default_trial(game, seats, seed), guessed)


def check_trial(game: Game[S], trial: Trial, run: Run, *, is_first: bool) -> bool:
    """Check one random game, and if it is the first of its kind the deal and a record as well."""
    is_usual = not unusual(game, trial)
    if is_first:
        check_opening(game, trial, run)
    is_sound = check_playout(game, trial, run=run, closely=is_first and is_usual)
    if is_first:
        run(check_record, game, trial, CUTS if is_usual else 1)
    return is_sound


def check_opening(game: Game[S], trial: Trial, run: Run = at_once) -> None:
    """Check the deal."""
    run(check_deal_is_fair, game, trial)
    run(check_deal_is_blind, game, trial)


def check_playout(
    game: Game[S],
    trial: Trial,
    samples: int = 3,
    draws: int = 2,
    run: Run = at_once,
    *,
    closely: bool = False,
) -> bool:
    """Check every step of a random game, and some of its positions thoroughly.

    `draws` is how many worlds every seat imagines at each of those; `closely` looks at the names of
    all actions as well. Returns whether the game could be played to its end.
    """
    rng, last = Random(f"{trial.seed} samples"), None
    lots, kept = random.getstate(), _kept(game)
    chosen: list[Position[S]] = []
    for last in _positions(game, trial, run):
        if not last.number:
            run(check_clone, game, last)
        if not check_step(game, last, run):
            break
        run(check_legal_is_public, game, last)
        for check in (check_notations, check_labels) if closely else ():
            run(check, game, last)
        place = int(rng.random() * (last.number + 1))
        if len(chosen) < samples:
            chosen.append(last)
        elif place < samples:
            chosen[place] = last
    run(check_lots, game, last or trial, lots)
    is_whole = last is not None and last.state.seat == OVER
    if is_whole:
        run(check_replay, game, last)
        for position in chosen:
            check_position(game, position, rng, draws, run)
        run(check_same_errors, game, rng.choice(chosen), rng)
    run(check_memory, game, last or trial, kept)
    return is_whole


def check_position(
    game: Game[S], position: Position[S], rng: Random, draws: int = 2, run: Run = at_once
) -> None:
    """Check one position thoroughly."""
    for check in (check_clone, check_pickle):
        run(check, game, position)
    for drawing in (check_random_action, check_hints):
        run(drawing, game, position, rng)
    for looking in (check_notations, check_labels, check_story, check_scene, check_layout):
        run(looking, game, position)
    check_secrecy(game, position, rng, draws, run)
    run(check_variety, game, position, rng)
    run(check_same_record, game, position, rng.randrange(position.state.seats + 1), rng)


def check_rules(
    game: Game[S],
    place: Trial | Position[S],
    positions: Iterator[Position[S]],
    found: list[Position[S]],
) -> None:
    """Check that the game goes on from some place, and add the next position, if there is one."""
    try:
        found.extend(islice(positions, 1))
    except ConformanceError:
        raise
    except Exception as error:  # a stranger's code may raise anything
        what = f"{_under_way(game, place)} fails: {explained(error)}"
        raise place.failure(game, "rules", what) from error


def check_lots(game: Game[Any], place: Trial | Position[Any], before: object) -> None:
    """Check that nobody has drawn from the module `random`."""
    if random.getstate() != before:
        place.fail(game, "lots", "the rules draw from the module `random`, or seed it")


def check_memory(game: Game[Any], place: Trial | Position[Any], before: dict[str, Any]) -> None:
    """Check that the game object is as it was."""
    after = _kept(game)
    changed = [name for name in after if name not in before or after[name] != before[name]]
    if changed:
        place.fail(game, "memory", f"a game has changed {', '.join(changed)} of the game object")


def _positions(game: Game[S], trial: Trial, run: Run) -> Iterator[Position[S]]:
    """Yield the positions of a random game, up to where it fails."""
    positions, place = play(game, trial), None
    while place is None or place.state.seat != OVER:
        found: list[Position[S]] = []
        run(check_rules, game, place or trial, positions, found)
        if not found:
            return
        place = found[0]
        yield place


def _under_way(game: Game[S], place: Trial | Position[S]) -> str:
    """Return in words what is being done at the end of a random game."""
    if isinstance(place, Trial):
        return "the deal"
    state = place.state
    return repr(Labels(game, state.face, state.back).label(place.steps[place.number].action))


def _kept(game: Game[Any]) -> dict[str, Any]:
    return dict(_attributes(game))


def _attributes(game: Game[Any]) -> Iterator[tuple[str, Any]]:
    for owner in (*reversed(type(game).__mro__), game):
        for name, value in vars(owner).items():
            yield name, value.copy() if isinstance(value, list | dict | set) else value
