"""Ratings from a joint fit of all games; how many games of a block count as one."""

from collections.abc import Callable
from time import process_time

import numpy as np
import pytest

from cardhub.lab.estimate import Estimate
from cardhub.lab.stats import (
    NOBODY,
    PlayedGame,
    Rating,
    Ratings,
    Tabulation,
    elo_of_score,
    fit_ratings,
)
from cardhub.lab.stats.ratings.fit import ELO
from cardhub.lab.stats.ratings.likelihood import design_effect
from cardhub.lab.stats.ratings.tabulation import tabulate
from coverage import STRENGTHS, Tables, ratings_held

Plant = Callable[..., list[PlayedGame]]
BOTH = ((0, 1), (1, 0))


def rated(ratings: Ratings) -> list[Rating]:
    """Return the ratings and assert that every bot has one."""
    rows = [rating for rating in ratings.by_bot if rating is not None]
    assert len(rows) == len(ratings.by_bot)
    return rows


def test_planted_strengths_and_seats_are_recovered(tables: Plant) -> None:
    """Four seats, six bots: each within its interval, which is narrow, and the seats as well."""
    strengths, edges = [1.2, 0.7, 0.3, 0.0, -0.3, -0.8], [0.3, 0.1, -0.1, -0.3]
    games = tables(strengths, edges, 500, np.random.default_rng(5))
    ratings = fit_ratings(games, 6, anchor=3, draws=60, seed=1)
    for rating, strength in zip(rated(ratings), strengths, strict=True):
        assert rating.elo.value == pytest.approx(strength * ELO, abs=35)
        assert rating.elo.high - rating.elo.low < 110
    (seats,) = ratings.seats.values()
    assert [seat.value for seat in seats] == pytest.approx(np.asarray(edges) * ELO, abs=20)
    assert [rating.ranks.rank for rating in rated(ratings)] == [1, 2, 3, 4, 5, 6]
    assert ratings.ties == {}


def test_planted_ties_are_recovered(duels: Plant) -> None:
    """Davidson's tie weight is recovered, and Elo agrees with expected scores."""
    strengths = [0.6, 0.2, -0.1, 0.0]
    games = duels(strengths, 800, np.random.default_rng(3), tie=1.5)
    ratings = fit_ratings(games, 4, anchor=3, draws=100, seed=1)
    assert ratings.ties[2] == pytest.approx(1.5, abs=0.15)
    scale = ELO * 2 / (2 + 1.5)
    for rating, strength in zip(rated(ratings), strengths, strict=True):
        assert rating.elo.value == pytest.approx(strength * scale, abs=12)


def test_two_bots_get_the_elo_of_their_score(duels: Plant) -> None:
    """The fit of one pair agrees with the Elo of its score, up to pseudo-games."""
    games = duels([0.5, 0.0], 500, np.random.default_rng(2))
    score = np.mean([g.places[g.entrants.index(0)] < g.places[g.entrants.index(1)] for g in games])
    rows = rated(fit_ratings(games, 2, anchor=1, draws=50))
    assert rows[0].elo.value == pytest.approx(elo_of_score(float(score)), abs=0.5)


def test_the_order_of_games_does_not_matter(tables: Plant) -> None:
    """The result is identical in any order of games."""
    games = tables([0.5, 0.1, -0.2, 0.0], [0, 0, 0], 60, np.random.default_rng(1))
    one = fit_ratings(games, 4, draws=50, seed=3)
    other = fit_ratings(games[::-1], 4, draws=50, seed=3)
    assert one.by_bot == other.by_bot
    assert one.draws.tobytes() == other.draws.tobytes()


def test_seeds_repeat_and_differ(duels: Plant) -> None:
    """Equal seeds give equal floats; other seeds change the draws only."""
    games = duels([0.5, 0.0], 20, np.random.default_rng(1))
    one, same, other = (fit_ratings(games, 2, draws=40, seed=seed) for seed in (3, 3, 4))
    assert one.draws.tobytes() == same.draws.tobytes() != other.draws.tobytes()
    assert [r.elo.value for r in rated(one)] == [r.elo.value for r in rated(other)]


