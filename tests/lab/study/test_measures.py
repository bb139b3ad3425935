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
    """A tie in between is no change."""
    assert lead_changes(hand_made((1, 0), leaders=(-1, 0, -1, 0, 0))) == 0
    assert lead_changes(hand_made((1, 0), leaders=(0, -1, 1, 1, 0))) == 2


def test_the_leader_at_half_time_wins_as_often_as_counted() -> None:
    """Games without a leader there do not count."""
    games = [
        hand_made((1, 0), deal=0, leaders=(-1, 0, 0)),
        hand_made((1, 0), deal=1, leaders=(-1, 1, 0)),
        hand_made((1, 0), deal=2, leaders=(-1, -1, 0)),
    ]
    found = leads(games, LEVEL)
    assert found is not None
    half = next(point for point in found.leader_wins if point.progress == 0.5)
    assert half.value is not None
    assert (half.value.value, half.value.deals) == (0.5, 2)
    led = next(point for point in found.led if point.progress == 0.5)
    assert led.value is not None
    assert led.value.value == pytest.approx(2 / 3)


def test_copies_with_the_same_random_numbers_are_no_luck_of_the_deal() -> None:
    rng = Random(1)
    games = []
    for deal in range(200):
        for group in "ab":
            won = rng.choice((0.0, 1.0))
            games += [
                hand_made((won, 1 - won), deal=deal, group=group),
                hand_made((1 - won, won), deal=deal, group=group),
            ]
    found = luck(games, LEVEL)
    assert found is not None
    assert found.deal.value == 0
    assert found.play == pytest.approx(1)


def test_the_share_of_the_deal_is_found_where_it_is_known() -> None:
    """The deal gives three quarters of the games to one seat: a quarter of the variance."""
    rng = Random(2)
    games = []
    for deal in range(600):
        favoured = rng.choice((0.25, 0.75))
        for group in "ab":
            for _ in range(2):
                won = float(rng.random() < favoured)
                games.append(hand_made((won, 1 - won), deal=deal, group=group))
    found = luck(games, LEVEL)
    assert found is not None
    assert found.deal.low is not None
    assert found.deal.high is not None
    assert found.deal.low < 0.25 < found.deal.high
    assert found.deal.high - found.deal.low < 0.15


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
    found = draws(games, LEVEL)
    assert found is not None
    assert found.value == 0.5


def test_the_bars_of_a_histogram_have_all_games() -> None:
    values = [float(n) for n in range(101)]
    found = distribution(range(101), values, LEVEL)
    assert sum(bar.games for bar in found.bars) == 101
    assert {bar.high - bar.low for bar in found.bars} == {5.0}
    assert (found.least, found.greatest, found.quantiles[2]) == (0, 100, 50)
