"""The pages on the bot protocol, plugins, security and play are complete."""

import inspect
import re
from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import Any

import pytest
from tests.attack.inventory import DOORS
from tests.kit.paths import ROOT

from cardhub import (
    Area,
    BreakdownRow,
    BreakdownSection,
    Counter,
    Display,
    Game,
    Grid,
    Heuristics,
    Moment,
    Playthrough,
    Scene,
    SeatLine,
    Summary,
    Tally,
    TallyRow,
    Target,
)
from cardhub.base.errors import BotFaultError
from cardhub.bots import CMD
from cardhub.bots.external.messages import game_message, turn_message
from cardhub.model.cards.cards import COLOURS
from cardhub.model.hidden.observation import Observation
from cardhub.plugins import hookspecs
from cardhub.plugins.hookspecs import HOOKS
from cardhub.plugins.registry import find_plugins
from cardhub.testing import PROMISES
from cardhub.testing.game_checks.display_checks.comparisons import SHOWN_CHECKS
from cardhub.testing.random_play import default_trial, play
from cardhub.tui.keys import CURSOR_KEYS, REPLAY_KEYS, TABLE_KEYS, Key

PROTOCOL = (ROOT / "docs" / "bot-protocol.md").read_text("utf-8")
REFERENCE = (ROOT / "docs" / "game-reference.md").read_text("utf-8")
PROTOCOL_ROWS = "\n".join(
    line for line in PROTOCOL.splitlines() if line[:1] == "|" or "seen_by" in line
)
# Names below these are chosen by games.
OWN_NAMES = {"options", "values", "fields"}
PLUGINS = (ROOT / "docs" / "plugins.md").read_text("utf-8")
SECURITY = (ROOT / "docs" / "security.md").read_text("utf-8").partition("\n## Checks\n")[2]
PLAY = (ROOT / "docs" / "play.md").read_text("utf-8")
KEY_ROW = re.compile(r"^\| (`.*?) \| (.*) \|$", re.MULTILINE)
# Keys for closing and scrolling do not need a line in the text on replays.
UNLISTED = {"esc", "?", "L", "Z", "q", "x"}


def keys(value: Any) -> Iterator[str]:
    """Yield all keys of a message that the protocol itself names."""
    if isinstance(value, list):
        for item in value:
            yield from keys(item)
    elif isinstance(value, dict):
        for key, item in value.items():
            yield key
            inner = list(item.values()) if key == "zones" and isinstance(item, dict) else item
            yield from () if key in OWN_NAMES else keys(inner)


@pytest.mark.parametrize("name", find_plugins().game_names())
def test_every_key_of_a_message_is_explained(name: str) -> None:
    game = find_plugins().game(name)
    for position in play(game, default_trial(game, game.seats.default, 1)):
        seat = position.state.seat
        if seat < 0 or position.number % 9 > 1:  # some of them, first of all the first
            continue
        seen = Observation(game, position.state, seat, position.history)
        messages = [game_message(seen, 1), turn_message(seen, None, 1)]
        assert {
            key for key in keys(messages) if not re.search(rf'[`"]{key}[`"]', PROTOCOL_ROWS)
        } == set()


def test_every_fault_is_explained() -> None:
    """The page on the protocol has each fault by its word in the code."""
    words = {kind.fault for kind in BotFaultError.__subclasses__()}
    assert set(re.findall(r"^\| `(\w+)` \| ", PROTOCOL, re.MULTILINE)) >= words


def test_every_option_is_explained() -> None:
    """The page on the protocol has each option with its default."""
    for name, option in CMD.options.items():
        if name != "command":
            assert f"| `{name}` | {option.default or 'none'} |" in PROTOCOL


@pytest.mark.parametrize("hook", HOOKS)
def test_every_hook_is_listed_and_has_an_example(hook: str) -> None:
    arguments = ", ".join(inspect.signature(getattr(hookspecs, hook)).parameters)
    assert f"| `{hook}({arguments})` | " in PLUGINS
    assert f"@hookimpl\ndef {hook}({arguments}):" in PLUGINS


