"""One game of a learner and bots."""

from collections.abc import Callable
from functools import cache, partial
from pathlib import Path
from random import Random
from typing import Final

from cardhub.base.errors import BotIllegalError
from cardhub.bots import Bot
from cardhub.bots.asking import choose
from cardhub.learning.adapters.episode import Episode
from cardhub.learning.adapters.utilities import utilities
from cardhub.learning.adapters.vector.table_spec import DELTAS, TableSpec
from cardhub.learning.arrays import Row
from cardhub.model.game.initial_state import Seed
from cardhub.model.table.scoring import Scoring
from cardhub.model.table.state import OVER
from cardhub.play.seeds import bot_seed
from cardhub.play.setup import close_bots
from cardhub.plugins.registry import PluginRegistry, find_plugins

# The action in place of an illegal action, if illegal actions end the game.
FORFEIT: Final = -1

# A function that returns a new bot, given its spec and its generator.
MakeBot = Callable[[str, Random], Bot]


class LearnerGame:
    """A game in which bots act for the rivals, and the caller acts for the other seats.

    `turn`: the number of the game at its table, which decides the learner's seat. `faces`: the
    faces by token, or None for the deal of the seed.
    """

    def __init__(
        self,
        spec: TableSpec,
        scoring: Scoring,
        seed: Seed,
        turn: int,
        make_bot: MakeBot,
        faces: list[int] | None = None,
    ) -> None:
        layout = spec.layout
        self._spec = spec
        self._scoring = scoring
        self.seed = seed
        self.learner = spec.learner(turn)
        """The seat of the learner among rivals, or None."""
        self.episode = Episode(layout, seed, faces)
        self.has_forfeited = False
        self._bots = {
            seat: make_bot(rival, Random(bot_seed(seed, seat)))
            for seat, rival in spec.rivals_by_seat(turn).items()
        }
        self._actions = 0
        self._paid = 0.0

    @property
    def is_terminated(self) -> bool:
        """Whether the game is over."""
        return self.has_forfeited or self.episode.is_over

    def act(self, action: int) -> None:
        """Apply a legal action of the seat to act, or FORFEIT, without a check."""
        if action == FORFEIT:
            self.has_forfeited = True
            return
        self.episode.apply(action)
        self._actions += 1

    def advance(self) -> bool:
        """Play the bots' actions; return whether there is a decision for a learner."""
        episode, bots, most = self.episode, self._bots, self._spec.max_actions
        if self.has_forfeited:
            return False
        while (seat := episode.seat) != OVER and self._actions != most:
            bot = bots.get(seat)
            if bot is None:
                return True
            observation = episode.observe(seat)
            action = choose(bot, observation)
            if action not in episode.legal():
                raise BotIllegalError(observation.refusal(action), action)
            episode.apply(action)
            self._actions += 1
        return False

    def learner_row(self) -> Row:
        """Return the learner's row; without rivals, the row of the seat that acted last."""
        episode, viewer = self.episode, self.learner
        if viewer is None:
            viewer = next((seat for seat, _ in reversed(episode.history) if seat >= 0), 0)
        return episode.turn()[0] if viewer == episode.seat else episode.row(viewer)

    def utilities(self) -> list[float]:
        """Return the utilities by seat of a game that is over or forfeited."""
        layout, spec = self._spec.layout, self._spec
        if self.has_forfeited and self.learner is not None:
            values = [0.0] * layout.seats
            values[self.learner] = spec.illegal_reward or 0.0
            return values
        return utilities(self.episode.scores(), spec.returns, self._scoring)

    def reward(self) -> float:
        """Return the learner's reward since the last call."""
        reward = self._total() - self._paid
        self._paid += reward
        return reward

    def close(self) -> None:
        """Close the bots; raises BotFaultError."""
        if self._bots:
            bots, self._bots = self._bots, {}
            close_bots(bots.values())

    def _total(self) -> float:
        """Return the sum of the learner's rewards so far."""
        learner = self.learner
        if learner is None:
            return 0.0
        if self.is_terminated:
            return self.utilities()[learner]
        # Use only scores that the learner can see: a reward must not reveal hidden faces.
        scores = self.episode.row(learner).scores if self._spec.rewards == DELTAS else ()
        if not scores:
            return self._paid
        return utilities(scores, self._spec.returns, self._scoring)[learner]


def bot_maker(spec: TableSpec) -> MakeBot:
    """Return a function that makes bots for the game of these tables."""
    return partial(_make_bot, spec.layout.game.name, spec.directories)


def _make_bot(game: str, directories: tuple[Path, ...] | None, spec: str, rng: Random) -> Bot:
    return registry_in(directories).make_bot(spec, game, rng)


@cache  # search plugins once for all games, and only if there are bots
def registry_in(directories: tuple[Path, ...] | None) -> PluginRegistry:
    """Return the plugins in these directories, by default the usual ones."""
    return find_plugins(directories)
