"""`cardhub replay`: a recorded game, as permitted viewers saw it."""

import json
import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result
from tests.cli.conftest import recorded
from tests.kit.paths import TESTS
from tests.kit.redacting import redact

from cardhub.play.records.reading import read_record
from cardhub.plugins.registry import find_plugins

Run = Callable[..., Result]
GAMES = TESTS / "games"


def test_a_finished_game_is_told_with_all_cards_known(run: Run, record: Path) -> None:
    """Every event with its number, then the table and the result."""
    shown = run("replay", record).stdout
    first, _, *events = shown.partition("\n\nbacks")[0].splitlines()
    assert first.endswith("as seen by all")
    assert events[0].startswith("   0  ")
    assert " lays a " not in shown
    assert re.search(r"\nResult: \w+ wins Gargon by \d+ points?\n  1\. ", shown)
    assert "Points by cause" in shown


def test_it_can_be_seen_through_one_players_eyes(run: Run, record: Path) -> None:
    shown = run("replay", record, "--as", "zoe").stdout
    assert "as seen by Zoe" in shown
    assert "Zoe lays a " not in shown
    assert "Anna lays a " in shown


def test_an_unknown_name_gets_the_nearest(run: Run, record: Path) -> None:
    """Exit code 2, with the names of all players."""
    result = run("replay", record, "--as", "Zo")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Did you mean 'Zoe'? Known: Zoe, Anna, Bob, spectator, all" in result.stderr


def test_an_unfinished_game_is_seen_by_its_only_person(run: Run, left: Path) -> None:
    shown = run("replay", left).stdout
    assert "not over yet" in shown.splitlines()[0]
    assert "as seen by Zoe" in shown.splitlines()[0]
    assert "Your turn, Zoe" in shown


@pytest.mark.parametrize("who", ["all", "Anna"])
def test_an_unfinished_game_hides_what_may_still_matter(run: Run, left: Path, who: str) -> None:
    """The refusal says why, and who may look."""
    result = run("replay", left, "--as", who)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "not over" in result.stderr
    assert "--as Zoe or spectator" in result.stderr


def test_a_spectator_may_always_look(run: Run, left: Path) -> None:
    shown = run("replay", left, "--as", "spectator").stdout
    assert "Zoe lays a " in shown


def test_a_redacted_record_is_seen_by_its_owner(run: Run, record: Path, tmp_path: Path) -> None:
    """The record has no other viewer's cards, and no seed."""
    read = read_record(record)
    path = tmp_path / "redacted.jsonl"
    path.write_text(redact(find_plugins().game("gargon"), read, 0), "utf-8")
    first = run("replay", path).stdout.splitlines()[0]
    assert first.endswith("as seen by Zoe")
    assert "seed" not in first
    refused = run("replay", path, "--as", "all")
    assert refused.exit_code == 2
    assert "this record contains only what Zoe saw" in refused.stderr


def test_a_part_can_be_picked_out(run: Run, record: Path) -> None:
    whole, part = (
        run("replay", record, *words).stdout for words in ((), ("--from", "3", "--to", "5"))
    )
    numbered = [line for line in part.splitlines() if line[:4].strip().isdigit()]
    assert {int(line[:4]) for line in numbered} == {3, 4, 5}
    assert set(numbered) < set(whole.splitlines())
    assert "Result:" not in part


def test_a_replay_can_be_read_by_programs(run: Run, record: Path) -> None:
    """Header, events and result as one JSON object."""
    facts = json.loads(run("replay", record, "--json").stdout)
    assert (facts["game"], facts["seed"], facts["viewer"], facts["finished"]) == (
        "gargon",
        1,
        "all",
        True,
    )
    assert [event["number"] for event in facts["events"]] == list(range(len(facts["events"])))
    assert facts["events"][-1]["kind"] == "over"
    assert max(facts["scores"]) == facts["scores"][facts["places"].index(1)]


