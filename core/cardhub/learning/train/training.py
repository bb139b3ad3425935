"""A training: imitation of a bot, then self-play, update by update, to a file for the bot `net`."""

import json
from collections.abc import Mapping
from dataclasses import asdict, astuple
from datetime import UTC, datetime
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from cardhub.base.errors import OptionError
from cardhub.base.files import replace_bytes
from cardhub.learning.adapters.vector.factory import tables_of
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays.learner_slots import learner_inputs
from cardhub.learning.learn.model_file import NETWORK, read_weights, save
from cardhub.learning.train.actor_critic import ActorCritic
from cardhub.learning.train.exact_gain import BestPlayer, ExactGain
from cardhub.learning.train.imitation import NEW, DecisionMemory
from cardhub.learning.train.network import (
    SMALL_ARRAY,
    Network,
    PlayerLayers,
    hidden_width,
    load,
    pack,
)
from cardhub.learning.train.plan import TrainingPlan, training_layout
from cardhub.learning.train.rewards import Rewards
from cardhub.learning.train.schedule import MIXING, SHARP
from cardhub.learning.train.self_play import SelfPlay
from cardhub.learning.train.teacher_games import TeacherGames, TeacherTable
from cardhub.model.game.initial_state import game_scoring
from cardhub.plugins.registry import PluginRegistry

# Tables of a batch, and decisions at each of them.
TABLES, STEPS = 128, 64
# In a small game the player is measured exactly after each of this number of updates.
MEASURED_AFTER = 25
# The end of the name of the file from which a training goes on, and its version: the first one had
# networks that saw seats by their numbers at the table.
SUFFIX, VERSION = ".training", 2


