"""The tables of a vector environment: consecutive games, stepped in groups into shared arrays."""

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import prod
from operator import add
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from cardhub.base.errors import EpisodeError
from cardhub.base.errors.quoting import describe_exception
from cardhub.learning.adapters.episode import Episode
from cardhub.learning.adapters.vector.learner_game import LearnerGame, MakeBot, bot_maker
from cardhub.learning.adapters.vector.seeding import Deal, table_deals
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays import Mask, Row, Slots
from cardhub.learning.arrays.learner_actions import LegalBatch
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.hidden.observation import EVERYTHING

# Arrays begin at multiples of this number of bytes, the size of a cache line.
ALIGNMENT = 64


class ArrayShape(NamedTuple):
    """The name, type and shape of one array."""

    name: str
    dtype: type[np.generic]
    shape: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of bytes, rounded up to the alignment."""
        size = prod(self.shape) * np.dtype(self.dtype).itemsize
        return -(-size // ALIGNMENT) * ALIGNMENT


@dataclass(frozen=True, slots=True)
class BatchArrays:
    """The arrays of a vector environment; the first axis is the table.

    Every step overwrites the same arrays: copy the values that you need later.
    """

    observations: Slots
    """The observation of the seat to act, encoded by the layout."""
    masks: Mask
    """The legal actions of the seat to act, as the layout numbers them."""
    seats: NDArray[np.int64]
    """The seat to act."""
    rewards: NDArray[np.float64]
    """The utilities by seat of games that ended with the last step, else 0."""
    learner_rewards: NDArray[np.float64]
    """With rivals, the learner's reward for its action in the last step."""
    terminated: NDArray[np.bool_]
    """Whether a game ended with the last step; then the observation belongs to the next game."""
    truncated: NDArray[np.bool_]
    """Whether a game was stopped after `max_actions`."""
    seeds: NDArray[np.int64]
    """The seed of the present game, for `cardhub play --seed`.

    With fast seeding it is the number of the game at its table.
    """
    actions: NDArray[np.int64]
    """The actions of the last step, as the layout numbers them."""
    final_observations: Slots
    """For games that ended with the last step, the learner's last observation.

    Without rivals, it is the observation of the seat that acted last. The array has no rows unless
    the environment has `final_observations`.
    """
    true_states: Slots
    """The true state, which no seat sees, for critics in training.

    The array has no rows unless the environment has `true_states`.
    """

    def tables(self, first: int, end: int) -> Self:
        """Return views of the rows of the tables from `first` to `end` (exclusive)."""
        return type(self)(*(getattr(self, field.name)[first:end] for field in fields(self)))


def array_shapes(spec: TableSpec, tables: int) -> list[ArrayShape]:
    """Return the shapes of all arrays for this number of tables."""
    layout = spec.layout
    final_rows = tables if spec.final_observations else 0
    true_rows = tables if spec.true_states else 0
    return [
        ArrayShape("observations", np.float32, (tables, layout.size)),
        ArrayShape("masks", np.int8, (tables, layout.action_count)),
        ArrayShape("seats", np.int64, (tables,)),
        ArrayShape("rewards", np.float64, (tables, layout.seats)),
        ArrayShape("learner_rewards", np.float64, (tables,)),
        ArrayShape("terminated", np.bool_, (tables,)),
        ArrayShape("truncated", np.bool_, (tables,)),
        ArrayShape("seeds", np.int64, (tables,)),
        ArrayShape("actions", np.int64, (tables,)),
        ArrayShape("final_observations", np.float32, (final_rows, layout.size)),
        ArrayShape("true_states", np.float32, (true_rows, layout.size)),
    ]


def buffer_size(spec: TableSpec, tables: int) -> int:
    """Return the number of bytes that all arrays need."""
    return sum(array.size for array in array_shapes(spec, tables))


def arrays_in(buffer: Any, spec: TableSpec, tables: int) -> BatchArrays:
    """Return arrays at consecutive places of a writable buffer."""
    arrays, start = {}, 0
    for array in array_shapes(spec, tables):
        count = prod(array.shape)
        flat = np.frombuffer(buffer, array.dtype, count, start)
        arrays[array.name] = flat.reshape(array.shape)
        start += array.size
    return BatchArrays(**arrays)


