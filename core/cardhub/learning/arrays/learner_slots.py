"""The slots of a layout that a network sees in training."""

from collections.abc import Iterator
from functools import cached_property
from itertools import compress

import numpy as np

from cardhub.learning.arrays.alike_rows import ABSENT, ONE_HOT, row_sums, rows_differ
from cardhub.learning.arrays.alike_seats import AlikeSeats, alike_seats
from cardhub.learning.arrays.alike_sites import AlikeSites
from cardhub.learning.arrays.feature_spec import Indices, Slots, indices
from cardhub.learning.arrays.field_ranges import SCORES
from cardhub.learning.arrays.layout import Layout
from cardhub.model.table.ranges import Numbers
from cardhub.model.table.state import State


class LearnerInputs:
    """What a network sees of a layout: `slots`, and by row the slots that are alike.

    `rows`: the slots by row and column, without any row in games that declare none. `actions`: the
    learner's actions by row and column. ABSENT stands for what a row lacks. `turns`: by seat and
    input, the slots of the seat's own arrays and of true states, if the seats are alike; then
    everything is counted from the seat that acts. `scores`: the seats' scores, by input. `sums`:
    the weights of a row's columns in sums. `differ`: whether a network has to know which row it
    reads. Only training needs both. `sites`: the sites of a board, which are the rows instead.
    `are_open`: whether the seat to act has the inputs of the true state.
    """

    def __init__(
        self,
        slots: Indices,
        rows: Indices | None = None,
        actions: Indices | None = None,
        *,
        turns: tuple[Indices, Indices] | None = None,
        scores: Indices | None = None,
        sums: Slots | None = None,
        differ: bool = False,
        sites: AlikeSites | None = None,
        are_open: bool = False,
    ) -> None:
        none = np.zeros((0, 0), np.intp)
        self.slots = slots
        self.rows = none if rows is None else rows
        self.actions = none if actions is None else actions
        self.turns = turns
        self.scores = none.ravel() if scores is None else scores
        self.sums = np.zeros((0, 0), np.float32) if sums is None else sums
        self.differ = differ
        self.sites = sites
        self.are_open = are_open

    @property
    def has_rows(self) -> bool:
        """Whether some inputs are alike."""
        return self.row_shape != (0, 0)

    @property
    def row_shape(self) -> tuple[int, int]:
        """The numbers of rows and of their columns."""
        rows, columns = self.rows.shape
        return (self.sites.sites, self.sites.columns) if self.sites else (rows, columns)

    @cached_property
    def ends(self) -> tuple[int, int]:
        """The number of inputs that are outside rows, and the number of those and of all rows.

        For sites, the face on top of each site and the groups follow; see `AlikeSites.inputs`.
        """
        outside = len(self.slots) + (self.sites.shared if self.sites else 0)
        rows, columns = self.row_shape
        return outside, outside + rows * columns

    @property
    def rated(self) -> int:
        """How many actions a network rates in each row."""
        on_top: int = self.sites.slots.on_top.shape[1] if self.sites else 0
        return int(self.actions.shape[1]) + on_top

    @cached_property
    def gathered(self) -> Indices:
        """The slots that a network reads: `slots`, then the slots of rows or sites."""
        # The value of a slot that a row lacks is not used.
        alike = self.sites.gathered if self.sites else np.maximum(self.rows, 0).ravel()
        return np.concatenate([self.slots, alike])

    def of_observations(self, observations: Slots) -> Slots:
        """Return the inputs of a policy: what the seats to act see."""
        if self.turns is None:
            return self.with_sites(observations.take(self.gathered, axis=1))
        turns, _ = self.turns
        # An array begins with the viewer, one-hot.
        seats = observations[:, : len(turns)].argmax(axis=1)
        return self.with_sites(_turned(observations, turns, seats))

    def of_states(self, states: Slots) -> Slots:
        """Return the inputs of a critic, which knows the true states."""
        if self.turns is None:
            return self.with_sites(states.take(self.gathered, axis=1))
        _, turns = self.turns
        return self.with_sites(_turned(states, turns, self.acting(states)))

    def with_sites(self, gathered: Slots) -> Slots:
        """Return gathered slots as inputs: what sites have is computed from theirs."""
        if self.sites is None:
            return gathered
        slots, of_sites = np.split(gathered, [len(self.slots)], axis=1)
        return np.concatenate([slots, self.sites.inputs(of_sites)], axis=1)

    def acting(self, states: Slots) -> Indices:
        """Return the seats from which the inputs of true states count: the first if none acts."""
        if self.turns is None:
            return np.zeros(len(states), np.intp)
        # After one slot for each viewer, an array has one for each seat that can act.
        seats = len(self.turns[1])
        first = seats + 1
        acting: Indices = states[:, first : first + seats].argmax(axis=1)
        return acting

    @cached_property
    def present(self) -> Slots:
        """By row and column, 1 for a number and 0 for ABSENT."""
        if self.sites:
            return np.ones(self.row_shape, np.float32)
        present: Slots = (self.rows != ABSENT).astype(np.float32)
        return present


