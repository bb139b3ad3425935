"""Many tables in one process: the games of single stepping, in arrays that are allocated once."""

from collections.abc import Sequence
from dataclasses import fields, replace
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from tests.games.magpie import Magpie
from tests.learning.adapters.vector.failing_tables import failing_tables

from cardhub import Game
from cardhub.base.errors import EpisodeError, IllegalActionError, OptionError, PluginError
from cardhub.learning.adapters.episode import Episode
from cardhub.learning.adapters.utilities import utilities
from cardhub.learning.adapters.vector import BatchArrays, VectorEnv, vector_env
from cardhub.learning.adapters.vector.factory import table_spec, tables_of
from cardhub.learning.adapters.vector.vector_env import LocalVectorEnv
from cardhub.model.game.initial_state import game_scoring
from cardhub.plugins.registry import find_plugins
from kuhn import Kuhn
from kuhn.game import BET, CALL, CHECK

GAMES: list[str | Game[Any]] = ["garner", "gamon", "leduc", "spades", "goofspiel", Magpie()]
games_of_each_kind = pytest.mark.parametrize(
    "game", GAMES, ids=lambda game: game if isinstance(game, str) else game.name
)


def some_actions(arrays: BatchArrays, step: int, first: int = 0) -> list[int]:
    """Return a legal action for each table that depends on its number and the step only."""
    actions = []
    for table, mask in enumerate(arrays.masks, start=first):
        legal = np.flatnonzero(mask).tolist()
        actions.append(Random(f"{table} {step}").choice(legal))
    return actions


def kept(arrays: BatchArrays) -> list[bytes]:
    """Return the contents of all arrays."""
    return [getattr(arrays, field.name).tobytes() for field in fields(arrays)]


def kept_over(env: VectorEnv, steps: int, seed: int) -> list[list[bytes]]:
    """Return copies of all arrays after each of several steps."""
    arrays = env.reset(seed)
    copies = [kept(arrays)]
    for step in range(steps):
        copies.append(kept(env.step(some_actions(arrays, step))))
    return copies


class OneByOne:
    """A game of one table that is stepped separately and encoded from observations."""

    def __init__(self, env: VectorEnv, seed: int) -> None:
        layout = env.layout
        self.layout = layout
        self.episode = Episode(layout, seed)

    def check(self, arrays: BatchArrays, table: int) -> None:
        """Compare the row of a table with this game."""
        seen = self.episode.observe(self.episode.seat)
        assert arrays.seats[table] == self.episode.seat
        assert np.array_equal(arrays.observations[table], self.layout.encode(seen))
        assert np.array_equal(arrays.masks[table], self.layout.mask(seen))

    def rewards(self) -> list[float]:
        """Return the utilities of the scores."""
        layout = self.layout
        scoring = game_scoring(layout.game, layout.settings, layout.seats)
        return utilities(self.episode.scores(), "goal", scoring)


@games_of_each_kind
def test_every_table_plays_the_games_of_single_stepping(game: str | Game[Any]) -> None:
    """Arrays, masks and rewards equal those in games with the arrays' seeds."""
    env = vector_env(game, 3, history=2)
    arrays = env.reset(5)
    games = [OneByOne(env, int(seed)) for seed in arrays.seeds]
    for step in range(40):
        for table, single in enumerate(games):
            single.check(arrays, table)
        actions = some_actions(arrays, step)
        env.step(actions)
        for table, (single, action) in enumerate(zip(games, actions, strict=True)):
            single.episode.apply(single.episode.numbered(single.layout).chosen(action))
            is_over = single.episode.is_over
            assert arrays.terminated[table] == is_over
            assert arrays.rewards[table].tolist() == (
                single.rewards() if is_over else [0.0] * env.layout.seats
            )
            if is_over:
                games[table] = OneByOne(env, int(arrays.seeds[table]))
    assert not arrays.truncated.any()


def test_a_table_does_not_depend_on_the_others() -> None:
    """A table's games follow from the seed and the table's number."""
    few, many = vector_env("leduc", 2), vector_env("leduc", 5)
    ones, others = few.reset(1), many.reset(1)
    for step in range(30):
        assert np.array_equal(ones.observations, others.observations[:2])
        assert np.array_equal(ones.rewards, others.rewards[:2])
        few.step(some_actions(ones, step))
        many.step(some_actions(others, step))
    assert len(set(others.seeds.tolist())) == 5