# After this number of games in a row without a decision of a learner, an error is raised.
MOST_WITHOUT_DECISION = 1_000
# In place of an action, for a table that stays as it is.
WAIT = -2


class EndedGames:
    """The result of the games that ended before the next decision of a learner.

    There are several if bots alone made all decisions of the later games. `rewards`: the sum by
    seat. `final_row`: the last row of the first game, in which a learner acted, or None if final
    rows are not needed. The learner's reward is also the first game's reward.
    """

    __slots__ = ("final_row", "rewards", "terminated", "truncated")

    def __init__(self, seats: int, final_row: Row | None) -> None:
        self.final_row = final_row
        self.rewards = [0.0] * seats
        self.terminated = False
        self.truncated = False


class LearningTable:
    """A table at which games follow one another.

    The deal of each game depends only on the environment's seed, the table's number and the number
    of the game, not on other tables or on actions.
    """

    game: LearnerGame
    deal: Deal
    """The deal of the present game."""

    def __init__(self, spec: TableSpec, number: int, make_bot: MakeBot) -> None:
        self._spec = spec
        layout = spec.layout
        self._scoring = game_scoring(layout.game, layout.settings, layout.seats)
        self._number = number
        self._make_bot = make_bot
        self._has_game = False
        self._games = 0
        self._deals = table_deals(spec.seeding, layout, 0, number)
        self.reward = 0.0
        """The learner's reward for its last action."""

    @property
    def title(self) -> str:
        """The words that name the present game in an error."""
        seed = self.deal.seed
        return seed if isinstance(seed, str) else f"table {self._number}, game with seed {seed}"

    @property
    def episode(self) -> Episode:
        """The state of the present game."""
        return self.game.episode

    def reset(self, seed: int, game: int) -> EndedGames | None:
        """Start a new sequence of games and play until the first decision of a learner.

        `game`: the number of the first game, from 0.
        """
        self._begin(seed, game)
        self._begin_game()
        ended = self._play_to_decision()
        self.reward = 0.0
        return ended

    def step(self, action: int) -> EndedGames | None:
        """Apply a legal action, or FORFEIT, and play until the next decision of a learner.

        Returns None after WAIT, which changes nothing.
        """
        if action == WAIT:
            self.reward = 0.0
            return None
        self.game.act(action)
        return self._play_to_decision()

    def repeat(self, seed: int, games: int, actions: Sequence[int]) -> None:
        """Begin with a seed, skip to the last of a number of games, and apply actions in it.

        Only for tables without bots.
        """
        self._begin(seed, games - 1)
        self._begin_game()
        for action in actions:
            self.game.act(action)

    def close(self) -> None:
        """Close the bots; raises BotFaultError."""
        if self._has_game:
            self.game.close()

    def _begin(self, seed: int, game: int) -> None:
        self.close()
        self._deals = table_deals(self._spec.seeding, self._spec.layout, seed, self._number)
        self._deals.skip(game)
        self._games = game

    def _play_to_decision(self) -> EndedGames | None:
        is_undecided = self.game.advance()
        if self._spec.rivals:
            self.reward = self.game.reward()
        if is_undecided:
            return None
        final_row = self.game.learner_row() if self._spec.final_observations else None
        ended = EndedGames(self._spec.layout.seats, final_row)
        for _ in range(MOST_WITHOUT_DECISION):
            self._add_result(ended)
            self._begin_game()
            if self.game.advance():
                return ended
        raise ValueError(f"no learner had a decision in {MOST_WITHOUT_DECISION} games in a row")

    def _add_result(self, ended: EndedGames) -> None:
        if not self.game.is_terminated:
            ended.truncated = True
            return
        ended.rewards = [*map(add, ended.rewards, self.game.utilities())]
        ended.terminated = True

    def _begin_game(self) -> None:
        self.close()
        deal = self.deal = self._deals.draw()
        # Tables begin with different seats of the learner: every batch has games from all seats.
        turn = self._number + self._games
        self.game = LearnerGame(
            self._spec, self._scoring, deal.seed, turn, self._make_bot, deal.faces
        )
        self._has_game = True
        self._games += 1


