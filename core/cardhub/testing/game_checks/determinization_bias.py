"""Determinizations guess: they vary where they can, and are right no more often than chance."""

from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import fmean, stdev

from cardhub.game.game import Game, S
from cardhub.hidden.observation import Observation, observed_state
from cardhub.table.faces import BLANK, Faces, blanked
from cardhub.table.state import State
from cardhub.testing.deal_replay import UnreachableError, replay
from cardhub.testing.random_play import Position, Trial, default_trial, play

DRAWS = 60
"""How often two cards that could as well lie the other way round may fall the same."""
GUESSES, SIGMAS = 8, 5


def check_variety(game: Game[S], position: Position[S], rng: Random) -> None:
    """Check that two unseen cards that could lie the other way round are drawn either way."""
    for viewer in range(position.state.seats + 1):
        observation = Observation(game, position.state, viewer, position.history)
        drawn = observation.determinize_whole(rng)
        for one, other in _pairs(game, position, observation, drawn, 2, rng):
            fell = (drawn.face[one], drawn.face[other])
            if not any(_falls_otherwise(observation, one, other, fell, rng) for _ in range(DRAWS)):
                what = f"for seat {viewer} tokens {one} and {other} are always the same two cards"
                position.fail(game, "variety", what)


def check_guesses(game: Game[S], trial: Trial, games: int = 150) -> None:
    """Check that of two worlds a seat cannot tell apart, the true one is not guessed more often."""
    gains = [_gain(game, trial.seats, trial.seed + number) for number in range(games)]
    if fmean(gains) > SIGMAS * stdev(gains) / sqrt(games):
        what = f"hidden cards are guessed too often: the mean gain is {fmean(gains):.2f}, not 0"
        trial.fail(game, "guesses", what)


def pick(game: Game[S], seats: int, seed: int, rng: Random) -> Position[S]:
    """Return a random position of a random game."""
    chosen = None
    for number, position in enumerate(play(game, default_trial(game, seats, seed))):
        if chosen is None or rng.random() * (number + 1) < 1:
            chosen = position
    assert chosen is not None  # a game has a first position
    return chosen


def _gain(game: Game[S], seats: int, seed: int) -> float:
    """Return how many cards determinizations guess right, less those they take for their twins.

    Twins are two cards that could as well lie the other way round.
    """
    rng = Random(f"{seed} guesses")
    position = pick(game, seats, seed, rng)
    observation = Observation(game, position.state, rng.randrange(seats + 1), position.history)
    pairs = list(_pairs(game, position, observation, position.state, 10, rng))
    truth = position.state.face
    guesses = [observation.determinize(rng).face for _ in range(GUESSES)]
    return fmean(_points(guess, truth, pairs) for guess in guesses)


def _points(guess: Faces, truth: Faces, pairs: list[tuple[int, int]]) -> int:
    return sum(
        (guess[one] == truth[one])
        + (guess[other] == truth[other])
        - (guess[one] == truth[other])
        - (guess[other] == truth[one])
        for one, other in pairs
    )


def _pairs(
    game: Game[S],
    position: Position[S],
    observation: Observation[S],
    state: S,
    most: int,
    rng: Random,
) -> Iterator[tuple[int, int]]:
    """Yield pairs of unseen tokens, none twice, that could as well bear each other's faces."""
    hidden = [token for token, face in enumerate(blanked(observation.state.face)) if face == BLANK]
    rng.shuffle(hidden)
    while hidden and most:
        one = hidden.pop()
        fits = (o for o in hidden if _are_alike(state, one, o) and state.face[one] != state.face[o])
        other = next(fits, None)
        if other is None:
            continue
        hidden.remove(other)
        if _is_possible(game, position, observation, _swapped(state, one, other)):
            most -= 1
            yield one, other


def _are_alike(state: State, one: int, other: int) -> bool:
    """Return whether the same shuffle, or the deal, gave both tokens their cards."""
    came = [
        max(
            (n for n, shuffle in enumerate(state.shuffle_log) if token in shuffle.tokens),
            default=-1,
        )
        for token in (one, other)
    ]
    return came[0] == came[1] and state.back[one] == state.back[other]


def _swapped(state: S, one: int, other: int) -> S:
    swapped = state.clone()
    faces = blanked(state.face)
    faces[one], faces[other] = faces[other], faces[one]
    swapped.face = faces
    return swapped


def _is_possible(
    game: Game[S], position: Position[S], observation: Observation[S], state: S
) -> bool:
    try:
        after = replay(game, position.trial, state, position.history).after
    except UnreachableError:
        return False
    return after == state and observed_state(state, observation.seat) == observation.state


def _falls_otherwise(
    observation: Observation[S], one: int, other: int, fell: tuple[int, int], rng: Random
) -> bool:
    drawn = observation.determinize(rng)
    return (drawn.face[one], drawn.face[other]) != fell
