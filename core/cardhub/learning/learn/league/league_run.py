"""A league: train a learner against its earlier versions, and rate each checkpoint."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, TypeAlias

from cardhub.base.errors import OptionError
from cardhub.base.files import reserve
from cardhub.lab.match.match_spec import Match
from cardhub.learning.learn.league.checkpoints import (
    PLAN,
    LeaguePlan,
    LeagueRating,
    Member,
    build_standings,
    match_folder,
    match_of,
    play_match,
)
from cardhub.learning.learn.league.trainers import Trainer
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import PluginRegistry, find_plugins

RIVALS = ("random",)
# Seeds of libraries are unsigned integers of 32 bits.
SEEDS = 1 << 32
Phase: TypeAlias = Literal["train", "rate"]
BUSY = "this league is being run by another program; wait for it, or stop it there"


class League:
    """A learner, the pool of its checkpoints, and their ratings, in a folder.

    The learner plays one seat of a Gymnasium environment. Every `every` steps a checkpoint is added
    to the pool and rated in a match. A round trains against the last checkpoint in about half of
    the games, otherwise against earlier checkpoints and `rivals`. The folder stores the parameters;
    it can be continued only with the same parameters.

    `environment`: further parameters of `cardhub.learning.adapters.gymnasium.env`. `blocks`: the
    number of blocks that a checkpoint plays against each of the `rivals`, the last checkpoint and
    `opponents` earlier checkpoints. `learner`: the parameters of the trainer that influence
    learning, or None. Raises PluginError or OptionError.
    """

    def __init__(
        self,
        folder: Path | str,
        game: str,
        train: Trainer,
        *,
        every: int = 10_000,
        rivals: Sequence[str] = RIVALS,
        players: int | None = None,
        options: Mapping[str, Value] | None = None,
        environment: Mapping[str, Any] | None = None,
        seed: int = 0,
        blocks: int = 50,
        opponents: int = 4,
        learner: Mapping[str, Any] | None = None,
    ) -> None:
        if every < 1 or blocks < 1 or opponents < 0 or not rivals or isinstance(rivals, str):
            raise OptionError(
                "every and blocks must be at least 1, opponents at least 0, and rivals must be a "
                "list of bots"
            )
        self.folder = Path(folder)
        self._train = train
        self._registry: PluginRegistry = find_plugins()
        for spec in rivals:
            self._registry.settings_of(spec, game)
        self._seats = self._registry.game(game).seats.default if players is None else players
        self.plan = LeaguePlan(
            game,
            every,
            tuple(rivals),
            players,
            dict(options or {}),
            dict(environment or {}),
            seed,
            blocks,
            opponents,
            learner,
        )
        self.plan.save(self.folder)

    def run(
        self,
        steps: int,
        *,
        workers: int = 1,
        cluster: str | None = None,
        on_rated: Callable[[LeagueRating], object] = lambda standing: None,
        on_begin: Callable[[int, Phase], object] = lambda number, phase: None,
    ) -> list[LeagueRating]:
        """Train until the learner has made `steps` steps in total; return the standings.

        Work that is already in the folder is not repeated. `workers`: the number of processes that
        play matches. `cluster`: the address of a Dask cluster that plays them instead, or None; its
        machines must see the folder under the same path. `on_rated` is called with each new
        checkpoint's standing, `on_begin` with the number and the phase of a checkpoint that is
        about to be trained or rated. Raises MatchError.
        """
        with reserve(self.folder / PLAN, BUSY):
            for number in range(1, steps // self.plan.every + 1):
                is_new = not self.plan.path(self.folder, number).exists()
                if is_new:
                    on_begin(number, "train")
                    self._train_checkpoint(number)
                on_begin(number, "rate")
                member = self.plan.checkpoint(self.folder, number)
                folder = match_folder(self.folder, member)
                play_match(self._match(number), folder, self._registry, workers, cluster)
                if is_new:
                    on_rated(self.standings()[-1])
        return self.standings()

    def standings(self) -> list[LeagueRating]:
        """Return the ratings of the rivals and of all checkpoints, in the order of training."""
        played = []
        for number, member in enumerate(self._checkpoints(), 1):
            folder = match_folder(self.folder, member)
            if folder.exists():
                played.append((self._match(number), folder))
        if not played:
            return []
        return build_standings([*self.plan.fixed(), *self._checkpoints()], played)

    def _checkpoints(self) -> list[Member]:
        checkpoints: list[Member] = []
        while self.plan.path(self.folder, len(checkpoints) + 1).exists():
            checkpoints.append(self.plan.checkpoint(self.folder, len(checkpoints) + 1))
        return checkpoints

    def _train_checkpoint(self, number: int) -> None:
        from cardhub.learning.adapters.gymnasium import env  # needs an extra

        plan, before = self.plan, self.plan.path(self.folder, number - 1)
        rivals = plan.rivals_of(self.folder, number, self._seats)
        table = env(plan.game, plan.players, plan.options, rivals=rivals, **plan.environment)
        try:
            seed = (plan.seed * 1_000_003 + number) % SEEDS  # a different seed in each round
            path = plan.path(self.folder, number)
            self._train(table, before if number > 1 else None, plan.every, seed, path)
        finally:
            table.close()

    def _match(self, number: int) -> Match:
        plan, folder = self.plan, self.folder
        member = plan.checkpoint(folder, number)
        opponents = plan.opponents_of(folder, number)
        return match_of(plan, folder, member, opponents, self._registry)
