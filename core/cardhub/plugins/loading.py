"""Importing one plugin and taking what it registers; whatever goes wrong becomes a PluginError."""

import inspect
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from types import ModuleType
from typing import Any, TypeVar

from pluggy import HookImpl, PluginManager, PluginValidationError

from cardhub.bots import BotEntry
from cardhub.errors import PluginError
from cardhub.game.game import Game
from cardhub.plugins import hookspecs
from cardhub.plugins.collection import GameCollection
from cardhub.plugins.declared import PLUGINS, Declared
from cardhub.plugins.exporter import Exporter
from cardhub.plugins.guard import guarded, shown
from cardhub.plugins.theme import Theme

T = TypeVar("T")
HOOKS = (
    "register_games",
    "register_collections",
    "register_bots",
    "register_commands",
    "register_themes",
    "register_exporters",
)


@dataclass(frozen=True, slots=True)
class Plugin:
    """An imported plugin and what it registered; `manager` calls its hooks and nobody else's."""

    declared: Declared
    hooks: tuple[str, ...]
    games: tuple[Game[Any], ...]
    collections: tuple[GameCollection, ...]
    bots: tuple[BotEntry, ...]
    themes: tuple[Theme, ...]
    exporters: tuple[Exporter, ...]
    manager: PluginManager


def load(declared: Declared) -> Plugin:
    """Import a plugin and call its hooks; raises PluginError naming the plugin and the cause."""
    content = guarded(declared, "cannot be imported", declared.fetch)
    manager = _manager(declared, content)
    hooks = tuple(name for name in HOOKS if getattr(manager.hook, name).get_hookimpls())
    return Plugin(
        declared,
        hooks,
        _games(declared, content, manager, hooks),
        _listed(declared, manager, "register_collections", GameCollection),
        _listed(declared, manager, "register_bots", BotEntry),
        _listed(declared, manager, "register_themes", Theme),
        _listed(declared, manager, "register_exporters", Exporter),
        manager,
    )


def add_commands(plugin: Plugin, cli: Any) -> None:
    """Let a plugin add commands to a click group; raises PluginError."""
    call = plugin.manager.hook.register_commands
    guarded(plugin.declared, "failed in register_commands", lambda: call(cli=cli))


def make_game(declared: Declared, collection: GameCollection, name: str, rest: str) -> Game[Any]:
    """Return the game of a collection that people call `name`; raises PluginError."""
    made = partial(collection.make, name, rest)
    game = guarded(declared, f"cannot make {name!r}", made)
    if not isinstance(game, Game) or game.name != name:
        called = f"a game called {shown(game.name)}" if isinstance(game, Game) else shown(game)
        raise PluginError(f"{declared} should make a game called {name!r}, but made {called}")
    return game


def _manager(declared: Declared, content: object) -> PluginManager:
    """Return a manager of this one plugin, so that its faults are told apart from any other's."""
    manager = PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs)
    if not isinstance(content, ModuleType):
        return manager
    try:
        manager.register(content, declared.name)
        manager.check_pending()
    except PluginValidationError as error:
        reason = " ".join(str(error).split())
        known = ", ".join(HOOKS)
        raise PluginError(f"{declared} is not valid: {reason}. Hooks: {known}") from error
    for hook in HOOKS:
        if _is_own(content, hook) and not getattr(manager.hook, hook).get_hookimpls():
            raise PluginError(f"{declared} is not valid: {hook} lacks the mark @hookimpl")
    return manager


def _is_own(module: ModuleType, name: str) -> bool:
    member = getattr(module, name, None)
    return inspect.isfunction(member) and member.__module__ == module.__name__


def _games(
    declared: Declared, content: object, manager: PluginManager, hooks: tuple[str, ...]
) -> tuple[Game[Any], ...]:
    if declared.group == PLUGINS:
        return ()
    if isinstance(content, ModuleType) and "register_games" in hooks:
        # mypy: Game is abstract, and only asked about here, never made
        return _listed(declared, manager, "register_games", Game)  # type: ignore[type-abstract]
    if isinstance(content, ModuleType):
        return tuple(_made(declared, kind) for kind in _defined_games(content))
    if inspect.isclass(content) and issubclass(content, Game):
        return (_made(declared, content),)
    raise PluginError(
        f"{declared}: {declared.value} is {shown(content)}, not a module"
        " and no class derived from Game"
    )


def _defined_games(module: ModuleType) -> Iterator[type[Game[Any]]]:
    """Yield the games a module names that are defined in it or, for a package, within it."""
    classes = dict.fromkeys(filter(inspect.isclass, vars(module).values()))
    for member in classes:
        if issubclass(member, Game) and not inspect.isabstract(member):
            home = member.__module__
            if home == module.__name__ or home.startswith(module.__name__ + "."):
                yield member


def _made(declared: Declared, kind: type[Game[Any]]) -> Game[Any]:
    if inspect.isabstract(kind):
        lacking = ", ".join(sorted(kind.__abstractmethods__))
        raise PluginError(f"{declared}: {kind.__name__} still lacks {lacking}")
    return guarded(declared, f"cannot make {kind.__name__}", kind)


def _listed(declared: Declared, manager: PluginManager, hook: str, kind: type[T]) -> tuple[T, ...]:
    """Call a hook that returns several things, if the plugin has it, and check each of them."""
    impls = getattr(manager.hook, hook).get_hookimpls()
    things = [thing for impl in impls for thing in _returned(declared, impl, hook, kind)]
    wrong = [thing for thing in things if not isinstance(thing, kind)]
    if wrong:
        hint = ": return an object, not the class" if inspect.isclass(wrong[0]) else ""
        raise PluginError(
            f"{declared}: {hook} returned {shown(wrong[0])}, which is no {kind.__name__}{hint}"
            f" ({_home(impls[0])})"
        )
    return tuple(thing for thing in things if isinstance(thing, kind))


def _returned(declared: Declared, impl: HookImpl, hook: str, kind: type[Any]) -> list[object]:
    """Call one hook; pluggy itself would leave None out without a word."""
    result = guarded(declared, f"failed in {hook}", impl.function)
    if isinstance(result, str) or not hasattr(result, "__iter__"):
        raise PluginError(
            f"{declared}: {hook} returned {shown(result)}, not a list of {kind.__name__} objects"
            f" ({_home(impl)})"
        )
    return guarded(declared, f"failed in {hook}", lambda: list(result))


def _home(impl: HookImpl) -> str:
    """Return where a hook is defined, as `file:line`."""
    code = getattr(inspect.unwrap(impl.function), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else impl.plugin_name
