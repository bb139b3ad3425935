"""All checks of a game in one call."""

from collections.abc import Iterator
from random import Random
from typing import Any

from cardhub.game.game import Game, S
from cardhub.hidden.observation import Observation
from cardhub.testing.conformance import check_hints, check_random_action, check_step
from cardhub.testing.copying import check_clone, check_pickle, check_replay
from cardhub.testing.dealing import check_deal_is_blind, check_deal_is_fair
from cardhub.testing.guessing import check_guesses, check_variety
from cardhub.testing.playout import Position, Trial, play, trials
from cardhub.testing.records import check_record
from cardhub.testing.redaction import check_same_record
from cardhub.testing.scenes import check_layout, check_scene
from cardhub.testing.secrecy import check_legal_is_public, check_secrecy
from cardhub.testing.words import check_labels, check_notations, check_story


def check_game(game: Game[Any], *, games: int = 5, seed: int = 0) -> None:
    """Raise ConformanceError unless the game keeps all promises of the contract.

    Plays `games` random games for each number of seats with default options, and as many with each
    option changed.
    """
    for trial in trials(game, games, seed):
        if trial.seed == seed:
            check_opening(game, trial)
        check_playout(game, trial)
        if trial.seed == seed:
            check_record(game, trial)
    for seats in range(game.seats.low, game.seats.high + 1):
        check_guesses(game, seats, seed)


def check_opening(game: Game[S], trial: Trial) -> None:
    """Check the deal."""
    check_deal_is_fair(game, trial)
    check_deal_is_blind(game, trial)


def check_playout(game: Game[S], trial: Trial, samples: int = 3, draws: int = 2) -> None:
    """Check every step of a random game, and some of its positions thoroughly.

    `draws` is how many worlds every seat imagines at each of those.
    """
    rng = Random(f"{trial.seed} samples")
    before = _kept(game)
    chosen: list[Position[S]] = []
    for position in play(game, trial):
        check_step(game, position)
        check_legal_is_public(game, position)
        place = int(rng.random() * (position.number + 1))
        if len(chosen) < samples:
            chosen.append(position)
        elif place < samples:
            chosen[place] = position
    check_replay(game, position)
    for position in chosen:
        check_position(game, position, rng, draws)
    if _kept(game) != before:
        trial.fail(game, "check_game", "the game object keeps something from one game to the next")


def check_position(game: Game[S], position: Position[S], rng: Random, draws: int = 2) -> None:
    """Check one position thoroughly."""
    check_clone(game, position)
    check_pickle(game, position)
    check_random_action(game, position, rng)
    check_hints(game, position, rng)
    check_notations(game, position)
    check_labels(game, position)
    check_story(game, position)
    check_scene(game, position)
    check_layout(game, position)
    check_secrecy(game, position, rng, draws)
    check_variety(game, position, rng)
    viewer = rng.randrange(position.state.seats + 1)
    observation = Observation(game, position.state, viewer)
    check_same_record(game, position, viewer, observation.determinize(rng))


def _kept(game: Game[Any]) -> dict[str, Any]:
    return dict(_attributes(game))


def _attributes(game: Game[Any]) -> Iterator[tuple[str, Any]]:
    for owner in (*reversed(type(game).__mro__), game):
        for name, value in vars(owner).items():
            yield name, list(value) if isinstance(value, list) else value
