"""`cardhub bot prompt` prints what a language model reads at a decision."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from click.testing import Result
from tests.kit.paths import ROOT

Run = Callable[..., Result]
RECORD = ROOT / "examples" / "kuhn" / "tests" / "records" / "called.jsonl"


def prompt(run: Run, *words: str) -> dict[str, Any]:
    """Return the parts of a prompt."""
    parts: dict[str, Any] = json.loads(run("bot", "prompt", *words, "--json").stdout)
    return parts


def test_the_prompt_of_the_first_decision_is_printed_with_its_length(run: Run) -> None:
    result = run("bot", "prompt", "kuhn", "--seed", "1")
    assert result.stdout.startswith("# Kuhn poker")
    assert "Your legal actions:\n- check\n- bet\n" in result.stdout
    shown = result.stdout.rstrip("\n")
    assert f"{len(shown):,} characters: " in result.stderr


def test_the_parts_are_the_whole_prompt_as_json(run: Run) -> None:
    parts = prompt(run, "leduc", "--actions", "2", "--seed", "4")
    whole = "\n\n".join((parts["constant"], parts["log"], parts["table"]))
    assert parts["characters"] == len(whole)
    assert parts["actions"]


def test_random_actions_and_a_seat_choose_the_decision(run: Run) -> None:
    parts = prompt(run, "gamon", "--actions", "5", "--seat", "1")
    assert "You are Player 2." in parts["constant"]
    assert len(parts["log"].splitlines()) > 5


def test_a_record_and_a_step_choose_the_decision(run: Run) -> None:
    first = prompt(run, "kuhn", "--record", str(RECORD))
    later = prompt(run, "kuhn", "--record", str(RECORD), "--step", "3")
    assert first["log"] == ""
    assert later["log"].startswith("# The log\n\n- Player 1 ")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (("kuhn", "--actions", "50"), "the game is over after"),
        (("kuhn", "--seat", "2"), "there is no seat 2 with 2 players"),
        (("leduc", "--record", str(RECORD)), "is a record of kuhn"),
        (("kuhn", "--record", str(RECORD), "--step", "99"), "no seat is to act there"),
    ],
)
def test_a_decision_that_does_not_exist_is_an_error_with_a_remedy(
    run: Run, words: tuple[str, ...], problem: str
) -> None:
    result = run("bot", "prompt", *words)
    assert result.exit_code == 2
    assert problem in " ".join(result.stderr.split())
    assert "fix: " in result.stderr
