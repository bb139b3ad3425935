"""Parameter types and options that several commands share."""

import shlex
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click
from click.shell_completion import CompletionItem
from typing_extensions import override

from cardhub.base.errors import CardhubError
from cardhub.base.files import is_file
from cardhub.cli.root import registry_of
from cardhub.model.game.initial_state import Seed
from cardhub.play.host.saved.saves import saved_games
from cardhub.play.seating import HUMAN, Player
from cardhub.play.seeds import read_seed
from cardhub.plugins.registrations import Theme
from cardhub.tui.palette import built_in

T = TypeVar("T")
FIX = "fix: "
# Strings that a shell may complete, optionally with their descriptions.
Words = Iterable[str] | Mapping[str, str]
# Maximum of --pace in seconds.
MAX_PACE = 3600

# Type of the decorator that `click.option` returns.
Option = Callable[[Callable[..., Any]], Callable[..., Any]]


def json_option(help_text: str = "Print JSON.") -> Option:
    """`--json`: print JSON instead of text."""
    return click.option("--json", "as_json", is_flag=True, help=help_text)


def list_option(name: str, help_text: str) -> Option:
    """`--list`: list what there is instead; `name` is the parameter."""
    return click.option("--list", name, is_flag=True, help=help_text)


def number_option(
    flag: str, help_text: str, *names: str, least: int = 1, default: int | None = None
) -> Option:
    """Return an option with a whole number of at least `least`; help shows its default.

    `names`: the parameter, if it differs from the flag.
    """
    return click.option(
        flag,
        *names,
        type=click.IntRange(min=least),
        default=default,
        show_default=default is not None,
        metavar="N",
        help=help_text,
    )


def workers_option(help_text: str) -> Option:
    """`--workers N`: number of processes, at least 1."""
    return number_option("--workers", help_text)


def cluster_option(help_text: str) -> Option:
    """`--cluster ADDRESS`: a Dask cluster that replaces local processes."""
    return click.option("--cluster", metavar="ADDRESS", help=help_text)


def seconds_option(help_text: str) -> Option:
    """`--seconds N`: a time limit above 0."""
    return click.option(
        "--seconds", type=click.FloatRange(min=0, min_open=True), metavar="N", help=help_text
    )


def seed_option(help_text: str = "Seed of the games.", **attributes: Any) -> Option:
    """`--seed`: a whole number, 0 by default; `attributes` are passed to `click.option`."""
    given = {"type": int, "default": 0, "show_default": True, **attributes}
    return click.option("--seed", help=help_text, **given)


def players_option(least: int = 1) -> Option:
    """`--players N`: number of players, at least `least`."""
    return number_option("--players", "Number of players.", least=least)


def folder_option(help_text: str) -> Option:
    """`--out DIR`: folder that the command writes to."""
    return click.option(
        "--out", type=click.Path(file_okay=False, path_type=Path), metavar="DIR", help=help_text
    )


def new_file_option(flag: str, help_text: str, *names: str, **attributes: Any) -> Option:
    """Return an option with the path of a file to write; `attributes` go to `click.option`.

    `names`: the parameter, if it differs from the flag.
    """
    path = click.Path(dir_okay=False, path_type=Path)
    return click.option(flag, *names, type=path, help=help_text, **attributes)


AS_JSON = json_option()
# 0 stands for any free port.
PORT_TYPE = click.IntRange(0, 65_535)
ASCII = click.option("--ascii", "ascii_only", is_flag=True, help="Use only ASCII characters.")
PLAIN = click.option("--plain", is_flag=True, help="Use plain text instead of the full screen.")
QUIET = click.option("--quiet", is_flag=True, help="Print only errors.")
VIEWER = click.option(
    "--as", "who", metavar="NAME", help="Viewer: a player's name, `spectator` or `all`."
)


class ParsedType(click.ParamType[T]):
    """Parameter type of a string; a ValueError or CardhubError of `parse` is a usage error.

    `words` is the callback for shell completion: it returns strings, or a dict of strings with
    descriptions. With the flag `has_files` the shell completes file names as well.
    """

    def __init__(
        self,
        name: str,
        parse: Callable[[str], T],
        words: Callable[[click.Context, str], Words] = lambda ctx, incomplete: (),
        *,
        has_files: bool = False,
    ) -> None:
        self.name = name
        self._parse = parse
        self._words = words
        self._has_files = has_files

    @override
    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if not isinstance(value, str):
            return value  # a default, or a value that click converts again
        try:
            return self._parse(value)
        except (CardhubError, ValueError) as error:
            self.fail(str(error), param, ctx)

    @override
    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        words = self._words(ctx, incomplete)
        helps = words if isinstance(words, Mapping) else {}
        matches = (word for word in words if word.startswith(incomplete))
        items = [CompletionItem(word, help=helps.get(word)) for word in matches]
        if self._has_files:
            items.append(CompletionItem(incomplete, type="file"))
        return items


