"""A search bot at Gamon: it bluffs, and does not believe everything."""

import pytest

from bluffs import Tally, tally
from cardhub_gamon.table import BELIEVE, GAMON


@pytest.fixture(scope="module")
def against_all_doubt() -> Tally:
    """Return the statistics of a search against a bot that always cries Gamon."""
    return tally("ismcts:60", GAMON, 1)


@pytest.fixture(scope="module")
def against_all_belief() -> Tally:
    """Return the statistics of a search against a bot that never cries Gamon."""
    return tally("ismcts:60", BELIEVE, 1)


def test_a_short_search_wins_games_against_who_can_be_read(
    against_all_doubt: Tally, against_all_belief: Tally
) -> None:
    """With so few iterations the search wins about two of five games; four games show no more."""
    assert against_all_doubt.wins + against_all_belief.wins >= 1


def test_a_search_lies_now_and_then(against_all_doubt: Tally, against_all_belief: Tally) -> None:
    for counts in (against_all_doubt, against_all_belief):
        assert 0.1 < counts.lies / counts.calls < 0.9


def test_a_search_cries_gamon_now_and_then(
    against_all_doubt: Tally, against_all_belief: Tally
) -> None:
    for counts in (against_all_doubt, against_all_belief):
        assert 0.1 < counts.cries / counts.doubts < 0.9
