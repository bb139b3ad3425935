"""Sites of a board that are alike: what a network reads at each of them, computed from arrays."""

from collections.abc import Sequence
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.base.errors import LayoutError
from cardhub.learning.arrays.action_heads import GroupParts
from cardhub.learning.arrays.alike_rows import ABSENT, OF_FACES, ONE_HOT, slots_of
from cardhub.learning.arrays.feature_spec import Indices, Part, Slots
from cardhub.learning.arrays.sections import Sections
from cardhub.model.game.game import Game
from cardhub.model.table.actions import Choice, Group, Sites
from cardhub.model.table.bitboard import numbers, orthogonal

# The number of equal cards that counts as 1.
CARDS = 8
# Layers of a site: the card on top, the card beneath it, and all cards further down.
LAYERS = 3
# The part with how near to the top each face lies.
DEPTHS = "depths"


class SiteSlots(NamedTuple):
    """Where arrays have what belongs to sites, and which actions belong to a site.

    `board`: the slots of known faces by site and face. `elsewhere`: by pile and face, for all other
    piles. `ordered`: the numbers of those among them whose order is known. `depths`: by face.
    `numbers`: by site, the slots of fields whose values number sites. `values`: by face and field,
    the number of the value; no two fields have one in common. `near`: the neighbours of a site.
    `actions`: by site, the actions on the site itself. `on_top`: by face, the actions on a card,
    which belong to the site on which it is on top.
    """

    board: Indices
    elsewhere: Indices
    ordered: Indices
    depths: Indices
    numbers: Indices
    values: Indices
    near: Indices
    actions: Indices
    on_top: Indices


