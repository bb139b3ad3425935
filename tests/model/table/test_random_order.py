"""Shuffling: a seed gives the same deals as `Random.shuffle`."""

from random import Random

import pytest

from cardhub.model.game.initial_state import shuffle


@pytest.mark.parametrize("size", [0, 1, 2, 3, 6, 52, 64, 65, 102])
def test_the_order_and_the_generator_are_as_after_random_shuffle(size: int) -> None:
    for seed in range(20):
        mine, theirs = Random(seed), Random(seed)
        items, others = list(range(size)), list(range(size))
        shuffle(items, mine)
        theirs.shuffle(others)
        assert items == others
        assert mine.getstate() == theirs.getstate()


class Backwards(Random):
    """A generator with its own way to shuffle."""

    def shuffle(self, items: list[int]) -> None:  # type: ignore[override]  # lists suffice here
        """Reverse the order."""
        items.reverse()


def test_a_generator_of_another_class_shuffles_itself() -> None:
    """It may draw by `random` alone, or not at all."""
    items = [1, 2, 3]
    shuffle(items, Backwards(1))
    assert items == [3, 2, 1]