def test_the_deals_of_a_table_do_not_depend_on_its_actions() -> None:
    seeds: list[list[int]] = []
    for answer in (CALL, BET):
        env = vector_env(Kuhn(), 1)
        arrays = env.reset(3)
        table_seeds: list[int] = []
        while len(table_seeds) < 10:
            legal = np.flatnonzero(arrays.masks[0]).tolist()
            env.step([answer if answer in legal else legal[0]])
            if arrays.terminated[0]:
                table_seeds.append(int(arrays.seeds[0]))
        seeds.append(table_seeds)
    assert seeds[0] == seeds[1]
    assert len(set(seeds[0])) == 10


def test_the_arrays_are_allocated_once() -> None:
    """Learners keep them, in pinned memory for instance."""
    env = vector_env("leduc", 4)
    arrays = env.reset(1)
    buffers = [getattr(arrays, field.name).ctypes.data for field in fields(arrays)]
    for step in range(10):
        assert env.step(some_actions(arrays, step)) is arrays
    assert [getattr(arrays, field.name).ctypes.data for field in fields(arrays)] == buffers
    assert all(address % 16 == 0 for address in buffers)


def test_equal_seeds_are_equal_games_and_the_next_reset_goes_on() -> None:
    ones, others = vector_env("leduc", 3), vector_env("leduc", 3)
    first = kept_over(ones, 5, seed=9)
    assert kept_over(others, 5, seed=9) == first
    again = [kept(env.reset()) for env in (ones, others)]
    assert again[0] == again[1]
    assert again[0][0] != first[0][0]
    assert kept(ones.reset()) != again[0]


def test_illegal_actions_change_no_table() -> None:
    """The error names the first table, and its legal actions."""
    env = vector_env(Kuhn(), 2)
    arrays = env.reset(1)
    before = kept(arrays)
    for action in (CALL, -1, 99):
        with pytest.raises(IllegalActionError, match=rf"table 1: action {action} .*Legal: 0, 1"):
            env.step([CHECK, action])
        assert kept(arrays) == before
    env.step([CHECK, BET])
    assert np.flatnonzero(arrays.masks[1]).tolist() == [2, 3]


@pytest.mark.parametrize("actions", [[0], [0.0, 1.0], [[0, 1]], ["a", "b"]])
def test_actions_are_one_int_for_each_table(actions: Any) -> None:
    """Numpy would broadcast one action to all tables, or cut off fractions."""
    env = vector_env(Kuhn(), 2)
    env.reset(1)
    with pytest.raises(ValueError, match="fix: pass an int for each of 2 tables"):
        env.step(actions)


def test_a_step_needs_a_reset() -> None:
    """A step before the first reset or after `close` is an error."""
    with vector_env(Kuhn(), 2) as env:
        with pytest.raises(ValueError, match="call `reset` first"):
            env.step([0, 0])
        env.reset(1)
    with pytest.raises(ValueError, match="call `reset` first"):
        env.step([0, 0])


def test_long_games_are_truncated() -> None:
    """They bring no rewards, and the next game begins."""
    env = vector_env("gamon", 2, max_actions=3)
    arrays = env.reset(2)
    seeds = arrays.seeds.copy()
    for step in range(3):
        assert not arrays.truncated.any()
        env.step(some_actions(arrays, step))
    assert arrays.truncated.all()
    assert not arrays.terminated.any()
    assert not arrays.rewards.any()
    assert (arrays.seeds != seeds).all()


@pytest.mark.parametrize(
    ("choices", "message"),
    [
        ({"tables": 0}, "tables cannot be 0"),
        ({"workers": 3}, "workers cannot be 3: it is from 0 to 2"),
        ({"workers": -1}, "workers cannot be -1"),
        ({"returns": "gaol"}, "Did you mean 'goal'"),
        ({"max_actions": 0}, "max_actions cannot be 0"),
        ({"seat": 1}, "seat cannot be 1: with rivals"),
        ({"rivals": ["random"], "seat": 2}, "from 0 to 1"),
        ({"rewards": "deltas"}, "need a learner. fix: name rivals"),
        ({"players": 3}, "for 2 players, not for 3"),
    ],
)
def test_invalid_parameters_are_refused(choices: dict[str, Any], message: str) -> None:
    with pytest.raises(OptionError, match=message):
        vector_env(Kuhn(), **{"tables": 2, **choices})


