"""What networks imitate: draws from the latest decisions of a teacher, as arrays for training."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from cardhub.learning.arrays import Layout, Mask, Slots
from cardhub.learning.arrays.learner_slots import LearnerInputs, from_seat
from cardhub.learning.train.network import margins_in
from cardhub.learning.train.rewards import Floats, Rewards
from cardhub.learning.train.self_play import Generator
from cardhub.learning.train.teacher_games import TeacherDecisions

# New decisions in each update, and the number of the latest decisions from which an update draws.
NEW, MEMORY = 1000, 50_000
# Decisions in each step of the gradient.
BATCH = 512


class Examples(NamedTuple):
    """Decisions of a teacher, one in each row of all arrays, as networks read them.

    `shares`: the probability of each action. `targets`: the utilities of all seats in the order of
    the critic's inputs, which the critic should estimate.
    """

    observations: Slots
    masks: Mask
    true_states: Slots
    shares: Floats
    targets: Floats


class DecisionMemory:
    """The latest decisions of a teacher, in compact form.

    `readings`: how many times a decision is read, on average.
    """

    def __init__(
        self, layout: Layout, inputs: LearnerInputs, rewards: Rewards, readings: int
    ) -> None:
        self._layout, self._inputs, self._rewards = layout, inputs, rewards
        self._batches = readings * NEW // BATCH
        self._decisions: TeacherDecisions | None = None

    def add(self, games: Sequence[TeacherDecisions]) -> None:
        """Add the decisions of games, and forget the earliest ones."""
        for game in games:
            if len(game.results):
                self._rewards.count(game.results[:1])
        known = games if self._decisions is None else [self._decisions, *games]
        self._decisions = TeacherDecisions(
            *(np.concatenate(arrays)[-MEMORY:] for arrays in zip(*known, strict=True))
        )

    def clear(self) -> None:
        """Forget all decisions."""
        self._decisions = None

    def draw(self, rng: Generator, standing: np.float32) -> Iterator[Examples]:
        """Yield batches of random decisions; `standing`: see `SelfPlay.standing`."""
        decisions = self._decisions
        if decisions is None or not len(decisions.results):
            return
        for rows in rng.integers(len(decisions.results), size=(self._batches, BATCH)):
            yield self._examples(TeacherDecisions(*(array[rows] for array in decisions)), standing)

    def _examples(self, decisions: TeacherDecisions, standing: np.float32) -> Examples:
        layout, inputs = self._layout, self._inputs
        states = layout.expand(decisions.true_states)
        true_states = inputs.of_states(states)
        observations = true_states
        if not inputs.are_open:
            observations = inputs.of_observations(layout.expand(decisions.observations))
        results = from_seat(self._rewards.of(decisions.results), inputs.acting(states))
        return Examples(
            observations,
            np.unpackbits(decisions.masks, axis=1, count=layout.action_count).astype(np.int8),
            true_states,
            decisions.shares,
            results - standing * margins_in(true_states, inputs),
        )
