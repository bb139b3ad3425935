"""Matches with `variance: aivat`: their results, sequential tests, verification and reports."""

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.lab.match.conftest import PlayOnce, ReadMatch

from cardhub.base.errors import MatchFileError
from cardhub.lab.analysis import analyse
from cardhub.lab.match.match_spec import (
    VarianceRules,
    identity_of,
    match_of,
    public_digest,
    spec_of,
)
from cardhub.lab.match.run.runner import RunOptions
from cardhub.lab.match.verifier import verify
from cardhub.lab.report.report_files import write_reports, written_result
from cardhub.plugins.registry import PluginRegistry

KUHN = """
    name: luck
    seed: 5
    bots:
      - {id: solved, use: "cfr:20"}
      - {id: random, use: random}
    games: [kuhn]
    blocks: 40
    variance: aivat
"""
CHANCE_ALONE = KUHN.replace("variance: aivat", "variance: {method: aivat, policies: none}")
PLAIN = KUHN.replace("    variance: aivat\n", "")
BY_RANK = KUHN.replace("[kuhn]", "[{game: leduc, score: rank}]").replace("40", "20")
TESTED = KUHN.replace("40", "300") + "    stop: {sprt: {a: solved, b: random}}\n"
# A program that lets cardhub toss a coin.
STATING = """
import json, sys
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print(json.dumps({"name": "mixed", "protocol": 1}), flush=True)
    elif message["type"] == "turn":
        names = [action["notation"] for action in message["legal"]]
        print(json.dumps({"policy": dict.fromkeys(names, 1 / len(names))}), flush=True)
"""
# One process for the program instead of one a game.
FAST = "    fresh: no\n"
# What statistics need, without the time of intervals by resampling.
ANALYSED = RunOptions(analyse=analyse)


def statistics(folder: Path) -> dict[str, Any]:
    """Return the statistics in the result of a match."""
    result: dict[str, Any] = json.loads((folder / "result.json").read_text("utf-8"))
    return dict(result["statistics"])


def test_no_luck_is_left_between_bots_with_known_policies(play_once: PlayOnce) -> None:
    """The verdict rests on the scores with less luck, and the result has the plain ones, too."""
    game = statistics(play_once(KUHN, ANALYSED))["games"][0]
    (row,), (pair,) = game["less_luck"], game["pairs"]
    assert (row["is_exact"], row["has_policies"]) == (True, True)
    assert (row["saved"], row["saved_games"]) == (None, None)
    assert pair["evidence"]["score"]["low"] > 0
    assert pair["verdict"] == "better"
    assert row["plain"]["low"] < row["score"]["value"] < row["plain"]["high"]


def test_chance_alone_saves_half_of_the_games(play_once: PlayOnce) -> None:
    """The bots' own choices remain, whose luck is large for a random bot."""
    (row,) = statistics(play_once(CHANCE_ALONE, ANALYSED))["games"][0]["less_luck"]
    assert not row["has_policies"]
    assert 1.5 < row["saved_games"] < 100


def test_the_games_are_the_same_with_and_without_terms(play_once: PlayOnce) -> None:
    """A match without the key has none of its fields."""
    logs = [(play_once(text) / "games.jsonl").read_text("utf-8") for text in (KUHN, PLAIN)]
    with_terms, plain = ([json.loads(line) for line in log.splitlines()[1:]] for log in logs)
    assert all(game.pop("corrections")["is_exact"] for game in with_terms)
    assert with_terms == plain
    assert "less_luck" not in (play_once(PLAIN, ANALYSED) / "result.json").read_text("utf-8")


def test_scores_from_0_to_1_keep_their_scale(play_once: PlayOnce) -> None:
    """Intervals are cut at 0 and 1, and a score has an Elo."""
    game = statistics(play_once(BY_RANK, ANALYSED))["games"][0]
    (row,), (pair,) = game["less_luck"], game["pairs"]
    assert 0.5 < row["score"]["low"] < row["score"]["high"] < 1
    assert pair["elo_fixed"]["low"] > 0


def test_a_sequential_test_ends_sooner(play_once: PlayOnce) -> None:
    """The test in the statistics agrees with the one that ended the match."""
    less, plain = play_once(TESTED, ANALYSED), play_once(TESTED.replace("aivat", "none"), ANALYSED)
    results = [json.loads((folder / "result.json").read_text("utf-8")) for folder in (less, plain)]
    assert [result["test"]["verdict"] for result in results] == ["better"] * 2
    assert results[0]["blocks"] < results[1]["blocks"]
    test = results[0]["statistics"]["test"]
    assert test["course"][-1]["llr"] == pytest.approx(results[0]["test"]["llr"])
    assert test["verdict"] == "better"


