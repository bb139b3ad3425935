"""A new game can be installed, checked and played without edits, at the table and in a match."""

import json
import os
import subprocess
import tomllib
from collections.abc import Callable
from pathlib import Path

from tests.kit.paths import ROOT

from cardhub.cli.game.new_package import DEFAULT_KIND, KINDS, write_package

# The types of libraries, which a game does not use, would take most of the time.
TYPES_WITHOUT_LIBRARIES = """
[mypy]
strict = true
[mypy-_pytest.*,click.*,jinja2.*,markdown_it.*,numpy.*,optype.*,rich.*,scipy.*]
follow_imports = skip
follow_imports_for_stubs = true
"""
Run = Callable[..., "subprocess.CompletedProcess[str]"]


def test_a_person_plays_it_against_search(run: Run, new_game: Path) -> None:
    """The game is played to its end in plain text, and its record replays."""
    seats = ("--seat", "Anna=human", "--seat", "Bob=ismcts:50")
    words = ("play", "tiny_trick", "--plain", "--seed", "3", *seats, "--record", "game.jsonl")
    done = run("cardhub", *words, typed="1\n" * 20)
    assert done.returncode == 0, done.stderr
    assert "Your turn, Anna: Play a card" in done.stdout
    table, _, result = done.stdout.rpartition("Result:")
    assert "Bob (ismcts:50)" in table
    assert "Bob " in result
    assert run("cardhub", "replay", "game.jsonl").returncode == 0


def test_search_beats_random_play_in_the_match_that_comes_with_it(run: Run, new_game: Path) -> None:
    """A part of its blocks shows it."""
    text = (new_game / "tiny_trick" / "match.yaml").read_text("utf-8")
    assert "schedule: {blocks: 100}" in text
    (new_game / "short.yaml").write_text(text.replace("blocks: 100", "blocks: 25"), "utf-8")
    words = ("match", "short.yaml", "--workers", "1", "--pages", "none", "--json")
    done = run("cardhub", *words)
    assert done.returncode == 0, done.stderr
    counts = json.loads(done.stdout)["counts"]["tiny_trick"]
    assert counts["search"]["games"] == 50
    assert counts["search"]["mean_score"] > 0.55 > counts["dice"]["mean_score"]


def test_its_own_tests_pass(run: Run) -> None:
    """One line makes a test of each check."""
    words = ("-q", "-p", "no:cacheprovider", "tiny_trick/tests")
    done = run("pytest", *words)
    assert done.returncode == 0, done.stdout
    assert " passed, 1 skipped" in done.stdout


def test_its_code_is_clean_and_typed(run: Run, new_game: Path) -> None:
    """The generated code of each kind passes the formatter, the linter and the type checker."""
    others = [kind for kind in KINDS if kind != DEFAULT_KIND]
    folders = [write_package(f"tiny_{kind}", new_game, kind) for kind in others]
    packages = ("tiny_trick", *(folder.name for folder in folders))
    lint = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["ruff"]["lint"]
    rules = ("--select", ",".join(lint["select"]), "--ignore", ",".join(lint["ignore"]))
    isolated = ("--isolated", "--no-cache", "--line-length", "100")
    checked = run("ruff", "check", *isolated, *rules, *packages)
    assert checked.returncode == 0, checked.stdout
    formatted = run("ruff", "format", "--check", *isolated, *packages)
    assert formatted.returncode == 0, formatted.stdout
    (new_game / "mypy.ini").write_text(TYPES_WITHOUT_LIBRARIES, "utf-8")
    paths = [path for name in packages for path in (f"{name}/{name}", f"{name}/tests")]
    typed = run("mypy", "--config-file", "mypy.ini", "--cache-dir", os.devnull, *paths)
    assert typed.returncode == 0, typed.stdout
