"""`cardhub replay --analyse`: a bot's review of the decisions."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result
from tests.cli.conftest import THINKERS, recorded
from tests.kit.redacting import redact

from cardhub.cli.records.replay_record import costly_lines
from cardhub.play.records.reading import read_record
from cardhub.play.review import DecisionReview, RatedDecision
from cardhub.play.seating import Player
from cardhub.play.table_messages import ReviewedMove
from cardhub.plugins.registry import find_plugins

Run = Callable[..., Result]


@pytest.fixture
def ruled(tmp_path: Path) -> Path:
    """Return the record of a whole game of Gamon between rules of thumb."""
    path = tmp_path / "ruled.jsonl"
    path.write_bytes(recorded("gamon", "--seat", "Zoe=rule", "--seed", "1"))
    return path


def facts(run: Run, *words: str | Path) -> dict[str, Any]:
    """Return the JSON output of a replay."""
    result = run("replay", *words, "--json")
    assert result.exit_code == 0, result.stderr
    printed: dict[str, Any] = json.loads(result.stdout)
    return printed


def judged(printed: dict[str, Any]) -> set[str]:
    """Return the players whose decisions have been judged."""
    return {event["player"] for event in printed["events"] if event["analysis"]}


def test_every_decision_is_judged_and_agreement_is_counted(run: Run, ruled: Path) -> None:
    """The totals agree with the reviews of the single events."""
    shown = run("replay", ruled, "--analyse", "rule").stdout
    printed = facts(run, ruled, "--analyse", "rule")
    for player in printed["analysis"]["players"]:
        verdicts = [
            event["analysis"]
            for event in printed["events"]
            if event["player"] == player["name"] and event["analysis"]
        ]
        assert player["decisions"] == len(verdicts) > 20
        assert player["agreed"] == sum(v["agrees"] for v in verdicts) > len(verdicts) / 2
        share = f"{player['agreed']} of {player['decisions']} decisions, "
        assert f"  {player['name']} (rule)" in shown
        assert share in shown
    assert shown.count("\n      rule: ") == sum(
        e["analysis"] is not None for e in printed["events"]
    )


def test_an_adviser_tells_how_sure_it_is(run: Run, ruled: Path) -> None:
    """The best action and the recorded action, each with value and visits."""
    shown = run("replay", ruled, "--analyse", "ismcts:60", "--to", "12").stdout
    lines = [line for line in shown.splitlines() if line.startswith("      ismcts:60: ")]
    assert any(
        re.search(r": .+ \(\d+ %, \d+ tries\), not .+ \(\d+ %, \d+ tries\)$", x) for x in lines
    )
    assert any(re.search(r": .+, too \(\d+ %, \d+ tries\)$", x) for x in lines)
    printed = facts(run, ruled, "--analyse", "ismcts:60", "--to", "0")
    (first, *_) = (e["analysis"] for e in printed["events"])
    visits = [action["visits"] for action in first["actions"]]
    assert visits == sorted(visits, reverse=True)
    assert all(-1 <= action["value"] <= 1 for action in first["actions"])


def test_people_read_the_labels_of_cards_and_json_has_their_names(run: Run, ruled: Path) -> None:
    """As at the table and in the record: `place High Officer`, `place high-officer`."""
    words = (ruled, "--analyse", "rule", "--to", "12")
    placed = re.findall(r"      rule: place (\w+)", run("replay", *words).stdout)
    assert placed
    assert all(map(str.istitle, placed))
    events = [event["analysis"] for event in facts(run, *words)["events"] if event["analysis"]]
    names = [
        event_review["taken"]
        for event_review in events
        if event_review["taken"].startswith("place ")
    ]
    assert names
    assert all(map(str.islower, names))


def test_a_bot_that_rates_nothing_leaves_numbers_out(run: Run, ruled: Path) -> None:
    printed = facts(run, ruled, "--analyse", "rule", "--to", "5")
    actions = [a for e in printed["events"] if e["analysis"] for a in e["analysis"]["actions"]]
    assert {(a["visits"], a["value"]) for a in actions} == {(None, None)}


def test_the_same_analysis_comes_out_every_time(run: Run, ruled: Path) -> None:
    """The seeds of its bots follow from the record."""
    words = (ruled, "--analyse", "ismcts:20", "--to", "20")
    assert facts(run, *words) == facts(run, *words)


def test_without_it_nothing_of_it_is_there(run: Run, ruled: Path) -> None:
    """Without `--analyse` the JSON output has no new keys."""
    printed = facts(run, ruled)
    assert "analysis" not in printed
    assert all("analysis" not in event for event in printed["events"])


def test_a_forced_action_is_not_judged(run: Run, record: Path) -> None:
    """All bots agree on a single legal action."""
    printed = facts(run, record, "--analyse", "random", "--to", "60")
    for event in printed["events"]:
        if event["kind"] != "action":
            assert event["analysis"] is None
    assert any(e["kind"] == "action" and e["analysis"] is None for e in printed["events"])


def test_as_one_player_only_that_players_decisions_are_judged(run: Run, ruled: Path) -> None:
    """A review of another seat would reveal its hidden cards."""
    assert judged(facts(run, ruled, "--analyse", "rule")) == {"Zoe", "Anna"}
    assert judged(facts(run, ruled, "--analyse", "rule", "--as", "Zoe")) == {"Zoe"}
    shown = run("replay", ruled, "--analyse", "rule", "--as", "Zoe").stdout
    assert "Only Zoe's decisions are analysed" in shown
    assert "Anna (rule)   " not in shown.partition("Agreement with rule:")[2]


def test_a_spectator_sees_no_analysis(run: Run, ruled: Path) -> None:
    shown = run("replay", ruled, "--analyse", "rule", "--as", "spectator").stdout
    assert "No decision is analysed" in shown
    assert "would have done" not in shown


def test_a_redacted_record_is_analysed_as_the_whole_one(
    run: Run, ruled: Path, tmp_path: Path
) -> None:
    part = tmp_path / "part.jsonl"
    part.write_text(redact(find_plugins().game("gamon"), read_record(ruled), 0), "utf-8")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("cardhub.play.review.bot_seed", lambda *_: "the same lots")
        whole, redacted = (
            facts(run, path, "--analyse", "ismcts:30", "--as", "Zoe", "--to", "40")["events"]
            for path in (ruled, part)
        )
    assert [event["analysis"] for event in redacted] == [event["analysis"] for event in whole]
    assert judged({"events": redacted}) == {"Zoe"}


def test_an_unfinished_game_is_analysed_for_its_person_only(run: Run, left: Path) -> None:
    """No secret is shown, and no other viewer can be chosen."""
    assert judged(facts(run, left, "--analyse", "rule")) == {"Zoe"}
    assert run("replay", left, "--analyse", "rule", "--as", "Anna").exit_code == 2


def test_a_part_is_analysed_alone(run: Run, ruled: Path) -> None:
    """Decisions that are not shown cost no time."""
    printed = facts(run, ruled, "--analyse", "rule", "--from", "10", "--to", "14")
    assert sum(p["decisions"] for p in printed["analysis"]["players"]) <= 5


@pytest.mark.parametrize("bot", ["ruel", "rule:5"])
def test_a_bot_that_there_is_not_is_a_usage_error(run: Run, ruled: Path, bot: str) -> None:
    result = run("replay", ruled, "--analyse", bot)
    assert (result.exit_code, result.stdout) == (2, "")
    assert f"--analyse {bot}: " in result.stderr


def test_a_bot_that_fails_is_named(run: Run, tmp_path: Path) -> None:
    """The exit code is 3, as for all faults of bots."""
    path = tmp_path / "game.jsonl"
    run("play", "gamon", "--seat", "Zoe=random", "--seed", "1", "--record", path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARDHUB_TEST_FAIL", str(path))
        patch.setattr("pathlib.Path.write_text", lambda *_: 0)
        result = run("--plugins-dir", THINKERS, "replay", path, "--analyse", "failing:5")
    assert result.exit_code == 3
    assert "ValueError: no idea" in result.stderr


def test_hints_are_events(run: Run, tmp_path: Path) -> None:
    """Printed for the viewer who got them and for `all`; event numbers stay the same."""
    path = tmp_path / "hinted.jsonl"
    words = ("play", "gamon", "--seat", "Zoe=human", "--seat", "Max=human", "--hint", "rule")
    run(*words, "--seed", "1", "--record", path, typed="\nhint\n1\n" + "1\nhint\n" * 4)
    shown = run("replay", path, "--as", "Zoe").stdout
    assert "   0  Zoe asks for a hint" in shown
    assert "Max asks for a hint" not in shown
    other = run("replay", path, "--as", "Max").stdout
    assert "Zoe asks for a hint" not in other
    assert re.search(r"^   1  Zoe ", other, re.MULTILINE)
    assert run("replay", path, "--as", "Max", "--to", "0").stdout.count("Zoe (") <= 2


def review(step: int, taken: str, cost: float) -> DecisionReview:
    """Return a review of an action of seat 0."""
    text = f"About 2 chips better than “{taken}”." if cost else ""
    move = ReviewedMove(step=step, taken=taken, best="fold", comparison=text)
    return DecisionReview(0, RatedDecision(move, (), cost, cost=cost), taken, [])


def test_the_costliest_moves_of_each_player_are_named_in_words() -> None:
    costs = [("call", 0.1), ("raise", 0), ("raise", 0.3), ("call", 0.2)]
    reviews = [review(number - 1, *cost) for number, cost in enumerate(costs)]
    lines = list(costly_lines([Player("Zoe", "human"), Player("Bob", "rule")], "hard", reviews))
    assert lines[:4] == [
        "",
        "Costliest moves of Zoe:",
        "  1. Event 2: raise.",
        "     The hard bot would choose “fold”. About 2 chips better than “raise”.",
    ]
    assert [line for line in lines if "Event" in line][1:] == [
        "  2. Event 3: call.",
        "  3. Event 0: call.",
    ]
