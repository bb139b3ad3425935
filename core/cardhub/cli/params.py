"""Values on the command line: games, players, options, records; each with its typo hints."""

from collections.abc import Callable
from math import isnan
from pathlib import Path
from typing import Any

import click
from click.shell_completion import CompletionItem

from cardhub.cli.root import registry_of
from cardhub.cli.session.saves import saved_games
from cardhub.errors import CardhubError, PluginError
from cardhub.game.initial_state import Seed
from cardhub.play.seating import HUMAN, Player
from cardhub.play.seeds import read_seed
from cardhub.plugins.discovery import GAMES
from cardhub.plugins.registrations import Theme
from cardhub.tui.textual_themes import built_in


class GameType(click.ParamType[str]):
    """The name of a game; the nearest is suggested for any other."""

    name = "game"

    def convert(self, value: str, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """Return the name, or fail with the installed ones; imports no game."""
        registry = registry_of(ctx)
        if not registry.is_game(value):
            self.fail(registry.unknown_game(value) + _uninstalled(value), param, ctx)
        return value

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names of the installed games."""
        declared = registry_of(ctx).declared(GAMES)
        return [
            CompletionItem(d.name, help=d.summarize())
            for d in declared
            if d.name.startswith(incomplete)
        ]


class SeatType(click.ParamType[Player]):
    """`NAME=KIND`: who sits there, and whether a person or which bot decides."""

    name = "name=kind"

    def convert(
        self, value: str | Player, param: click.Parameter | None, ctx: click.Context | None
    ) -> Player:
        """Return the player."""
        if isinstance(value, Player):
            return value
        name, equals, kind = value.partition("=")
        if not (name and equals and kind):
            self.fail(f"{value!r} is not NAME=KIND, such as Bob=random or Bob=human", param, ctx)
        return Player(name, kind)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the kinds of players, once the name is there."""
        name, equals, kind = incomplete.partition("=")
        kinds = [HUMAN, *_bots(ctx)]
        return [CompletionItem(f"{name}={k}") for k in kinds if equals and k.startswith(kind)]


class BotType(click.ParamType[str]):
    """A bot as text, or a level; whether there is such a bot is for the game to say."""

    name = "bot"

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the levels and the bots of the game named before."""
        return [CompletionItem(bot) for bot in _bots(ctx) if bot.startswith(incomplete)]


class SeedType(click.ParamType[Seed]):
    """A seed: a whole number, or what was drawn for another game."""

    name = "seed"

    def convert(
        self, value: str | Seed, param: click.Parameter | None, ctx: click.Context | None
    ) -> Seed:
        """Return the seed."""
        try:
            return read_seed(str(value))
        except ValueError:
            self.fail(f"{value!r} is no seed: a whole number, or 32 hexadecimal digits", param, ctx)


class SettingType(click.ParamType[tuple[str, str]]):
    """`KEY=VALUE`: an option of the game and what it is set to."""

    name = "key=value"

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, str]:
        """Return key and value; whether they exist is for the game to say."""
        if isinstance(value, tuple):
            return value
        key, equals, text = str(value).partition("=")
        if not (key and equals):
            self.fail(f"{value!r} is not KEY=VALUE; see `cardhub rules GAME --options`", param, ctx)
        return key, text

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the options of the game named before."""
        keys = _attempt(lambda game: list(registry_of(ctx).game(game).options), ctx)
        return [CompletionItem(f"{key}=") for key in keys if key.startswith(incomplete)]


class PaceType(click.FloatRange):
    """How many seconds to wait, up to an hour."""

    def __init__(self) -> None:
        super().__init__(min=0, max=3600)

    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        """Return the seconds; `nan` lies in every range but is no time to wait."""
        seconds = float(super().convert(value, param, ctx))
        if isnan(seconds):
            self.fail(f"{value!r} is no number of seconds", param, ctx)
        return seconds


class RecordType(click.ParamType[Path]):
    """A record: a file that exists."""

    name = "file"

    def convert(
        self, value: str | Path, param: click.Parameter | None, ctx: click.Context | None
    ) -> Path:
        """Return the path."""
        path = Path(value)
        if not _is_file(path):
            self.fail(f"there is no file {str(value)!r}", param, ctx)
        return path

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the saved games, and leave other files to the shell."""
        saved = [str(path) for path in saved_games()]
        found = [CompletionItem(path) for path in saved if path.startswith(incomplete)]
        return [*found, CompletionItem(incomplete, type="file")]


class ThemeType(click.ParamType[Theme | str]):
    """A theme by name: converts to a plugin's Theme, or to the name of one of Textual's themes."""

    name = "theme"

    def convert(
        self, value: Theme | str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Theme | str:
        """Return the theme; fail with the list of known themes."""
        known = built_in()
        if isinstance(value, Theme) or value in known:
            return value
        try:
            return registry_of(ctx).themes(known).get(value)[0]
        except PluginError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names of the known themes."""
        names = registry_of(ctx).themes(built_in()).names()
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


def _uninstalled(name: str) -> str:
    """Return what to do if a folder of this name holds a package, or nothing."""
    is_package = name != "" and _is_file(Path(name, "pyproject.toml"))
    return f". The folder {name!r} is not installed: pip install -e {name}" if is_package else ""


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # no file can have such a name, or be there for us


def _bots(ctx: click.Context) -> list[str]:
    """Return the levels and bots of the game, or none while it is not known or broken."""
    registry = registry_of(ctx)
    return _attempt(lambda game: [*registry.levels(game), *registry.bots_for(game)], ctx)


def _attempt(names: Callable[[str], list[str]], ctx: click.Context) -> list[str]:
    """Return names that depend on the game, or none while it is not known or broken."""
    # In front of an option that lacks its value, click leaves the game among the arguments.
    game = ctx.params.get("game") or next(iter(ctx.args), None)
    try:
        return names(game) if game else []
    except CardhubError:
        return []
