"""Figures of games that are made by hand."""

from random import Random

import pytest
from tests.lab.study.conftest import hand_made

from cardhub.lab.study.measures.study_game import (
    distribution,
    draws,
    lead_changes,
    leads,
    luck,
    seat_advantages,
    settled_at,
)

LEVEL = 0.95


def test_the_winner_is_settled_from_when_it_leads_alone_to_the_end() -> None:
    """A tie on the way unsettles it."""
    assert settled_at(hand_made((1, 0), leaders=(0, 0, 0))) == 0
    assert settled_at(hand_made((1, 0), leaders=(-1, 0, -1, 0, 0))) == 0.75
    assert settled_at(hand_made((1, 0), leaders=(-1, 1, 1, 0))) == 1


def test_a_lead_changes_when_it_passes_to_another_seat() -> None:
    """A tie in between does not change the lead."""
    assert lead_changes(hand_made((1, 0), leaders=(-1, 0, -1, 0, 0))) == 0
    assert lead_changes(hand_made((1, 0), leaders=(0, -1, 1, 1, 0))) == 2


def test_the_leader_at_half_time_wins_as_often_as_counted() -> None:
    """Games without a leader there do not count."""
    games = [
        hand_made((1, 0), deal=0, leaders=(-1, 0, 0)),
        hand_made((1, 0), deal=1, leaders=(-1, 1, 0)),
        hand_made((1, 0), deal=2, leaders=(-1, -1, 0)),
    ]
    figures = leads(games, LEVEL)
    assert figures is not None
    half = next(point for point in figures.leader_wins if point.progress == 0.5)
    assert half.value is not None
    assert (half.value.value, half.value.deals) == (0.5, 2)
    led = next(point for point in figures.led if point.progress == 0.5)
    assert led.value is not None
    assert led.value.value == pytest.approx(2 / 3)


def test_copies_with_the_same_random_numbers_are_not_luck_of_the_deal() -> None:
    rng = Random(1)
    games = []
    for deal in range(200):
        for group in "ab":
            won = rng.choice((0.0, 1.0))
            games += [
                hand_made((won, 1 - won), deal=deal, group=group),
                hand_made((1 - won, won), deal=deal, group=group),
            ]
    shares = luck(games, LEVEL)
    assert shares is not None
    assert shares.deal.value == 0
    assert shares.play == pytest.approx(1)


def test_the_share_of_the_deal_agrees_with_its_true_value() -> None:
    """The deal gives three quarters of the games to one seat: a quarter of the variance."""
    rng = Random(2)
    games = []
    for deal in range(600):
        favoured = rng.choice((0.25, 0.75))
        for group in "ab":
            for _ in range(2):
                won = float(rng.random() < favoured)
                games.append(hand_made((won, 1 - won), deal=deal, group=group))
    shares = luck(games, LEVEL)
    assert shares is not None
    assert shares.deal.low is not None
    assert shares.deal.high is not None
    assert shares.deal.low < 0.25 < shares.deal.high
    assert shares.deal.high - shares.deal.low < 0.15


def test_both_teams_have_one_test() -> None:
    """The advantage of one of two seats is the disadvantage of the other."""
    games = [hand_made((1.0, 0.0) if deal % 4 else (0.0, 1.0), deal=deal) for deal in range(40)]
    first, second = seat_advantages(games, LEVEL)
    assert first.advantage.value == 0.25 == -second.advantage.value
    assert first.p_value == second.p_value
    assert first.is_certain
    assert second.is_certain


def test_equal_games_have_no_interval() -> None:
    """They do not show how much others would differ."""
    (first, _) = seat_advantages([hand_made((1, 0), deal=deal) for deal in range(9)], LEVEL)
    assert (first.advantage.value, first.advantage.low, first.p_value) == (0.5, None, None)
    assert not first.is_certain


def test_a_shared_first_place_is_a_draw() -> None:
    games = [hand_made((1, 0), deal=0), hand_made((1, 1), deal=1, places=(1, 1))]
    share = draws(games, LEVEL)
    assert share is not None
    assert share.value == 0.5


def test_the_bars_of_a_histogram_have_all_games() -> None:
    values = [float(n) for n in range(101)]
    counts = distribution(range(101), values, LEVEL)
    assert sum(bar.games for bar in counts.bars) == 101
    assert {bar.high - bar.low for bar in counts.bars} == {5.0}
    assert (counts.least, counts.greatest, counts.quantiles[2]) == (0, 100, 50)
