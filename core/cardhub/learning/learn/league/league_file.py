"""The file of a league: its parameters in YAML, which are checked before anything is written."""

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
from cardhub.learning.learn.trained_policy import found_function
from cardhub.model.table.settings import Value
from cardhub.plugins.registry import PluginRegistry

# Scalars that are no strings, besides numbers.
CONSTANTS = {"true": True, "false": False, "null": None}


def plain_value(node: Node) -> Any:
    """Return the value of a node: a number, a constant, a string, a list or a dict."""
    if isinstance(node, SequenceNode):
        return [plain_value(each) for each in node.nodes]
    if isinstance(node, MappingNode):
        return {name: plain_value(each) for name, (_, each) in node.entries.items()}
    text = node.value if isinstance(node, ScalarNode) else ""
    if text in CONSTANTS:
        return CONSTANTS[text]
    for kind in (int, float):
        with suppress(ValueError):
            return kind(text)
    return text


def tried(
    top: FileSection, key: str, given: Mapping[str, Any], make: Callable[..., object]
) -> object:
    """Return what a function makes of the parameters in the mapping `key`.

    Return a MissingLibraryError, or None after reporting the parameter that it refuses.
    """
    try:
        return make(**given)
    except MissingLibraryError as error:
        return error
    except Exception as error:  # noqa: BLE001  # third-party code may raise any exception
        what = str(error) if isinstance(error, CardhubError) else describe_exception(error)
        top.report(f"{key}.{_refused(given, make)}", f"{key}: {what}")
        return None


def _refused(given: Mapping[str, Any], make: Callable[..., object]) -> str:
    """Return the parameter that is refused by itself, too; empty if there is none."""
    for name, value in given.items():
        try:
            make(**{name: value})
        except Exception:  # noqa: BLE001  # as above
            return name
    return ""


# The version of the format of these files.
FORMAT = 1
NEEDED = ("cardhub_league", "name", "seed", "game", "rounds")
FUNCTION = StringType(
    "a function such as my_package.trainers:make", lambda text: all(text.partition(":"))
)
PLAYERS = range(2, 101)
# The keys that have a default, but sections and lists; the last two change no checkpoint.
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
# The parameters of `cardhub.learning.adapters.gymnasium.env` that change what is learnt.
ENVIRONMENT = (
    *("actions", "history", "illegal_reward", "max_actions", "recall", "recall_room"),
    *("returns", "rewards", "seat", "tokens"),
)


@dataclass(frozen=True, slots=True)
class LeagueFile:
    """The league of a file: the parameters of `League` and of its trainer, and how it is run.

    `rounds` is the number of checkpoints. `made` is the trainer, or which library it needs.
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
    made: Trainer | MissingLibraryError | None
    every: int
    blocks: int
    opponents: int
    trainer: str
    workers: int | None
    out: str | None

    def league(self, folder: Path, *, trains: bool = True) -> League:
        """Open the league in a folder, a new one or one with the same parameters; see `League`.

        Only one that `trains` needs the libraries of its trainer; raises MissingLibraryError.
        """
        train = self.made
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
    """Parse the file of a league; raises one LeagueFileError that lists all problems.

    Imports the game, its bots and the trainer.
    """
    problems = Diagnostics(str(path), LeagueFileError)
    top = parse_file(path, problems)
    found = _LeagueReader(top, registry, problems).league() if top is not None else None
    problems.raise_if_any()
    if found is None:
        raise AssertionError(path)  # for mypy: then there were problems
    return found


class _LeagueReader:
    """Converter of the top node of the file of a league."""

    def __init__(self, top: MappingNode, registry: PluginRegistry, problems: Diagnostics) -> None:
        self._top = FileSection(top, KEYS, "{name: mine}", problems)
        self._registry = registry

    def league(self) -> LeagueFile | None:
        """Return the league, or None if its game is not known."""
        top = self._top
        top.require(*NEEDED)
        values = {key: default for key, (_, default) in DEFAULTS.items()} | top.values(TYPES)
        learner = self._parameters("learner", "{n_steps: 500}")
        environment = self._parameters("environment", "{history: 4}", ENVIRONMENT)
        made = self._trainer(values["trainer"], learner)
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
            made,
            **{key: values[key] for key in DEFAULTS},
        )

    def _game(self) -> str | None:
        """Return the name of the game, or None after reporting why it cannot be played."""
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

    def _parameters(self, key: str, example: str, known: Collection[str] = ()) -> dict[str, Any]:
        """Return the values of a mapping; with `known` its keys are checked."""
        entries = self._top.table(key, f"a mapping such as {example}")
        node = self._top.node(key)
        if known and key in self._top and isinstance(node, MappingNode):
            reject_unknown_keys(node, known, self._top.problems)
        return {name: plain_value(node) for name, (_, node) in entries.items()}

    def _trainer(
        self, name: str, learner: Mapping[str, Any]
    ) -> Trainer | MissingLibraryError | None:
        try:
            make = found_function(name)
        except BotError as error:
            self._top.report("trainer", str(error))
            return None
        found = tried(self._top, "learner", learner, make)
        if not (found is None or callable(found) or isinstance(found, MissingLibraryError)):
            what = f"{name} returns {type(found).__name__}, not a function that trains"
            self._top.report("trainer", what)
        return cast("Trainer | MissingLibraryError | None", found)

    def _try_environment(
        self, table: tuple[str, int, Mapping[str, Value]], given: Mapping[str, Any]
    ) -> None:
        """Report the parameters that make no environment, if there are any."""

        def make(**given: Any) -> None:
            from cardhub.learning.adapters.gymnasium import env  # needs an extra

            env(*table, **given).close()

        tried(self._top, "environment", given, make)
