"""Import of one plugin and calls of its hooks; every exception becomes a PluginError."""

import inspect
import sys
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from dataclasses import dataclass
from functools import partial
from importlib.metadata import version
from types import ModuleType
from typing import Any

from pluggy import HookImpl, PluginManager, PluginValidationError

from cardhub.base.errors import PluginError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.bots import BotEntry
from cardhub.model.game.game import Game
from cardhub.plugins import hookspecs
from cardhub.plugins.discovery import FROM, Declaration
from cardhub.plugins.groups import GAMES, OWN, PLUGINS
from cardhub.plugins.hookspecs import HOOKS
from cardhub.plugins.registrations import Exporter, GameCollection, Playthrough, Theme
from cardhub.plugins.third_party import guarded, output_to_stderr, safe_repr

# The methods that every game has to write.
REQUIRED = ("apply", "deal", "legal", "scores")


@dataclass(frozen=True, slots=True)
class Plugin:
    """An imported plugin with its registered objects; `manager` calls the hooks of this one only.

    For each hook that returns objects there is an attribute: `Hook.attribute`.
    """

    declared: Declaration
    hooks: tuple[str, ...]
    manager: PluginManager
    games: tuple[Game[Any], ...]
    collections: tuple[GameCollection, ...]
    bots: tuple[BotEntry, ...]
    themes: tuple[Theme, ...]
    exporters: tuple[Exporter, ...]


def load(declared: Declaration) -> Plugin:
    """Import a plugin and call its hooks; raises PluginError with the plugin and the cause."""
    _check_needs(declared)
    # Hooks are called once, here: games and bots are then called without pluggy.
    content = guarded(declared, "cannot be imported", declared.fetch)
    manager = _manager(declared, _home(declared) if isinstance(content, Game) else content)
    hooks = tuple(name for name in HOOKS if getattr(manager.hook, name).get_hookimpls())
    registered: dict[str, tuple[Any, ...]] = {
        hook.attribute: _call_hook(declared, manager, hook.name, hook.item)
        for hook in HOOKS.values()
        if hook.item is not None and hook.name != "register_games"
    }
    return Plugin(
        declared, hooks, manager, games=_games(declared, content, manager, hooks), **registered
    )


def add_commands(plugin: Plugin, cli: Any) -> None:
    """Add a plugin's commands to a click group; raises PluginError."""
    call = plugin.manager.hook.register_commands
    with output_to_stderr():
        guarded(plugin.declared, "failed in register_commands", lambda: call(cli=cli))


def make_game(declared: Declaration, collection: GameCollection, name: str, rest: str) -> Game[Any]:
    """Return the game `name` of a collection; raises PluginError."""
    make = partial(collection.make, name, rest)
    game = guarded(declared, f"cannot make {name!r}", make)
    if not isinstance(game, Game) or game.name != name:
        is_game = isinstance(game, Game)
        made = f"a game called {safe_repr(game.name)}" if is_game else safe_repr(game)
        raise PluginError(f"{declared} should make a game called {name!r}, but made {made}")
    return game


def rename_game(declared: Declaration, game: Game[Any], name: str) -> Game[Any]:
    """Return the same game under its name with the package; raises PluginError.

    Its title has the package, too, because lists show titles.
    """

    def rename() -> Game[Any]:
        # Deep, because shallow copies share their attributes if the core is compiled.
        renamed = deepcopy(game)
        # The parts know the game of the other name.
        changes = {"title": f"{game.title} ({name.partition(FROM)[0]})", "name": name}
        for attribute, value in {**changes, "_display": None, "_heuristics": None}.items():
            setattr(renamed, attribute, value)
        return renamed

    return guarded(declared, f"cannot be called {name!r}", rename)


def export_text(exporter: Exporter, declared: Declaration, game: Playthrough) -> str:
    """Return a game in the format of a plugin's exporter; raises PluginError."""
    failure = f"failed in its format {exporter.name!r}"
    return guarded(declared, failure, lambda: _export(exporter, f"{declared} {failure}", game))


def _export(exporter: Exporter, failure: str, game: Playthrough) -> str:
    result = exporter.export(game)
    if isinstance(result, str):
        return result
    if not hasattr(result, "__iter__"):
        raise PluginError(f"{failure}: it returned {safe_repr(result)}, not text or pieces of it")
    pieces = list(result)
    for piece in pieces:
        if not isinstance(piece, str):
            raise PluginError(f"{failure}: a piece of it is {safe_repr(piece)}, not text")
    return "".join(pieces)


def _check_needs(declared: Declaration) -> None:
    """Raise PluginError if the distribution needs another version of cardhub."""
    if declared.is_own or not declared.needs:
        return
    from packaging.requirements import InvalidRequirement, Requirement  # slow, and rarely needed

    here = version(OWN)
    for text in declared.needs:
        with suppress(InvalidRequirement):  # the installer's fault, and no reason to refuse it
            needed = Requirement(text)
            applies = needed.marker is None or needed.marker.evaluate({"extra": ""})
            if applies and not needed.specifier.contains(here, prereleases=True):
                wanted = text.partition(";")[0].rstrip()
                raise PluginError(
                    f"{declared} needs {wanted}, but this is cardhub {here}. "
                    f"fix: install {wanted}, or another version of {declared.distribution}"
                )


