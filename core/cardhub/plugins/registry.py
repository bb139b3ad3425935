"""The registry: games and bots of all plugins by name."""

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from cardhub.base.errors import BotError, BotFaultError, CardhubError, OptionError, PluginError
from cardhub.base.errors.quoting import describe_exception
from cardhub.bots import (
    RANDOM,
    AnyBot,
    Bot,
    BotEntry,
    Command,
    File,
    Folder,
    GuideBot,
    Workers,
    parse_spec,
    resolve_settings,
)
from cardhub.bots.deadline import record_signals
from cardhub.bots.external import ProgramPool, check_command, start_program
from cardhub.bots.processes.control_groups import ResourceLimits
from cardhub.bots.processes.pool import Pool
from cardhub.bots.processes.sandbox import Sandbox
from cardhub.bots.search.workers.search_team import WorkerPool, WorkerProcess
from cardhub.model.game.game import Game
from cardhub.model.table.settings import Option, Settings, Value
from cardhub.plugins.bot_index import (
    ADVISER,
    EXPERT,
    HARD,
    LEVELS,
    MEDIUM,
    STAND_INS,
    BotPart,
    spread,
)
from cardhub.plugins.catalogue import Catalogue
from cardhub.plugins.discovery import (
    Declaration,
    declare_plugins,
    find_source,
    usual_directories,
)
from cardhub.plugins.groups import GAMES, GROUPS
from cardhub.plugins.hookspecs import HOOKS
from cardhub.plugins.loading import Plugin
from cardhub.plugins.lookup import BotLookup, DeclaredPlugins, GameLookup
from cardhub.plugins.registrations import Exporter, GameCollection, Theme
from cardhub.plugins.third_party import Notify, guarded, stay_silent

if TYPE_CHECKING:
    from cardhub.plugins.plugin_process import PluginProcesses


@dataclass(frozen=True, slots=True)
class PluginStatus:
    """A plugin in a listing: imported, or with the message of the exception that it raised."""

    declared: Declaration
    plugin: Plugin | None
    error: str


# The name of a game's own rule-based bot.
RULE = "rule"
# The function that worker processes of searches run; its module imports this one.
SEARCH_WORKER = "cardhub.plugins.search_worker:serve"


