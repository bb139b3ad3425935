"""Games that end once no place can change any more."""

from dataclasses import replace
from pathlib import Path

import pytest

from cardhub.lab.analysis import analyse
from cardhub.lab.match.log.log_reader import GAMES, read_games
from cardhub.lab.match.match_spec import Match, identity_of, match_of
from cardhub.lab.match.matchfile.reader import parse_match
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.match.task import GameResult
from cardhub.lab.match.verifier import verify
from cardhub.lab.report.report_files import written_result
from cardhub.plugins.registry import PluginRegistry


def cup_of(registry: PluginRegistry, players: int = 2, **keys: object) -> Match:
    """Return a match of Goofspiel between random bots that adjudicates."""
    content = {
        "games": [{"game": "goofspiel", "players": players, **keys}],
        "bots": ["random"] * players,
        "blocks": 6,
        "adjudicate": "yes",
        "salt": "none",
    }
    return parse_match(content, registry)


def played(match: Match, registry: PluginRegistry, folder: Path) -> list[GameResult]:
    """Return the games of a match played in a folder."""
    run(match, registry, folder, RunOptions(analyse=analyse))
    return [result for _, result in read_games(folder)]


@pytest.mark.parametrize("players", [2, 3])
def test_a_decided_game_ends_with_the_places_that_it_would_have(
    registry: PluginRegistry, tmp_path: Path, players: int
) -> None:
    cup = cup_of(registry, players)
    short = played(cup, registry, tmp_path / "short")
    whole = played(replace(cup, adjudicate=False), registry, tmp_path / "whole")
    assert [result.places for result in short] == [result.places for result in whole]
    decided = [n for n, result in enumerate(short) if result.end == "decided"]
    assert 0 < len(decided) < len(short)
    assert all(short[n].steps < whole[n].steps for n in decided)
    assert verify(tmp_path / "short", registry, 0.5, RunOptions(analyse=analyse)).is_fine


def test_the_report_says_how_many_games_were_decided(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    results = played(cup_of(registry), registry, tmp_path / "out")
    decided = sum(result.end == "decided" for result in results)
    (game,) = written_result(tmp_path / "out").statistics.games
    assert f"In {decided} of 12 games the places were certain" in " ".join(game.notes)


def test_a_game_that_goes_on_after_its_places_are_certain_does_not_verify(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    cup = cup_of(registry)
    results = played(cup, registry, tmp_path / "out")
    index = next(n for n, result in enumerate(results) if result.end == "decided")
    log = tmp_path / "out" / GAMES
    lines = log.read_text("utf-8").splitlines(keepends=True)
    lines[index + 1] = lines[index + 1].replace('"end":"decided"', '"end":"over"')
    log.write_text("".join(lines), "utf-8")
    assert not verify(tmp_path / "out", registry).is_fine


def test_games_scored_by_points_are_played_to_their_end(
    registry: PluginRegistry, tmp_path: Path
) -> None:
    results = played(cup_of(registry, score="points"), registry, tmp_path / "out")
    assert {result.end for result in results} == {"over"}


def test_only_a_match_that_adjudicates_says_so(registry: PluginRegistry) -> None:
    cup = cup_of(registry)
    assert match_of(identity_of(cup)).adjudicate
    assert "adjudicate" not in identity_of(replace(cup, adjudicate=False))