def test_an_unknown_rival_is_refused_at_once() -> None:
    with pytest.raises(PluginError, match="randon"):
        vector_env("kuhn", 1, rivals=["randon"])


def test_a_game_whose_rules_raise_is_named_and_can_be_reset() -> None:
    """The error has the table, the seed of the game and the exception."""
    env = LocalVectorEnv(failing_tables(), 2)
    with pytest.raises(EpisodeError, match=r"table \d, game with seed \d+: ZeroDivisionError"):
        kept_over(env, 10, seed=1)
    with pytest.raises(ValueError, match="call `reset` first"):
        env.step([0, 0])
    env.step(some_actions(env.reset(1), 0))


def seats_of_learner(rivals: Sequence[str], seat: int | None, tables: int) -> list[set[int]]:
    """Return the seats that act at each table over some games."""
    env = vector_env("hearts", tables, rivals=rivals, seat=seat)
    arrays = env.reset(4)
    seats: list[set[int]] = [set() for _ in range(tables)]
    for step in range(60):
        for table in range(tables):
            seats[table].add(int(arrays.seats[table]))
        env.step(some_actions(arrays, step))
    return seats


def test_with_rivals_a_learner_sees_its_own_decisions_only() -> None:
    assert seats_of_learner(["random"], 2, 2) == [{2}, {2}]
    assert all(len(seats) > 1 for seats in seats_of_learner(["random"], None, 2))


def test_games_against_rivals_are_equal_for_equal_seeds() -> None:
    """Rivals get a generator from the seed of the game."""
    runs = []
    for _ in range(2):
        env = vector_env("leduc", 3, rivals=["ismcts:20"])
        runs.append(kept_over(env, 12, seed=6))
        assert env.arrays.seeds.all()
        env.close()
    assert runs[0] == runs[1]


def test_final_observations_are_kept_if_asked_for() -> None:
    env = vector_env("kuhn", 1, final_observations=True)
    env.reset(5)
    for action in (BET, CALL):
        seat = int(env.arrays.seats[0])
        env.step([action])
    last = env.arrays.final_observations[0]
    assert env.arrays.terminated[0]
    assert env.layout.read(last, "viewer").argmax() == seat
    assert env.layout.read(last, "seat")[-1] == 1
    assert vector_env("kuhn", 1).arrays.final_observations.size == 0


def test_rewards_against_rivals_are_those_of_whole_games() -> None:
    env = vector_env("kuhn", 4, rivals=["random"])
    arrays, games, total = env.reset(8), 0, 0.0
    for step in range(60):
        env.step(some_actions(arrays, step))
        assert (arrays.rewards.sum(axis=1) == 0).all()
        assert (np.abs(arrays.rewards).max(axis=1) > 0)[arrays.terminated].all()
        games += int(arrays.terminated.sum())
        total += float(np.abs(arrays.rewards).sum())
    assert games > 60
    assert total >= 2 * games


def test_tables_take_a_row_of_choices_in_place_of_each_number() -> None:
    by_number, by_choices = vector_env("holdem", 3), vector_env("holdem", 3)
    arrays, others = by_number.reset(2), by_choices.reset(2)
    for step in range(20):
        actions = some_actions(arrays, step)
        by_number.step(actions)
        by_choices.step(np.maximum(by_choices.layout.action_heads.split(actions), 0))
        assert kept(arrays) == kept(others)


def test_rivals_come_from_a_folder_of_plugins() -> None:
    """`cardhub --plugins-dir DIR train GAME` measures against the bots of that folder."""
    registry = find_plugins([Path(__file__).parents[3] / "lab/tune/entrants"])
    spec = table_spec("gamon", rivals=["climber"])
    with pytest.raises(PluginError, match="unknown bot 'climber'"):
        tables_of(spec, 1, 0)
    with tables_of(replace(spec, directories=registry.directories), 1, 0) as tables:
        assert tables.reset(0).masks.any()
