"""The hooks of plugins. `HOOKS` is derived from their signatures, and all else from `HOOKS`.

A plugin is a module named by an entry point. In the group `cardhub.games` the name of the entry
point is the name of the game; the group `cardhub.plugins` is for plugins of any game. A module can
be in both. Mark an implementation with the decorator `cardhub.hookimpl`.
"""

from collections.abc import Callable, Iterable
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar, get_args, get_origin

from pluggy import HookimplMarker, HookspecMarker

from cardhub.bots import BotEntry
from cardhub.model.game.game import Game
from cardhub.plugins.groups import GAMES, PLUGINS
from cardhub.plugins.registrations import Exporter, GameCollection, Theme

# Click belongs to the commands; a plugin of games does not need it.
if TYPE_CHECKING:
    from click import Group

PROJECT = "cardhub"

hookspec = HookspecMarker(PROJECT)
hookimpl = HookimplMarker(PROJECT)

F = TypeVar("F", bound=Callable[..., object])


class Hook(NamedTuple):
    """A hook: the noun for its objects, the groups of entry points, and the class of an object."""

    name: str
    noun: str
    groups: tuple[str, ...]
    item: type | None
    """The class of the returned objects; None if the hook returns no object."""

    @property
    def attribute(self) -> str:
        """The attribute of an imported plugin that holds the registered objects."""
        return self.name.removeprefix("register_")


# All hooks by name.
HOOKS: dict[str, Hook] = {}
# Their specifications and no other name, because pluggy inspects all names for each plugin.
SPECIFICATIONS = ModuleType("specifications")


def _hook(noun: str, *groups: str) -> Callable[[F], F]:
    """Declare a hook that registers objects called `noun` and is called in these groups."""

    def declare(spec: F) -> F:
        returned = get_args(spec.__annotations__["return"])  # Iterable[Game[Any]] -> Game[Any]
        item = get_origin(returned[0]) or returned[0] if returned else None
        HOOKS[spec.__name__] = Hook(spec.__name__, noun, groups, item)
        setattr(SPECIFICATIONS, spec.__name__, hookspec(spec))
        return spec

    return declare


@_hook("game", GAMES)
def register_games() -> Iterable[Game[Any]]:  # type: ignore[empty-body]  # a signature
    """Return the games of a `cardhub.games` module (default: the games that it defines)."""


@_hook("collection", PLUGINS)
def register_collections() -> Iterable[GameCollection]:  # type: ignore[empty-body]  # a signature
    """Return collections, which make games on demand; a `cardhub.plugins` hook."""


@_hook("bot", GAMES, PLUGINS)
def register_bots() -> Iterable[BotEntry]:  # type: ignore[empty-body]  # a signature
    """Return bots: for its game in a `cardhub.games` module, else for any game."""


@_hook("command", PLUGINS)
def register_commands(cli: "Group") -> None:
    """Add click commands to `cli`; a `cardhub.plugins` hook. Their `obj` is the PluginRegistry."""


@_hook("theme", PLUGINS)
def register_themes() -> Iterable[Theme]:  # type: ignore[empty-body]  # a signature
    """Return colour themes for the terminal interface; a `cardhub.plugins` hook."""


@_hook("format", PLUGINS)
def register_exporters() -> Iterable[Exporter]:  # type: ignore[empty-body]  # a signature
    """Return formats for recorded games; a `cardhub.plugins` hook."""
