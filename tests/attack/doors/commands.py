"""Command lines made at random from the existing commands, options and values."""

from pathlib import Path
from random import Random
from typing import NamedTuple

import click
from tests.attack.cases import Case, Make, fuzz
from tests.attack.doors.plugins import RECORD
from tests.attack.mutations import ESCAPES
from tests.attack.running import Runner

from cardhub.cli.lazy import LazyGroup
from cardhub.cli.main import cli

VALUES = (
    *("gargon", "kuhn", "pig", "game.jsonl", "cup.yaml", "run", ".", "/", "/dev/null", "nobody"),
    *(
        "random",
        "ismcts:5",
        "rule",
        "easy",
        "cmd:true",
        "cmd:",
        "cmd:nobody",
        "ismcts:x=1",
        "a:b:c",
    ),
    *("Anna=random", "Anna=human", "=", "Anna=", "Anna=random=x", "Anna=ismcts:5", "Bob=cmd:false"),
    *(
        "0",
        "-1",
        "1",
        "2",
        "3",
        "7",
        "x",
        "",
        " ",
        "nan",
        "inf",
        "1e9",
        "0.01",
        "1..3",
        "5%",
        "101%",
    ),
    *("all", "spectator", "Anna", "text", "csv", "target=20", "open_winnings=true", "x=y", "=y"),
    *("9" * 30, "9" * 5000, "x" * 3000, "a\nb", "\t", "../x", "~", "*", "$(touch owned)", "%s"),
    *("dusk", "textual-light", "small", "openspiel:tic_tac_toe", "openspiel:x", "straws:3", "-"),
    *("tcp://localhost:1", "{}", "[]", "\udcff", "e\u0301" * 30, "\u3164", "\u0410nna=random"),
    *(escape.replace("\x00", "") for escape in ESCAPES),
)
MATCH = b"""\
cardhub_match: 1
name: small
seed: 7
bots: [{id: a, use: random}, {id: b, use: random}]
games: [{game: kuhn}]
schedule: {blocks: 2}
rating: {bootstrap: 100}
workers: 1
"""
CODES = frozenset({0, 1, 2, 3, 4})
# Options that may take long, open a browser or wait for a network.
ENDLESS = ("--cluster", "--open", "--games", "--positions", "--pace", "--rerun")
TYPED = (
    b"",
    b"1\n1\n1\nquit\n",
    b"hint\nundo\nlog\nrules\ntable\nhelp\n\n",
    b"\xff\x00\n",
    b"x" * 9999,
)


class Known(NamedTuple):
    """A command: its words, and the options that it has."""

    words: tuple[str, ...]
    options: tuple[str, ...]


def prepare(_runner: Runner, _folder: Path) -> Make:
    """Return a factory of cases with odd command lines."""
    known = list(_commands(cli, ()))

    def make(rng: Random) -> Case:
        command = rng.choice(known)
        words = [*command.words]
        for _ in range(rng.choice((0, 1, 1, 2, 2, 3, 4, 6))):
            is_option = rng.random() < 0.4 and command.options
            words.append(rng.choice(command.options) if is_option else rng.choice(VALUES))
        if rng.random() < 0.1:
            rng.shuffle(words)
        if rng.random() < 0.1:
            words[rng.randrange(len(words))] = rng.choice(VALUES)
        if "new" in words:
            words += ["--dir", "made"]
        files = {"game.jsonl": RECORD, "cup.yaml": MATCH}
        typed = rng.choice(TYPED)
        silent = frozenset({1}) if {"check", "verify"} & {*words} else frozenset[int]()
        case = Case(tuple(words), CODES, files, typed, silent, patience=5, stops=True)
        # A server runs until it is stopped, which is its proper end.
        is_served = "serve" in words
        return case._replace(patience=2, stopped=case.stopped | {0}) if is_served else case

    return make


def _commands(group: click.Group, words: tuple[str, ...]) -> list[Known]:
    """Return all commands of a group and of its subgroups."""
    known = []
    named = group.lazy if isinstance(group, LazyGroup) else group.commands
    for name in named:
        command = group.get_command(click.Context(group), name)
        assert command is not None
        here = (*words, name)
        options = tuple(
            option
            for param in command.params
            if isinstance(param, click.Option)
            for option in param.opts
            if option not in ENDLESS
        )
        known.append(Known(here, (*options, "--help")))
        if isinstance(command, click.Group):
            known += _commands(command, here)
    return known


attack = fuzz("commands", prepare)