class AlikeSites:
    """The sites of a board, each with `columns` numbers: its cards, and groups of equal cards.

    A group is a set of connected sites with top cards of the same value in a field. A site has the
    size of its groups, and the size of the groups that a card of any value would join there, such
    as the card beneath it, or the first and the last card of a pile beside the board. `near`: by
    pair of sites, 1 for neighbours. `gathered`: the slots from which `inputs` computes all this.
    """

    def __init__(self, slots: SiteSlots) -> None:
        self.slots = slots
        self.sites, self.faces = slots.board.shape
        self.piles, self.fields = len(slots.elsewhere), int(slots.values.shape[1])
        self._values = int(slots.values.max()) + 1
        self._of_value = np.zeros((self.faces, self._values), np.float32)
        self._of_value[np.arange(self.faces)[:, None], slots.values] = 1
        self._has_neighbour = slots.near != ABSENT
        self.near = np.zeros((self.sites, self.sites), np.float32)
        site, place = self._has_neighbour.nonzero()
        self.near[site, slots.near[site, place]] = 1
        self.gathered = np.concatenate(
            [part.ravel() for part in (slots.board, slots.elsewhere, slots.depths, slots.numbers)]
        )

    @property
    def columns(self) -> int:
        """How many numbers a site has."""
        by_value, by_field = LAYERS + 1, 3 + 3 * self.piles + 2 * len(self.slots.ordered)
        of_numbers: int = self.slots.numbers.shape[1]
        return by_value * self._values + by_field * self.fields + of_numbers

    @property
    def shared(self) -> int:
        """How many numbers the whole table has: the cards of each value in each other pile.

        The values of the first and the last card follow for piles whose order is known.
        """
        return (self.piles + 2 * len(self.slots.ordered)) * self._values

    @cached_property
    def _ends(self) -> Sequence[int]:
        parts = (self.slots.board, self.slots.elsewhere, self.slots.depths)
        return [*np.cumsum([part.size for part in parts])]

    def inputs(self, gathered: Slots) -> Slots:
        """Return for each array the shared numbers, those by site, the face on top, and groups.

        The number of a face is its column in `SiteSlots`, or ABSENT. Groups have a number for each
        field and site, which sites of the same group have in common.
        """
        count = len(gathered)
        board, elsewhere, depths, by_site = np.split(gathered, self._ends, axis=1)
        board = board.reshape(count, self.sites, self.faces)
        layers: list[Slots] = [board * layer[:, np.newaxis] for layer in _layers(depths)]
        shown: list[Slots] = [layer @ self._of_value for layer in layers]
        tops = np.where(layers[0].any(axis=2), layers[0].argmax(axis=2), ABSENT)
        beneath = np.where(layers[1].any(axis=2), layers[1].argmax(axis=2), ABSENT)
        elsewhere = elsewhere.reshape(count, self.piles, self.faces)
        shares = elsewhere @ self._of_value
        present = shares > 0
        shares /= self._of_value.sum(axis=0)
        values, beneath_values = self._values_of(tops), self._values_of(beneath)
        groups, sizes, joined = self._groups(values)
        ends = self._values_of(_ends_of(elsewhere[:, self.slots.ordered], depths))
        rows: list[Slots] = [
            *shown,
            joined,
            sizes.transpose(0, 2, 1),
            self._by_value(joined.max(axis=1)[..., np.newaxis], values),
            self._by_value(shares.transpose(0, 2, 1), values),
            self._by_value(shares.transpose(0, 2, 1), beneath_values),
            self._joined_by_pile(joined, present),
            _joined_at(joined, beneath_values.transpose(0, 2, 1)),
            _joined_at(joined, ends.reshape(count, 1, -1)),
            by_site.reshape(count, self.sites, -1),
        ]
        of_ends = (ends[..., np.newaxis] == np.arange(self._values)).sum(axis=1)
        parts: list[NDArray[Any]] = [shares, of_ends, np.concatenate(rows, axis=2), tops, groups]
        flat = [part.reshape(count, -1) for part in parts]
        inputs: Slots = np.concatenate(flat, axis=1, dtype=np.float32)
        return inputs

    def _values_of(self, faces: Indices) -> Indices:
        """Return the values of faces by field, with the fields before the sites."""
        values = self.slots.values[faces].transpose(0, 2, 1)
        return np.where((faces == ABSENT)[:, np.newaxis], ABSENT, values)

    def _groups(self, values: Indices) -> tuple[Indices, Slots, Slots]:
        """Return groups and their sizes by field and site, and sizes by site and value if joined.

        Sites without a card are a group each.
        """
        count, fields, sites = values.shape
        boards = values.reshape(-1, sites)
        around = self._around(boards)
        first = np.arange(0, boards.size, sites)[:, np.newaxis]
        labels = _labels(boards, around, self.slots.near, first)
        sizes = np.bincount(labels.ravel(), minlength=boards.size).take(labels)
        sizes[boards == ABSENT] = 0
        labels_around, sizes_around = self._around(labels), self._around(sizes)
        # The top card of a site is covered by the card that joins.
        sizes_around -= labels_around == labels[..., np.newaxis]
        # The last column is for sites without a card: nothing joins them.
        joined = np.zeros((count, sites, self._values + 1), np.float32)
        places = np.where(around == ABSENT, self._values, around)
        first = np.arange(0, joined.size, self._values + 1).reshape(count, 1, sites)
        places += first.repeat(fields, axis=1).reshape(-1, sites, 1)
        flat = joined.reshape(-1)
        for number in range(places.shape[2]):
            is_new = (labels_around[..., :number] != labels_around[..., number, None]).all(axis=2)
            flat[places[..., number]] += sizes_around[..., number] * is_new
        scale = np.float32(CARDS)
        groups: Indices = (labels % sites).reshape(values.shape)
        by_site: Slots = sizes.reshape(values.shape).astype(np.float32) / scale
        return groups, by_site, joined[..., :-1] / scale

    def _around(self, numbers: Indices) -> Indices:
        """Return the numbers of the neighbours of each site, or ABSENT."""
        around = numbers.take(self.slots.near, axis=1)
        around[:, ~self._has_neighbour] = ABSENT
        return around

    def _by_value(self, numbers: Slots, values: Indices) -> Slots:
        """Return for each site the numbers of its values; `numbers` has a line for each value."""
        rows = np.arange(len(numbers))[:, None, None]
        by_value = np.where((values == ABSENT)[..., np.newaxis], 0, numbers[rows, values])
        return by_value.transpose(0, 2, 1, 3).reshape(*values.shape[::2], -1)

    def _joined_by_pile(self, joined: Slots, present: NDArray[np.bool_]) -> Slots:
        """Return by site, field and pile the groups that the values in the pile would join."""
        of_field = np.zeros((self.fields, 1, self._values), np.float32)
        for field, values in enumerate(self.slots.values.T):
            of_field[field, :, values] = 1
        counted = (present[:, np.newaxis] * of_field).reshape(len(joined), -1, self._values)
        sums: Slots = joined @ counted.transpose(0, 2, 1)
        return sums


def _ends_of(piles: Slots, depths: Slots) -> Indices:
    """Return the first and the last face of each pile, or ABSENT; `piles`: by pile, its faces."""
    of_piles = np.where(piles > 0, depths[:, np.newaxis], 0)
    firsts = np.where(of_piles > 0, of_piles, np.inf).argmin(axis=2)
    ends = np.concatenate([firsts, of_piles.argmax(axis=2)], axis=1)
    return np.where(np.tile(of_piles.any(axis=2), 2), ends, ABSENT)


def _joined_at(joined: Slots, values: Indices) -> Slots:
    """Return the groups that some values would join: `values` for all sites, or for each."""
    sites = joined.shape[1]
    values = np.broadcast_to(values, (len(joined), sites, values.shape[2]))
    sizes = np.take_along_axis(joined, np.maximum(values, 0), axis=2)
    return np.where(values == ABSENT, np.float32(0), sizes)


