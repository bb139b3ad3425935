"""Matches of games with teams and of common causes."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from msgspec.structs import replace

from cardhub.base.errors import MatchError
from cardhub.lab.match.log.log_reader import read_games, read_result
from cardhub.lab.match.log.log_writer import log_line
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.run.runner import run
from cardhub.lab.match.task import GameResult
from cardhub.lab.match.verifier import self_play_audit
from cardhub.plugins.registry import PluginRegistry

TOGETHER = """
    cardhub_match: 1
    name: together
    seed: 3
    bots: [{id: a, use: random}, {id: b, use: random}, {id: c, use: random}, {id: d, use: random}]
    games:
      - {game: spades, rules: {target: 0}}
      - {game: four_piles, players: 4, seating: rotation}
    schedule: {blocks: 1}
    rating: {bootstrap: 100}
"""


@pytest.fixture
def results(match: Callable[[str], Match], registry: PluginRegistry) -> dict[str, list[GameResult]]:
    """Return the results of a match of Spades and Four piles, by game."""
    run(match(TOGETHER), registry, Path("out"))
    by_contest: dict[str, list[GameResult]] = {}
    for _, result in read_games(Path("out")):
        by_contest.setdefault(result.contest, []).append(result)
    return by_contest


def test_the_places_of_a_match_are_those_of_teams(results: dict[str, list[GameResult]]) -> None:
    """Partners share a place; in a common cause there is only one."""
    for result in results["spades"]:
        assert result.teams == (0, 1, 0, 1)
        assert sorted(result.places) in ([1, 1, 2, 2], [1, 1, 1, 1])
        assert result.places[:2] == result.places[2:]
    for result in results["four_piles"]:
        assert (result.teams, result.places) == ((0, 0, 0, 0), (1, 1, 1, 1))


def test_a_line_with_other_places_within_a_team_is_an_error(
    results: dict[str, list[GameResult]],
) -> None:
    """Lines are read as they were written; teams are part of them."""
    result = results["spades"][0]
    line = log_line(result)
    assert read_result(line) == result
    for key, values, message in (
        ("places", [1, 2, 2, 1], "the seats of a team must share a place"),
        ("teams", [0, 1, 0], "teams: 3 values for 4 seats"),
        ("teams", [0, 0, 0, 1], "the seats of a team must share a place"),
    ):
        with pytest.raises(MatchError, match=message):
            read_result(json.dumps(json.loads(line) | {key: values}))


def test_the_same_bot_in_all_seats_scores_one_half(
    match: Callable[[str], Match], registry: PluginRegistry
) -> None:
    assert self_play_audit(match(TOGETHER), registry) == {"spades": "", "four_piles": ""}


def test_the_log_of_a_match_has_the_sides_that_cards_decided(
    match: Callable[[str], Match], registry: PluginRegistry
) -> None:
    """Every seat of a side may have another bot; partners share a place."""
    text = TOGETHER.replace("{game: spades, rules: {target: 0}}", "{game: doppelkopf}")
    run(
        match(text.replace("      - {game: four_piles, players: 4, seating: rotation}\n", "")),
        registry,
        Path("out"),
    )
    results = [result for _, result in read_games(Path("out"))]
    assert results
    for result in results:
        assert sorted(result.sides) in ([0, 0, 1, 1], [0, 1, 1, 1])
        assert result.teams == ()
        for side in (0, 1):
            members = [seat for seat in range(4) if result.sides[seat] == side]
            assert len({result.places[seat] for seat in members}) == 1
            assert len({result.seats[seat] for seat in members}) == len(members)
        assert sum(result.scores) == 0
        assert read_result(log_line(result)) == result
    assert "sides" not in log_line(replace(results[0], sides=()))
