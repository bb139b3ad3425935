"""Imports of third-party plugins: output, slow imports, signals, and plugins that are left out."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Event, active_count

import pytest
from tests.kit.waiting import PATIENCE

from cardhub.plugins import third_party
from cardhub.plugins.groups import GAMES, PLUGINS
from cardhub.plugins.registry import find_plugins

Install = Callable[..., Path]
TOOLS = """
import click
from cardhub import hookimpl
{}
@hookimpl
def register_bots(): return []
@hookimpl
def register_commands(cli): {}
"""


def start(site: Path, *words: str) -> "subprocess.Popen[str]":
    """Start `cardhub` with the packages of a folder."""
    path = os.pathsep.join(filter(None, [str(site), os.environ.get("PYTHONPATH", "")]))
    return subprocess.Popen(
        [sys.executable, "-m", "cardhub", *words],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": path},
    )


def test_the_output_of_an_import_is_not_mixed_with_the_output_of_a_command(
    install: Install,
) -> None:
    """It goes to stderr, also the output of programs that the plugin starts."""
    noise = "print('printed')\nimport os\nos.system('echo echoed')"
    source = TOOLS.format(noise, "print('registered')")
    site = install("noisy", {PLUGINS: {"noisy": "noisy_tools"}}, noisy_tools=source)
    stdout, stderr = start(site, "plugins", "--json").communicate(timeout=PATIENCE)
    assert "noisy" in [plugin["name"] for plugin in json.loads(stdout)]
    for text in ("printed", "echoed", "registered"):
        assert text in stderr.split()


def test_no_thread_of_an_import_is_left_when_the_next_one_begins(install: Install) -> None:
    """Otherwise the output of programs that the next plugin starts would not be redirected."""
    install("plain", {PLUGINS: {"plain": "plain_tools"}}, plain_tools=TOOLS.format("", "pass"))
    registry = find_plugins()
    threads = active_count()
    assert "plain" in [plugin.declared.name for plugin in registry.common_plugins("register_bots")]
    assert active_count() == threads


def test_a_slow_import_says_which_plugin_it_is(
    install: Install, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = Event()
    messages: list[str] = []

    def notify(message: str) -> None:
        messages.append(message)
        said.set()

    monkeypatch.setattr(third_party, "PATIENCE", 0.0)
    monkeypatch.setattr(sys, "said", said, raising=False)
    source = TOOLS.format(f"import sys\nassert sys.said.wait({PATIENCE})", "pass")
    install("slow", {PLUGINS: {"slow": "slow_tools"}}, slow_tools=source)
    registry = find_plugins(notify=notify)
    assert "slow" in [plugin.declared.name for plugin in registry.common_plugins("register_bots")]
    assert messages == [
        "still importing plugin 'slow' of slow 1.0. To leave it out, use --no-plugin slow"
    ]


@pytest.mark.skipif(os.name != "posix", reason="signals are sent the POSIX way")
def test_an_import_that_swallows_an_interrupt_is_ended_by_the_next(install: Install) -> None:
    loop = """
import sys, time
while True:
    try:
        print('here', file=sys.stderr, flush=True)
        time.sleep(600)
    except BaseException:
        print('swallowed', file=sys.stderr, flush=True)
"""
    site = install(
        "stuck", {PLUGINS: {"stuck": "stuck_tools"}}, stuck_tools=TOOLS.format(loop, "pass")
    )
    with start(site, "--help") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "here\n"
        process.send_signal(signal.SIGINT)
        while "swallowed" not in process.stderr.readline():
            assert process.poll() is None
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == -signal.SIGINT


@pytest.mark.skipif(os.name != "posix", reason="signals are sent the POSIX way")
def test_an_interrupt_that_an_import_swallows_ends_the_command_after_it(install: Install) -> None:
    once = """
import sys, time
try:
    print('here', file=sys.stderr, flush=True)
    time.sleep(600)
except BaseException:
    pass
"""
    site = install(
        "stuck", {PLUGINS: {"stuck": "stuck_tools"}}, stuck_tools=TOOLS.format(once, "pass")
    )
    with start(site, "--help") as process:
        assert process.stderr is not None
        assert process.stderr.readline() == "here\n"
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE) == 130


@pytest.mark.parametrize("name", ["tools", "strange", "strange/tools"])
def test_a_plugin_that_is_left_out_does_not_exist(
    install: Install, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """The variable leaves it out in the processes of bots, too."""
    groups = {GAMES: {"higher": "absent_game"}, PLUGINS: {"tools": "absent_tools"}}
    install("strange", groups)
    assert "higher" in find_plugins().game_names()
    monkeypatch.setenv("CARDHUB_NO_PLUGIN", f"other {name}")
    registry = find_plugins()
    assert "tools" not in [declared.name for declared in registry.declared(PLUGINS)]
    assert ("higher" in registry.game_names()) == (name != "strange")
