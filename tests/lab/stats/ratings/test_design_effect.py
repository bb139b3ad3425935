"""How many games of a block count as one."""

import numpy as np
import pytest

from cardhub.lab.stats import PlayedGame
from cardhub.lab.stats.ratings.likelihood import design_effect
from cardhub.lab.stats.ratings.tabulation import tabulate
from coverage import STRENGTHS, Tables, ratings_held

SEATS = [(0, 1), (1, 0)]


def played(winners: list[tuple[int, int]]) -> float:
    """Return the design effect of blocks of two games with these winners."""
    return design_effect(
        tabulate(
            PlayedGame(block, seats, (1 + (seats[0] != winner), 1 + (seats[1] != winner)))
            for block, pair in enumerate(winners)
            for seats, winner in zip(SEATS, pair, strict=True)
        )
    )


def test_a_block_whose_games_end_alike_counts_as_one_game() -> None:
    assert played([(0, 0), (1, 1)] * 20) == pytest.approx(2)
    assert played([(0, 0)] * 20) == 2


def test_games_that_end_independently_or_with_the_seat_count_each() -> None:
    """An effect below 1, of luck that reaches both bots, counts as 1."""
    independent = [(one, other) for one in (0, 1) for other in (0, 1)] * 50
    assert played(independent) == pytest.approx(1, abs=0.02)
    assert played([(0, 1)] * 50) == 1


@pytest.mark.parametrize("alike", [0.5, 1.0])
def test_ratings_at_four_seats_hold_the_truth(alike: float, runs: int) -> None:
    held = ratings_held(Tables(4, 8, alike), STRENGTHS["apart"], runs)
    assert held >= 0.93 - 2 * np.sqrt(0.05 * 0.95 / runs)
