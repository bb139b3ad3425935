"""Ratings of games that have winners and losers only, with more than two seats."""

from collections.abc import Iterator

import numpy as np
import pytest

from cardhub.lab.stats import (
    NOBODY,
    FinishTable,
    PlayedGame,
    Separation,
    Tabulation,
    elo_of_score,
    fit_ratings,
    separations,
)
from cardhub.lab.stats.ratings.fit import ELO

BOTS = 4


def games(gap: float, count: int = 600) -> Iterator[PlayedGame]:
    """Yield games of four bots that are `gap` Elo apart in all, by Plackett and Luce's model."""
    rng = np.random.default_rng(3)
    for block in range(count):
        bots = rng.permutation(BOTS)
        worth = (np.linspace(0, gap / ELO, BOTS) + rng.gumbel(size=BOTS))[bots]
        places = np.where(worth == worth.max(), 1.0, 2.0)
        yield PlayedGame(block, tuple(bots.tolist()), tuple(places.tolist()))


def table_of(played: list[PlayedGame], *, is_won_only: bool = True) -> FinishTable:
    """Return the table of games."""
    table = Tabulation(is_won_only=is_won_only)
    for game in played:
        table.add(game)
    return table.table()


def difference(table: FinishTable) -> float:
    """Return by how much the last bot is rated above the first."""
    first, *_, last = fit_ratings(table, BOTS, draws=100, seed=1).by_bot
    assert first is not None
    assert last is not None
    return last.elo.value - first.elo.value


def test_elo_of_nearly_equal_bots_is_that_of_the_pairs_own_score() -> None:
    """Losers that count as tied would make it a quarter smaller."""
    played = list(games(gap=200))
    winners = [game.entrants[game.places.index(1)] for game in played]
    wins = [winners.count(bot) for bot in (0, 3)]
    own = elo_of_score(0.5 + (wins[1] - wins[0]) / (2 * len(played)))
    assert own is not None
    assert difference(table_of(played)) == pytest.approx(own, rel=0.1)
    assert difference(table_of(played, is_won_only=False)) < 0.85 * own


def test_losers_are_not_level() -> None:
    """A bot that wins all games is above the others, which are not connected."""
    table = table_of([PlayedGame(block, (0, 1, 2), (1, 2, 2)) for block in range(5)])
    ratings = fit_ratings(table, 3, draws=100, seed=1)
    assert separations(table, ratings) == {
        0: Separation.ABOVE,
        1: Separation.BELOW,
        2: Separation.BELOW,
    }


def test_without_the_winner_the_losers_of_a_game_say_nothing() -> None:
    won = [PlayedGame(block, (0, 1, 2, 3), (1, 2, 2, 2)) for block in range(4)]
    others = [PlayedGame(9, (1, 2, 3, NOBODY), (2, 2, 2, 1))]
    for pattern in (*table_of(won).patterns, *table_of(others).patterns):
        assert pattern.is_won_only
    tabulation = Tabulation(is_won_only=True)
    for game in won:
        tabulation.add(game)
    (rest,) = tabulation.table(without=[0]).patterns
    assert (rest.bots, rest.placed) == ((1, 2, 3), ())
    (winners,) = table_of([PlayedGame(1, (0, 1), (1, 1))]).patterns
    assert winners.placed == (2,)
