"""Places and seat_scores in a match."""

from fractions import Fraction
from random import Random

import pytest

from cardhub.match.seat_scores import PairScore, counted_places, final_places, seat_scores
from cardhub.stats import PlayedGame
from cardhub.stats.game_theory.payoffs import pair_scores

NOBODY: frozenset[int] = frozenset()


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
    assert final_places(scores, out, lowest_wins=lowest_wins, has_ended=True) == expected


def test_a_game_that_a_fault_has_ended_has_no_other_loser() -> None:
    """In every state of the scores."""
    assert final_places([0, 9, 4], {1}, lowest_wins=False, has_ended=False) == (1, 3, 1)


def test_points_by_rank_run_from_first_to_last() -> None:
    """Shared places count as their mean, so that the mean of all is 1/2."""
    assert seat_scores((1, 2, 3), "rank") == fractions("1", "1/2", "0")
    assert seat_scores((1, 1, 3), "rank") == fractions("3/4", "3/4", "0")
    assert seat_scores((2, 1), "rank") == fractions("0", "1")


def test_points_for_winning_are_shared_by_the_winners() -> None:
    """A shared win is worth 1/k."""
    assert seat_scores((1, 1, 3), "win") == fractions("1/2", "1/2", "0")
    assert counted_places((1, 3, 2, 1), "win") == (1, 2, 2, 1)


def test_the_score_of_a_pair_is_that_of_the_statistics() -> None:
    """Block by block, with any other bots at the table."""
    rng = Random(5)
    for block in range(50):
        score = PairScore("0", "1", "rank")
        played = []
        for _ in range(6):
            seats = [rng.randrange(3) for _ in range(4)]
            scores = [rng.randrange(3) for _ in range(4)]
            found = final_places(scores, NOBODY, lowest_wins=False, has_ended=True)
            score.add([str(bot) for bot in seats], found)
            played.append(PlayedGame(block, tuple(seats), tuple(map(float, found))))
        assert score.value == pair_scores(played).get((0, 1), {}).get(block)
