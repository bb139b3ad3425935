"""Listings survive plugins that raise exceptions or register invalid objects."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.kit.waiting import PATIENCE

Run = Callable[..., Result]

RAISED = (
    "SystemExit(0)",
    "KeyboardInterrupt()",
    "GeneratorExit()",
    "Base('x')",
    "Mute()",
    "RecursionError()",
    "MemoryError()",
)
HEAD = """
import click
from cardhub import BotEntry, Exporter, Game, GameCollection, Theme, hookimpl
class Base(BaseException): pass
class Mute(Exception):
    def __str__(self): raise Base()
class Evil:
    def __str__(self): raise Base()
    __repr__ = __index__ = __hash__ = __iter__ = __str__
    def __getattr__(self, name): raise Base()
class Word(str):
    def __str__(self): raise Base()
    __repr__ = __format__ = __str__
"""
BOT = "@hookimpl\ndef register_bots(): return [{}]"
HANDED = {
    "summary of bot 'odd' is 5, not text": BOT.format("BotEntry('odd', 5, int)"),
    "name of bot None is None, not text": BOT.format("BotEntry(None, 'x', int)"),
    "invalid bot name 'a b'": BOT.format("BotEntry('a b', 'x', int)"),
    "games of bot 'odd' is ['x'], not a tuple": BOT.format("BotEntry('odd', '', int, ['x'])"),
    "make of bot 'odd' is 5, not a function": BOT.format("BotEntry('odd', '', 5)"),
    "options of bot 'odd' is <object": BOT.format("BotEntry('odd', '', int, None, object())"),
    "option 'x' of bot 'odd' is 3, which": BOT.format("BotEntry('odd', '', int, None, {'x': 3})"),
    "an object of type Word, not text": BOT.format("BotEntry(Word('odd'), '', int)"),
    "failed in register_bots: Base": BOT.format("Evil()").replace("[", "").replace("]", ""),
    "an object of type Evil, which is no BotEntry": BOT.format("Evil()"),
    "summary of theme 'odd' is 7, not text": (
        "@hookimpl\ndef register_themes(): return [Theme('odd', 7, '#123456')]"
    ),
    "summary of format 'odd' is None, not text": (
        "@hookimpl\ndef register_exporters(): return [Exporter('odd', None, str)]"
    ),
    "summary of collection 'odd' is None, not text": (
        "@hookimpl\ndef register_collections(): return [GameCollection('odd', None, str)]"
    ),
    "register_commands": (
        "@hookimpl\ndef register_commands(cli): cli.add_command(click.Command('odd', help=5))"
    ),
}
LISTINGS = (
    "games",
    "bot list",
    "bot list --json",
    "plugins",
    "plugins --json",
    "themes",
    "export --list",
    "--help",
)


def sources() -> dict[str, str]:
    """Return plugins that raise, by name: at import, in each hook, in registered objects."""
    plugins = {}
    for number, raised in enumerate(RAISED):
        plugins[f"importing{number}"] = (
            f"{HEAD}\n@hookimpl\ndef register_bots(): pass\nraise {raised}"
        )
        for hook in ("bots", "themes", "exporters", "collections"):
            source = f"{HEAD}\n@hookimpl\ndef register_{hook}(): raise {raised}"
            plugins[f"{hook}{number}"] = source
            plugins[f"{hook}late{number}"] = source.replace("raise", "yield 5; raise")
        plugins[f"commands{number}"] = (
            f"{HEAD}\n@hookimpl\ndef register_commands(cli): raise {raised}"
        )
        plugins[f"game{number}"] = f"{HEAD}\nclass Odd(Game): pass\nraise {raised}"
    return plugins


@pytest.fixture(scope="module")
def raising(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with plugins that raise."""
    folder = tmp_path_factory.mktemp("raising")
    for name, source in sources().items():
        (folder / f"{name}.py").write_text(source, "utf-8")
    return folder


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with plugins that register odd objects."""
    folder = tmp_path_factory.mktemp("odd")
    for number, source in enumerate(HANDED.values()):
        (folder / f"odd{number}.py").write_text(HEAD + source, "utf-8")
    return folder


@pytest.mark.parametrize("words", [words for words in LISTINGS if not words.endswith("--json")])
def test_a_listing_is_complete_though_plugins_raise(run: Run, raising: Path, words: str) -> None:
    """Each of them is a warning, none hides another."""
    result = run("--plugins-dir", raising, *words.split())
    assert result.exit_code == 0
    assert "Traceback" not in result.output
    if words == "plugins":
        named = [name for name in sources() if f"plugin '{name}'" not in result.stderr]
        assert named == []


@pytest.mark.parametrize("words", LISTINGS)
def test_odd_attributes_are_an_error_in_one_line(run: Run, odd: Path, words: str) -> None:
    """The error names the attribute and its object; all other plugins are listed."""
    result = run("--plugins-dir", odd, *words.split())
    assert (result.exit_code, "Traceback" in result.output) == (0, False)
    if words == "plugins":
        warnings = result.stderr.splitlines()
        for number, message in enumerate(HANDED):
            named = [line for line in warnings if f"plugin 'odd{number}'" in line]
            assert [message in line for line in named] == [True]


def test_a_game_that_raises_is_an_error_when_it_is_named(run: Run, tmp_path: Path) -> None:
    (tmp_path / "odd.py").write_text(f"{HEAD}\nclass Odd(Game): pass\nraise Base('x')", "utf-8")
    for words in ("rules odd", "play odd", "bot list odd"):
        result = run("--plugins-dir", tmp_path, *words.split())
        assert result.exit_code == 1
        assert "plugin 'odd'" in result.stderr
        assert "cannot be imported: Base: x (" in result.stderr
        assert "odd.py:" in result.stderr


@pytest.mark.skipif(os.name != "posix", reason="signals are sent the POSIX way")
def test_an_interrupt_from_the_keyboard_ends_a_listing(tmp_path: Path) -> None:
    """A KeyboardInterrupt that a plugin raises is handled differently."""
    (tmp_path / "slow.py").write_text(
        "import sys, time\nfrom cardhub import hookimpl\n@hookimpl\n"
        "def register_bots():\n    print('here', flush=True); time.sleep(600)\n"
    )
    command = [sys.executable, "-m", "cardhub", "--plugins-dir", str(tmp_path), "bot", "list"]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True) as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "here\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130