def _layers(depths: Slots) -> tuple[Slots, ...]:
    """Return the share of each face in the layers of its site: 1 / depth further down."""
    is_top, is_second = depths == 1, depths == 0.5
    further = np.where(is_top | is_second, 0, depths)
    return is_top.astype(np.float32), is_second.astype(np.float32), further


def _labels(boards: Indices, around: Indices, near: Indices, first: Indices) -> Indices:
    """Return for each site the greatest place in its group; `first`: the first place by board."""
    labels: Indices = first + np.arange(len(near))
    is_equal = (around == boards[..., np.newaxis]) & (around != ABSENT)
    # Where a neighbour is not of the group, the site itself takes its place.
    places = np.where(is_equal, first[..., np.newaxis] + near, labels[..., np.newaxis])
    while True:
        greatest = labels.take(places).max(axis=2)
        # A site has its own label at least, unless all its neighbours are of its group.
        greatest = np.maximum(greatest, labels)
        if (greatest == labels).all():
            return labels
        labels = greatest


def alike_sites(
    game: Game[Any], sections: Sections, groups: Sequence[GroupParts]
) -> AlikeSites | None:
    """Return the sites that a game declares in its heuristics, or None.

    `groups`: the groups of a learner's actions. Raises LayoutError if its cards do not suffice.
    """
    names = game.heuristics.site_fields
    if not names:
        return None
    board = next((group for group in game.actions.groups if isinstance(group, Sites)), None)
    if board is None or sections.depths is None or sum(sections.depths.are_sites) != board.size:
        raise LayoutError(
            f"{game.name}: `site_fields` needs `Sites` among the actions, one zone with a pile for "
            "each site, and cards without copies. fix: leave it out"
        )
    faces = sections.kinds.faces
    by_name = {part.name: part for part in sections.parts}
    known, is_site = slots_of(by_name[OF_FACES]), np.array(sections.depths.are_sites)
    is_ordered = np.array(sections.depths.are_ordered)
    return AlikeSites(
        SiteSlots(
            known[is_site],
            known[~is_site],
            is_ordered[~is_site].nonzero()[0],
            slots_of(by_name[DEPTHS]),
            _numbers(sections.parts, game.heuristics.row_numbers, board.size),
            _values(game, faces),
            _near(board),
            *_actions(game, groups, faces, board.size),
        )
    )


def _numbers(parts: Sequence[Part], names: Sequence[str], sites: int) -> Indices:
    """Return by site the slots of the fields with these names."""
    lines = [
        slots_of(part).reshape(-1, sites)
        for part in parts
        if part.name.removesuffix(ONE_HOT) in names and part.shape[-1] == sites
    ]
    return np.concatenate([np.zeros((0, sites), np.intp), *lines]).T


def _values(game: Game[Any], faces: Sequence[int]) -> Indices:
    """Return by face and field the number of the value that is printed on the card."""
    columns: list[list[int]] = []
    first = 0
    for name in game.heuristics.site_fields:
        printed = [game.cards.faces[face].fields[name] for face in faces]
        number_of = {value: first + place for place, value in enumerate(dict.fromkeys(printed))}
        columns.append([number_of[value] for value in printed])
        first += len(number_of)
    return np.array(columns, np.intp).T


def _near(board: Sites) -> Indices:
    """Return the neighbours of each site."""
    lists = [numbers(near) for near in orthogonal(board.rows, board.columns)]
    most = max(map(len, lists))
    return np.array([near + [ABSENT] * (most - len(near)) for near in lists], np.intp)


def _actions(
    game: Game[Any], groups: Sequence[GroupParts], faces: Sequence[int], sites: int
) -> tuple[Indices, Indices]:
    """Return the actions by site and by face, in a column for each verb."""
    by_site: list[range] = []
    by_face: list[list[int]] = []
    start = 0
    for group, parts in zip(game.actions.groups, groups, strict=True):
        if isinstance(group, Sites) and group.size == sites:
            by_site.append(range(start, start + sites))
        elif _is_by_kind(parts):
            by_face.append([*range(start, start + len(faces))])
        elif _is_of_faces(group):
            by_face.append([start + face for face in faces])
        start += parts.size
    return (
        np.array(by_site, np.intp).reshape(-1, sites).T,
        np.array(by_face, np.intp).reshape(-1, len(faces)).T,
    )


def _is_by_kind(parts: GroupParts) -> bool:
    return bool(parts.heads) and parts.heads[0].name == "card"


def _is_of_faces(group: Group) -> bool:
    return isinstance(group, Choice) and group.is_of_cards