class PluginRegistry:
    """Games and bots by name; `find_plugins` makes one, which is then passed on.

    A broken plugin raises an error when it is used and is a warning elsewhere. Equal arguments of
    `find_plugins` give an equal registry in another process with the same environment. With
    `processes`, third-party plugins for any game are asked there and not imported. `notify` is
    called from another thread with a message if the import of a plugin takes long.
    """

    def __init__(
        self,
        declared: Iterable[Declaration],
        directories: Iterable[Path] = (),
        sandbox: Sandbox | None = None,
        processes: "PluginProcesses | None" = None,
        third_party: Collection[str] | None = None,
        notify: Notify = stay_silent,
        *,
        has_fresh_programs: bool = False,
        limits: ResourceLimits | None = None,
    ) -> None:
        self.directories = tuple(directories)
        self.processes = processes
        self.referees: dict[Sandbox | None, PluginRegistry] = {}
        self._plugins = DeclaredPlugins(declared, processes, notify)
        self._games = GameLookup(self._plugins, self.collections)
        self._bots = BotLookup(self._plugins, self._games.plugin)
        self._programs = Pool(
            partial(start_program, sandbox=sandbox, limits=limits), fresh=has_fresh_programs
        )
        self._workers = Pool(partial(WorkerProcess, self.directories, third_party=third_party))

    def close(self) -> None:
        """Stop the processes of bots and plugins; otherwise they stop with this process."""
        self._programs.close()
        self._workers.close()
        for registry in self.referees.values():
            registry.close()
        if self.processes is not None:
            self.processes.close()

    def declared(self, group: str) -> list[Declaration]:
        """Return the plugins of a group, sorted by name; imports none."""
        return self._plugins.of_group(group)

    def listed(self) -> list[PluginStatus]:
        """Import every plugin and return the status of each."""
        return [self._status(declared) for group in GROUPS for declared in self.declared(group)]

    def clashes(self) -> list[str]:
        """Return a warning for every name that two plugins claim; imports none."""
        return [*self._games.clashes(), *self._plugins.warnings()]

    def warnings(self) -> list[str]:
        """Return the clashes, and the import errors of plugins imported so far."""
        return [*self._plugins.errors(*GROUPS), *self.clashes()]

    def culprit(self, error: BaseException) -> Declaration | None:
        """Return the plugin whose code is in the traceback of an exception, or None."""
        return self._plugins.culprit(error)

    def games(self) -> dict[str, Declaration]:
        """Return the plugins of all games by the games' names; imports none.

        Games of two packages that have one name are named with their packages.
        """
        return self._games.by_name()

    def game_names(self) -> list[str]:
        """Return the names of all games; imports none."""
        return list(self.games())

    def name_of(self, declared: Declaration) -> str:
        """Return the name by which `game` finds the game of a plugin; imports none."""
        return self._games.name_of(declared)

    def is_game(self, name: str) -> bool:
        """Return whether there is one game of this name, or its collection; imports no game."""
        return self._games.has(name)

    def namesakes(self, name: str) -> list[str]:
        """Return the full names of the games, if several packages have a game of this name."""
        return self._games.namesakes(name)

    def unknown_game(self, name: str) -> str:
        """Return the error message for a name of no game or of several, with the remedy."""
        return self._games.unknown(name)

    def common_plugins(self, hook: str = "") -> list[Plugin]:
        """Return the plugins for any game, without broken ones.

        With `hook`, import only plugins whose source may implement it.
        """
        return self._plugins.common(hook)

    def collections(self) -> Catalogue[GameCollection]:
        """Return the collections of all plugins; imports plugins that may have one."""
        return self._catalogue("register_collections")

    def exporters(self) -> Catalogue[Exporter]:
        """Return the formats of all plugins; imports plugins that may have one."""
        return self._catalogue("register_exporters")

    def themes(self, reserved: Collection[str]) -> Catalogue[Theme]:
        """Return the themes of all plugins; `reserved` are the names of Textual's own themes."""
        return self._catalogue("register_themes", dict.fromkeys(reserved, "Textual"))

    def game(self, name: str) -> Game[Any]:
        """Import one game; raises PluginError if it is unknown, broken or claimed twice."""
        return next(game for game in self._games.plugin(name).games if game.name == name)

    def bots_for(self, game: str) -> dict[str, BotEntry]:
        """Return the bots that play a game, by name; imports the game and all plugins with bots."""
        return self._bots.index(game).entries()

    def has_bot(self, name: str, game: str) -> bool:
        """Return whether a bot of this name plays a game; may import plugins with bots."""
        return self._bots.has(name, game)

    def bot(self, name: str, game: str) -> BotEntry:
        """Return the bot of this name; raises PluginError with the bots that play the game."""
        return self._bots.find(name, game)

    def bot_clashes(self, game: str) -> list[str]:
        """Return a warning for every name that several bots of a game have."""
        return self._bots.index(game).warnings()

    def origin(self, name: str, game: str) -> Declaration | None:
        """Return the plugin of a bot, or None for a bot of cardhub; raises PluginError."""
        self.bot(name, game)
        return self._bots.index_with(name, game).origin(name)

    def levels(self, game: str) -> dict[str, str]:
        """Return the spec of each level, weakest first; raises PluginError if one is invalid.

        The spec of a level cannot contain a level.
        """
        levels = self._bots.levels(game)
        for level, spec in levels.items():
            try:
                self._settle(spec, game, has_levels=False)
            except (PluginError, OptionError) as error:
                raise PluginError(f"level {level!r} of {game!r} is {spec!r}: {error}") from error
        return levels

    def settings_of(self, spec: str, game: str) -> Settings:
        """Return the option values of a bot; raises PluginError or OptionError.

        `spec` is a bot as text: `random`, `ismcts:iterations=2000`, or a level.
        """
        return self._settle(spec, game)[1]

    def make_bot(self, spec: str, game: str, rng: Random) -> Bot:
        """Return a new instance; raises as `settings_of`, or BotError if the constructor fails."""
        resolved = self.resolve(spec, game)
        entry, settings = self._settle(resolved, game)
        given = {
            name: self._argument(option, settings[name], game, resolved)
            for name, option in entry.options.items()
        }
        # A bot's constructor is third-party code: as in `guarded`, but raising BotError. Its errors
        # name the spec, since with `rollout=...` bots are made by the constructors of others.
        with record_signals() as signals:
            try:
                return entry.make(rng, **given)
            except BotFaultError as fault:
                raise fault.with_message(f"bot {spec!r} cannot be made: {fault}") from fault
            except CardhubError:
                raise
            except (Exception, SystemExit, KeyboardInterrupt, GeneratorExit) as error:
                if signals and not isinstance(error, Exception):
                    raise
                cause = describe_exception(error)
                raise BotError(f"bot {spec!r} cannot be made: {cause}") from error

    def spread(self, spec: str, game: str, workers: int) -> str:
        """Return the spec of a level or the adviser with `workers` processes if it thinks for long.

        Other specs stay as they are.

        Raises PluginError or OptionError.
        """
        if spec not in STAND_INS:
            return spec
        resolved = self.resolve(spec, game)
        return spread(resolved, *self._settle(resolved, game), workers)

    def parts(self, spec: str, game: str) -> Iterator[BotPart]:
        """Yield the bot of a spec or level, then recursively the bots in its options.

        Raises PluginError or OptionError if a bot or option is invalid.
        """
        resolved = self.resolve(spec, game)
        entry, settings = self._settle(resolved, game)
        yield BotPart(entry, settings, self.origin(parse_spec(resolved).name, game))
        for option_name, option in entry.options.items():
            if isinstance(option, AnyBot):
                yield from self.parts(settings.word(option_name), game)

    def is_program(self, spec: str, game: str) -> bool:
        """Return whether a bot is an external program; raises PluginError."""
        entry = self.bot(parse_spec(self.resolve(spec, game)).name, game)
        return any(isinstance(option, Command) for option in entry.options.values())

    def default_bot(self, game: str) -> str:
        """Return the default opponent: the game's rule-based bot, else `medium` or `random`."""
        if self.has_bot(RULE, game):
            return RULE
        return MEDIUM if MEDIUM in self._bots.levels(game) else RANDOM.name

    def default_level(self, game: str) -> str:
        """Return the first opponent in lists for people: the level `medium`, or the default bot."""
        return MEDIUM if MEDIUM in self.levels(game) else self.default_bot(game)

    def default_hint(self, game: str) -> str:
        """Return the default bot for hints: the adviser, the level `hard`, or the default bot."""
        if self._bots.usual(ADVISER, game):
            return ADVISER
        return HARD if HARD in self._bots.levels(game) else self.default_bot(game)

    def resolve(self, spec: str, game: str) -> str:
        """Return the spec that a level or the adviser stands for, else `spec`.

        Raises PluginError if a level of the game is invalid.
        """
        if spec == ADVISER:
            return self._bots.usual(ADVISER, game) or spec
        return self.levels(game).get(spec, spec) if spec in LEVELS else spec

    def usual_level(self, level: str, game: str) -> str:
        """Return the spec of a level where a game ships no network; `expert` is then `hard`."""
        return self._bots.usual(HARD if level == EXPERT else level, game)

    def _catalogue(self, name: str, reserved: Mapping[str, str] | None = None) -> Catalogue[Any]:
        hook, plugins = HOOKS[name], self.common_plugins(name)
        claims = [(entry, p.declared) for p in plugins for entry in getattr(p, hook.attribute)]
        return Catalogue(hook.noun, claims, reserved, self.warnings())

    def _status(self, declared: Declaration) -> PluginStatus:
        if lost := self._plugins.lost(declared):
            return PluginStatus(declared, None, lost)
        plugin = self._plugins.load(declared)
        if isinstance(plugin, PluginError):
            return PluginStatus(declared, None, str(plugin))
        return PluginStatus(declared, plugin, self._level_error(declared))

    def _level_error(self, declared: Declaration) -> str:
        try:
            if declared.group == GAMES:
                name = self.name_of(declared)
                self.levels(name)
                # A part that the game names by a text is imported and checked here.
                game = self.game(name)
                guarded(declared, "has no display", lambda: game.display)
                guarded(declared, "has no heuristics", lambda: game.heuristics)
        except PluginError as error:
            return f"{declared}: {error}"
        return ""

    def _settle(
        self, spec: str, game: str, *, has_levels: bool = True
    ) -> tuple[BotEntry, Settings]:
        """Return the bot of a spec and its option values, after the bots in them are checked."""
        resolved = self.resolve(spec, game) if has_levels else spec
        parsed = parse_spec(resolved)
        entry = self.bot(parsed.name, game)
        settings = resolve_settings(entry, parsed, game)
        for name, option in entry.options.items():
            if isinstance(option, AnyBot):
                # A level stands for a spec without levels, so levels cannot form a circle.
                self._settle(settings.word(name), game, has_levels=has_levels and resolved == spec)
            elif isinstance(option, Command):
                folders = (n for n, other in entry.options.items() if isinstance(other, Folder))
                folder = next(map(settings.word, folders), "")
                check_command(settings.word(name), folder)
        return entry, settings

    def _argument(self, option: Option, value: Value, game: str, spec: str) -> object:
        if isinstance(option, GuideBot) and value == RANDOM.name:
            return None
        if isinstance(option, AnyBot):
            return partial(self.make_bot, str(value), game)
        if isinstance(option, Workers):
            return WorkerPool(int(value), game, spec, SEARCH_WORKER, self._workers)
        if isinstance(option, File):
            return Path(str(value)).absolute()
        return (
            ProgramPool(str(value), game, self._programs) if isinstance(option, Command) else value
        )


