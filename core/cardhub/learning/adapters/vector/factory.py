"""Create a vector environment of a game, given by name or as an object."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from cardhub.base.errors import OptionError
from cardhub.learning.adapters.episode import named_game
from cardhub.learning.adapters.utilities import GOAL
from cardhub.learning.adapters.vector.learner_game import bot_maker
from cardhub.learning.adapters.vector.seeding import PLAY
from cardhub.learning.adapters.vector.table_spec import (
    FINAL,
    TableSpec,
    check_seeding,
    check_spec,
)
from cardhub.learning.adapters.vector.vector_env import LocalVectorEnv, VectorEnv
from cardhub.learning.adapters.vector.worker_env import WorkerVectorEnv
from cardhub.learning.arrays import Layout
from cardhub.model.game.game import Game
from cardhub.model.table.settings import Value
from cardhub.play.setup import close


def vector_env(
    game: str | Game[Any],
    tables: int,
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    *,
    workers: int = 0,
    seeding: str = PLAY,
    **choices: Any,
) -> VectorEnv:
    """Return an environment of many tables of a game, given by name or as an object.

    `workers`: the number of processes that step them; 0 means the calling process. `seeding`:
    `play` for the deals of `cardhub play --seed`, or `fast` for deals in a row by one generator.
    `choices`: parameters of `table_spec`; without rivals every seat is a learner's. Raises
    PluginError or OptionError.
    """
    return tables_of(table_spec(game, players, options, **choices), tables, workers, seeding)


def table_spec(
    game: str | Game[Any],
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    *,
    rivals: Sequence[str] = (),
    seat: int | None = None,
    returns: str = GOAL,
    max_actions: int | None = None,
    rewards: str = FINAL,
    illegal_reward: float | None = None,
    final_observations: bool = False,
    true_states: bool = False,
    **arrays: Any,
) -> TableSpec:
    """Return the parameters of tables of a game, given by name or as an object.

    `rivals`: the specs of bots, which play all seats except one. `arrays`: parameters of `Layout`,
    for example `history` and `recall`. See TableSpec for the other parameters. Raises PluginError
    or OptionError.
    """
    layout = Layout(named_game(game), players, options, **arrays)
    spec = TableSpec(
        layout,
        returns,
        max_actions,
        tuple(rivals),
        seat,
        rewards,
        illegal_reward,
        final_observations,
        true_states,
    )
    check_spec(spec)
    return spec


def tables_of(spec: TableSpec, tables: int, workers: int, seeding: str = PLAY) -> VectorEnv:
    """Return an environment of many tables; raises PluginError or OptionError."""
    check_seeding(seeding)
    if tables < 1:
        raise OptionError(f"tables cannot be {tables}: it is at least 1")
    if not 0 <= workers <= tables:
        raise OptionError(f"workers cannot be {workers}: it is from 0 to {tables}, the tables")
    check_rivals(spec)
    spec = replace(spec, seeding=seeding)
    if workers:
        return WorkerVectorEnv(spec, tables, workers)
    return LocalVectorEnv(spec, tables)


def check_rivals(spec: TableSpec) -> None:
    """Create each bot once, to report an invalid spec before the first game."""
    if not spec.rivals:
        return
    make_bot = bot_maker(spec)
    for rival in dict.fromkeys(spec.rivals):
        close(make_bot(rival, Random(rival)))
