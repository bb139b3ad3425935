"""`cardhub match review`: bots' worst decisions, printed and as JSON."""

import json
import re
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

Run = Callable[..., Result]

CUP = """
cardhub_match: 1
salt: none
name: small-cup
seed: 3
bots:
  - {id: one, use: first}
  - {id: two, use: random}
games:
  - {game: leduc}
schedule: {blocks: 3}
faults: {max: 3}
isolate: no
workers: 1
rating: {bootstrap: 100}
"""
FOLDER = "runs/small-cup"


@pytest.fixture
def review(run_match: Run, copy_match: Callable[[str], None]) -> Run:
    """Return a function that runs `cardhub match review` with some words on a played match."""
    copy_match(CUP)

    def run(*words: str) -> Result:
        return run_match("review", FOLDER, "--with", "ismcts:20", "--workers", "1", *words)

    return run


def test_the_worst_decisions_are_listed_for_each_bot(review: Run) -> None:
    """What was lost, instead of what, what the seat saw, and how to look at the game."""
    result = review("--games", "6")
    assert result.exit_code == 0, result.output
    first, *others = result.output.splitlines()
    assert first == f"Decisions of {FOLDER} as rated by ismcts:20."
    assert "one in leduc, in 3 blocks" in others
    text = " ".join(result.output.split())
    assert re.search(r"decisions in 6 games, \d+ % of them agree with the search\.", text)
    assert re.search(r"A decision loses \S+ chips on average \(\S+ to \S+ at 95 %\)\.", text)
    assert re.search(r" 1\. loses [^;]+; better ", text)
    assert any(f", seat 0: cardhub match show {FOLDER} " in line for line in others)
    assert any(line.strip().startswith("hand (1): ") for line in others)
    # The finished review is read, and no decision is rated again.
    path = Path(FOLDER, "review.jsonl")
    before = path.stat().st_mtime_ns
    assert review("--games", "6").output == result.output
    assert path.stat().st_mtime_ns == before


def test_a_review_of_one_bot_as_json_is_that_of_the_schema(review: Run) -> None:
    """With the whole tables, which `--tables` prints."""
    data = json.loads(review("--games", "2", "--bot", "two", "--json").output)
    assert data["is_whole"]
    assert [bot["bot"] for bot in data["bots"]] == ["two"]
    assert data["bots"][0]["unit"] == "chips"
    (worst, *_) = data["bots"][0]["mistakes"]
    shown = review("--games", "2", "--bot", "two", "--tables").output
    assert all(line in shown for line in worst["table"] if worst["is_confirmed"])


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (("--bot", "tow"), 2, "the match has no bot 'tow'. Did you mean 'two'?"),
        (("--game", "kuhn"), 2, "the match has no game 'kuhn'."),
        (("--with", "random"), 2, "cannot rate an action that it would not choose"),
        (("--with", "nobody"), 2, "nobody"),
    ],
)
def test_wrong_words_are_errors(
    review: Run, words: tuple[str, ...], code: int, message: str
) -> None:
    result = review(*words)
    assert result.exit_code == code, result.output
    assert message in result.stderr
    assert not Path(FOLDER, "review.jsonl").exists()


def test_another_review_is_not_overwritten(review: Run, run_match: Run) -> None:
    """Unless that is said; and the match is still fine, with a note."""
    assert review("--games", "1").exit_code == 0
    refused = review("--games", "2")
    assert refused.exit_code == 1
    assert "seats 1 instead of 2" in refused.stderr
    assert "--fresh" in refused.stderr
    assert review("--games", "2", "--fresh").exit_code == 0
    assert "Where bots go wrong" in Path(FOLDER, "report.html").read_text("utf-8")
    verified = run_match("verify", FOLDER)
    assert verified.exit_code == 0
    assert "review.jsonl was not verified: its ratings are not part of the log" in verified.stderr