def _parse_game(text: str) -> str:
    registry = registry_of(None)
    if registry.is_game(text):
        return text
    reason = registry.unknown_game(text) + _install_hint(text)
    # The whole command, for a name that several packages have.
    if namesakes := registry.namesakes(text):
        command = click.get_current_context().command_path
        reason = f"{reason.partition(FIX)[0]}{FIX}{command} {namesakes[0]}"
    raise ValueError(reason)


def _parse_seat(text: str) -> Player:
    name, _, kind = text.partition("=")
    if not (name and kind):
        raise ValueError(f"{text!r} is not NAME=KIND, such as Bob=random or Bob=human")
    return Player(name, kind)


def _seat_words(ctx: click.Context, incomplete: str) -> Words:
    name, equals, _ = incomplete.partition("=")
    # The name is free; only what follows it can be completed.
    return [f"{name}={kind}" for kind in [HUMAN, *_bot_words(ctx)]] if equals else []


def _parse_seed(text: str) -> Seed:
    try:
        return read_seed(text)
    except ValueError:
        reason = "use a whole number or 32 hexadecimal digits"
        raise ValueError(f"invalid seed {text!r}: {reason}") from None


def _parse_setting(text: str) -> tuple[str, str]:
    key, equals, value = text.partition("=")
    if not (key and equals):
        raise ValueError(f"{text!r} is not KEY=VALUE; see `cardhub rules GAME --options`")
    return key, value


def _setting_words(ctx: click.Context, incomplete: str) -> Words:
    keys = _names_for_game(lambda game: list(registry_of(ctx).game(game).options), ctx)
    return [f"{key}=" for key in keys]


def _parse_pace(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        # Out of range: one message covers all invalid values.
        seconds = -1
    if not 0 <= seconds <= MAX_PACE:  # nan fails this comparison, too
        raise ValueError(f"{text!r} is not a number of seconds from 0 to {MAX_PACE}")
    return seconds


def parse_file(text: str) -> Path:
    """Return the path of an existing file; raises ValueError."""
    path = Path(text)
    if not is_file(path):
        raise ValueError(f"there is no file {text!r}")
    return path


def parse_theme(text: str) -> Theme | str:
    """Return a plugin's theme, or the name of one of Textual's; raises PluginError."""
    known = built_in()
    # Textual's themes first: known names do not load the plugins.
    return text if text in known else registry_of(None).themes(known).get(text)[0]


def _install_hint(name: str) -> str:
    # `cardhub new` writes a package, and forgetting to install it is the most common mistake. The
    # next one is to take the folder above the package for the plugins directory.
    above = (Path(), *registry_of(None).directories) if name else ()
    folder = next((path / name for path in above if is_file(path / name / "pyproject.toml")), None)
    if folder is None:
        return ""
    argument = shell_path(folder)
    return (
        f". The folder {str(folder)!r} is not installed: python -m pip install -e {argument}, "
        f"or start with cardhub --plugins-dir {argument}"
    )


def shell_path(path: Path) -> str:
    """Return a path for a shell, which pip does not take for the name of a project."""
    return shlex.quote(f"{'' if path.is_absolute() else './'}{click.format_filename(path)}")


def _bot_words(ctx: click.Context, incomplete: str = "") -> list[str]:
    registry = registry_of(ctx)
    return _names_for_game(lambda game: [*registry.levels(game), *registry.bots_for(game)], ctx)


def _names_for_game(names: Callable[[str], list[str]], ctx: click.Context) -> list[str]:
    """Return names that depend on the game; none if it is unknown or broken."""
    # If the last option lacks its value, click leaves the game among the arguments.
    game = ctx.params.get("game") or next(iter(ctx.args), None)
    try:
        return names(game) if game else []
    except CardhubError:
        return []  # shell completion has no place for an error message


# Name of an installed game, or of a game of a collection.
GAME = ParsedType(
    "game",
    _parse_game,
    lambda ctx, _: {name: game.summarize() for name, game in registry_of(ctx).games().items()},
)
# `NAME=KIND`: a player, where KIND is `human` or a bot.
SEAT = ParsedType("name=kind", _parse_seat, _seat_words)
# A bot with its options, or a level; commands check it, since it depends on the game.
BOT = ParsedType("bot", str, _bot_words)
# A seed: a whole number, or the hexadecimal digits of a drawn seed.
SEED = ParsedType[Seed]("seed", _parse_seed)
# `KEY=VALUE`: an option of the game and its value; commands check both.
SETTING = ParsedType("key=value", _parse_setting, _setting_words)
# Number of seconds from 0 to an hour.
PACE = ParsedType("seconds", _parse_pace)
# Path of an existing file; shells complete saved games.
RECORD = ParsedType("file", parse_file, lambda *_: map(str, saved_games()), has_files=True)
# Name of a theme; the value is a plugin's Theme, or the name of one of Textual's themes.
THEME = ParsedType("theme", parse_theme, lambda ctx, _: registry_of(ctx).themes(built_in()).names())

# Needs SETTING, which is defined above.
SETTINGS = click.option(
    "--set",
    "settings",
    type=SETTING,
    multiple=True,
    help="Set an option of the game; `cardhub rules GAME --options` lists them.",
)