class TableGroup:
    """Consecutive tables, one for each row of the arrays; `first`: the number of the first one."""

    def __init__(self, spec: TableSpec, first: int, arrays: BatchArrays) -> None:
        self._layout = spec.layout
        self._cache = spec.layout.new_cache()
        self._true_cache = spec.layout.new_cache()
        self._arrays = arrays
        self._first = first
        self._has_rivals = bool(spec.rivals)
        make_bot = bot_maker(spec)
        count = len(arrays.seats)
        self._tables = [LearningTable(spec, first + n, make_bot) for n in range(count)]
        self._legal: LegalBatch

    def reset(self, seed: int, game: int) -> None:
        """Start at all tables with the game of this number; raises EpisodeError."""
        self._advance(seed, game)

    def step(self) -> None:
        """Apply the actions in the arrays, which must be legal; raises EpisodeError."""
        self._advance(None)

    def close(self) -> None:
        """Close the bots of all tables; raises BotFaultError for the last that failed."""
        for table in self._tables:
            table.close()

    def repeat(self, seed: int, records: Sequence[tuple[int, Sequence[int]]]) -> None:
        """Repeat the games that began with a seed, and fill the arrays for the next step.

        `records`: for each table the number of its games, and the actions of the last one.
        """
        for table, (games, actions) in zip(self._tables, records, strict=True):
            table.repeat(seed, games, actions)
        self._fill([table.episode.turn() for table in self._tables])

    def _advance(self, seed: int | None, game: int = 0) -> None:
        """Start new games with a seed, or apply the actions if it is None; fill the arrays.

        `game`: the number of the first new game.
        """
        arrays = self._arrays
        for array in (arrays.rewards, arrays.terminated, arrays.truncated):
            array.fill(0)
        chosen = self._legal.meant(arrays.actions) if seed is None else []
        turns: list[tuple[Row, list[int]]] = []
        ended_games: dict[int, EndedGames] = {}
        for number, table in enumerate(self._tables):
            try:
                ended = table.step(chosen[number]) if seed is None else table.reset(seed, game)
                turns.append(table.episode.turn())
            except Exception as error:  # rules and bots may raise any exception
                where = self._tables[number].title
                raise EpisodeError(f"{where}: {describe_exception(error)}") from error
            if ended is not None:
                ended_games[number] = ended
        self._fill(turns)
        if ended_games:
            self._note([*ended_games], [*ended_games.values()])

    def _fill(self, turns: Sequence[tuple[Row, list[int]]]) -> None:
        """Fill the arrays about the next decisions; `turns`: each table's row and legal actions."""
        arrays = self._arrays
        rows, actions = [row for row, _ in turns], [legal for _, legal in turns]
        arrays.seats[:] = [row.viewer for row in rows]
        arrays.seeds[:] = [table.deal.number for table in self._tables]
        if self._has_rivals:
            arrays.learner_rewards[:] = [table.reward for table in self._tables]
        self._layout.encode_rows(rows, arrays.observations, self._cache)
        self._legal = self._layout.legal_many(rows, actions, self._cache, arrays.masks)
        if len(arrays.true_states):
            rows = [table.episode.row(EVERYTHING) for table in self._tables]
            self._layout.encode_rows(rows, arrays.true_states, self._true_cache)

    def _note(self, tables: list[int], games: list[EndedGames]) -> None:
        """Fill the arrays about ended games; `tables`: the rows of these games."""
        arrays = self._arrays
        arrays.rewards[tables] = [ended.rewards for ended in games]
        arrays.terminated[tables] = [ended.terminated for ended in games]
        arrays.truncated[tables] = [ended.truncated for ended in games]
        final_rows = [ended.final_row for ended in games if ended.final_row is not None]
        if final_rows:
            arrays.final_observations[tables] = self._layout.encode_rows(final_rows)
