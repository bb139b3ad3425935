"""A batch that is encoded with a cache equals a batch without one, masks included."""

from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.games.magpie import Magpie

from cardhub import Game
from cardhub.learning.adapters.episode import Episode
from cardhub.learning.arrays import Layout
from cardhub.learning.arrays.learner_actions import FewLegal, ManyLegal
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.plugins.registry import find_plugins

TABLES = 4
# Games with bit sets, with several backs, with shuffles in the middle, with mixed hands.
NAMES = ("gamon", "gargon", "gin_rummy", "goofspiel", "hearts", "magpie")
LAYOUTS: dict[str, Layout] = {}


def layout_of(name: str) -> Layout:
    """Return the layout of a game, made once for all examples."""
    if name not in LAYOUTS:
        game: Game[Any] = Magpie() if name == "magpie" else find_plugins().game(name)
        LAYOUTS[name] = Layout(game)
    return LAYOUTS[name]


def begun(layout: Layout, seed: int) -> Episode:
    """Return a new game."""
    return Episode(layout, seed)


# By step: of which tables, the number of their actions, a new game, an exchange of two tables.
steps = st.lists(
    st.tuples(
        st.lists(st.integers(0, 12), min_size=TABLES, max_size=TABLES),
        st.sets(st.integers(0, TABLES - 1), max_size=1),
        st.booleans(),
    ),
    max_size=6,
)


@pytest.mark.parametrize("name", NAMES)
@given(steps, st.randoms(use_true_random=False))
@settings(max_examples=12, deadline=None)
def test_a_batch_with_a_cache_equals_a_batch_without(
    name: str, steps: list[tuple[list[int], set[int], bool]], rng: Random
) -> None:
    """Games go on in the same states, end, and change places; viewers change from step to step."""
    layout = layout_of(name)
    cache = layout.new_cache()
    tables = [begun(layout, seed) for seed in range(TABLES)]
    for actions, renewed, is_swapped in steps:
        for number, count in enumerate(actions):
            for _ in range(count):
                if not tables[number].is_over:
                    tables[number].apply(rng.choice(tables[number].legal()))
            if number in renewed or tables[number].is_over:
                tables[number] = begun(layout, rng.randrange(1000))
        if is_swapped:
            tables.reverse()
        rows = [table.row(rng.randint(EVERYTHING, layout.seats)) for table in tables]
        assert np.array_equal(layout.encode_rows(rows, None, cache), layout.encode_rows(rows))
        turns = [table.turn() for table in tables]
        rows, legal = [row for row, _ in turns], [choices for _, choices in turns]
        assert np.array_equal(layout.encode_rows(rows, None, cache), layout.encode_rows(rows))
        masks = np.ones((TABLES, layout.action_count), np.int8)
        layout.legal_many(rows, legal, cache, masks)
        for mask, table, row in zip(masks, tables, rows, strict=True):
            assert np.array_equal(mask, layout.mask(table.observe(row.viewer)))


legal_actions = st.lists(
    st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 300)), min_size=1, max_size=5, unique=True
    ),
    min_size=1,
    max_size=4,
)


@given(legal_actions, st.data())
@settings(deadline=None)
def test_many_tables_have_the_masks_and_actions_of_few(
    legal: list[list[tuple[int, int]]], data: st.DataObject
) -> None:
    numbers = [[number for number, _ in of_table] for of_table in legal]
    actions = [[action for _, action in of_table] for of_table in legal]
    few = FewLegal(numbers, actions)
    rows = np.arange(len(legal)).repeat([len(of_table) for of_table in legal])
    many = ManyLegal(rows, np.concatenate(numbers), np.concatenate(actions))
    masks = np.zeros((2, len(legal), 5), np.int8)
    few.mark(masks[0])
    many.mark(masks[1])
    assert np.array_equal(*masks)
    chosen = np.array([data.draw(st.sampled_from([-1, *legal_ones])) for legal_ones in numbers])
    assert many.meant(chosen) == few.meant(chosen)
    for number, action, of_table in zip(chosen, few.meant(chosen), legal, strict=True):
        assert action == (min(a for n, a in of_table if n == number) if number >= 0 else -1)