@pytest.mark.parametrize("kind", [Game, Heuristics, Display])
def test_every_method_of_a_game_is_listed_with_its_arguments(kind: type) -> None:
    methods = [(n, m) for n, m in vars(kind).items() if inspect.isfunction(m) and n[0] != "_"]
    _, table = REFERENCE.split(f"| `{kind.__name__}` | returns |\n|---|---|\n")
    listed = re.findall(r"^\| `(\w+\(.*\))` \| .+ \|$", table.partition("\n\n")[0], re.MULTILINE)
    assert listed == [
        f"{name}({', '.join([*inspect.signature(method).parameters][1:])})"
        for name, method in methods
    ]


@pytest.mark.parametrize(
    "part",
    [
        *(Scene, Area, Grid, Target, SeatLine, Counter, Tally, TallyRow),
        *(Summary, BreakdownSection, BreakdownRow),
    ],
)
def test_every_part_that_a_display_builds_is_listed_with_its_arguments(part: type) -> None:
    arguments = [name for name in inspect.signature(part).parameters if name != "line"]
    assert f"\n{part.__name__}({', '.join(arguments)})\n" in REFERENCE


def test_every_hook_that_is_specified_is_known() -> None:
    """Another one would be valid, but never called."""
    specified = {name for name in vars(hookspecs) if name.startswith("register_")}
    assert specified == set(HOOKS)


@pytest.mark.parametrize("kind", [Playthrough, Moment])
def test_everything_an_exporter_gets_is_explained(kind: type) -> None:
    """The page links to the docstring, which has every attribute."""
    assert f"`{kind.__name__}`" in PLUGINS
    assert [f.name for f in fields(kind) if f"`{f.name}`" not in (kind.__doc__ or "")] == []


def test_every_colour_of_a_card_is_named() -> None:
    """A theme's author need not look for them."""
    assert [name for name in COLOURS if not re.search(rf"\b{name}\b", PLUGINS)] == []


def test_every_check_of_secrecy_is_listed() -> None:
    """The order is the order of `cardhub check`."""
    names = [check.__name__.removeprefix("check_") for check in SHOWN_CHECKS]
    names += [name for name in PROMISES if name.startswith("same_") and name not in names]
    assert re.findall(r"`(same_\w+)`", SECURITY) == names


def test_every_attack_is_listed_with_its_cases() -> None:
    """The cases are the cases of a full run."""
    rows = re.findall(r"^\| (\w.*) \| ([\d,]+) \| [\d,]+ \|$", SECURITY, re.MULTILINE)
    assert rows == [(door.attacks, f"{door.cases:,}") for door in DOORS]


def section(title: str) -> str:
    """Return the text of a section, with those below it."""
    start = PLAY.index(f"\n## {title}\n")
    end = PLAY.find("\n## ", start + 1)
    return PLAY[start:end]


def key_rows(keys: Iterable[Key]) -> list[tuple[str, str]]:
    """Return the rows of a table of keys: the names of the key, and its text."""
    return [(" ".join(f"`{name}`" for name in key.shown.split()), key.text) for key in keys]


def test_the_table_has_the_keys_of_the_program() -> None:
    """Words and order are the same as in the help."""
    assert KEY_ROW.findall(section("Keys and mouse")) == key_rows(TABLE_KEYS)


@pytest.mark.parametrize("name", [name for key in CURSOR_KEYS for name in key.shown.split()])
def test_every_key_of_the_cursor_is_named(name: str) -> None:
    assert f"`{name}`" in section("Keys and mouse")


@pytest.mark.parametrize("key", [key.shown for key in REPLAY_KEYS if key.shown not in UNLISTED])
def test_every_key_of_a_replay_is_listed(key: str) -> None:
    assert f"`{key}`" in section("Replays and results")
