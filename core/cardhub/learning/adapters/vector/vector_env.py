"""The interface of vector environments, and the environment that runs in the calling process."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from random import Random
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from cardhub.base.errors import IllegalActionError
from cardhub.learning.adapters.vector.learner_game import FORFEIT
from cardhub.learning.adapters.vector.learning_table import (
    WAIT,
    BatchArrays,
    arrays_in,
    buffer_size,
)
from cardhub.learning.adapters.vector.native_group import table_group
from cardhub.learning.adapters.vector.seeding import SEED_BITS
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays import Layout

Actions = Sequence[int] | NDArray[np.integer[Any]]


class VectorEnv(ABC):
    """Many tables of one game, which are stepped together; an ended game is followed by another.

    `reset` and `step` return `arrays`, always the same object with the same arrays. Equal seeds and
    actions give equal arrays, with any number of workers.
    """

    def __init__(self, spec: TableSpec, arrays: BatchArrays) -> None:
        self.spec = spec
        self.arrays = arrays
        self._rows = np.arange(len(arrays.seats))
        self._seeds = Random()  # unpredictable until `reset` gets a seed
        self._can_step = False
        self.seed: int | None = None
        """The seed of the last reset."""

    @property
    def layout(self) -> Layout:
        """The layout of the observations."""
        return self.spec.layout

    @property
    def tables(self) -> int:
        """The number of tables."""
        return len(self.arrays.seats)

    def reset(self, seed: int | None = None, *, game: int = 0) -> BatchArrays:
        """Start new games at all tables; without a seed, the games follow from the last seed.

        `game`: the number of each table's first game; with the number of an earlier game, that game
        is dealt again. Raises EpisodeError if a game or a bot fails.
        """
        if game < 0:
            raise ValueError(f"game cannot be {game}: games are numbered from 0")
        if seed is not None:
            self._seeds = Random(f"{seed} seeds")
        self._can_step = False
        self.seed = self._seeds.getrandbits(SEED_BITS) if seed is None else seed
        self._reset(self.seed, game)
        self._can_step = True
        return self.arrays

    def step(self, actions: Actions, waiting: NDArray[np.bool_] | None = None) -> BatchArrays:
        """Apply one action at each table: a number, or a row of choices of `layout.action_heads`.

        `waiting`: the tables that stay as they are, whose actions are ignored, or None. Raises
        IllegalActionError before any table changes. Raises EpisodeError if a game or a bot fails;
        then all tables need a reset.
        """
        if not self._can_step:
            raise ValueError("there are no games to step. fix: call `reset` first")
        numbers = self._numbers(np.asarray(actions))
        if waiting is None:
            self.arrays.actions[:] = self._checked(numbers)
        else:
            legal = np.where(waiting, self.arrays.masks.argmax(axis=1), numbers)
            self.arrays.actions[:] = np.where(waiting, WAIT, self._checked(legal))
        self._can_step = False
        self._step()
        self._can_step = True
        return self.arrays

    def close(self) -> None:
        """Release processes and bots; the arrays do not change."""
        self._can_step = False
        self._close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def _numbers(self, actions: NDArray[Any]) -> NDArray[Any]:
        """Return actions as numbers of the layout, which may be illegal; raises ValueError."""
        if actions.ndim == 2 and actions.dtype.kind in "iu":
            heads = self.layout.action_heads
            if actions.shape == (self.tables, len(heads.heads)):
                actions = heads.join(actions)
        if actions.shape != (self.tables,) or actions.dtype.kind not in "iu":
            raise ValueError(
                f"actions are an array of {actions.dtype} with shape {actions.shape}. "
                f"fix: pass an int for each of {self.tables} tables, or a row of choices"
            )
        return actions

    def _checked(self, actions: NDArray[Any]) -> NDArray[Any]:
        """Return the actions, with FORFEIT in place of illegal ones if these end games."""
        if self._are_legal(actions):
            return actions
        masks = self.arrays.masks
        is_action = (actions >= 0) & (actions < masks.shape[1])
        is_legal = is_action & (masks[self._rows, np.where(is_action, actions, 0)] > 0)
        if self.spec.illegal_reward is not None:
            return np.where(is_legal, actions, FORFEIT)
        table = int(is_legal.argmin())
        action, legal = actions[table].item(), np.flatnonzero(masks[table]).tolist()
        words = ", ".join(map(str, legal))
        message = f"table {table}: action {action} is not legal. Legal: {words}"
        raise IllegalActionError(message, action)

    def _are_legal(self, actions: NDArray[Any]) -> bool:
        """Return whether all actions are legal.

        This check takes a third of the time of finding the illegal ones, which matters for a step
        of few tables.
        """
        try:
            return bool(actions.min() >= 0 and self.arrays.masks[self._rows, actions].all())
        except IndexError:
            return False

    @abstractmethod
    def _reset(self, seed: int, game: int) -> None:
        """Start at all tables with the game of this number, and fill the arrays."""

    @abstractmethod
    def _step(self) -> None:
        """Apply `arrays.actions` and fill the other arrays."""

    @abstractmethod
    def _close(self) -> None:
        """Release processes and bots; a second call does nothing."""


class LocalVectorEnv(VectorEnv):
    """A vector environment in the calling process."""

    def __init__(self, spec: TableSpec, tables: int) -> None:
        buffer = bytearray(buffer_size(spec, tables))
        super().__init__(spec, arrays_in(buffer, spec, tables))
        self._group = table_group(spec, 0, self.arrays)

    @override
    def _reset(self, seed: int, game: int) -> None:
        self._group.reset(seed, game)

    @override
    def _step(self) -> None:
        self._group.step()

    @override
    def _close(self) -> None:
        self._group.close()