@pytest.mark.parametrize("blocks", [1, 5, 40])
def test_perfect_scores_give_finite_and_wide_intervals(blocks: int) -> None:
    """The interval of an undefeated bot is finite, wide, and reaches down to unlikely strengths."""
    games = [
        PlayedGame(b, seats, (1.0, 2.0) if seats[0] == 0 else (2.0, 1.0))
        for b in range(blocks)
        for seats in BOTH
    ]
    best, anchor = rated(fit_ratings(games, 2, anchor=1, draws=400, seed=1))
    assert anchor.elo == Estimate(0, 0, 0)
    assert best.elo.low < best.elo.value < best.elo.high < 4000
    assert best.elo.high - best.elo.low > 500
    unlikely = elo_of_score(0.025 ** (1 / (2 * blocks)))
    assert unlikely is not None
    assert best.elo.low < unlikely + 60


def test_bots_that_are_always_even_are_even() -> None:
    """Ties only: 0, within an interval that shrinks with the blocks."""
    widths = []
    for blocks in (2, 40):
        games = [PlayedGame(b, seats, (1.0, 1.0)) for b in range(blocks) for seats in BOTH]
        first, _ = rated(fit_ratings(games, 2, anchor=1, draws=200))
        assert first.elo.value == pytest.approx(0, abs=1e-6)
        assert str(first.ranks) == "1-2"
        widths.append(first.elo.high - first.elo.low)
    assert widths[0] > 50 > widths[1] > 0


def test_where_the_first_seat_always_wins_the_bots_stay_open() -> None:
    """The seat effect explains the wins, and the bots are even."""
    games = [PlayedGame(b, seats, (1.0, 2.0)) for b in range(50) for seats in BOTH]
    ratings = fit_ratings(games, 2, anchor=1, draws=200)
    first, _ = rated(ratings)
    assert ratings.seats[2][0].low > 100
    assert first.elo.low < -100 < 100 < first.elo.high


def test_without_games_no_bot_is_rated() -> None:
    """Every rating is None, without draws."""
    ratings = fit_ratings([], 3, anchor=0, draws=10)
    assert ratings.by_bot == (None, None, None)
    assert (ratings.rated, ratings.draws.shape) == ((), (10, 0))


def test_bots_that_nothing_connects_are_not_compared() -> None:
    """Two groups: the anchor's is rated; without an anchor the one with more games."""
    games = [PlayedGame(0, (0, 1), (1, 2)), *(PlayedGame(b, (2, 3), (1, 2)) for b in range(1, 4))]
    assert fit_ratings(games, 5, anchor=0, draws=10).rated == (0, 1)
    assert fit_ratings(games, 5, draws=10).rated == (2, 3)
    assert fit_ratings(games, 5, anchor=4, draws=10).anchor is None


def test_a_bot_against_itself_says_nothing() -> None:
    """Games of a bot against itself give no rating."""
    assert fit_ratings([PlayedGame(0, (0, 0), (1, 2))], 1, draws=5).by_bot == (None,)


def test_an_anchor_sets_the_zero(duels: Plant) -> None:
    """Differences are kept; the anchor has the given Elo."""
    games = duels([0.5, 0.2, 0.0], 30, np.random.default_rng(1))
    one = rated(fit_ratings(games, 3, anchor=2, draws=20))
    other = rated(fit_ratings(games, 3, anchor=0, anchor_elo=1500, draws=20))
    assert other[0].elo == Estimate(1500, 1500, 1500)
    assert one[0].elo.value - one[1].elo.value == pytest.approx(
        other[0].elo.value - other[1].elo.value, abs=1e-6
    )
    mean = rated(fit_ratings(games, 3, draws=20))
    assert sum(rating.elo.value for rating in mean) == pytest.approx(0, abs=1e-9)


def test_bots_in_several_seats_and_other_numbers_of_seats_are_one_fit() -> None:
    """One fit takes AABB games, three-player games with ties, and duels."""
    games = [
        PlayedGame(block, entrants, places)
        for block in range(12)
        for entrants, places in (
            ((0, 0, 1, 1), (1.0, 3.0, 2.0, 4.0)),
            ((1, 2, 0), (2.0, 2.0, 1.0)),
            ((2, 1), (1.0, 2.0)),
        )
    ]
    ratings = fit_ratings(games, 3, anchor=1, draws=50)
    assert list(ratings.seats) == [2, 3, 4]
    assert [rating.games for rating in rated(ratings)] == [24, 36, 24]
    assert [rating.blocks for rating in rated(ratings)] == [12, 12, 12]
    assert np.isfinite(ratings.draws).all()


