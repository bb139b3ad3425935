"""Maximum-entropy equilibria of matrix games."""

import numpy as np
import pytest

from cardhub.lab.stats import max_entropy_nash
from cardhub.lab.stats.game_theory import zerosum
from cardhub.lab.stats.game_theory.zerosum import minimiser
from cardhub.lab.stats.types import Floats

CIRCLE = np.asarray([[0.0, 1, -1], [-1, 0, 1], [1, -1, 0]])


def entropy(mixture: Floats) -> float:
    """Return the entropy of a mixture."""
    used = mixture[mixture > 0]
    return float(-used @ np.log(used))


def test_rock_paper_scissors_is_a_third_each() -> None:
    """The gap of the equilibrium is 0."""
    solution = max_entropy_nash(CIRCLE)
    assert solution.rows == pytest.approx([1 / 3] * 3)
    assert solution.columns == pytest.approx([1 / 3] * 3)
    assert solution.value == pytest.approx(0)
    assert solution.gap < 1e-9


def test_a_clone_shares_with_its_original_and_changes_no_other_weight() -> None:
    """A duplicate of rock takes exactly half of its share."""
    twice = [0, 0, 1, 2]
    solution = max_entropy_nash(CIRCLE[np.ix_(twice, twice)])
    assert solution.rows == pytest.approx([1 / 6, 1 / 6, 1 / 3, 1 / 3])


def test_of_several_equilibria_the_most_even_is_taken() -> None:
    assert minimiser(np.asarray([[1, 0, 0.5], [0, 1, 0.5]])) == pytest.approx([1 / 3] * 3, abs=1e-6)
    assert minimiser(np.zeros((3, 4))) == pytest.approx([1 / 4] * 4)


def test_no_step_within_the_optimal_face_is_more_even() -> None:
    """Random small games of integers, most with many equilibria; random steps along them."""
    rng, tried = np.random.default_rng(0), 0
    for _ in range(60):
        game = rng.integers(0, 3, size=rng.integers(2, 5, size=2)).astype(float)
        game = np.unique(np.unique(game, axis=0), axis=1)
        mixture = minimiser(game)
        value = (game @ mixture).max()
        for _ in range(200):
            step = rng.normal(size=len(mixture)) * rng.choice([1e-3, 1e-2])
            other = mixture + step - step.mean()
            if other.min() >= 0 and (game @ other).max() <= value + 1e-12:
                tried += 1
                assert entropy(other) <= entropy(mixture) + 1e-7
    assert tried > 100


@pytest.mark.parametrize("size", [2, 10, 50])
def test_large_games_are_solved_without_a_gap(size: int) -> None:
    """Random skew-symmetric games, and tournaments of wins and losses."""
    rng = np.random.default_rng(size)
    upper = np.triu(rng.normal(size=(size, size)), 1)
    for game in (upper - upper.T, np.sign(upper) - np.sign(upper).T):
        solution = max_entropy_nash(game)
        assert solution.gap < 1e-8
        assert solution.value == pytest.approx(0, abs=1e-9)
        assert solution.rows.sum() == pytest.approx(1)


def test_one_choice_is_no_choice() -> None:
    """A game of one cell has its value."""
    solution = max_entropy_nash(np.asarray([[0.3]]))
    assert (solution.rows.tolist(), solution.columns.tolist()) == ([1], [1])
    assert solution.value == pytest.approx(0.3)


def test_games_with_gaps_are_refused() -> None:
    with pytest.raises(ValueError, match="finite payoffs"):
        max_entropy_nash(np.asarray([[0.0, np.nan]]))


def test_saddle_points_are_seen_without_a_linear_program(monkeypatch: pytest.MonkeyPatch) -> None:
    """The linear program finds the same strategy as the saddle point test."""
    rng = np.random.default_rng(6)
    games = [rng.integers(0, 9, size=(3, 4)).astype(float) for _ in range(100)]
    quick = [zerosum.minimiser(game) for game in games]
    # The shortcut is private: callers cannot choose between it and the linear program.
    monkeypatch.setattr(zerosum, "_saddle_column", lambda game: None)
    slow = [zerosum.minimiser(game) for game in games]
    assert np.allclose(quick, slow, atol=1e-6)
    assert sum(mixture.max() == 1 for mixture in quick) > 10
