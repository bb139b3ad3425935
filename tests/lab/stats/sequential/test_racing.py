"""Adaptive allocation of blocks to pairs."""

import numpy as np
import pytest

from cardhub.lab.stats import PairOrder, Race, holm_rejects

STRENGTH = [0.8, 0.5, 0.49, 0.1]


def race(rng: np.random.Generator, blocks: int, margin: float = 0.03) -> Race:
    """Return a race after it was decided or reached its limit of blocks."""
    running = Race(range(4), margin=margin, points=201)
    for _ in range(blocks):
        pair = running.next_pair()
        if pair is None:
            break
        chance = 0.5 + (STRENGTH[pair[0]] - STRENGTH[pair[1]]) / 2
        running.add(pair, float(rng.binomial(2, chance) / 2))
    return running


def test_clear_pairs_stop_and_close_ones_get_the_blocks() -> None:
    """Every order is decided, and the closest pair plays the most blocks."""
    contest = race(np.random.default_rng(1), 1500, margin=0)
    orders = contest.orders()
    assert {pair for pair, order in orders.items() if order is not PairOrder.FIRST} == {(1, 2)}
    assert max(orders, key=lambda pair: contest.sequence(pair).blocks) == (1, 2)
    assert contest.sequence((0, 3)).blocks < 60 < contest.sequence((1, 2)).blocks
    assert contest.next_pair() == (1, 2)


def test_pairs_too_close_to_matter_end_the_race() -> None:
    """A pair within the margin is decided as equal."""
    contest = race(np.random.default_rng(2), 20_000, margin=0.08)
    assert contest.next_pair() is None
    assert contest.orders()[1, 2] is PairOrder.EQUAL


def test_every_pair_begins_and_ties_go_to_the_first() -> None:
    """Every pair plays; equal results give an equal schedule."""
    contest = Race([2, 0, 1])
    seen = []
    for _ in range(3):
        pair = contest.next_pair()
        assert pair is not None
        seen.append(pair)
        contest.add(pair, 1.0)
    assert seen == [(0, 1), (0, 2), (1, 2)]


def test_scores_count_for_the_bot_that_is_named_first() -> None:
    """Scores can be added for either order of a pair."""
    contest = Race(range(2))
    for _ in range(60):
        contest.add((1, 0), 1.0)
    assert contest.orders()[0, 1] is PairOrder.SECOND
    assert contest.next_pair() is None


def test_even_bots_are_seldom_told_apart(runs: int) -> None:
    """The family-wise error rate of races among three equal bots is at most 5 %."""
    rng, wrong = np.random.default_rng(4), 0
    matches = runs // 2
    for _ in range(matches):
        contest = Race(range(3), margin=0, points=21)
        for score in rng.choice([0, 0.5, 1.0], size=150):
            contest.add(contest.next_pair() or (0, 1), float(score))
        wrong += any(order is not PairOrder.OPEN for order in contest.orders().values())
    assert wrong <= 0.05 * matches + 1


def test_holm_rejects_step_by_step() -> None:
    """Worked by hand: .01 <= .05/4, .0150 <= .05/3, .03 > .05/2."""
    assert holm_rejects([0.03, 0.01, 0.9, 0.015]) == [False, True, False, True]
    assert holm_rejects([]) == []
    assert holm_rejects([0.05]) == [True]


def test_unknown_bots_and_invalid_margins_are_refused() -> None:
    """Unknown pairs and margins of 1/2 or more raise ValueError."""
    with pytest.raises(ValueError, match="not in this race"):
        Race(range(2)).add((0, 2), 1.0)
    with pytest.raises(ValueError, match="margin"):
        Race(range(2), margin=0.7)
