"""Settings that last: a small TOML file of the person, read once and replaced atomically."""

import json
import os
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass, fields, replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import platformdirs

from cardhub.base.errors import OptionError, SeatingError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.files import LimitError, read_within, replace_text
from cardhub.play.seating import NAMES, check_distinct, check_player_name

CardSize = Literal["auto", "small", "large"]
CARD_SIZES: tuple[CardSize, ...] = ("auto", "small", "large")
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
    action is played without asking.
    """

    theme: str = ""
    card_size: CardSize = "auto"
    pace: float = 0.6
    name: str = NAMES[0]
    bot_names: tuple[str, ...] = NAMES[1:]
    helps: bool = True
    plays_forced: bool = False
    ascii: bool = False


class Preference(NamedTuple):
    """One setting: one line about it, its valid values in words, and their conversion.

    `read` returns the value of a decoded TOML value, and raises ValueError for an invalid one.
    """

    help: str
    values: str
    read: Callable[[Any], Any]


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise ValueError
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.isprintable():
        raise ValueError
    return value


def _pace(value: Any) -> float:
    # A bool is an int in Python.
    is_number = isinstance(value, int | float) and not isinstance(value, bool)
    if not is_number or not 0 <= value <= MAX_PACE:  # nan fails this comparison, too
        raise ValueError
    return float(value)


def _size(value: Any) -> str:
    if value not in CARD_SIZES:
        raise ValueError
    return str(value)


def _name(value: Any) -> str:
    check_player_name(_text(value))
    return str(value)


def _names(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list | tuple) or not value:
        raise ValueError
    names = tuple(map(_name, value))
    check_distinct(names)
    return names


# In the order of the file and of the screen.
PREFERENCES: dict[str, Preference] = {
    "theme": Preference("colours; `cardhub themes` lists them", "the name of a theme", _text),
    "card_size": Preference("size of the cards", "one of auto, small, large", _size),
    "pace": Preference("least seconds between actions of bots", "seconds from 0 to 3600", _pace),
    "name": Preference("your name at the table", "a name of at most 20 characters", _name),
    "bot_names": Preference("names of bots, in order of seats", "a list of names", _names),
    "helps": Preference("hints and undo in new games", "true or false", _flag),
    "plays_forced": Preference("a single legal action is played at once", "true or false", _flag),
    "ascii": Preference("only ASCII characters", "true or false", _flag),
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
        key: _checked(path, text, key, value) for key, value in entries.items()
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
        return replace(preferences, **{key: PREFERENCES[key].read(value)})
    except (ValueError, SeatingError) as error:
        raise OptionError(_invalid(key, value, error)) from error


def _checked(path: Path, text: str, key: str, value: object) -> Any:
    where = f"{path}:{_line_of(text, key)}"
    if key not in PREFERENCES:
        known = ", ".join(PREFERENCES)
        raise OptionError(
            f"{where}: unknown setting {key!r}.{did_you_mean(key, PREFERENCES)} Known: {known}\n"
            "fix: rename or remove the line"
        )
    try:
        return PREFERENCES[key].read(value)
    except (ValueError, SeatingError) as error:
        raise OptionError(f"{where}: {_invalid(key, value, error)}") from error


def _invalid(key: str, value: object, error: Exception) -> str:
    why = f": {error}" if str(error) else ""
    expected = PREFERENCES[key].values
    return f"invalid {key} {_as_toml(value)}{why}\nfix: use {expected}"


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
