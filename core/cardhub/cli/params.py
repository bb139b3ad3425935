"""Types and options of the command line that several commands share."""

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from math import isnan
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem
from typing_extensions import override

from cardhub.cli.root import registry_of
from cardhub.cli.session.saves import saved_games
from cardhub.errors import CardhubError
from cardhub.game.initial_state import Seed
from cardhub.play.seating import HUMAN, Player
from cardhub.play.seeds import read_seed
from cardhub.plugins.groups import GAMES
from cardhub.plugins.registrations import Theme
from cardhub.tui.textual_themes import built_in

T = TypeVar("T")
Words = Iterable[str] | Mapping[str, str]

AS_JSON = click.option("--json", "as_json", is_flag=True, help="Print JSON.")
ASCII = click.option("--ascii", "ascii_only", is_flag=True, help="Use only ASCII characters.")
VIEWER = click.option(
    "--as", "who", metavar="NAME", help="Viewer: a player's name, `spectator` or `all`."
)


class TextType(click.ParamType[T]):
    """Base class of types that parse one text; errors become usage errors."""

    @abstractmethod
    def parse(self, text: str, ctx: click.Context | None) -> T:
        """Return the value of a text; raises ValueError or CardhubError."""

    def words(self, ctx: click.Context, incomplete: str) -> Words:
        """Return the words that a shell may complete; a mapping has a description of each."""
        return ()

    @override
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value  # a default, or a value that click converts again
        try:
            return self.parse(value, ctx)
        except (CardhubError, ValueError) as error:
            self.fail(str(error), param, ctx)

    @override
    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        words = self.words(ctx, incomplete)
        helps = words if isinstance(words, Mapping) else {}
        found = (word for word in words if word.startswith(incomplete))
        return [CompletionItem(word, help=helps.get(word)) for word in found]


class GameType(TextType[str]):
    """Name of an installed game, or of a game of a collection."""

    name = "game"

    @override
    def parse(self, text: str, ctx: click.Context | None) -> str:
        registry = registry_of(ctx)
        if not registry.is_game(text):
            raise ValueError(registry.unknown_game(text) + _install_hint(text))
        return text

    @override
    def words(self, ctx: click.Context, incomplete: str) -> Words:
        return {each.name: each.summarize() for each in registry_of(ctx).declared(GAMES)}


class SeatType(TextType[Player]):
    """`NAME=KIND`: a player, where KIND is `human` or a bot."""

    name = "name=kind"

    @override
    def parse(self, text: str, ctx: click.Context | None) -> Player:
        name, _, kind = text.partition("=")
        if not (name and kind):
            raise ValueError(f"{text!r} is not NAME=KIND, such as Bob=random or Bob=human")
        return Player(name, kind)

    @override
    def words(self, ctx: click.Context, incomplete: str) -> Words:
        name, equals, _ = incomplete.partition("=")
        return (f"{name}={kind}" for kind in [HUMAN, *_bots(ctx)] if equals)


class BotType(TextType[str]):
    """A bot with its options, or a level; the command checks it, since it depends on the game."""

    name = "bot"

    @override
    def parse(self, text: str, ctx: click.Context | None) -> str:
        return text

    @override
    def words(self, ctx: click.Context, incomplete: str) -> Words:
        return _bots(ctx)


class SeedType(TextType[Seed]):
    """A seed: a whole number, or the hexadecimal digits of a drawn seed."""

    name = "seed"

    @override
    def parse(self, text: str, ctx: click.Context | None) -> Seed:
        try:
            return read_seed(text)
        except ValueError:
            reason = "use a whole number or 32 hexadecimal digits"
            raise ValueError(f"invalid seed {text!r}: {reason}") from None


class SettingType(TextType[tuple[str, str]]):
    """`KEY=VALUE`: an option of the game and its value; the command checks both."""

    name = "key=value"

    @override
    def parse(self, text: str, ctx: click.Context | None) -> tuple[str, str]:
        key, equals, value = text.partition("=")
        if not (key and equals):
            raise ValueError(f"{text!r} is not KEY=VALUE; see `cardhub rules GAME --options`")
        return key, value

    @override
    def words(self, ctx: click.Context, incomplete: str) -> Words:
        keys = _names_for_game(lambda game: list(registry_of(ctx).game(game).options), ctx)
        return (f"{key}=" for key in keys)


class PaceType(click.FloatRange):
    """Number of seconds from 0 to an hour."""

    def __init__(self) -> None:
        super().__init__(min=0, max=3600)

    @override
    def convert(
        self, value: Any, param: click.Parameter | None, ctx: click.Context | None
    ) -> float:
        seconds = float(super().convert(value, param, ctx))
        if isnan(seconds):  # which no comparison with the range rejects
            self.fail(f"{value!r} is not a number of seconds", param, ctx)
        return seconds


class RecordType(TextType[Path]):
    """Path of an existing file; shells complete saved games."""

    name = "file"

    @override
    def parse(self, text: str, ctx: click.Context | None) -> Path:
        path = Path(text)
        if not _is_file(path):
            raise ValueError(f"there is no file {text!r}")
        return path

    @override
    def words(self, ctx: click.Context, incomplete: str) -> Words:
        return map(str, saved_games())

    @override
    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        saved = super().shell_complete(ctx, param, incomplete)
        return [*saved, CompletionItem(incomplete, type="file")]


class ThemeType(TextType[Theme | str]):
    """Name of a theme; converts to a plugin's Theme, or to the name of one of Textual's themes."""

    name = "theme"

    @override
    def parse(self, text: str, ctx: click.Context | None) -> Theme | str:
        known = built_in()
        return text if text in known else registry_of(ctx).themes(known).get(text)[0]

    @override
    def words(self, ctx: click.Context, incomplete: str) -> Words:
        return registry_of(ctx).themes(built_in()).names()


def _install_hint(name: str) -> str:
    """Return a hint if a folder of this name holds a package, else an empty string."""
    is_package = name != "" and _is_file(Path(name, "pyproject.toml"))
    return f". The folder {name!r} is not installed: pip install -e {name}" if is_package else ""


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:
        return False  # the name is too long, or a parent folder is not accessible


def _bots(ctx: click.Context) -> list[str]:
    registry = registry_of(ctx)
    return _names_for_game(lambda game: [*registry.levels(game), *registry.bots_for(game)], ctx)


def _names_for_game(names: Callable[[str], list[str]], ctx: click.Context) -> list[str]:
    """Return names that depend on the game; none if it is unknown or broken."""
    # If the last option lacks its value, click leaves the game among the arguments.
    game = ctx.params.get("game") or next(iter(ctx.args), None)
    try:
        return names(game) if game else []
    except CardhubError:
        return []
