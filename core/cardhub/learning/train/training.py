"""A training by self-play: from random play, update by update, to a file for the bot `net`."""

import json
from collections.abc import Mapping
from dataclasses import asdict, astuple, dataclass, field
from datetime import UTC, datetime
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import BadZipFile

import numpy as np

from cardhub.base.errors import OptionError
from cardhub.base.files import replace_bytes
from cardhub.learning.adapters.vector.factory import tables_of
from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays import Layout
from cardhub.learning.arrays.learner_slots import learner_inputs
from cardhub.learning.learn.model_file import NETWORK, read_weights, save
from cardhub.learning.train.actor_critic import ActorCritic
from cardhub.learning.train.exact_gain import BestPlayer, ExactGain
from cardhub.learning.train.network import Network, PlayerLayers, hidden_width, load, pack
from cardhub.learning.train.rewards import Rewards
from cardhub.learning.train.schedule import MIXING, SHARP
from cardhub.learning.train.self_play import SelfPlay
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.table.settings import Value

# Tables of a batch, and decisions at each of them.
TABLES, STEPS = 128, 64
# If an array has at most this number of slots, a network also sees this number of last actions.
SMALL_ARRAY, HISTORY = 256, 12
# In a small game the player is measured exactly after each of this number of updates.
MEASURED_AFTER = 25
# The end of the name of the file from which a training goes on, and its version: the first one had
# networks that saw seats by their numbers at the table.
SUFFIX, VERSION = ".training", 2


@dataclass(frozen=True, slots=True)
class TrainingPlan:
    """The parameters of a training: with the number of updates they determine its result."""

    game: str
    players: int
    seed: int
    options: Mapping[str, Value] = field(default_factory=dict)


class Training:
    """The networks of a training, and the games in which they learn."""

    def __init__(self, game: Game[Any], plan: TrainingPlan) -> None:
        self.plan = plan
        self.layout = training_layout(game, plan.players, plan.options)
        self._inputs, actions = learner_inputs(self.layout), self.layout.action_count
        width = hidden_width(self._inputs, actions)
        self._rewards = Rewards(game_scoring(game, self.layout.settings, self.layout.seats))
        schedule = MIXING if self.layout.size <= SMALL_ARRAY else SHARP
        self._networks = ActorCritic(
            self._inputs, width, actions, self.layout.seats, plan.seed, schedule
        )
        spec = TableSpec(self.layout, returns=self._rewards.results, true_states=True)
        tables = tables_of(spec, TABLES, 0)
        self._play = SelfPlay(tables, self._inputs, STEPS, self._rewards, self.layout.score_scale)
        self._exact = ExactGain.within_reach(self.layout)
        self._best = BestPlayer(self._inputs, self._exact)
        self._begin()
        self.seconds = 0.0
        """The time spent on training."""

    @property
    def updates(self) -> int:
        """The number of finished updates."""
        return self._networks.updates

    @property
    def games(self) -> int:
        """The number of finished games of self-play."""
        return self._play.games

    @property
    def gain(self) -> float | None:
        """What a best response gains against the best player; None in a large game."""
        return self._best.gain

    def gain_in_file(self, path: Path) -> float | None:
        """Return what a best response gains against a saved player; None in a large game."""
        return None if self._exact is None else self._exact.of(load(read_weights(path)))

    def advance(self, share_done: float = 0.0) -> None:
        """Play a batch of games and improve the networks by them.

        `share_done`: the share of the whole training that is done; the last part has small steps.
        """
        batch = self._play.collect(self._networks, self._rng)
        self._networks.update(batch, self._rng, share_done)
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
        }
        file = BytesIO()
        np.savez(file, **arrays)
        return file.getvalue()

    def restore(self, path: Path) -> None:
        """Go on from the training of a player's file; raises OptionError.

        The games in progress are not in it: new games begin.
        """
        file = training_file(path)
        try:
            with np.load(BytesIO(file.read_bytes()), allow_pickle=False) as arrays:
                if arrays.get("version") != VERSION:
                    raise ValueError("another version of cardhub wrote it")
                self._check(path, str(arrays["plan"]), str(arrays["layout"]))
                self._networks.restore(arrays)
                self._best.restore(arrays)
                games, self.seconds, *utilities = arrays["figures"].tolist()
                self._rewards.restore(utilities, arrays["margins"].tolist())
        except (OSError, EOFError, ValueError, KeyError, RuntimeError, BadZipFile) as error:
            raise OptionError(
                f"the training of {path} cannot go on from {file}: {error}. fix: name another file"
            ) from error
        self._play.games = int(games)
        self._begin()

    def _check(self, path: Path, plan: str, fingerprint: str) -> None:
        """Raise OptionError unless a file belongs to the same training."""
        before, now = json.loads(plan), json.loads(json.dumps(asdict(self.plan)))
        for name, value in now.items():
            if before.get(name) != value:
                raise OptionError(
                    f"{path} was trained with {name}={before.get(name)!r}, not {value!r}. "
                    "fix: use the same value, or another file"
                )
        self.layout.require(fingerprint)

    def _begin(self) -> None:
        """Start new games, which follow from the seed and the number of updates."""
        self._rng = np.random.default_rng([self.plan.seed, self.updates])
        self._play.reset(int(self._rng.integers(1 << 32)))


def training_file(path: Path) -> Path:
    """Return the file from which the training of a player's file goes on."""
    return path.with_name(path.name + SUFFIX)


def training_layout(game: Game[Any], players: int, options: Mapping[str, Value]) -> Layout:
    """Return the layout of a network for a game.

    In a small game the last actions are included, because a mixed strategy depends on them.
    """
    layout = Layout(game, players, options)
    if layout.size > SMALL_ARRAY:
        return layout
    return Layout(game, players, options, history=HISTORY)
