"""The benchmark of how costs grow."""

import gc

import pytest

import growth
from cardhub.plugins.registry import find_plugins


@pytest.fixture(scope="module")
def tables() -> dict[str, list[str]]:
    """Return all tables of two games at the smallest budget."""
    games = [find_plugins().game(name) for name in ("goofspiel", "hearts")]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(growth, "LENGTHS", (5, 100))
        patch.setattr(growth, "DEALS", (0, 2))
        patch.setattr(growth, "MATCH_BLOCKS", 2)
        # Collections need not traverse what all other tests have left in this process.
        gc.freeze()
        return dict(growth.tables(games, rounds=1, iterations=5))


def numbers(line: str, cells: int) -> list[float]:
    """Return the figures of a row."""
    return [float(cell.replace(",", "")) for cell in line.split()[-cells:]]


def test_costs_are_listed_by_seats_and_deals(tables: dict[str, list[str]]) -> None:
    """Each number of seats and each deal has a row with two positive figures."""
    lines = tables["by seats"][1:] + tables["by deals"][1:]
    assert [line.split()[0] for line in lines].count("hearts") >= 2
    assert all(min(numbers(line, 2)) > 0 for line in lines)


def test_larger_trees_take_more_memory(tables: dict[str, list[str]]) -> None:
    """An observation has more than its state; a tree grows with its iterations."""
    for line in tables["memory"][1:]:
        state, _, small, large = numbers(line, 4)
        assert state > 0
        assert small < large


def test_matches_are_listed_in_games_a_second(tables: dict[str, list[str]]) -> None:
    [_, *lines] = tables["matches of random bots, one process"]
    assert [numbers(line, 1)[0] > 0 for line in lines] == [True, True]
