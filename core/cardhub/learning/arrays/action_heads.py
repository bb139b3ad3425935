"""Heads of actions: a learner's action as a verb and its parts, each chosen by a head of its own.

A network with one output for each action of no-limit poker has over a thousand outputs. With heads
it chooses the verb first, then the amount by two heads of some thirty outputs.
"""

from collections.abc import Mapping, Sequence
from math import isqrt
from typing import NamedTuple

import numpy as np

from cardhub.base.errors import LayoutError
from cardhub.learning.arrays.feature_spec import Indices, Mask
from cardhub.model.table.actions import Amount, Choice, Group, Players, Sites, Tokens

# The name of the first head.
VERB = "verb"
# A group with more amounts has two heads.
MOST_AMOUNTS = 64
# The part of an action in a head that it does not use.
UNUSED = -1


class ActionHead(NamedTuple):
    """One head: the part of an action that it chooses, and the number of its choices."""

    name: str
    size: int


class GroupParts(NamedTuple):
    """A group of `size` actions, which are numbered by their parts in these heads.

    The last head counts fastest, as in the digits of a number.
    """

    size: int
    heads: tuple[ActionHead, ...] = ()


def group_parts(group: Group, size: int, card: str) -> GroupParts:
    """Return the parts of a group that has `size` actions in a layout.

    `card`: the head of cards, empty if cards of this group are named by their place.
    """
    verb = group.verb
    if isinstance(group, Amount) and size > MOST_AMOUNTS:
        width = isqrt(size - 1) + 1
        blocks = ActionHead(f"{verb} block", -(-size // width))
        return GroupParts(size, (blocks, ActionHead(f"{verb} in block", width)))
    name = verb
    if isinstance(group, Tokens):
        name = card or verb
    elif isinstance(group, Players):
        name = "seat"
    elif isinstance(group, Sites):
        name = "site"
    elif isinstance(group, Choice) and group.is_of_cards:
        name = "face"
    return GroupParts(size, (ActionHead(name, size),) if size > 1 else ())


class ActionHeads:
    """The heads of a layout's actions; the first one chooses the verb.

    `parts` has a row for each action and a column for each head: the action's choice in this head,
    or UNUSED. Each action has another row.
    """

    def __init__(self, groups: Sequence[GroupParts]) -> None:
        verb = ActionHead(VERB, len(groups))
        # Groups share a head if its name and size are the same: the card to lay or to take.
        columns: dict[ActionHead, int] = {verb: 0}
        for group in groups:
            for head in group.heads:
                columns.setdefault(head, len(columns))
        self.heads = tuple(columns)
        sizes = [group.size for group in groups]
        self._sizes = np.array(sizes, np.intp)
        self._starts = np.cumsum(self._sizes) - self._sizes
        self._strides = np.zeros((len(groups), len(columns)), np.intp)
        self.parts = np.full((sum(sizes), len(columns)), UNUSED, np.intp)
        for number, group in enumerate(groups):
            self._fill(number, group, columns)

    def _fill(self, number: int, group: GroupParts, columns: Mapping[ActionHead, int]) -> None:
        start = self._starts[number]
        rows = self.parts[start : start + group.size]
        rows[:, 0] = number
        rest, stride = np.arange(group.size), 1
        for head in reversed(group.heads):
            rest, rows[:, columns[head]] = np.divmod(rest, head.size)
            self._strides[number, columns[head]] = stride
            stride *= head.size

    @property
    def sizes(self) -> tuple[int, ...]:
        """The number of choices of each head."""
        return tuple(head.size for head in self.heads)

    def split(self, actions: Sequence[int] | Indices) -> Indices:
        """Return the parts of these actions: a row for each, with UNUSED for heads without use."""
        rows: Indices = self.parts[np.asarray(actions, np.intp)]
        return rows

    def join(self, choices: Indices) -> Indices:
        """Return the action of each row of choices, or -1 for choices without an action.

        Choices of heads that the verb does not use are ignored. Raises LayoutError for an array of
        another shape.
        """
        choices = np.asarray(choices)
        if choices.ndim != 2 or choices.shape[1] != len(self.heads):
            raise LayoutError(
                f"choices of heads have the shape {choices.shape}. "
                f"fix: rows of {len(self.heads)} choices, one for each head"
            )
        is_valid = (choices >= 0) & (choices < np.array(self.sizes))
        verbs = np.where(is_valid[:, 0], choices[:, 0], 0)
        strides = self._strides[verbs]
        places = (choices * strides).sum(axis=1)
        is_valid[:, 1:] |= strides[:, 1:] == 0
        is_action = is_valid.all(axis=1) & (places < self._sizes[verbs])
        actions: Indices = np.where(is_action, self._starts[verbs] + places, -1)
        return actions

    def next_mask(self, masks: Mask, chosen: Indices) -> Mask:
        """Return the masks of the next head after the heads that are already chosen.

        `masks`: legal actions in rows, as the layout numbers them. `chosen`: in each row the
        choices of the first heads, without any for the first head. A head without use has one legal
        choice, 0. Choices from these masks, head by head, are always a legal action.
        """
        rows, actions = np.asarray(masks).nonzero()
        column = np.asarray(chosen).shape[1]
        for earlier in range(column):
            parts = self.parts[actions, earlier]
            is_chosen = (parts == chosen[rows, earlier]) | (parts == UNUSED)
            rows, actions = rows[is_chosen], actions[is_chosen]
        return self._marked(len(masks), column, rows, actions)

    def masks(self, masks: Mask) -> tuple[Mask, ...]:
        """Return for each head, in rows, which choices occur in some legal action.

        A combination of such choices need not be legal; `next_mask` is exact.
        """
        rows, actions = np.asarray(masks).nonzero()
        return tuple(
            self._marked(len(masks), column, rows, actions) for column in range(len(self.heads))
        )

    def _marked(self, count: int, column: int, rows: Indices, actions: Indices) -> Mask:
        marked = np.zeros((count, self.heads[column].size), np.int8)
        parts = self.parts[actions, column]
        is_used = parts != UNUSED
        marked[rows[is_used], parts[is_used]] = 1
        marked[~marked.any(axis=1), 0] = 1
        return marked
