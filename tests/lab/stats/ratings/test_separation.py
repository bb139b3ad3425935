"""Ratings of bots that won or lost everything are bounds."""

import numpy as np
import pytest

from cardhub.lab.stats import PlayedGame, Separation, bounded, centred, fit_ratings, separations
from cardhub.lab.stats.ratings.tabulation import tabulate

NONE, ABOVE, BELOW = Separation.NONE, Separation.ABOVE, Separation.BELOW


def games(*pairs: tuple[int, int, str]) -> list[PlayedGame]:
    """Return games of two bots each, with the results of the first: W, D or L."""
    places = {"W": (1, 2), "D": (1, 1), "L": (2, 1)}
    return [
        PlayedGame(block, (one, other), places[result])
        for one, other, results in pairs
        for block, result in enumerate(results)
    ]


@pytest.mark.parametrize(
    ("played", "anchor", "expected"),
    [
        ([(0, 1, "WLW")], None, [NONE, NONE]),
        ([(0, 1, "WWD")], None, [NONE, NONE]),
        ([(0, 1, "WWW")], None, [ABOVE, BELOW]),
        # The last bot lost everything: the others are compared with one another.
        ([(0, 1, "WLW"), (0, 2, "WW"), (1, 2, "WW")], None, [NONE, NONE, BELOW]),
        # Relative to an anchor that lost everything all others are bounds.
        ([(0, 1, "WLW"), (0, 2, "WW"), (1, 2, "WW")], 2, [ABOVE, ABOVE, NONE]),
        # A ladder without an upset: the distances of its steps cannot be estimated.
        ([(0, 1, "WW"), (1, 2, "WW"), (0, 2, "WW")], None, [ABOVE, Separation.UNKNOWN, BELOW]),
        # A circle connects all of them, without a game that each lost to each.
        ([(0, 1, "W"), (1, 2, "W"), (2, 0, "W")], None, [NONE] * 3),
    ],
)
def test_an_elo_is_finite_if_chains_of_results_lead_both_ways(
    played: list[tuple[int, int, str]], anchor: int | None, expected: list[Separation]
) -> None:
    rows = games(*played)
    bots = len(expected)
    ratings = fit_ratings(rows, bots, anchor=anchor, draws=20)
    assert list(separations(tabulate(rows), ratings).values()) == expected


def test_places_at_a_table_for_four_connect_neighbours() -> None:
    """Ties connect, and so does one upset."""
    order = PlayedGame(0, (0, 1, 2, 3), (1, 2, 2, 4))
    table = tabulate([order])
    by_bot = separations(table, fit_ratings([order], 4, draws=20))
    assert list(by_bot.values()) == [ABOVE, NONE, NONE, BELOW]
    upset = PlayedGame(1, (0, 1, 2, 3), (2, 3, 4, 1))
    table = tabulate([order, upset])
    by_bot = separations(table, fit_ratings([order, upset], 4, draws=20))
    assert set(by_bot.values()) == {NONE}


def test_one_hopeless_bot_moves_no_other_rating() -> None:
    """0 is the mean of the bots with a finite Elo, in the estimate and in each draw."""
    rows = games((0, 1, "WLWWL"), (0, 2, "WWWWW"), (1, 2, "WWWWW"))
    ratings = fit_ratings(rows, 3, draws=50)
    by_bot = separations(tabulate(rows), ratings)
    shifted = centred(ratings, by_bot, 0.95)
    first, second, last = (rating.elo for rating in shifted.by_bot if rating is not None)
    assert first.value + second.value == pytest.approx(0)
    assert np.allclose(shifted.draws[:, :2].sum(axis=1), 0)
    assert tuple(bounded(first, by_bot[0])) == tuple(first)
    assert tuple(bounded(last, by_bot[2])) == (None, None, last.high)
    assert last.high < second.value