def learner_inputs(layout: Layout) -> LearnerInputs:
    """Return the inputs of a network that is trained for a layout."""
    if layout.alike_sites:
        return _inputs_of_sites(layout, layout.alike_sites)
    slots, alike = learner_slots(layout), layout.alike_rows
    rows = np.where(np.isin(alike.slots, slots), alike.slots, ABSENT)
    is_seen = (rows != ABSENT).any(axis=0)
    rows = rows[:, is_seen]
    columns = [*compress(alike.columns, is_seen)]
    seats = alike_seats(layout)
    replaced = [*rows.ravel(), *alike.replaced, *(seats.unturned if seats else ())]
    others = np.setdiff1d(slots, replaced)
    inputs = LearnerInputs(others, rows, alike.actions)
    return LearnerInputs(
        others,
        rows,
        alike.actions,
        turns=seats and _turns(seats, inputs.gathered),
        scores=_scores(layout, others),
        sums=row_sums(layout.game, layout.sections.kinds, columns),
        differ=rows_differ(layout.game),
        are_open=seats is not None and _is_open(layout),
    )


def _inputs_of_sites(layout: Layout, sites: AlikeSites) -> LearnerInputs:
    """Return the inputs of a network that reads a board site by site."""
    seats, names = alike_seats(layout), layout.game.heuristics.row_numbers
    replaced = [*sites.gathered, *(seats.unturned if seats else ())]
    for part in layout.parts:
        if part.name in names:
            replaced += range(part.slots.start, part.slots.stop)
    others = np.setdiff1d(learner_slots(layout), replaced)
    inputs = LearnerInputs(others, sites=sites)
    return LearnerInputs(
        others,
        actions=sites.slots.actions,
        turns=seats and _turns(seats, inputs.gathered),
        scores=_scores(layout, others),
        sites=sites,
        are_open=seats is not None and _is_open(layout),
    )


def _is_open(layout: Layout) -> bool:
    """Return whether every seat sees the true state."""
    state_type = layout.game.state_type
    return not state_type.choices_field and all(
        zone.faces == "all" for zone in layout.sections.piles.zones
    )


def from_seat(values: Slots, seats: Indices) -> Slots:
    """Return values by seat, in the last axis, as counted from these seats."""
    return _rotated(values, seats)


def from_first(values: Slots, seats: Indices) -> Slots:
    """Return values that are counted from these seats as counted from the first seat."""
    return _rotated(values, -seats)


def _rotated(values: Slots, turns: Indices) -> Slots:
    count = values.shape[-1]
    return np.take_along_axis(values, (np.arange(count) + turns[..., None]) % count, axis=-1)


def _turned(arrays: Slots, turns: Indices, seats: Indices) -> Slots:
    places = turns.take(seats, axis=0)
    places += np.arange(0, arrays.size, arrays.shape[1])[:, np.newaxis]
    return arrays.reshape(-1).take(places)


def _turns(seats: AlikeSeats, gathered: Indices) -> tuple[Indices, Indices]:
    return seats.observed[:, gathered], seats.true_states[:, gathered]


def _scores(layout: Layout, slots: Indices) -> Indices:
    """Return the inputs that are the seats' scores."""
    first = layout.part(SCORES).start
    return np.searchsorted(slots, range(first, first + layout.seats))


def learner_slots(layout: Layout) -> Indices:
    """Return the slots of the fields that the game declares in `learner_fields`, and of the cards.

    Layouts and their fingerprints keep every slot: the selection belongs to the trained network.
    """
    state_type, declared = layout.game.state_type, layout.game.learner_fields
    hidden = {*_fields_by_token(state_type)}
    if declared is not None:
        hidden = {*state_type._declaration.added} - {*declared}
    return indices(
        [
            slot
            for part in layout.parts
            if part.name.removesuffix(ONE_HOT) not in hidden
            for slot in range(part.slots.start, part.slots.stop)
        ]
    )


def _fields_by_token(state_type: type[State]) -> Iterator[str]:
    """Yield the names of the fields with a number for each token."""
    yield from state_type.token_fields
    for name, numbers in state_type._declaration.numbers.items():
        if isinstance(numbers, Numbers) and "tokens" in (numbers.count, numbers.most):
            yield name
