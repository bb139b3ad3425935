"""Maximum-entropy equilibria of matrix games."""

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from cardhub.lab.stats import game_theory, max_entropy_nash
from cardhub.lab.stats.game_theory import minimiser
from cardhub.lab.stats.types import Floats

Shortcut = Callable[[Floats], Floats | None]
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


@pytest.fixture
def shortcuts(monkeypatch: pytest.MonkeyPatch) -> dict[str, int]:
    """Return the number of games that each shortcut has solved since."""
    solved = dict.fromkeys(("_saddle_column", "_circle_of_three", "_mixture_of_two"), 0)
    for name in solved:
        shortcut = getattr(game_theory, name)

        def counted(game: Floats, name: str = name, shortcut: Shortcut = shortcut) -> Any:
            mixture = shortcut(game)
            solved[name] += mixture is not None
            return mixture

        monkeypatch.setattr(game_theory, name, counted)
    return solved


def some_games() -> Iterator[Floats]:
    """Yield random games, some of them with several equilibria or of three bots."""
    rng = np.random.default_rng(6)
    for number in range(75):
        rows, columns = rng.integers(2, 5), (3, 4, 2)[number % 3]
        yield rng.integers(0, 9, size=(rows, columns)).astype(float)
        upper = np.triu(rng.normal(size=(3, 3)), 1)
        yield upper - upper.T


def test_games_of_few_bots_are_solved_without_a_linear_program(
    monkeypatch: pytest.MonkeyPatch, shortcuts: dict[str, int]
) -> None:
    """The linear program finds the same strategies."""
    quick = [minimiser(game) for game in some_games()]
    assert min(shortcuts.values()) > 12
    # The shortcuts are private: callers cannot choose between them and the linear program.
    for name in ("_saddle_column", "_circle_of_three"):
        monkeypatch.setattr(game_theory, name, lambda game: None)
    monkeypatch.setattr(game_theory, "_mixture_of_two", mixture_by_program)
    for game, mixture in zip(some_games(), quick, strict=True):
        assert minimiser(game) == pytest.approx(mixture, abs=1e-6)


def mixture_by_program(game: Floats) -> Floats:
    """Return the mixture of two columns by the linear program, with a third, worse column."""
    worse = game.max() + 1 + np.arange(len(game))[:, None]
    return minimiser(np.hstack([game, worse]))[:2]