class Training:
    """The networks of a training, and the games in which they learn.

    `workers`: the number of processes that play the games; with 1 it is this process. The result
    does not depend on it. `close` ends the others. Raises PluginError, BotError or OptionError if
    the plan's teacher cannot teach.
    """

    def __init__(self, registry: PluginRegistry, plan: TrainingPlan, workers: int = 1) -> None:
        self.plan = plan
        # First, because it can fail: the tables below may start processes.
        table = TeacherTable.of(plan, registry) if plan.teacher else None
        self._teacher = TeacherGames(table, workers) if table else None
        game = registry.game(plan.game)
        self.layout = training_layout(game, plan.players, plan.options)
        self._inputs, actions = learner_inputs(self.layout), self.layout.action_count
        width = hidden_width(self._inputs, actions)
        self._rewards = Rewards(game_scoring(game, self.layout.settings, self.layout.seats))
        schedule = MIXING if self.layout.size <= SMALL_ARRAY else SHARP
        self._networks = ActorCritic(
            self._inputs, width, actions, self.layout.seats, plan.seed, schedule
        )
        spec = TableSpec(self.layout, returns=self._rewards.results, true_states=True)
        self._tables = tables_of(spec, TABLES, 0 if workers == 1 else workers)
        scale = self.layout.score_scale
        self._play = SelfPlay(self._tables, self._inputs, STEPS, self._rewards, scale)
        self._memory = DecisionMemory(self.layout, self._inputs, self._rewards, schedule.readings)
        self._exact = ExactGain.within_reach(self.layout)
        self._best = BestPlayer(self._inputs, self._exact)
        self._begin()
        self.seconds = 0.0
        """The time spent on training."""
        self.imitates_from = 0.0, 0
        """The seconds and the updates before the imitation of the plan's teacher."""
        self._origin = ""

    @property
    def updates(self) -> int:
        """The number of finished updates."""
        return self._networks.updates

    @property
    def games(self) -> int:
        """The number of finished games of self-play."""
        return self._play.games

    @property
    def teacher_games(self) -> int:
        """The number of finished games of the teacher."""
        return self._teacher.games if self._teacher else 0

    @property
    def gain(self) -> float | None:
        """What a best response gains against the best player; None in a large game."""
        return self._best.gain

    def gain_in_file(self, path: Path) -> float | None:
        """Return what a best response gains against a saved player; None in a large game."""
        return None if self._exact is None else self._exact.of(load(read_weights(path)))

    def imitate(self, share_done: float = 0.0) -> None:
        """Play games of the teacher, and improve the networks by its latest decisions.

        `share_done`: the share of the imitation that is done; its last part has small steps.
        """
        assert self._teacher is not None
        self._memory.add(self._teacher.take(NEW))
        batches = self._memory.draw(self._rng, self._play.standing)
        self._networks.imitate(batches, share_done)
        self._measure()

    def end_imitation(self) -> None:
        """Free the processes and the memory of the teacher's games."""
        if self._teacher:
            self._teacher.close()
        self._memory.clear()

    def close(self) -> None:
        """End all processes that play games."""
        self.end_imitation()
        self._tables.close()

    def advance(self, share_done: float = 0.0) -> None:
        """Play a batch of games and improve the networks by them.

        `share_done`: the share of the whole training that is done; the last part has small steps.
        """
        batch = self._play.collect(self._networks, self._rng)
        self._networks.update(batch, self._rng, share_done)
        self._measure()

    def _measure(self) -> None:
        if self.updates % MEASURED_AFTER == 0:
            self._best.offer(self._player())

    def network(self) -> Network:
        """Return the player: in a small game the best, in a large game the last."""
        return Network(self._inputs, *self._layers())

    def _layers(self) -> PlayerLayers:
        return self._best.layers(self._player())

    def _player(self) -> PlayerLayers:
        layers = self._networks.player(self._rewards.utilities)
        standing = float(self._play.standing) * self._rewards.utilities.deviation
        return layers._replace(standing=standing)

    def save(self, path: Path, notes: Mapping[str, Any]) -> None:
        """Write the player, and the file from which the training goes on.

        `notes`: further facts about the training; the day of the file and the size of the training
        are added.
        """
        facts = {"date": f"{datetime.now(UTC):%Y-%m-%d}", "seed": self.plan.seed}
        facts |= {"updates": self.updates, "games": self.games}
        if self.plan.teacher:
            facts |= {"teacher": self.plan.teacher, "teacher_games": self.teacher_games}
        weights = pack(self._inputs, self._layers())
        save(weights, self.layout, path, loader=NETWORK, training=facts | dict(notes))
        replace_bytes(training_file(path), self._state())

    def _state(self) -> bytes:
        arrays: dict[str, Any] = {
            **self._networks.arrays(),
            **self._best.arrays(),
            "plan": json.dumps(asdict(self.plan), sort_keys=True),
            "layout": self.layout.fingerprint,
            "version": VERSION,
            "figures": [self.games, self.seconds, *astuple(self._rewards.utilities)],
            "margins": astuple(self._rewards.margins),
            "imitation": [self.teacher_games, *self.imitates_from],
            "origin": self._origin,
        }
        file = BytesIO()
        np.savez(file, **arrays)
        return file.getvalue()

    def restore(self, path: Path) -> None:
        """Go on from the training of a player's file; raises OptionError.

        The games in progress are not in it: new games begin.
        """
        self._read(path, is_source=False)

    def branch_from(self, source: Path) -> None:
        """Go on from another file's training; the imitation of another teacher begins.

        Raises OptionError.
        """
        self._read(source, is_source=True)

    def _read(self, path: Path, *, is_source: bool) -> None:
        file = training_file(path)
        try:
            content = file.read_bytes()
            with np.load(BytesIO(content), allow_pickle=False) as arrays:
                if arrays.get("version") != VERSION:
                    raise ValueError("another version of cardhub wrote it")
                plan = {"teacher": ""} | json.loads(str(arrays["plan"]))
                self._check(path, plan, has_any_teacher=is_source)
                self.layout.require(str(arrays["layout"]))
                self._networks.restore(arrays)
                self._best.restore(arrays)
                games, self.seconds, *utilities = arrays["figures"].tolist()
                self._rewards.restore(utilities, arrays["margins"].tolist())
                before = arrays["imitation"].tolist() if "imitation" in arrays else [0, 0, 0]
                origin = str(arrays.get("origin", ""))
        except (OSError, EOFError, ValueError, KeyError, RuntimeError, BadZipFile) as error:
            raise OptionError(
                f"the training of {path} cannot go on from {file}: {error}. fix: name another file"
            ) from error
        self._play.games = int(games)
        self._origin = sha256(content).hexdigest() if is_source else origin
        self._go_on_imitating(plan["teacher"], *before)
        self._begin()

    def _go_on_imitating(self, teacher: str, games: float, seconds: float, updates: float) -> None:
        """Go on with the imitation of a file's teacher, or begin to imitate another one."""
        if self._teacher is None:
            return
        if teacher == self.plan.teacher:
            self._teacher.games = int(games)
            self.imitates_from = seconds, int(updates)
        else:
            self.imitates_from = self.seconds, self.updates

    def _check(self, path: Path, before: Mapping[str, Any], *, has_any_teacher: bool) -> None:
        """Raise OptionError unless a file belongs to the same training."""
        now = json.loads(json.dumps(asdict(self.plan)))
        for name, value in now.items():
            if before.get(name) == value or (has_any_teacher and name == "teacher"):
                continue
            fix = "use the same value, or another file"
            if name == "teacher":
                fix = f"--continue {path} for another teacher, or name another file"
            raise OptionError(
                f"{path} was trained with {name}={before.get(name)!r}, not {value!r}. fix: {fix}"
            )

    def _begin(self) -> None:
        """Start new games, which follow from the seed and the number of updates."""
        self._rng = np.random.default_rng([self.plan.seed, self.updates])
        self._play.reset(int(self._rng.integers(1 << 32)))


def training_file(path: Path) -> Path:
    """Return the file from which the training of a player's file goes on."""
    return path.with_name(path.name + SUFFIX)


def is_branch(path: Path, source: Path) -> bool:
    """Return whether a file's training began from the present training of another file."""
    try:
        with np.load(training_file(path), allow_pickle=False) as arrays:
            origin = str(arrays.get("origin", ""))
        return origin == sha256(training_file(source).read_bytes()).hexdigest()
    except (OSError, ValueError, BadZipFile):
        return False
