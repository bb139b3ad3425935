"""What a plugin may register.

A plugin is a module named by an entry point. In the group `cardhub.games` the entry point's name is
the name of the game; the group `cardhub.plugins` holds what is there for any game. A module may
stand in both. Mark what you implement: `from cardhub import hookimpl`.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pluggy import HookimplMarker, HookspecMarker

from cardhub.bots import BotEntry
from cardhub.game.game import Game
from cardhub.plugins.collection import GameCollection
from cardhub.plugins.exporter import Exporter
from cardhub.plugins.theme import Theme

if TYPE_CHECKING:
    from click import Group

PROJECT = "cardhub"

hookspec = HookspecMarker(PROJECT)
hookimpl = HookimplMarker(PROJECT)


@hookspec
def register_games() -> Iterable[Game[Any]]:  # type: ignore[empty-body]  # a signature
    """Return the games of a `cardhub.games` module; without this hook, the games it defines."""


@hookspec
def register_collections() -> Iterable[GameCollection]:  # type: ignore[empty-body]  # a signature
    """Return games that are made when somebody names one; a `cardhub.plugins` hook."""


@hookspec
def register_bots() -> Iterable[BotEntry]:  # type: ignore[empty-body]  # a signature
    """Return bots: a `cardhub.games` module those for its game, another module those for any."""


@hookspec
def register_commands(cli: "Group") -> None:
    """Add click commands to `cli`; a `cardhub.plugins` hook. Their `obj` is the PluginRegistry."""


@hookspec
def register_themes() -> Iterable[Theme]:  # type: ignore[empty-body]  # a signature
    """Return colours for the table on the screen; a `cardhub.plugins` hook."""


@hookspec
def register_exporters() -> Iterable[Exporter]:  # type: ignore[empty-body]  # a signature
    """Return formats for recorded games; a `cardhub.plugins` hook."""
