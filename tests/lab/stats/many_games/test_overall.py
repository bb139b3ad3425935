"""Rankings over several games."""

from collections.abc import Callable

import numpy as np
import pytest

from cardhub.lab.estimate import Estimate
from cardhub.lab.stats import (
    Overall,
    PlayedGame,
    Ratings,
    disagreements,
    fit_ratings,
    overall_views,
)
from cardhub.lab.stats.many_games import KEMENY, MEAN, NASH

Plant = Callable[..., list[PlayedGame]]
NAMES = ["ada", "bob", "cleo", "random"]


@pytest.fixture(scope="module")
def worlds(duels: Plant) -> list[Ratings]:
    """Three games; ada is far ahead in the first and a little behind bob in both others."""
    strengths = [[4.0, 0.5, 0.3, 0.0], [1.0, 1.6, 0.4, 0.0], [0.8, 1.4, 0.3, 0.0]]
    return [
        fit_ratings(duels(s, 150, np.random.default_rng(n)), 4, anchor=3, draws=60, seed=n)
        for n, s in enumerate(strengths)
    ]


@pytest.fixture(scope="module")
def views(worlds: list[Ratings]) -> Overall:
    """Return the views over all three games."""
    overall = overall_views(worlds, nash_draws=40)
    assert overall is not None
    return overall


def test_the_mean_weighs_every_game_the_same(views: Overall, worlds: list[Ratings]) -> None:
    """The anchor has Elo 0, and the large margin puts ada first."""
    mean = views.views[0]
    assert mean.name == MEAN
    assert mean.scores is not None
    ada = [rated.by_bot[0] for rated in worlds]
    elo = np.mean([rating.elo.value for rating in ada if rating is not None])
    assert mean.scores[0].value == pytest.approx(elo)
    assert mean.scores[3] == Estimate(0, 0, 0)
    assert views.is_anchored
    assert [ranks.rank for ranks in mean.ranks] == [1, 2, 3, 4]


def test_nash_averaging_looks_at_the_games_that_are_hard(views: Overall) -> None:
    """The first game does not measure the best: the mixture drops it, and the gap is closed."""
    nash = views.views[1]
    assert nash.name == NASH
    assert sum(share.value for share in views.games) == pytest.approx(1)
    assert views.gap < 1e-6
    assert sum(views.best) == pytest.approx(1)
    assert nash.ranks[3].rank == 4
    assert views.games[2].value == max(share.value for share in views.games)


def test_kemeny_counts_games(views: Overall) -> None:
    """Two of three games rank bob first, and so does Kemeny."""
    order = views.views[2]
    assert (order.name, order.scores) == (KEMENY, None)
    assert views.kemeny.order == (1, 0, 2, 3)
    assert [ranks.rank for ranks in order.ranks] == [2, 1, 3, 4]
    assert views.lottery == pytest.approx((0, 1, 0, 0))


def test_ranges_hold_the_ranks(views: Overall) -> None:
    """Every rank interval contains its rank, in all views."""
    for view in views.views:
        for ranks in view.ranks:
            assert 1 <= ranks.best <= ranks.rank <= ranks.worst <= 4


def test_disagreements_are_said_in_words(views: Overall) -> None:
    (sentence,) = disagreements(views, NAMES)
    assert sentence.startswith("ada is above bob by mean Elo")
    assert "below by" in sentence
    assert "Kemeny" in sentence


def test_views_that_agree_say_nothing(duels: Plant) -> None:
    """A single game gives equal ranks in all views."""
    games = duels([2.0, 1.0, 0.0], 100, np.random.default_rng(1))
    overall = overall_views([fit_ratings(games, 3, anchor=2, draws=20)])
    assert overall is not None
    assert disagreements(overall, NAMES) == []


def test_a_cloned_bot_and_a_cloned_game_leave_nash_scores_alone(worlds: list[Ratings]) -> None:
    """Duplicates change scores by rounding errors only."""
    once, twice = (overall_views(games, nash_draws=5) for games in (worlds, [*worlds, worlds[1]]))
    assert once is not None
    assert twice is not None
    scores = [[s.value for s in overall.views[1].scores or ()] for overall in (once, twice)]
    assert scores[0] == pytest.approx(scores[1], abs=1e-6)
    double = [doubled(rated) for rated in worlds]
    overall = overall_views(double, nash_draws=5)
    assert overall is not None
    both = [score.value for score in overall.views[1].scores or ()]
    assert both == pytest.approx([*scores[0], scores[0][0]], abs=1e-6)


def doubled(rated: Ratings) -> Ratings:
    """Return ratings with a duplicate of bot 0 appended."""
    return Ratings(
        by_bot=(*rated.by_bot, rated.by_bot[0]),
        rated=(*rated.rated, len(rated.by_bot)),
        draws=np.hstack([rated.draws, rated.draws[:, :1]]),
        seats=rated.seats,
        ties=rated.ties,
        anchor=rated.anchor,
    )


def test_only_bots_that_are_rated_everywhere_are_compared(duels: Plant) -> None:
    """Bots absent from a game are unranked; without a common anchor the mean is 0."""
    games = duels([1.0, 0.5, 0.0], 30, np.random.default_rng(1))
    whole = fit_ratings(games, 3, anchor=2, draws=20)
    part = fit_ratings([g for g in games if 2 not in g.entrants], 3, draws=20)
    overall = overall_views([whole, part])
    assert overall is not None
    assert overall.bots == (0, 1)
    assert not overall.is_anchored
    assert sum(score.value for score in overall.views[0].scores or ()) == pytest.approx(0)


def test_no_games_have_no_views() -> None:
    """The result is None without games or without rated bots."""
    assert overall_views([]) is None
    assert overall_views([fit_ratings([], 3, draws=5)]) is None
