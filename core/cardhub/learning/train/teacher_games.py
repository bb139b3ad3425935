"""Games of a teacher, from whose decisions a network learns before it plays against itself."""

from collections.abc import Mapping, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import ExitStack
from functools import cache
from math import fsum
from pathlib import Path
from random import Random
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from cardhub.base.errors import BotIllegalError, CardhubError, EpisodeError, OptionError
from cardhub.bots import Bot, MixedBot, Searcher
from cardhub.bots.asking import call_bot, choose, policy_of, visits_of
from cardhub.lab.match.run.deferred_signals import interruptible
from cardhub.lab.match.run.executors import make_executor
from cardhub.learning.adapters.episode import Episode
from cardhub.learning.adapters.utilities import utilities
from cardhub.learning.adapters.vector.learner_game import registry_in
from cardhub.learning.arrays import Layout, Mask, Row, Slots
from cardhub.learning.train.plan import TrainingPlan, training_layout
from cardhub.learning.train.rewards import Rewards
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.model.table.rounds import is_in_round
from cardhub.model.table.settings import Value
from cardhub.play.setup import bot_generator, closing
from cardhub.plugins.bot_files import anchored, warm_up
from cardhub.plugins.registry import PluginRegistry

Bits = NDArray[np.uint8]

# The power of a search's visits: a search also visits actions that it would not take.
SHARPNESS = 2.0
# The share of its decisions in which a search's action is drawn from the shares, to vary the games,
# and the share in which another bot takes any legal action, because a network also has to know what
# to do after mistakes.
VARIETY, MISTAKES = 0.2, 0.1
# The number of games that each worker process has ahead of the training.
AHEAD = 2


class TeacherDecisions(NamedTuple):
    """The decisions of a teacher in one game, one in each row of all arrays.

    `observations` and `true_states`: arrays in the layout's compact form. `masks`: the legal
    actions, one bit each. `shares`: the probability of each action. `results`: the results of the
    game by seat, of the kind that rewards read.
    """

    observations: Bits
    masks: Bits
    true_states: Bits
    shares: Slots
    results: NDArray[np.float64]


class TeacherTable(NamedTuple):
    """The table of a teacher's games, as worker processes get it.

    `teacher`: a spec with absolute paths.
    """

    game: str
    players: int
    options: tuple[tuple[str, Value], ...]
    seed: int
    teacher: str
    directories: tuple[Path, ...]

    @classmethod
    def of(cls, plan: TrainingPlan, registry: PluginRegistry) -> Self:
        """Return the table of a plan's teacher.

        Raises PluginError, BotError or OptionError, also for a bot that looks at the clock.
        """
        game, teacher = plan.game, plan.teacher
        if any(part.looks_at_clock for part in registry.parts(teacher, game)):
            raise OptionError(
                f"{teacher} looks at the clock, so equal seeds would not give equal games. "
                "fix: a bot that does not, such as ismcts:300"
            )
        table = plan.players, plan.options
        call_bot(warm_up, registry, teacher, game, *table, passing=(CardhubError,))
        spec, options = anchored(registry, teacher, game), tuple(plan.options.items())
        return cls(game, plan.players, options, plan.seed, spec, registry.directories)


class TeacherGames:
    """The games of a teacher, in the order of their numbers with any number of processes.

    `workers`: the number of processes; with 1 the games are played in this process. `close` ends
    the others.
    """

    def __init__(self, table: TeacherTable, workers: int = 1) -> None:
        self._table, self._workers = table, workers
        self._executor: Executor | None = None
        self._stack = ExitStack()
        self._playing: dict[int, Future[TeacherDecisions]] = {}
        self.games = 0
        """The number of games taken, which is the number of the next game."""

    def take(self, decisions: int) -> list[TeacherDecisions]:
        """Return the next games with at least this number of decisions in all.

        Raises BotFaultError, or EpisodeError if a process ends.
        """
        games: list[TeacherDecisions] = []
        while decisions > 0:
            game = self._play(self.games + len(games))
            games.append(game)
            decisions -= max(len(game.shares), 1)  # in some games of chance nothing is decided
        self.games += len(games)
        return games

    def close(self) -> None:
        """End the worker processes; more games start others."""
        self._playing.clear()
        self._executor = None
        self._stack.close()

    def _play(self, number: int) -> TeacherDecisions:
        if self._executor is None:
            self._executor = self._stack.enter_context(make_executor(self._workers)())
        ahead = 1 if self._workers == 1 else AHEAD * self._workers
        try:
            for later in range(number, number + ahead):
                if later not in self._playing:
                    future = self._executor.submit(play_teacher_game, self._table, later)
                    self._playing[later] = future
            with interruptible():
                game = self._playing[number].result()
        except BrokenExecutor as error:
            raise EpisodeError(f"a process with games of {self._table.teacher} ended") from error
        del self._playing[number]
        return game


