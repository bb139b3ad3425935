"""Reviews of all kinds of games: faults, common causes, teams, early ends of playouts."""

from dataclasses import replace
from pathlib import Path

import pytest
from tests.lab.analysis.review.conftest import Play, Review, of_bot

from cardhub.base.errors import MatchError
from cardhub.lab.analysis.review.decision_rating import RatingTask, confirm, replay_of, screen
from cardhub.lab.analysis.review.review_file import read_review
from cardhub.lab.analysis.review.review_run import ReviewRequest, own_decisions, plan_review
from cardhub.lab.match.log.log_reader import GAMES, read_games
from cardhub.plugins.registry import PluginRegistry, find_plugins


@pytest.mark.parametrize(
    ("game", "unit"),
    [
        ("{game: four_piles, players: 2}", "cards"),
        ("{game: spades}", "%"),
        ("{game: gin_rummy}", "points"),
        ("{game: goofspiel}", "%"),
    ],
)
def test_decisions_of_every_kind_of_game_are_rated(
    play: Play, registry: PluginRegistry, game: str, unit: str
) -> None:
    """Points, teams, a common score, simultaneous choices, games that end playouts early."""
    folder = play("random first", f"[{game}]", 1)
    plan = plan_review(folder, registry, ReviewRequest(reviewer="ismcts:4", seats=1))
    seat = plan.seats[0]
    replay = replay_of(plan.match, "digest", seat.result, registry.directories)
    steps = own_decisions(replay, seat.result, seat.seat)
    task = RatingTask(
        plan.match,
        "digest",
        seat.result,
        registry.directories,
        "ismcts:4",
        "seed",
        seat.seat,
        steps[len(steps) // 2],
    )
    screened = screen(task)
    assert screened.legal > 1
    again = confirm(replace(task, best=screened.best))
    assert len(again.losses) == 8
    assert all(again.worths)
    assert all(worth.endswith(unit) for worth in again.worths)


def test_decisions_of_a_substitute_are_not_those_of_the_bot(play: Play, review: Review) -> None:
    faults = "faults: {two_player: substitute, max: 100, share: 1.0}"
    folder = play("cheat:after=2 first", "[{game: goofspiel, score: rank}]", 2, faults)
    results = review(folder, ReviewRequest(reviewer="ismcts:4", seats=2, mistakes=1))
    assert {game.end for _, game in read_games(folder)} == {"over"}
    assert of_bot(results, "cheat").decisions == 4
    assert of_bot(results, "first").decisions > 10


def test_a_game_that_a_fault_ended_is_reviewed_up_to_it(play: Play, review: Review) -> None:
    """Its record is unfinished, and yet each seat is asked with what it had seen."""
    folder = play("cheat:after=2 first", "[{game: goofspiel, score: rank}]", 1)
    results = review(folder, ReviewRequest(reviewer="ismcts:4", seats=2, mistakes=1))
    assert {game.end for _, game in read_games(folder)} == {"fault"}
    assert of_bot(results, "cheat").decisions == 4
    assert of_bot(results, "first").mistakes[0].facts


def test_the_reviewed_bot_need_not_be_installed(play: Play) -> None:
    """Its games are in the log: it is not asked again."""
    folder = play("careful random", "[{game: kuhn}]", 2)
    plan = plan_review(folder, find_plugins(), ReviewRequest(reviewer="ismcts:4"))
    assert {seat.result.seats[seat.seat] for seat in plan.seats} == {"careful", "random"}


def test_a_match_without_a_game_cannot_be_reviewed(
    play: Play, registry: PluginRegistry, tmp_path: Path
) -> None:
    folder = play("careful random", "[{game: kuhn}]", 1)
    (tmp_path / GAMES).write_bytes((folder / GAMES).read_bytes().splitlines(True)[0])
    with pytest.raises(MatchError, match="no game to review"):
        plan_review(tmp_path, registry, ReviewRequest(reviewer="ismcts:4"))
    assert read_review(tmp_path) is None
