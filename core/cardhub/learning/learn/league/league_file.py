"""The file of a league: its parameters in YAML, checked before the league's folder is written."""

from collections.abc import Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

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
    Diagnostics,
    MappingNode,
    Node,
    ScalarNode,
    SequenceNode,
    StringType,
    parse_file,
    reject_unknown_keys,
)
from cardhub.lab.match.matchfile.read_games import read_rules
from cardhub.lab.match.matchfile.section import NON_EMPTY, FileSection, Kind
from cardhub.learning.learn.league.league_run import RIVALS, League
from cardhub.learning.learn.league.trainers import Trainer
from cardhub.learning.learn.trained_policy import import_function
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import PluginRegistry

# Scalars other than numbers that are not strings.
CONSTANTS = {"true": True, "false": False, "null": None}


def plain_value(node: Node) -> Any:
    """Return the value of a node: a number, a constant, a string, a list or a dict."""
    if isinstance(node, SequenceNode):
        return [plain_value(item) for item in node.nodes]
    if isinstance(node, MappingNode):
        return {name: plain_value(value) for name, (_, value) in node.entries.items()}
    text = node.value if isinstance(node, ScalarNode) else ""
    if text in CONSTANTS:
        return CONSTANTS[text]
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def call_checked(
    top: FileSection, key: str, parameters: Mapping[str, Any], make: Callable[..., object]
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
NEEDED = ("cardhub_league", "name", "seed", "game", "rounds")
FUNCTION = StringType(
    "a function such as my_package.trainers:make", lambda text: all(text.partition(":"))
)
PLAYERS = range(2, 101)
# The scalar keys with a default; the last two do not change checkpoints.
DEFAULTS: dict[str, tuple[Kind, Any]] = {
    "every": (range(1, 10**9), 10_000),
    "blocks": (range(1, 1_000_001), 50),
    "opponents": (range(1001), 4),
    "trainer": (FUNCTION, "cardhub.learning.learn.league:maskable_ppo"),
    "workers": (range(1, 10_001), None),
    "out": (NON_EMPTY, None),
}
TYPES: dict[str, Kind] = {
    "cardhub_league": (str(FORMAT),),
    "name": NAME,
    "seed": int,
    "rounds": range(1, 1_000_001),
    **{key: kind for key, (kind, _) in DEFAULTS.items()},
}
KEYS = (*NEEDED, "players", "rules", "rivals", "learner", "environment", *DEFAULTS)
# The parameters of `cardhub.learning.adapters.gymnasium.env` that influence learning.
ENVIRONMENT = (
    *("actions", "history", "illegal_reward", "max_actions", "recall", "recall_room"),
    *("returns", "rewards", "seat", "tokens"),
)


@dataclass(frozen=True, slots=True)
class LeagueFile:
    """The league of a file: the parameters of `League`, of its trainer and of its run.

    `rounds`: the number of checkpoints. `train`: the trainer, a MissingLibraryError that names the
    library that it needs, or None if the file has errors.
    """

    name: str
    seed: int
    rounds: int
    game: str
    players: int
    rules: Mapping[str, Value]
    rivals: tuple[str, ...]
    learner: Mapping[str, Any]
    environment: Mapping[str, Any]
    train: Trainer | MissingLibraryError | None
    every: int
    blocks: int
    opponents: int
    trainer: str
    workers: int | None
    out: str | None

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


def read_league(path: Path, registry: PluginRegistry) -> LeagueFile:
    """Parse the file of a league, and import its game, bots and trainer.

    Raises one LeagueFileError that lists all problems.
    """
    problems = Diagnostics(str(path), LeagueFileError)
    top = parse_file(path, problems)
    league = _LeagueReader(top, registry, problems).league() if top is not None else None
    problems.raise_if_any()
    if league is None:
        raise AssertionError(path)  # cannot happen: without a league there are problems
    return league


class _LeagueReader:
    """Converter of a league file's top node into a LeagueFile."""

    def __init__(self, top: MappingNode, registry: PluginRegistry, problems: Diagnostics) -> None:
        self._top = FileSection(top, KEYS, "{name: mine}", problems)
        self._registry = registry

    def league(self) -> LeagueFile | None:
        """Return the league, or None if its game is unknown."""
        top = self._top
        top.require(*NEEDED)
        values = {key: default for key, (_, default) in DEFAULTS.items()} | top.values(TYPES)
        learner = self._parameters("learner", "{n_steps: 500}")
        environment = self._parameters("environment", "{history: 4}", ENVIRONMENT)
        train = self._trainer(values["trainer"], learner)
        game = self._game()
        if game is None:
            return None
        players = self._players(game)
        table = game, players, read_rules(top, self._registry.game(game), players)
        rivals = self._rivals(game)
        if not top.problems.has_any:
            self._try_environment(table, environment)
        return LeagueFile(
            values.get("name", ""),
            values.get("seed", 0),
            values.get("rounds", 0),
            *table,
            rivals,
            learner,
            environment,
            train,
            **{key: values[key] for key in DEFAULTS},
        )

    def _game(self) -> str | None:
        """Return the name of the game, or report why it cannot be played and return None."""
        name = self._top.text("game", NON_EMPTY)
        if not name:
            return None
        if not self._registry.is_game(name):
            self._top.report("game", self._registry.unknown_game(name))
            return None
        try:
            return self._registry.game(name).name
        except PluginError as error:
            self._top.report("game", str(error))
            return None

    def _players(self, game: str) -> int:
        seats = self._registry.game(game).seats
        players = self._top.integer("players", PLAYERS, seats.default)
        if players not in seats:
            title = self._registry.game(game).title
            self._top.report("players", f"{title} is for {seats} players, not for {players}")
            return seats.default
        return players

    def _rivals(self, game: str) -> tuple[str, ...]:
        if "rivals" not in self._top:
            return RIVALS
        specs = []
        for node in self._top.items("rivals", "a list of bots"):
            if not isinstance(node, ScalarNode):
                self._top.problems.expected(node, "a bot")
                continue
            try:
                self._registry.settings_of(node.value, game)
                specs.append(node.value)
            except (PluginError, OptionError) as error:
                self._top.problems.add(node, str(error))
        return tuple(specs)

    def _parameters(self, key: str, example: str, keys: Collection[str] = ()) -> dict[str, Any]:
        """Return the values of a mapping; `keys`: the allowed keys, or empty for all keys."""
        entries = self._top.table(key, f"a mapping such as {example}")
        node = self._top.node(key)
        if keys and key in self._top and isinstance(node, MappingNode):
            reject_unknown_keys(node, keys, self._top.problems)
        return {name: plain_value(node) for name, (_, node) in entries.items()}

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
