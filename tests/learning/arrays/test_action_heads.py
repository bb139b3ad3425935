"""Every action has its own parts, and the masks of heads follow from the legal actions."""

from typing import Any

import numpy as np
import pytest
from tests.learning.arrays.conftest import NAMES, layout_of, positions

from cardhub import Actions, Amount, Game
from cardhub.base.errors import LayoutError
from cardhub.learning.arrays import ActionHeads, Layout
from cardhub.learning.arrays.action_heads import UNUSED, GroupParts, group_parts
from cardhub.model.hidden.observation import Observation
from holdem import Holdem
from kuhn import Kuhn


def masks_of(game: Game[Any], layout: Layout) -> np.ndarray[Any, np.dtype[np.int8]]:
    """Return the masks of all decisions of a random game."""
    decisions = (
        Observation(game, position.state, position.state.seat)
        for position in positions(game, layout.seats, every=5)
        if position.state.seat >= 0
    )
    return np.array([layout.mask(observation) for observation in decisions])


def combinations(heads: ActionHeads, masks: np.ndarray[Any, Any]) -> set[tuple[int, ...]]:
    """Return, with the row first, all choices that the masks of the heads allow one by one."""
    chosen = np.arange(len(masks))[:, np.newaxis]
    for _ in heads.heads:
        rows, choices = heads.next_mask(masks[chosen[:, 0]], chosen[:, 1:]).nonzero()
        chosen = np.column_stack([chosen[rows], choices])
    return set(map(tuple, chosen.tolist()))


@pytest.mark.parametrize("form", ["faces", "tokens"])
@pytest.mark.parametrize("game", NAMES, indirect=True)
def test_each_action_has_its_own_parts(game: Game[Any], form: str) -> None:
    layout = layout_of(game, actions=form)
    heads, numbers = layout.action_heads, np.arange(layout.action_count)
    parts = heads.split(numbers)
    assert len({*map(tuple, parts.tolist())}) == layout.action_count
    assert (heads.join(parts) == numbers).all()
    assert (parts < heads.sizes).all()


@pytest.mark.parametrize("game", NAMES, indirect=True)
def test_masks_of_heads_allow_exactly_the_legal_actions(game: Game[Any]) -> None:
    layout = layout_of(game)
    heads, masks = layout.action_heads, masks_of(game, layout)
    allowed = combinations(heads, masks)
    rows, choices = np.hsplit(np.array(sorted(allowed)), [1])
    pairs = {*zip(rows[:, 0].tolist(), heads.join(choices).tolist(), strict=True)}
    legal = {*zip(*map(list, (axis.tolist() for axis in masks.nonzero())), strict=True)}
    assert pairs == legal
    assert len(allowed) == len(legal)


@pytest.mark.parametrize("game", ["holdem", "garner"], indirect=True)
def test_a_choice_is_marked_if_some_legal_action_has_it(game: Game[Any]) -> None:
    layout = layout_of(game)
    heads, masks = layout.action_heads, masks_of(game, layout)
    for column, of_head in enumerate(heads.masks(masks)):
        for row, marked in zip(masks, of_head, strict=True):
            parts = {*heads.split(row.nonzero()[0])[:, column].tolist()} - {UNUSED}
            assert {*marked.nonzero()[0].tolist()} == (parts or {0})


def test_amounts_need_the_outputs_of_two_short_heads() -> None:
    layout = Layout(Holdem())
    names = [head.name for head in layout.action_heads.heads]
    assert names == ["verb", "bet block", "bet in block", "raise block", "raise in block"]
    assert (layout.action_count, sum(layout.action_heads.sizes)) == (1205, 105)


def test_few_amounts_have_one_head_and_actions_without_a_part_none() -> None:
    heads = Layout(Kuhn()).action_heads
    assert heads.sizes == (4,)
    bid = Amount("bid", 5, 50, 5)
    Actions("pass", bid)
    assert [head.size for head in group_parts(bid, bid.size, "card").heads] == [10]


def test_choices_without_an_action_have_the_number_minus_one() -> None:
    heads = ActionHeads([GroupParts(1), group_parts(Amount("bid", 1, 70), 70, "card")])
    assert heads.sizes == (2, 8, 9)
    choices = [[0, 7, 8], [1, 0, 0], [1, 7, 6], [1, 7, 7], [2, 0, 0], [1, -1, 9]]
    assert heads.join(np.array(choices)).tolist() == [0, 1, 70, -1, -1, -1]
    with pytest.raises(LayoutError, match="fix: rows of 3 choices"):
        heads.join(np.array([1, 0, 0]))
