"""Search among amounts: few of them are tried, and a group counts as one action."""

from collections import Counter
from random import Random
from typing import Any

from tests.kit.holdem_hands import HOLDEM, hand

from cardhub import Actions, Observation
from cardhub.bots.bot import Rated
from cardhub.bots.search.amount_search import (
    amount_blocks,
    best_of_each,
    next_amount,
    sample_grouped,
    split_legal,
)
from cardhub.plugins.registry import find_plugins
from holdem.table import BET, CALL, FOLD, RAISE

BLOCKS = amount_blocks(HOLDEM.actions)
RAISES = [RAISE.action(amount) for amount in range(4, 101)]
NONE = -1


def advice(iterations: int) -> list[Rated]:
    """Return the ratings of the first decision between two players."""
    at = hand(100, 100)
    registry = find_plugins()
    bot: Any = registry.make_bot(f"ismcts:{iterations}", "holdem", Random(1))
    rated: list[Rated] = bot.advise(Observation(HOLDEM, at.state, 0))
    registry.close()
    return rated


def test_legal_actions_are_divided_by_their_groups_of_amounts() -> None:
    assert split_legal([FOLD, CALL, *RAISES], BLOCKS) == ([FOLD, CALL], [RAISES])
    assert {BLOCKS[BET.start], BLOCKS[RAISE.start], BLOCKS[FOLD]} == {3, 4, -1}
    assert amount_blocks(Actions("fold", "call")) == []


def test_the_playouts_amount_is_tried_first_then_the_ends_then_amounts_beside_the_best() -> None:
    values: dict[int, tuple[float, int]] = {}
    preferred = RAISE.action(12)
    tried = []
    for _ in range(6):
        added = next_amount(RAISES, values, preferred)
        assert added is not None
        tried.append(RAISE.amount(added))
        values[added] = (1.0 if added == preferred else 0.0, 100)
    assert tried[:3] == [12, 4, 100]
    assert all(4 < amount < 100 for amount in tried[3:])
    assert len(set(tried)) == len(tried)


def test_an_amount_is_added_only_after_enough_visits_of_its_group() -> None:
    first = RAISES[0]
    assert next_amount(RAISES, {first: (0.0, 3)}, NONE) is None
    assert next_amount(RAISES, {first: (0.0, 4)}, NONE) == RAISES[-1]


def test_no_amount_is_added_to_a_group_that_is_complete() -> None:
    group = RAISES[:3]
    assert next_amount(group, dict.fromkeys(group, (0.0, 1000)), NONE) is None


def test_random_playouts_raise_as_often_as_they_fold() -> None:
    rng = Random(1)
    legal = [FOLD, CALL, *RAISES]
    verbs = Counter(
        HOLDEM.actions.verb_and_value[sample_grouped(legal, BLOCKS, rng.random)][0]
        for _ in range(300)
    )
    assert all(70 < verbs[verb] < 130 for verb in ("fold", "call", "raise"))


def test_a_group_competes_by_all_its_visits_with_its_most_visited_amount() -> None:
    rated = [
        Rated(CALL, 40, 1.0),
        Rated(RAISES[5], 30, 2.0),
        Rated(RAISES[9], 25, 2.0),
        Rated(FOLD, 5, -1.0),
    ]
    best = best_of_each(HOLDEM, rated)
    assert [(rating.action, rating.visits) for rating in best] == [
        (RAISES[5], 55),
        (CALL, 40),
        (FOLD, 5),
        (RAISES[9], 25),
    ]


def test_search_tries_few_amounts_and_a_hint_names_one_of_them() -> None:
    rated = advice(100)
    tried = [rating.action for rating in rated if rating.visits and rating.action in RAISE]
    assert 2 <= len(tried) <= 8
    assert len([rating for rating in rated[:3] if rating.action in RAISE]) == 1