def test_verification_computes_the_terms_again(
    play_once: PlayOnce, registry: PluginRegistry, tmp_path: Path
) -> None:
    """A changed term is a problem of its game."""
    folder = play_once(KUHN, ANALYSED, copied_to=tmp_path / "copy")
    assert verify(folder, registry, options=ANALYSED).problems == []
    log = folder / "games.jsonl"
    head, first, *others = log.read_text("utf-8").splitlines(keepends=True)
    game = json.loads(first)
    game["corrections"]["chance"][0] += 1
    line = json.dumps(game, sort_keys=True, separators=(",", ":")) + "\n"
    log.write_text("".join([head, line, *others]), "utf-8")
    problems = verify(folder, registry, options=ANALYSED).problems
    assert "corrections should be" in problems[0]


def stating(match: str, program: Path) -> str:
    """Return a match of a program that states its policy at each turn against `cfr`."""
    program.write_text(STATING, "utf-8")
    command = f"cmd:{sys.executable} {program}"
    return match.replace("use: random", f'use: "{command}"').replace("40", "30") + FAST


def test_a_program_that_states_its_policy_has_terms(
    play_once: PlayOnce, registry: PluginRegistry, tmp_path: Path
) -> None:
    """Cardhub draws its actions, and the log has the policies, so that the terms are checked."""
    text = stating(KUHN, tmp_path / "mixed.py")
    folder = play_once(text, ANALYSED, copied_to=tmp_path / "copy")
    (row,) = statistics(folder)["games"][0]["less_luck"]
    assert (row["is_exact"], row["has_policies"]) == (True, True)
    log = folder / "games.jsonl"
    head, *lines = log.read_text("utf-8").splitlines()
    games = [json.loads(line) for line in lines]
    drawn = [note for game in games for note in game["drawn"]]
    assert len(drawn) >= len(games)
    assert all(weight == 500_000_000 for note in drawn for _, weight in note["weights"])
    assert verify(folder, registry, options=ANALYSED).problems == []
    games[0]["drawn"][0]["weights"][0][1] //= 2
    changed = [json.dumps(game, sort_keys=True, separators=(",", ":")) for game in games]
    log.write_text("\n".join([head, *changed, ""]), "utf-8")
    assert "corrections should be" in verify(folder, registry, options=ANALYSED).problems[0]


def test_policies_are_kept_only_for_terms(play_once: PlayOnce, tmp_path: Path) -> None:
    """They are the secret of a bot, unless the match file asks for them."""
    for match in (PLAIN, CHANCE_ALONE):
        folder = play_once(stating(match, tmp_path / "mixed.py"))
        assert '"drawn"' not in (folder / "games.jsonl").read_text("utf-8")


def test_reports_say_what_the_terms_saved(play_once: PlayOnce, tmp_path: Path) -> None:
    """In the page and in Markdown."""
    folder = play_once(CHANCE_ALONE, ANALYSED, copied_to=tmp_path / "copy")
    write_reports(folder, written_result(folder))
    for name in ("report.html", "report.md"):
        text = (folder / name).read_text("utf-8")
        assert "Without the luck of chance, it is as good as" in text


def test_the_key_is_read_and_part_of_the_match(match: ReadMatch) -> None:
    """The ids of games are the same with any method."""
    cup, plain = match(KUHN), match(PLAIN)
    assert (cup.variance, plain.variance) == (VarianceRules("aivat"), VarianceRules())
    assert match(CHANCE_ALONE).variance == VarianceRules("aivat", "none")
    assert ["variance" in identity_of(read) for read in (cup, plain)] == [True, False]
    assert match_of(spec_of(cup)).variance == cup.variance
    assert public_digest(cup) == public_digest(plain)


@pytest.mark.parametrize(
    ("value", "problem"),
    [
        ("fast", "method must be one of"),
        ("{method: aivat, policies: some}", "policies must be one of"),
    ],
)
def test_mistakes_are_explained(match: ReadMatch, value: str, problem: str) -> None:
    """With the names that are possible."""
    with pytest.raises(MatchFileError, match=problem):
        match(KUHN.replace("aivat", value))


def test_a_race_has_no_terms(match: ReadMatch) -> None:
    """Its bets need scores from 0 to 1."""
    racing = KUHN + "    schedule: {mode: racing}\n"
    with pytest.raises(MatchFileError, match="a race bets on plain scores"):
        match(racing.replace("    blocks: 40\n", ""))
