"""`cardhub match plan`, and the sentence at the start of a match."""

import json
from collections.abc import Callable
from pathlib import Path

from click.testing import Result

Play = Callable[..., Result]
FILE = """
bots: [random, random]
games: [{game: kuhn, score: rank}]
blocks: 20
workers: 1
out: cup
"""


def test_a_plan_plays_a_pilot_or_reads_an_earlier_match(run_match: Play) -> None:
    Path("cup.yaml").write_text(FILE, "utf-8")
    first = run_match("plan", "cup.yaml", "--workers", "1", "--blocks", "20")
    assert first.exit_code == 0, first.output
    assert "kuhn: on 20 deals, the difference of two bots varies by " in first.output
    assert "finds such a difference in 80 % of cases, at a level of 95 %" in first.output
    played = run_match("cup.yaml")
    assert "With 20 blocks a bot whose true score is 0.7" in played.stderr
    words = "plan", "cup.yaml", "--pilot", "cup", "--effect", "0.2", "--effect", "0.3", "--json"
    (facts,) = json.loads(run_match(*words).output)
    assert facts["deals"] == 20
    assert [need["effect"] for need in facts["needs"]] == [0.2, 0.3]
    assert facts["needs"][0]["blocks"] > facts["needs"][1]["blocks"]
    assert facts["needs"][0]["games"] == 2 * facts["needs"][0]["blocks"]


def test_a_difference_that_no_match_can_have_is_refused(run_match: Play) -> None:
    assert run_match("plan", "kuhn", "random", "cfr", "--effect", "0").exit_code == 2