@pytest.mark.parametrize(
    ("game", "message"),
    [
        (PlayedGame(0, (0, 1), (1.0,)), "a place each"),
        (PlayedGame(0, (0,), (1.0,)), "two seats or more"),
        (PlayedGame(0, (0, 1), (1.0, float("nan"))), "must be finite numbers"),
        (PlayedGame(0, (0, 7), (1.0, 2.0)), "bots are numbered 0 to 1"),
    ],
)
def test_invalid_games_are_refused(game: PlayedGame, message: str) -> None:
    """The message has the reason and the game."""
    with pytest.raises(ValueError, match=message):
        fit_ratings([game], 2)


def test_an_anchor_that_is_no_bot_is_refused() -> None:
    with pytest.raises(ValueError, match="bots are numbered 0 to 1"):
        fit_ratings([PlayedGame(0, (0, 1), (1.0, 2.0))], 2, anchor=2)


def test_twenty_bots_and_five_thousand_games_take_seconds(tables: Plant) -> None:
    """Fifty draws here; a thousand take twenty times that at most. Slow machines get some room."""
    strengths = np.random.default_rng(0).normal(size=20)
    games = tables(strengths, [0.1, 0, -0.1], 1667, np.random.default_rng(1))
    start = process_time()
    fit_ratings(games, 20, anchor=0, draws=50)
    assert process_time() - start < 10


def test_games_are_counted_as_they_come(tables: Plant) -> None:
    """A tabulation gives the same ratings as a list of games."""
    games = tables([0.5, 0.1, -0.2, 0.0], [0, 0, 0], 60, np.random.default_rng(1))
    table = Tabulation()
    for game in games:
        table.add(game)
    assert fit_ratings(table.table(), 4, draws=50).by_bot == fit_ratings(games, 4, draws=50).by_bot


def test_blocks_that_are_alike_are_drawn_together() -> None:
    """The cost depends on the kinds of block; the intervals, on the number of blocks."""
    table, begun = Tabulation(), process_time()
    kinds = [((1.0, 2.0), (1.0, 2.0)), ((2.0, 1.0), (1.0, 2.0)), ((2.0, 1.0), (2.0, 1.0))]
    for block in range(9000):
        for seats, places in zip(BOTH, kinds[block % 3], strict=True):
            table.add(PlayedGame(block, seats, places))
    finishes = table.table()
    assert (len(finishes.copies), finishes.copies.sum()) == (3, 9000)
    best, _ = rated(fit_ratings(finishes, 2, anchor=1, draws=2000))
    assert process_time() - begun < 5
    assert (best.games, best.blocks) == (18000, 9000)
    assert best.elo.high - best.elo.low == pytest.approx(2 * 1.96 * 347 * 0.5 / 9000**0.5, rel=0.3)


def test_substitutes_get_no_rating_and_take_none() -> None:
    """Attributed entrants are rated by their order, in their own seats."""
    with_third = [PlayedGame(b, (0, 1, 2), (1.0, 2.0, 3.0)) for b in range(30)]
    with_nobody = [PlayedGame(b, (0, 1, NOBODY), (1.0, 2.0, 3.0)) for b in range(30)]
    alone = [PlayedGame(b, (NOBODY, 0, NOBODY), (2.0, 1.0, 2.0)) for b in range(30)]
    both = fit_ratings([*with_nobody, *alone], 3, draws=20)
    assert both.by_bot[2] is None
    first, second = (rating for rating in both.by_bot if rating is not None)
    assert (first.games, second.games) == (30, 30)
    assert first.elo.value > second.elo.value
    assert list(both.seats) == [3]
    assert len(fit_ratings(with_third, 3, draws=20).rated) == 3


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


@pytest.mark.parametrize(
    "alike", [pytest.param(0.5, marks=pytest.mark.soak("games that are alike are harder")), 1.0]
)
def test_ratings_at_four_seats_hold_the_truth(alike: float, runs: int) -> None:
    held = ratings_held(Tables(4, 8, alike), STRENGTHS["apart"], runs)
    assert held >= 0.93 - 2 * np.sqrt(0.05 * 0.95 / runs)
