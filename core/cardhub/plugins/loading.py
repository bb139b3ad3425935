"""Importing one plugin and taking what it registers; whatever goes wrong becomes a PluginError."""

import inspect
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from types import ModuleType
from typing import Any, TypeVar

from pluggy import PluginManager, PluginValidationError

from cardhub.bots import BotEntry
from cardhub.errors import PluginError
from cardhub.game.game import Game
from cardhub.plugins import hookspecs
from cardhub.plugins.declared import PLUGINS, Declared

T = TypeVar("T")
HOOKS = ("register_games", "register_bots", "register_commands")


@dataclass(frozen=True, slots=True)
class Plugin:
    """An imported plugin and what it registered; `manager` calls its hooks and nobody else's."""

    declared: Declared
    hooks: tuple[str, ...]
    games: tuple[Game[Any], ...]
    bots: tuple[BotEntry, ...]
    manager: PluginManager


def load(declared: Declared) -> Plugin:
    """Import a plugin and call its hooks; raises PluginError naming the plugin and the cause."""
    content = _guarded(declared, "cannot be imported", declared.fetch)
    manager = _manager(declared, content)
    hooks = tuple(name for name in HOOKS if getattr(manager.hook, name).get_hookimpls())
    games = _games(declared, content, manager, hooks)
    bots = _listed(declared, manager, "register_bots", BotEntry)
    return Plugin(declared, hooks, games, bots, manager)


def add_commands(plugin: Plugin, cli: Any) -> None:
    """Let a plugin add commands to a click group; raises PluginError."""
    call = plugin.manager.hook.register_commands
    _guarded(plugin.declared, "failed in register_commands", lambda: call(cli=cli))


def explain(error: BaseException) -> str:
    """Return an exception in one line: its kind, unless it is our own, and its message."""
    return f"{type(error).__name__}: {error}".rstrip(": ")


def _guarded(declared: Declared, failure: str, call: Callable[[], T]) -> T:
    try:
        return call()
    except PluginError:
        raise
    except (Exception, SystemExit) as error:  # a stranger's code may raise anything
        hint = _import_hint(declared, error)
        raise PluginError(f"{declared} {failure}: {explain(error)}{hint}") from error


def _import_hint(declared: Declared, error: BaseException) -> str:
    missing = error.name if isinstance(error, ModuleNotFoundError) else None
    if declared.version or missing is None or missing.partition(".")[0] != declared.name:
        return ""
    return ". In a plugins directory a package imports its own modules relatively: from .x import y"


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
        f"{declared}: {declared.value} is {content!r}, not a module and no class derived from Game"
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
    return _guarded(declared, f"cannot make {kind.__name__}", kind)


def _listed(declared: Declared, manager: PluginManager, hook: str, kind: type[T]) -> tuple[T, ...]:
    """Call a hook that returns several things, and check each of them."""
    call = getattr(manager.hook, hook)
    lists: list[Iterable[object]] = _guarded(declared, f"failed in {hook}", call)
    things = _guarded(declared, f"failed in {hook}", lambda: [x for each in lists for x in each])
    wrong = [thing for thing in things if not isinstance(thing, kind)]
    if wrong:
        hint = ": return an object, not the class" if inspect.isclass(wrong[0]) else ""
        raise PluginError(
            f"{declared}: {hook} returned {wrong[0]!r}, which is no {kind.__name__}{hint}"
        )
    return tuple(thing for thing in things if isinstance(thing, kind))
