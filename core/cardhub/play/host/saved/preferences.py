"""Settings that last: a small TOML file of the person, read once and replaced atomically."""

import json
import os
import re
import tomllib
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_type_hints

import platformdirs
from msgspec import Meta, ValidationError, convert

from cardhub.base.errors import OptionError, SeatingError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.files import LimitError, read_within, replace_text
from cardhub.play.seating import NAMES, check_distinct, check_player_name
from cardhub.view.text.glyphs import GlyphChoice

CardSize = Literal["auto", "small", "large"]
CARD_SIZES: tuple[CardSize, ...] = ("auto", "small", "large")
# Which actions need confirmation: all that cannot be undone, costly ones of these, or none.
Confirming = Literal["always", "costly", "never"]
CONFIRMING: tuple[Confirming, ...] = ("always", "costly", "never")
FILE = "settings.toml"
# The maximum size of the file in bytes.
MOST = 100_000
# The longest time between the actions of bots, in seconds.
MAX_PACE = 3600.0
HEAD = """\
# Settings of cardhub, written by its screen of settings; they may be edited here as well.
# The screen replaces the whole file: it does not keep other comments."""


@dataclass(frozen=True, slots=True)
class Preferences:
    """Settings of all tables; options of the command line and the environment override them.

    `theme` is a theme's name, empty for the default. `pace` is the minimum number of seconds
    between actions of bots on the screen. `name` is the person's name, `bot_names` are the names of
    bots by seat. `helps`: new games allow hints and undo. `plays_forced`: a turn with one legal
    action is played without asking. `confirms`: the actions on the screen that need confirmation.
    `glyphs`: the characters of tables and of text.
    """

    theme: str = ""
    card_size: CardSize = "auto"
    pace: Annotated[float, Meta(ge=0, le=MAX_PACE)] = 0.6
    name: str = NAMES[0]
    bot_names: Annotated[tuple[str, ...], Meta(min_length=1)] = NAMES[1:]
    helps: bool = True
    plays_forced: bool = False
    confirms: Confirming = "costly"
    glyphs: GlyphChoice = "auto"


DEFAULTS = Preferences()


class Preference(NamedTuple):
    """The texts of one setting: one line about it, and its valid values."""

    help: str
    values: str


_TYPES = get_type_hints(Preferences, include_extras=True)
# In the order of the file and of the screen.
PREFERENCES: dict[str, Preference] = {
    "theme": Preference("colours; `cardhub themes` lists them", "the name of a theme"),
    "card_size": Preference("size of the cards", "one of auto, small, large"),
    "pace": Preference("the shortest time between actions of bots", "seconds from 0 to 3600"),
    "name": Preference("your name at the table", "a name of at most 20 characters"),
    "bot_names": Preference("the names of bots, in the order of seats", "a list of names"),
    "helps": Preference("hints and undo in new games", "true or false"),
    "plays_forced": Preference("play your only legal action for you", "true or false"),
    "confirms": Preference(
        "ask before actions that cannot be undone", "one of always, costly, never"
    ),
    "glyphs": Preference(
        "characters of the table; auto asks the terminal",
        "one of auto, unicode, narrow, ascii",
    ),
}


def preferences_path() -> Path:
    """Return the path of the settings file; CARDHUB_HOME names another folder."""
    override = os.environ.get("CARDHUB_HOME")
    return (Path(override) if override else platformdirs.user_config_path("cardhub")) / FILE


def load_preferences(path: Path | None = None) -> Preferences:
    """Return the settings of a file, the defaults if there is none.

    Raises OptionError, which names file, line and remedy, for an unknown key or an invalid value.
    """
    path = path or preferences_path()
    try:
        text = read_within(path, MOST).decode("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        return Preferences()
    except (OSError, LimitError, UnicodeDecodeError) as error:
        raise OptionError(f"{path} cannot be read: {error}") from error
    try:
        entries = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # also a number with too many digits
        raise OptionError(f"{path}: not TOML: {error}\n{_remedy(path)}") from error
    values: dict[str, Any] = {
        key: _checked(path, text, key, value) for key, value in _renamed(entries).items()
    }
    return Preferences(**values)


def save_preferences(preferences: Preferences, path: Path | None = None) -> None:
    """Replace the settings file atomically; raises OptionError if it cannot be written."""
    path = path or preferences_path()
    lines = [HEAD]
    for field in fields(Preferences):
        value = getattr(preferences, field.name)
        lines += [f"# {PREFERENCES[field.name].help}", f"{field.name} = {_as_toml(value)}"]
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        replace_text(path, "\n".join(lines) + "\n")
    except OSError as error:
        raise OptionError(f"{path} cannot be written: {error.strerror}") from error


def changed(preferences: Preferences, key: str, value: object) -> Preferences:
    """Return settings with another value of a key; raises OptionError if it is invalid."""
    try:
        return replace(preferences, **{key: _read(key, value)})
    except ValueError as error:
        raise OptionError(str(error)) from error


def _renamed(entries: dict[str, Any]) -> dict[str, Any]:
    """Return entries with today's names: earlier, `ascii` stood for `glyphs`."""
    match entries.get("ascii"):
        case True:
            others = {key: value for key, value in entries.items() if key != "ascii"}
            return {"glyphs": "ascii"} | others
        case False:
            return {key: value for key, value in entries.items() if key != "ascii"}
    return entries


def _checked(path: Path, text: str, key: str, value: object) -> Any:
    where = f"{path}:{_line_of(text, key)}"
    if key not in PREFERENCES:
        known = ", ".join(PREFERENCES)
        raise OptionError(
            f"{where}: unknown setting {key!r}.{did_you_mean(key, PREFERENCES)} Known: {known}\n"
            "fix: rename or remove the line"
        )
    try:
        return _read(key, value)
    except ValueError as error:
        raise OptionError(f"{where}: {error}") from error


def _read(key: str, value: object) -> Any:
    """Return the value of a setting for a decoded TOML value; raises ValueError with a remedy."""
    reason = ""
    try:
        read = convert(value, _TYPES[key])
        names = {"name": (read,), "bot_names": read}.get(key, ())
        for name in names:
            check_player_name(name)
        check_distinct(names)
        if not isinstance(read, str) or read.isprintable():
            return read
    except ValidationError:
        pass  # the remedy names the valid values
    except SeatingError as error:
        reason = f": {error}"
    raise ValueError(f"invalid {key} {_as_toml(value)}{reason}\nfix: use {PREFERENCES[key].values}")


def _line_of(text: str, key: str) -> int:
    # tomllib does not report the lines of values. Keys and names of tables may be quoted.
    pattern = re.compile(rf"\s*\[*\s*[\"']?{re.escape(key)}\b")
    lines = enumerate(text.splitlines(), 1)
    return next((number for number, line in lines if pattern.match(line)), 1)


def _remedy(path: Path) -> str:
    return f"fix: correct the line, or remove {path} for the default settings"


def _as_toml(value: object) -> str:
    # Texts, numbers, flags and lists of these have the same form in TOML as in JSON.
    return json.dumps(value, ensure_ascii=False, default=str)
