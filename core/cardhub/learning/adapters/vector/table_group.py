"""Some tables of a vector environment, stepped together in one process."""

from typing import NoReturn

from cardhub.base.errors import EpisodeError
from cardhub.base.errors.quoting import describe_exception
from cardhub.learning.adapters.vector.batch_arrays import BatchArrays
from cardhub.learning.adapters.vector.learner_game import bot_maker
from cardhub.learning.adapters.vector.learning_table import EndedGames, LearningTable
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays import Row
from cardhub.learning.arrays.legal_batch import LegalBatch


class TableGroup:
    """Consecutive tables, one for each row of the arrays; `first`: the number of the first one."""

    def __init__(self, spec: TableSpec, first: int, arrays: BatchArrays) -> None:
        self._layout = spec.layout
        self._cache = spec.layout.new_cache()
        self._arrays = arrays
        self._first = first
        self._has_rivals = bool(spec.rivals)
        make_bot = bot_maker(spec.layout.game.name)
        count = len(arrays.seats)
        self._tables = [LearningTable(spec, first + n, make_bot) for n in range(count)]
        self._legal: LegalBatch

    def reset(self, seed: int) -> None:
        """Start new games at all tables; raises EpisodeError."""
        self._advance(seed)

    def step(self) -> None:
        """Apply the actions in the arrays, which must be legal; raises EpisodeError."""
        self._advance(None)

    def close(self) -> None:
        """Close the bots of all tables; raises BotFaultError for the last that failed."""
        for table in self._tables:
            table.close()

    def _advance(self, seed: int | None) -> None:
        """Start new games with a seed, or apply the actions if it is None; fill the arrays."""
        arrays = self._arrays
        for array in (arrays.rewards, arrays.terminated, arrays.truncated):
            array.fill(0)
        chosen = self._legal.meant(arrays.actions) if seed is None else []
        rows: list[Row] = []
        actions: list[list[int]] = []
        ended_games: dict[int, EndedGames] = {}
        for number, table in enumerate(self._tables):
            try:
                ended = table.step(chosen[number]) if seed is None else table.reset(seed)
                row, choices = table.episode.turn()
            except Exception as error:  # noqa: BLE001  # rules and bots may raise any exception
                self._fail(number, error)
            rows.append(row)
            actions.append(choices)
            if ended is not None:
                ended_games[number] = ended
        arrays.seats[:] = [row.viewer for row in rows]
        arrays.seeds[:] = [table.seed for table in self._tables]
        if self._has_rivals:
            arrays.learner_rewards[:] = [table.reward for table in self._tables]
        self._layout.encode_rows(rows, arrays.observations, self._cache)
        self._legal = self._layout.legal_many(rows, actions, self._cache, arrays.masks)
        if ended_games:
            self._note([*ended_games], [*ended_games.values()])

    def _note(self, tables: list[int], games: list[EndedGames]) -> None:
        """Fill the arrays about ended games; `tables`: the rows of these games."""
        arrays = self._arrays
        arrays.rewards[tables] = [ended.rewards for ended in games]
        arrays.terminated[tables] = [ended.terminated for ended in games]
        arrays.truncated[tables] = [ended.truncated for ended in games]
        final_rows = [ended.final_row for ended in games if ended.final_row is not None]
        if final_rows:
            arrays.final_observations[tables] = self._layout.encode_rows(final_rows)

    def _fail(self, number: int, error: Exception) -> NoReturn:
        table = self._tables[number]
        where = f"table {self._first + number}, game with seed {table.seed}"
        raise EpisodeError(f"{where}: {describe_exception(error)}") from error
