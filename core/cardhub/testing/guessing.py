"""Determinizations guess: they vary where they can, and are right no more often than chance."""

from collections.abc import Iterator
from math import sqrt
from random import Random
from statistics import fmean, stdev

from cardhub.game.game import Game, S
from cardhub.hidden.observation import Observation, veiled
from cardhub.table.faces import BLANK, blanked
from cardhub.table.state import State
from cardhub.testing.playout import Position, default_trial, play
from cardhub.testing.worlds import UnreachableError, replay

DRAWS = 60
"""How often two cards that could as well lie the other way round may fall the same."""
PAIRS = 3
SIGMAS = 5


def check_variety(game: Game[S], position: Position[S], rng: Random) -> None:
    """Check that two unseen cards that could lie the other way round are drawn either way."""
    for viewer in range(position.state.seats + 1):
        observation = Observation(game, position.state, viewer, position.history)
        drawn = observation.determinize(rng)
        for one, other in _pairs(game, position, observation, drawn, rng):
            fell = (drawn.face[one], drawn.face[other])
            if not any(_falls_otherwise(observation, one, other, fell, rng) for _ in range(DRAWS)):
                what = f"for seat {viewer} tokens {one} and {other} are always the same two cards"
                position.fail(game, "check_variety", what)


def check_guesses(game: Game[S], seats: int, seed: int, games: int = 120) -> None:
    """Check that determinizations agree with the truth no more than they agree with one another."""
    gains = [_gain(game, seats, seed + number) for number in range(games)]
    if fmean(gains) > SIGMAS * stdev(gains) / sqrt(games):
        trial = default_trial(game, seats, seed)
        what = f"on average {fmean(gains):.2f} more hidden cards are guessed than by chance"
        trial.fail(game, "check_guesses", what)


def pick(game: Game[S], seats: int, seed: int, rng: Random) -> Position[S]:
    """Return a random position of a random game."""
    chosen = None
    for number, position in enumerate(play(game, default_trial(game, seats, seed))):
        if chosen is None or rng.random() * (number + 1) < 1:
            chosen = position
    assert chosen is not None  # a game has a first position
    return chosen


def _gain(game: Game[S], seats: int, seed: int) -> int:
    """Return how many more hidden cards a guess shares with the truth than with another guess."""
    rng = Random(f"{seed} guesses")
    state = pick(game, seats, seed, rng).state
    observation = Observation(game, state, rng.randrange(seats + 1))
    guess, other = observation.determinize(rng), observation.determinize(rng)
    hidden = [token for token, face in enumerate(blanked(observation.state.face)) if face == BLANK]
    return _agreement(guess, state, hidden) - _agreement(guess, other, hidden)


def _agreement(one: State, other: State, tokens: list[int]) -> int:
    return sum(one.face[token] == other.face[token] for token in tokens)


def _pairs(
    game: Game[S], position: Position[S], observation: Observation[S], drawn: S, rng: Random
) -> Iterator[tuple[int, int]]:
    """Yield some pairs of unseen tokens that could as well bear each other's faces."""
    hidden = [token for token, face in enumerate(blanked(observation.state.face)) if face == BLANK]
    for one in rng.sample(hidden, min(PAIRS, len(hidden))):
        other = rng.choice(hidden)
        if _are_alike(drawn, one, other) and drawn.face[one] != drawn.face[other]:
            swapped = _swapped(drawn, one, other)
            if _is_possible(game, position, observation, swapped):
                yield one, other


def _are_alike(state: State, one: int, other: int) -> bool:
    """Return whether the same shuffle, or the deal, gave both tokens their cards."""
    came = [
        max((n for n, shuffle in enumerate(state.past) if token in shuffle.tokens), default=-1)
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
    return after == state and veiled(state, observation.seat) == observation.state


def _falls_otherwise(
    observation: Observation[S], one: int, other: int, fell: tuple[int, int], rng: Random
) -> bool:
    drawn = observation.determinize(rng)
    return (drawn.face[one], drawn.face[other]) != fell
