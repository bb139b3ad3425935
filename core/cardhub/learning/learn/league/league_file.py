"""The file of a league: its parameters in YAML, checked before the league's folder is written."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, cast

from cardhub.base.errors import (
    BotError,
    CardhubError,
    LeagueFileError,
    MissingLibraryError,
    OptionError,
    PluginError,
)
from cardhub.base.errors.quoting import describe_exception
from cardhub.base.yamlfile import (
    NAME,
    NO_KEY,
    NON_EMPTY,
    Diagnostics,
    Items,
    MappingNode,
    ScalarNode,
    Schema,
    Section,
    StringType,
    Table,
    parse_file,
    schema_of,
)
from cardhub.lab.match.matchfile.read_games import OPTIONS, read_game, read_players, read_rules
from cardhub.learning.learn.league.league_run import RIVALS, League
from cardhub.learning.learn.league.trainers import Trainer
from cardhub.learning.learn.model_file import import_function
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import PluginRegistry


def call_checked(
    top: Section, key: str, parameters: Mapping[str, Any], make: Callable[..., object]
) -> object:
    """Call a function with the parameters in the mapping `key`, and return its result.

    Returns a MissingLibraryError if a library is missing. Returns None if the function raises
    another exception, after reporting the refused parameter.
    """
    try:
        return make(**parameters)
    except MissingLibraryError as error:
        return error
    except Exception as error:  # noqa: BLE001  # third-party code may raise any exception
        message = str(error) if isinstance(error, CardhubError) else describe_exception(error)
        top.report(f"{key}.{_refused(parameters, make)}", f"{key}: {message}")
        return None


def _refused(parameters: Mapping[str, Any], make: Callable[..., object]) -> str:
    """Return the first parameter that is refused without the others; empty if there is none."""
    for name, value in parameters.items():
        try:
            make(**{name: value})
        except Exception:  # noqa: BLE001  # third-party code may raise any exception
            return name
    return ""


# The version of the format of these files.
FORMAT = 1
FUNCTION = StringType(
    "a function such as my_package.trainers:make", lambda text: all(text.partition(":"))
)
TRAINER = "cardhub.learning.learn.league:maskable_ppo"
LEARNER = Table(None, description="a mapping such as {n_steps: 500}")
# The parameters of `cardhub.learning.adapters.gymnasium.env` that influence learning.
PARAMETERS = (
    *("actions", "history", "illegal_reward", "max_actions", "recall", "recall_room"),
    *("returns", "rewards", "seat", "tokens"),
)
ENVIRONMENT = Table(None, PARAMETERS, "a mapping such as {history: 4}")


@dataclass(frozen=True, slots=True)
class LeagueFile:
    """The league of a file: the parameters of `League`, of its trainer and of its run.

    `rounds`: the number of checkpoints. `train`: the trainer, a MissingLibraryError that names the
    library that it needs, or None if the file has errors.
    """

    name: Annotated[str, NAME]
    seed: int
    game: Annotated[str, NON_EMPTY]
    rounds: Annotated[int, range(1, 1_000_001)]
    players: Annotated[int, range(2, 101)]
    train: Annotated[Trainer | MissingLibraryError | None, NO_KEY]
    rules: Annotated[Mapping[str, Value], OPTIONS] = field(default_factory=dict)
    rivals: Annotated[tuple[str, ...], Items("a list of bots")] = RIVALS
    learner: Annotated[Mapping[str, Any], LEARNER] = field(default_factory=dict)
    environment: Annotated[Mapping[str, Any], ENVIRONMENT] = field(default_factory=dict)
    every: Annotated[int, range(1, 10**9)] = 10_000
    blocks: Annotated[int, range(1, 1_000_001)] = 50
    opponents: Annotated[int, range(1001)] = 4
    trainer: Annotated[str, FUNCTION] = TRAINER
    # The last two do not change checkpoints.
    workers: Annotated[int | None, range(1, 10_001)] = None
    out: Annotated[str | None, NON_EMPTY] = None

    def league(self, folder: Path, *, trains: bool = True) -> League:
        """Open the league in a folder, which is new or has the same parameters; see `League`.

        `trains`: whether the league will be trained; raises MissingLibraryError if it is and the
        trainer's library is missing.
        """
        train = self.train
        if trains and isinstance(train, MissingLibraryError):
            raise train
        return League(
            folder,
            self.game,
            cast("Trainer", train),
            every=self.every,
            rivals=self.rivals,
            players=self.players,
            options=self.rules,
            environment=self.environment,
            seed=self.seed,
            blocks=self.blocks,
            opponents=self.opponents,
            learner={"trainer": self.trainer, **self.learner},
        )


def league_schema() -> Schema:
    """Return the schema of league files; `players` has the game's default."""
    schema = schema_of(LeagueFile)
    needed = schema.needed - {"players"} | {"cardhub_league"}
    return Schema({"cardhub_league": (str(FORMAT),), **schema.kinds}, needed)


def read_league(path: Path, registry: PluginRegistry) -> LeagueFile:
    """Parse the file of a league, and import its game, bots and trainer.

    Raises one LeagueFileError that lists all problems.
    """
    problems = Diagnostics(str(path), LeagueFileError)
    return _LeagueReader(parse_file(path, problems), registry, problems).league()


class _LeagueReader:
    """Converter of a league file's top node into a LeagueFile."""

    def __init__(self, top: MappingNode, registry: PluginRegistry, problems: Diagnostics) -> None:
        self._top = Section(top, league_schema(), problems)
        self._registry = registry

    def league(self) -> LeagueFile:
        """Return the league; raises LeagueFileError."""
        values = self._top.values
        values.pop("cardhub_league", None)
        train = self._trainer(values.get("trainer", TRAINER), values.get("learner", {}))
        if game := read_game(self._top, self._registry):
            players = read_players(self._top, game)
            rules = read_rules(self._top, game, players)
            values |= {"game": game.name, "players": players, "rules": rules}
            if "rivals" in values:
                values["rivals"] = self._rivals(game.name)
            if not self._top.problems.has_any:
                self._try_environment((game.name, players, rules), values.get("environment", {}))
        self._top.problems.raise_if_any()
        return LeagueFile(**values, train=train)

    def _rivals(self, game: str) -> tuple[str, ...]:
        specs = []
        for node in self._top.values["rivals"]:
            if not isinstance(node, ScalarNode):
                self._top.problems.expected(node, "a bot")
                continue
            try:
                self._registry.settings_of(node.value, game)
                specs.append(node.value)
            except (PluginError, OptionError) as error:
                self._top.problems.add(node, str(error))
        return tuple(specs)

    def _trainer(
        self, name: str, learner: Mapping[str, Any]
    ) -> Trainer | MissingLibraryError | None:
        try:
            make = import_function(name)
        except BotError as error:
            self._top.report("trainer", str(error))
            return None
        train = call_checked(self._top, "learner", learner, make)
        if not (train is None or callable(train) or isinstance(train, MissingLibraryError)):
            message = f"{name} returns {type(train).__name__}, not a function that trains"
            self._top.report("trainer", message)
        return cast("Trainer | MissingLibraryError | None", train)

    def _try_environment(
        self, table: tuple[str, int, Mapping[str, Value]], parameters: Mapping[str, Any]
    ) -> None:
        """Report the first parameter that the environment refuses."""

        def make(**parameters: Any) -> None:
            from cardhub.learning.adapters.gymnasium import env  # needs an extra

            env(*table, **parameters).close()

        call_checked(self._top, "environment", parameters, make)