def for_referee(registry: PluginRegistry, sandbox: Sandbox | None = None) -> PluginRegistry:
    """Return the registry for the process of a referee, whose rules no bot may change.

    It imports only cardhub, its own plugins and the games that are used. Other plugins for any game
    are each asked in a process of their own, in the sandbox if there is one, and their bots cannot
    be created in this process.
    """
    if registry.processes is not None:
        return registry
    if sandbox not in registry.referees:
        from cardhub.plugins.plugin_process import PluginProcesses  # only matches need it

        declared = [d for group in GROUPS for d in registry.declared(group)]
        processes = PluginProcesses(registry.directories, sandbox)
        registry.referees[sandbox] = PluginRegistry(
            declared, registry.directories, sandbox, processes
        )
    return registry.referees[sandbox]


def find_plugins(
    directories: Iterable[Path] | None = None,
    sandbox: Sandbox | None = None,
    third_party: Collection[str] | None = None,
    notify: Notify = stay_silent,
    *,
    has_fresh_programs: bool = False,
    limits: ResourceLimits | None = None,
) -> PluginRegistry:
    """Return a registry of the installed plugins and those in `directories`; imports none.

    `directories`: by default the usual ones, of the environment variable CARDHUB_PLUGINS_DIR.
    With a sandbox, the external programs of bots run in it. `third_party`: the names of the
    third-party plugins for any game that it has, by default all. `notify`: see `PluginRegistry`.
    `has_fresh_programs`: whether each bot gets a new process of its program, instead of the process
    of an earlier bot. `limits`: what each program may use, or None.
    """
    usual = usual_directories() if directories is None else directories
    folders = [path.absolute() for path in usual]
    declared = [
        declaration
        for declaration in declare_plugins(folders)
        if third_party is None or not declaration.is_guest or declaration.name in third_party
    ]
    return PluginRegistry(
        declared,
        folders,
        sandbox,
        third_party=third_party,
        notify=notify,
        has_fresh_programs=has_fresh_programs,
        limits=limits,
    )


def plugins_with(game: Game[Any]) -> PluginRegistry:
    """Return a registry of the usual plugins and of a game given as an object.

    It has the bots that the game's own module or package registers, and takes the place of an
    installed game of its name.
    """
    usual = usual_directories()
    others = [d for d in declare_plugins(usual) if (d.group, d.name) != (GAMES, game.name)]
    kind = type(game)
    package = kind.__module__.partition(".")[0]
    value = f"{kind.__module__}:{kind.__qualname__}"
    source = partial(find_source, kind.__module__)
    own = Declaration(game.name, GAMES, value, package, "", lambda: game, source)
    return PluginRegistry([*others, own], usual)
