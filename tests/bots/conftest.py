"""Small programs that play, each made of a few lines."""

import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest

from cardhub.model.hidden.observation import Observation
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import PluginRegistry, find_plugins

PRELUDE = """
import json, os, signal, sys, time

def read():
    line = sys.stdin.readline()
    return json.loads(line) if line else sys.exit(0)

def write(**answer):
    print(json.dumps(answer), flush=True)

def hello(**more):
    read()
    write(**{"name": "trial", "protocol": 1} | more)

def turn():
    while (message := read())["type"] != "turn":
        pass
    return message

def go_on():
    while True:
        write(action=turn()["legal"][0]["action"])
"""

Write = Callable[[str], str]


@pytest.fixture
def registry() -> Iterator[PluginRegistry]:
    """Return a registry whose programs are gone after the test."""
    registry = find_plugins()
    yield registry
    registry.close()


@pytest.fixture
def program(tmp_path: Path) -> Write:
    """Return a function that writes a program and returns the command for it."""

    def write(source: str) -> str:
        path = tmp_path / f"program{len(list(tmp_path.iterdir()))}.py"
        path.write_text(PRELUDE + dedent(source), "utf-8")
        return f"'{sys.executable}' -I -S '{path}'"

    return write


@pytest.fixture
def table() -> Referee[Any]:
    """Return a game of Kuhn poker in which seat 0 is to act."""
    referee = set_up(
        find_plugins().game("kuhn"), [Player("Anna", "cmd"), Player("Bob", "human")], {}, seed=3
    )
    referee.proceed()
    return referee


@pytest.fixture
def seen(table: Referee[Any]) -> Observation[Any]:
    """Return seat 0's observation at the start of Kuhn poker."""
    return table.observe(0)
