"""Places and seat_scores in a match."""

from fractions import Fraction
from random import Random

import pytest
from tests.lab.match.results import contest, seated_result

from cardhub.lab.match.match_spec import Score
from cardhub.lab.match.seat_scores import (
    PairScore,
    counted_places,
    exact_scores,
    final_places,
    points_of,
    seat_scores,
)
from cardhub.lab.stats import PlayedGame
from cardhub.lab.stats.game_theory import pair_scores
from cardhub.model.table.scoring import Scoring

NOBODY: frozenset[int] = frozenset()


def alone(seats: int, *, lowest_wins: bool = False) -> Scoring:
    """Return the scoring of a game without teams."""
    return Scoring(tuple(range(seats)), lowest_wins=lowest_wins)


def fractions(*texts: str) -> tuple[Fraction, ...]:
    """Return exact numbers."""
    return tuple(map(Fraction, texts))


@pytest.mark.parametrize(
    ("scores", "out", "lowest_wins", "expected"),
    [
        ([5, 9, 5], NOBODY, False, (2, 1, 2)),
        ([5, 9, 5], NOBODY, True, (1, 3, 1)),
        ([5, 9, 4], {1}, False, (1, 3, 2)),
        ([5, 9, 4, 7], {0, 1}, False, (3, 3, 2, 1)),
        ([5, 9], {0, 1}, False, (1, 1)),
    ],
)
def test_bots_at_fault_are_last(
    scores: list[int], out: set[int], lowest_wins: bool, expected: tuple[int, ...]
) -> None:
    """The others keep their order; several at fault share the last place."""
    scoring = alone(len(scores), lowest_wins=lowest_wins)
    assert final_places(scores, out, scoring, has_ended=True) == expected


def test_the_team_of_a_bot_at_fault_is_last() -> None:
    """Its partner shares the place; the other teams keep their order."""
    three_teams = Scoring((0, 1, 2, 0, 1, 2))
    scores = [9, 5, 7, 9, 5, 7]
    assert final_places(scores, NOBODY, three_teams, has_ended=True) == (1, 3, 2, 1, 3, 2)
    assert final_places(scores, {3}, three_teams, has_ended=True) == (3, 2, 1, 3, 2, 1)
    assert final_places(scores, {3}, three_teams, has_ended=False) == (3, 1, 1, 3, 1, 1)


def test_a_fault_in_a_common_cause_leaves_one_place() -> None:
    """All seats are one team, which is first and last."""
    assert final_places([4, 4, 4], {1}, Scoring((0, 0, 0)), has_ended=False) == (1, 1, 1)


def test_a_game_that_a_fault_has_ended_has_no_other_loser() -> None:
    assert final_places([0, 9, 4], {1}, alone(3), has_ended=False) == (1, 3, 1)


def test_points_by_rank_run_from_first_to_last() -> None:
    """Shared places count as their mean: the mean of all is 1/2."""
    assert seat_scores((1, 2, 3), "rank") == fractions("1", "1/2", "0")
    assert seat_scores((1, 1, 3), "rank") == fractions("3/4", "3/4", "0")
    assert seat_scores((2, 1), "rank") == fractions("0", "1")


def test_points_for_winning_are_shared_by_the_winners() -> None:
    assert seat_scores((1, 1, 3), "win") == fractions("1/2", "1/2", "0")
    assert counted_places((1, 3, 2, 1), "win") == (1, 2, 2, 1)


@pytest.mark.parametrize("score", ["rank", "win"])
def test_scores_from_0_to_1_count_teams_and_not_seats(score: Score) -> None:
    """Two teams of two: the winners have 1, the others 0; a tie is 1/2, as is a common cause."""
    partners = (0, 1, 0, 1)
    assert seat_scores((1, 2, 1, 2), score, partners) == fractions("1", "0", "1", "0")
    assert seat_scores((1, 1, 1, 1), score, partners) == fractions("1/2", "1/2", "1/2", "1/2")
    assert seat_scores((1, 1, 1), score, (0, 0, 0)) == fractions("1/2", "1/2", "1/2")
    last = "1/2" if score == "rank" else "0"
    three_teams = (0, 0, 1, 1, 2, 2)
    assert seat_scores((2, 2, 1, 1, 3, 3), score, three_teams)[::2] == fractions(last, "1", "0")


def test_the_score_of_a_pair_is_that_of_the_statistics() -> None:
    """Block by block, with any other bots at the table."""
    rng = Random(5)
    for block in range(50):
        score = PairScore("0", "1", contest(4, "rank"))
        played = []
        for _ in range(6):
            seats = [rng.randrange(3) for _ in range(4)]
            scores = [rng.randrange(3) for _ in range(4)]
            result = seated_result([str(bot) for bot in seats], scores)
            score.add(result)
            played.append(PlayedGame(block, tuple(seats), tuple(map(float, result.places))))
        assert score.value == pair_scores(played).get((0, 1), {}).get(block)


def test_points_are_final_scores_and_negated_where_the_lowest_wins() -> None:
    result = seated_result("abc", [5, -9, 3])
    assert exact_scores(result, contest(3, "points")) == (5, -9, 3)
    assert exact_scores(result, contest(3, "points", lowest_wins=True)) == (-5, 9, -3)


@pytest.mark.parametrize(
    ("out", "expected"),
    [
        ({0}, (-10, -9, 3)),
        ({1}, (5, -9, 3)),
        ({0, 2}, (-10, -9, -10)),
        ({0, 1, 2}, (-9, -9, -9)),
    ],
)
def test_a_seat_at_fault_is_behind_all_others_by_a_point_or_more(
    out: set[int], expected: tuple[int, ...]
) -> None:
    """However well its substitute did; a seat that is last anyway keeps its points."""
    assert points_of(seated_result("abc", [5, -9, 3], out), contest(3, "points")) == expected


def test_a_fault_costs_the_whole_team_its_points() -> None:
    result = seated_result("abab", [7, 2, 7, 2], {0}, teams=(0, 1, 0, 1))
    assert points_of(result, contest(4, "points")) == (1, 2, 1, 2)


def test_a_fault_does_not_change_the_score_of_a_common_cause() -> None:
    """All seats share it, without rivals."""
    result = seated_result("aaa", [7, 7, 7], {1}, teams=(0, 0, 0))
    assert points_of(result, contest(3, "points")) == (7, 7, 7)


def test_the_score_of_a_pair_in_points_is_their_mean_difference_in_a_game() -> None:
    """Over all pairs of their seats in the games of a block; 0 is even."""
    score = PairScore("a", "b", contest(3, "points"))
    score.add(seated_result("aab", [4, 1, 2]))
    score.add(seated_result("bba", [0, 6, -3]))
    assert score.value == ((4 - 2) + (1 - 2) + (-3 - 0) + (-3 - 6)) / 4
    backwards = PairScore("b", "a", contest(3, "points"))
    backwards.add(seated_result("aab", [4, 1, 2]))
    assert backwards.value == -0.5
