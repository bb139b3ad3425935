"""Seats that are alike: where an array would have its numbers if it counted from another seat."""

from typing import NamedTuple

import numpy as np

from cardhub.learning.arrays.alike_rows import ONE_HOT
from cardhub.learning.arrays.card_features import HIDDEN
from cardhub.learning.arrays.feature_spec import Indices, Part, indices
from cardhub.learning.arrays.layout import Layout
from cardhub.model.table.ranges import BitsOf, IndexOf

SEATS = "seats"


class AlikeSeats(NamedTuple):
    """By seat, the slot of an array from which each slot gets its value.

    `observed`: the slots of the seat's own array, in which fields with the numbers of seats count
    from the first seat; after the turn they count from the viewer. `true_states`: the slots of an
    array of a true state, in which everything counts from the first seat. `unturned`: the slots
    with numbers of seats as quantities, which other slots repeat one-hot.
    """

    observed: Indices
    true_states: Indices
    unturned: Indices


def alike_seats(layout: Layout) -> AlikeSeats | None:
    """Return the turned slots of a layout, or None if it has parts that are not turned here."""
    turns = _Turns(layout)
    if not all(map(turns.is_known, layout.parts)):
        return None
    observed, true_states = (
        np.stack([turns.slots(seat, is_own=is_own) for seat in range(layout.seats)])
        for is_own in (True, False)
    )
    return AlikeSeats(observed, true_states, turns.unturned())


class _Turns:
    """The slots of a layout from the point of view of its seats."""

    def __init__(self, layout: Layout) -> None:
        sections = layout.sections
        self._layout, self._seats = layout, layout.seats
        self._sets = {field.name for field in sections.bits.fields}
        self._fields = {
            field.name: field for field in (*sections.numbers.fields, *sections.bits.fields)
        }
        self._numbers = layout.game.state_type._declaration.numbers

    def is_known(self, part: Part) -> bool:
        """Return whether a part is turned here."""
        names = {"viewer", "seat", "phase", "known", "unseen", "top_cards", "depths"}
        return part.name in names or part.name.removesuffix(ONE_HOT) in self._fields

    def unturned(self) -> Indices:
        """Return the slots of numbers of seats that are encoded one-hot, too."""
        slots = [
            slot
            for part in self._layout.parts
            if self._counts_seats(part.name)
            and part.name not in self._sets
            and self._fields[part.name].is_enumeration
            for slot in range(part.start, part.start + self._fields[part.name].room)
        ]
        return np.array(slots, np.intp)

    def slots(self, seat: int, *, is_own: bool) -> Indices:
        """Return the slots as counted from a seat; `is_own`: by the seat's own array."""
        return np.concatenate(
            [self._turned(part, seat, is_own).ravel() for part in self._layout.parts]
        )

    def _turned(self, part: Part, seat: int, is_own: bool) -> Indices:
        slots = np.arange(part.start, part.start + part.size).reshape(part.shape)
        field = self._fields.get(part.name.removesuffix(ONE_HOT))
        if field is not None:
            if self._counts_seats(field.name) and self._is_by_value(part.name):
                # The last columns are the seats: the first one may stand for none.
                slots[..., -self._seats :] = np.roll(slots[..., -self._seats :], -seat, axis=-1)
            if field.is_by_seat and not is_own:
                slots[: self._seats] = np.roll(slots[: self._seats], -seat, axis=0)
        elif not is_own:
            slots = self._turned_table(part.name, slots, seat)
        return slots

    def _turned_table(self, name: str, slots: Indices, seat: int) -> Indices:
        """Return the slots of the turn or of cards in a true state, as counted from a seat."""
        if name == "viewer":  # a true state has none: the seat to act takes this place
            acting = self._layout.part("seat").start
            return np.arange(acting, acting + len(slots))
        if name == "seat":
            slots[: self._seats] = np.roll(slots[: self._seats], -seat)
        if name in ("known", "unseen"):
            slots = slots[self._piles(seat)]
        elif name == "top_cards" and (tops := self._layout.sections.tops):
            lines = indices(tops.lines)
            slots = slots[lines[self._piles(seat)][lines != HIDDEN]]
        return slots

    def _piles(self, seat: int) -> Indices:
        """Return the number in a true state of each pile as counted from a seat."""
        return np.array(self._layout.sections.piles.numbers[seat + 1]).argsort()

    def _is_by_value(self, name: str) -> bool:
        """Return whether a part has a column for each value, not one number."""
        return name in self._sets or name.endswith(ONE_HOT)

    def _counts_seats(self, name: str) -> bool:
        numbers = self._numbers.get(name)
        if isinstance(numbers, IndexOf | BitsOf):
            return numbers.things == SEATS
        return False
