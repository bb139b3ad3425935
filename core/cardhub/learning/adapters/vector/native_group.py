"""The tables of a vector environment in C, if the rules of the game are in C as a whole.

One call steps all tables and fills their arrays, with the same bytes as `TableGroup`. A step that
C cannot carry out as Python would has changed nothing: then Python repeats the present games by
their actions, and goes on.
"""

from contextlib import suppress
from functools import lru_cache
from random import Random
from typing import Any, NamedTuple

import numpy as np

from cardhub.base.errors import HiddenFaceError
from cardhub.bots.search.struct_playouts import rules_in_c
from cardhub.learning.adapters.utilities import GOAL, utilities
from cardhub.learning.adapters.vector.learning_table import BatchArrays, TableGroup
from cardhub.learning.adapters.vector.seeding import FAST
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays import Layout
from cardhub.learning.arrays.encoding_plan import Plan, encoding_plan
from cardhub.model.game.initial_state import game_scoring, initial_state, split_decks
from cardhub.model.table.faces import BLANK, MaskedFaces
from cardhub.model.table.goal import Goal
from cardhub.model.table.state import State

# Few games end with more different scores than that.
KNOWN_SCORES = 4096
# A text for the check that C seeds generators as this Python does.
SEED = "-1 table 0"


class FirstState(NamedTuple):
    """The state with which games begin, before or after the deal, whatever the faces are."""

    state: State
    is_dealt: bool


def table_group(spec: TableSpec, first: int, arrays: BatchArrays) -> "TableGroup | NativeGroup":
    """Return a group of tables, in C if possible; `first`: the number of the first table."""
    game = spec.layout.game
    module = None if spec.rivals else rules_in_c(type(game), game.name)
    group = native_group(spec, first, arrays, module) if module else None
    return group or TableGroup(spec, first, arrays)


def native_group(
    spec: TableSpec, first: int, arrays: BatchArrays, module: Any
) -> "NativeGroup | None":
    """Return a group of tables by a module of rules in C; None if it cannot step such tables."""
    plan = None if spec.rivals else encoding_plan(spec.layout, module.fields)
    begin = _first_state(spec.layout, module) if plan is not None else None
    if plan is None or begin is None or not _seeds_alike(module):
        return None
    with suppress(module.GivenBackError):
        return NativeGroup(spec, first, arrays, module, plan, begin)
    return None


class NativeGroup:
    """Consecutive tables that are stepped in C, one for each row of the arrays."""

    def __init__(
        self,
        spec: TableSpec,
        first: int,
        arrays: BatchArrays,
        module: Any,
        plan: Plan,
        begin: FirstState,
    ) -> None:
        layout = spec.layout
        self._spec, self._first, self._arrays = spec, first, arrays
        self._scores = np.zeros((len(arrays.seats), layout.seats), np.int64)
        of_c = (
            *(arrays.observations, arrays.masks, arrays.seats, arrays.seeds, arrays.actions),
            *(arrays.terminated, arrays.truncated, self._scores),
            *(arrays.final_observations, arrays.true_states),
        )
        is_fast = spec.seeding == FAST
        self._group = module.Group(plan, *begin, of_c, first, spec.max_actions or 0, is_fast)
        scoring = game_scoring(layout.game, layout.settings, layout.seats)
        # These utilities are scores: numpy makes those of all tables at once.
        are_scores = spec.returns == GOAL and scoring.goal in (Goal.SCORE, Goal.COMMON)
        self._sign = 0 if not are_scores else -1 if scoring.lowest_wins else 1
        self._utilities = lru_cache(KNOWN_SCORES)(
            lambda *scores: utilities(scores, spec.returns, scoring)
        )
        self._seed = 0
        self.in_python: TableGroup | None = None
        """The tables in Python after a step that C has given back, until the next reset."""

    def reset(self, seed: int, game: int) -> None:
        """Start at all tables with the game of this number; raises EpisodeError."""
        self.close()
        self._seed = seed
        self._arrays.rewards.fill(0)
        if not self._group.reset(str(seed), game):
            self.in_python = TableGroup(self._spec, self._first, self._arrays)
            self.in_python.reset(seed, game)

    def step(self) -> None:
        """Apply the actions in the arrays, which must be legal; raises EpisodeError."""
        if self.in_python is None:
            if self._group.step():
                self._fill_rewards()
                return
            self.in_python = self._repeated()
        self.in_python.step()

    def close(self) -> None:
        """Forget the tables in Python."""
        self.in_python = None

    def _fill_rewards(self) -> None:
        rewards = self._arrays.rewards
        rewards.fill(0)
        ended = self._arrays.terminated.nonzero()[0]
        if self._sign:
            rewards[ended] = self._sign * self._scores[ended]
        elif len(ended):
            rewards[ended] = [self._utilities(*scores) for scores in self._scores[ended].tolist()]

    def _repeated(self) -> TableGroup:
        """Return the tables in Python, before the present step."""
        group = TableGroup(self._spec, self._first, self._arrays)
        records = [self._group.record(table) for table in range(len(self._scores))]
        group.repeat(self._seed, records)
        return group


def _first_state(layout: Layout, module: Any) -> FirstState | None:
    """Return the state with which games begin; None if the deal depends on faces.

    If the backs of cards differ from deal to deal, C has to deal.
    """
    game, settings, seats = layout.game, layout.settings, layout.seats
    decks = split_decks(game, settings, seats)
    back_of = game.cards.back_of
    faces = [face for deck in decks for face in deck]
    blank, backs = MaskedFaces([BLANK] * len(faces)), [back_of[face] for face in faces]
    with suppress(HiddenFaceError, module.GivenBackError):
        dealt: State = initial_state(game, settings, seats, blank, backs)
        if all(len({back_of[face] for face in deck}) < 2 for deck in decks):
            dealt.face = faces
            return FirstState(dealt, is_dealt=True)
        if module.has_deal:
            undealt: State = game.state_type(seats, faces, backs, settings)
            return FirstState(undealt, is_dealt=False)
    return None


def _seeds_alike(module: Any) -> bool:
    """Return whether a module seeds generators by texts as this Python does."""
    words: tuple[int, ...] = module.seeded_words(SEED)
    expected: tuple[int, ...] = Random(SEED).getstate()[1]
    return words == expected