def _manager(declared: Declaration, content: object) -> PluginManager:
    # One manager per plugin: with a shared one, an exception in a hook would not name the plugin
    # that raised it, and a broken plugin would prevent the calls of the others.
    manager = PluginManager(hookspecs.PROJECT)
    manager.add_hookspecs(hookspecs.SPECIFICATIONS)
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
            raise PluginError(f"{declared} is not valid: {hook} is missing the @hookimpl decorator")
    return manager


def _home(declared: Declaration) -> ModuleType | None:
    """Return the module or package of a game that was given as an object, if it registers bots."""
    # A module that also has a plugin's other hooks is no plugin of games alone.
    others = [name for name, hook in HOOKS.items() if GAMES not in hook.groups]
    for name in (declared.value.partition(":")[0], declared.distribution):
        module = sys.modules.get(name)
        if hasattr(module, "register_bots") and not any(hasattr(module, n) for n in others):
            return module
    return None


def _is_own(module: ModuleType, name: str) -> bool:
    member = getattr(module, name, None)
    return inspect.isfunction(member) and member.__module__ == module.__name__


def _games(
    declared: Declaration, content: object, manager: PluginManager, hooks: tuple[str, ...]
) -> tuple[Game[Any], ...]:
    if declared.group == PLUGINS:
        return ()
    if isinstance(content, Game):
        return (content,)
    if isinstance(content, ModuleType) and "register_games" in hooks:
        return _call_hook(declared, manager, "register_games", Game)
    if isinstance(content, ModuleType):
        kinds = list(_defined_games(content))
        complete = [kind for kind in kinds if not _missing(kind)]
        # Without a complete class the first one says what it lacks; else it is a common base.
        return tuple(_make(declared, kind) for kind in complete or kinds[:1])
    if inspect.isclass(content) and issubclass(content, Game):
        return (_make(declared, content),)
    raise PluginError(
        f"{declared}: {declared.value} is {safe_repr(content)}, neither a module"
        " nor a class derived from Game"
    )


def _defined_games(module: ModuleType) -> Iterator[type[Game[Any]]]:
    # A module usually imports Game and other classes: only those defined in it count.
    classes = dict.fromkeys(filter(inspect.isclass, vars(module).values()))
    for member in classes:
        if issubclass(member, Game):
            home = member.__module__
            if home == module.__name__ or home.startswith(module.__name__ + "."):
                yield member


def _missing(kind: type[Game[Any]]) -> list[str]:
    """Return the abstract methods of a class by name."""
    # Compiled classes, and those derived from them, do not know which methods are abstract.
    inherited = {name for name in REQUIRED if getattr(kind, name) is getattr(Game, name)}
    return sorted(inherited | getattr(kind, "__abstractmethods__", set()))


def _make(declared: Declaration, kind: type[Game[Any]]) -> Game[Any]:
    if missing := _missing(kind):
        lacks = f"{kind.__name__} does not implement {', '.join(missing)}"
        raise PluginError(f"{declared}: {lacks}{_misspelt(kind, missing)}")
    return guarded(declared, f"cannot make {kind.__name__}", kind)


def _misspelt(kind: type[Game[Any]], missing: list[str]) -> str:
    """Return the end of a message: the methods whose names are almost those of missing ones."""
    return "".join(
        f". {code.co_filename}:{code.co_firstlineno}: {name}() is no method of Game.{hint}"
        for name, method in vars(kind).items()
        if (code := getattr(method, "__code__", None)) and not hasattr(Game, name)
        if (hint := did_you_mean(name, missing))
    )


def _call_hook(
    declared: Declaration, manager: PluginManager, hook: str, kind: type[Any]
) -> tuple[Any, ...]:
    impls = getattr(manager.hook, hook).get_hookimpls()
    things = [thing for impl in impls for thing in _returned(declared, impl, hook, kind)]
    wrong = [thing for thing in things if not isinstance(thing, kind)]
    if wrong:
        hint = ": return an object, not the class" if inspect.isclass(wrong[0]) else ""
        raise PluginError(
            f"{declared}: {hook} returned {safe_repr(wrong[0])}, which is no {kind.__name__}{hint}"
            f" ({_location(impls[0])})"
        )
    return tuple(things)


def _returned(declared: Declaration, impl: HookImpl, hook: str, kind: type[Any]) -> list[object]:
    # Called without pluggy, which would silently drop a None.
    result = guarded(declared, f"failed in {hook}", impl.function)
    if isinstance(result, str) or not hasattr(result, "__iter__"):
        raise PluginError(
            f"{declared}: {hook} returned {safe_repr(result)},"
            f" not a list of {kind.__name__} objects ({_location(impl)})"
        )
    return guarded(declared, f"failed in {hook}", lambda: list(result))


def _location(impl: HookImpl) -> str:
    code = getattr(inspect.unwrap(impl.function), "__code__", None)
    return f"{code.co_filename}:{code.co_firstlineno}" if code else impl.plugin_name