def play_teacher_game(table: TeacherTable, number: int) -> TeacherDecisions:
    """Play the game with this number, which follows from the table's seed and the number alone.

    Raises BotFaultError.
    """
    return _room_of(table).play(f"{table.seed} teacher {number}")


@cache  # a process plays many games of a training
def _room_of(table: TeacherTable) -> "TeacherRoom":
    registry = registry_in(table.directories)
    game = registry.game(table.game)
    return TeacherRoom(table, registry, training_layout(game, table.players, dict(table.options)))


class TeacherRoom:
    """What a process keeps for all games of a table."""

    def __init__(self, table: TeacherTable, registry: PluginRegistry, layout: Layout) -> None:
        self._table, self._registry, self._layout = table, registry, layout
        self._scoring = game_scoring(layout.game, layout.settings, layout.seats)
        self._results = Rewards(self._scoring).results

    def play(self, seed: str) -> TeacherDecisions:
        """Play the game of a seed, from which its bots and the variety of actions follow, too."""
        table, make_bot = self._table, self._registry.make_bot
        episode, rng = Episode(self._layout, seed), Random(f"{seed} variety")
        decisions: list[Decision] = []
        bots: dict[int, Bot] = {}
        with closing(bots):
            for seat in range(table.players):
                bots[seat] = make_bot(table.teacher, table.game, bot_generator(seed, seat))
            while not episode.is_over:
                row, legal = episode.turn()
                if len(legal) == 1:
                    episode.apply(legal[0])
                    continue
                bot, observation = bots[episode.seat], episode.observe(episode.seat)
                shares = shares_of(bot, observation)
                decisions.append(self._decision(episode, row, shares))
                episode.apply(_varied_action(bot, observation, shares, rng))
        results = utilities(episode.scores(), self._results, self._scoring)
        return self._packed(decisions, results)

    def _decision(self, episode: Episode, row: Row, shares: Mapping[int, float]) -> "Decision":
        layout = self._layout
        legal = episode.numbered(layout)
        by_number = np.zeros(layout.action_count, np.float32)
        for number, action in zip(legal.numbers, legal.actions, strict=True):
            by_number[number] += shares.get(action, 0.0)  # equal cards have one number
        arrays = layout.encode_rows([row, episode.row(EVERYTHING)])
        return Decision(arrays, layout.mask_many([legal.numbers])[0], by_number)

    def _packed(
        self, decisions: Sequence["Decision"], results: Sequence[float]
    ) -> TeacherDecisions:
        layout, count = self._layout, len(decisions)
        # `reshape` also accepts a game without decisions.
        arrays = np.reshape([d.arrays for d in decisions], (count, 2, layout.size))
        masks = np.reshape([d.mask for d in decisions], (count, layout.action_count))
        shares = np.reshape([d.shares for d in decisions], (count, layout.action_count))
        observations, true_states = layout.compact(arrays.swapaxes(0, 1).astype(np.float32))
        return TeacherDecisions(
            observations,
            np.packbits(masks.astype(np.int8), axis=1),
            true_states,
            shares.astype(np.float32),
            np.tile(np.array(results, np.float64), (count, 1)),
        )


class Decision(NamedTuple):
    """A decision in a game: the arrays of the seat to act and of the true state, and the actions.

    `shares`: the probability of each action, as learners number them.
    """

    arrays: Slots
    mask: Mask
    shares: Slots


def shares_of(bot: Bot, observation: Observation[Any]) -> Mapping[int, float]:
    """Return a bot's probabilities of legal actions; raises BotFaultError.

    If it is neither a Searcher nor a MixedBot, the action that it chooses has all of the
    probability.
    """
    if isinstance(bot, Searcher):
        power = 1.0 if is_in_round(observation.state) else SHARPNESS
        weights = {action: n**power for action, n in visits_of(bot, observation).items()}
        total = fsum(weights.values())
        return {action: weight / total for action, weight in weights.items()}
    if isinstance(bot, MixedBot):
        return policy_of(bot, observation)
    action = choose(bot, observation)
    if action not in observation.legal():
        raise BotIllegalError(observation.refusal(action), action)
    return {action: 1.0}


def _varied_action(
    bot: Bot, observation: Observation[Any], shares: Mapping[int, float], rng: Random
) -> int:
    """Return the action that goes on with the game: mostly one of the bot's best."""
    if isinstance(bot, Searcher):
        # Where seats choose at the same time, a search also draws its own action.
        if not is_in_round(observation.state) and rng.random() >= VARIETY:
            return max(shares, key=shares.__getitem__)
    elif rng.random() < MISTAKES:
        return rng.choice(observation.legal())
    return rng.choices([*shares], [*shares.values()])[0]