def test_an_edited_record_is_refused_with_its_line(run: Run, record: Path) -> None:
    """Exit code 1: the record is at fault."""
    lines = record.read_text("utf-8").splitlines()
    lines[3] = '{"seat": 0, "action": "lay Q99"}'
    record.write_text("\n".join(lines) + "\n", "utf-8")
    result = run("replay", record)
    assert result.exit_code == 1
    assert f"{record}:4: " in result.stderr


def test_spectators_may_not_look_where_they_see_more_than_a_player(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "plugins").mkdir()
    for name in ("lanterns.py", "lanterns.yaml"):
        shutil.copy(GAMES / name, tmp_path / "plugins")
    path, plugins = tmp_path / "left.jsonl", ("--plugins-dir", tmp_path / "plugins")
    words = ("play", "lanterns", "--plain", "--seat", "Zoe=human", "--record", path)
    assert run(*plugins, *words, typed="1\nquit\n").exit_code == 0
    refused = run(*plugins, "replay", path, "--as", "spectator")
    assert refused.exit_code == 2
    assert "spectators see hands that their owners must not see. Use --as Zoe" in refused.stderr
    assert "as seen by Zoe" in run(*plugins, "replay", path).stdout


def test_a_game_killed_before_its_scores_were_written_is_told_to_its_end(
    run: Run, record: Path
) -> None:
    """The scores follow from the actions: replay and export add the last event."""
    whole = run("replay", record, "--as", "spectator", "--json").stdout
    lines = record.read_text("utf-8").splitlines(keepends=True)
    record.write_text("".join(lines[:-1]), "utf-8")
    cut = run("replay", record, "--as", "spectator", "--json").stdout
    assert json.loads(cut) == json.loads(whole)
    assert json.loads(cut)["events"][-1]["kind"] == "over"
    assert ",over," in run("export", "csv", record, "--as", "spectator").stdout.splitlines()[-1]


@pytest.fixture
def three_hands(tmp_path: Path) -> Path:
    """Return the record of three hands of Hearts between bots."""
    path = tmp_path / "hands.jsonl"
    bots = [f"--seat={name}=random" for name in ("Zoe", "Anna", "Bob", "Cleo")]
    path.write_bytes(recorded("hearts", *bots, "--set", "hands=3", "--seed", "3"))
    return path


def test_rounds_are_listed_with_their_events_and_summaries(run: Run, three_hands: Path) -> None:
    rounds = json.loads(run("replay", three_hands, "--rounds", "--json").stdout)
    assert [(row["round"], row["title"]) for row in rounds] == [
        (1, "Hand 1"),
        (2, "Hand 2"),
        (3, "Hand 3"),
    ]
    assert [row["first"] for row in rounds[1:]] == [row["last"] + 1 for row in rounds[:-1]]
    shown = run("replay", three_hands, "--rounds").stdout
    assert f"Round 2, events {rounds[1]['first']} to {rounds[1]['last']}\n  Hand 2\n" in shown
    events = json.loads(run("replay", three_hands, "--json").stdout)["events"]
    summaries = {event["number"]: event["summary"] for event in events if event["summary"]}
    assert summaries == {
        row["last"]: {"title": row["title"], "rows": row["rows"]} for row in rounds
    }


def test_one_round_can_be_picked_out_by_its_events(run: Run, three_hands: Path) -> None:
    row = json.loads(run("replay", three_hands, "--rounds", "--json").stdout)[1]
    shown = run("replay", three_hands, "--from", row["first"], "--to", row["last"]).stdout
    assert "Hand 2 is dealt" in shown
    assert "Hand 1 is dealt" not in shown
    assert "Hand 3 is dealt" not in shown
    assert shown.count("\nHand 2\n") == 1


def test_rounds_and_single_events_are_not_listed_together(run: Run, three_hands: Path) -> None:
    result = run("replay", three_hands, "--rounds", "--to", "5")
    assert result.exit_code == 2
    error = "--rounds and options for single events are mutually exclusive"
    assert error in " ".join(result.stderr.split())
