"""The subjects of `speed.py`: installed games, and reference implementations from files."""

import importlib.util
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Protocol

from cardhub import CHANCE, OVER, Game
from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.chance import advance, pass_chance, sample_action
from cardhub.model.hidden.observation import Observation

LONG = 1_000_000
"""An upper bound of the steps of a game."""


class Played(NamedTuple):
    """A state and the number of steps to reach it."""

    state: Any
    steps: int


class Subject(Protocol):
    """The protocol of a subject: random play, and the operations that a search needs."""

    def play(self, rng: Random, most: int = LONG) -> Played:
        """Play a random game from the deal on, to its end or for `most` steps."""
        ...

    def observe(self, state: Any) -> Any:
        """Return the observation of the acting seat, the input of `determinize`."""
        ...

    def determinize(self, observation: Any, rng: Random) -> Any:
        """Sample a complete state that is consistent with an observation."""
        ...


class Installed:
    """A game of cardhub."""

    def __init__(self, game: Game[Any], seats: int) -> None:
        self._game = game
        self._seats = seats
        self._settings = resolve_options(game, {}, seats)

    def play(self, rng: Random, most: int = LONG) -> Played:
        """See Subject."""
        game = self._game
        faces = shuffled_pack(game, self._settings, self._seats, rng)
        state = initial_state(game, self._settings, self._seats, faces)
        pass_chance(game, state, rng)
        steps = 0
        while state.seat != OVER and steps < most:
            by_chance = state.seat == CHANCE
            action = (
                sample_action(game, state, rng) if by_chance else game.random_action(state, rng)
            )
            advance(game, state, action, rng)
            steps += 1
        return Played(state, steps)

    def observe(self, state: Any) -> Any:
        """See Subject."""
        return Observation(self._game, state, max(state.seat, 0))

    def determinize(self, observation: Any, rng: Random) -> Any:
        """See Subject."""
        return observation.determinize(rng)


class ReferenceGame:
    """The same game written for speed alone.

    Its class has `deal(seats, rng)`, and its states `over`, `seat`, `legal()`, `apply(action)`,
    `clone()` and `determinize(seat, rng)`.
    """

    def __init__(self, kind: Any, seats: int) -> None:
        self._kind = kind
        self._seats = seats

    def play(self, rng: Random, most: int = LONG) -> Played:
        """See Subject."""
        state = self._kind.deal(self._seats, rng)
        steps = 0
        while not state.over and steps < most:
            legal = state.legal()
            state.apply(legal[int(rng.random() * len(legal))])
            steps += 1
        return Played(state, steps)

    def observe(self, state: Any) -> Any:
        """Return the state itself: a reference implementation has no hidden information."""
        return state

    def determinize(self, observation: Any, rng: Random) -> Any:
        """See Subject."""
        return observation.determinize(max(observation.seat, 0), rng)


def read_reference(path: Path, name: str) -> Any:
    """Return the class `name` of a Python file, or None if it has none."""
    spec = importlib.util.spec_from_file_location("reference", path)
    if spec is None or spec.loader is None:
        raise SystemExit(f"{path} is not a Python file")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return getattr(module, name, None)
