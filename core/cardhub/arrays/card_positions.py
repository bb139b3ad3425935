"""Positions and kinds of cards: the pile of each token, and its face or back for one viewer."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from cardhub.arrays.feature_spec import Indices, Row, field_reader, indices, joined, relative
from cardhub.cards import Cards
from cardhub.hidden.observation import EVERYTHING
from cardhub.table.faces import BLANK, blanked
from cardhub.table.state import State
from cardhub.table.zones import Zone


class CardPositions(NamedTuple):
    """All tokens that lie in piles, row by row and pile by pile, from the bottom up.

    `rows` are their rows in the batch, `piles` count from the viewer's seat on, `kinds` are those
    of `Kinds`. By pile of each row, `numbers` are those of `piles`, `lengths` the numbers of
    tokens, and `ends` those of tokens up to its top. `seen` has the viewers of all tokens, by row
    and token.
    """

    rows: Indices
    tokens: Indices
    piles: Indices
    kinds: Indices
    numbers: Indices
    lengths: Indices
    ends: Indices
    seen: Indices


class Piles:
    """The piles of a state, indexed for each viewer with their own seat first."""

    def __init__(self, state: State) -> None:
        self.zones: tuple[Zone, ...] = state.zones
        self.counts = [len(zone.piles(state)) for zone in self.zones]
        self.size = sum(self.counts)
        # Single piles come first: they are read at once, without a loop.
        self._read_single = field_reader([z.name for z in self.zones if z.count is None])
        self._read_lists = field_reader([z.name for z in self.zones if z.count is not None])
        viewers = range(-1, state.seats + 1)
        self._numbers = [self._numbered(viewer, state.seats) for viewer in viewers]
        self._numbers_by_viewer = np.array(self._numbers, np.intp)

    def _numbered(self, viewer: int, seats: int) -> list[int]:
        single: list[int] = []
        others: list[int] = []
        first = 0
        for zone, count in zip(self.zones, self.counts, strict=True):
            per_seat = zone.count == 0
            (single if zone.count is None else others).extend(
                first + (relative(pile, viewer, seats) if per_seat else pile)
                for pile in range(count)
            )
            first += count
        return single + others

    def of(self, state: State) -> list[list[int]]:
        """Return the piles of all zones, single ones first."""
        return [*self._read_single(state), *chain.from_iterable(self._read_lists(state))]

    def numbered(self, state: State, viewer: int) -> Iterator[tuple[int, list[int]]]:
        """Return the piles with their numbers for the viewer."""
        return zip(self._numbers[viewer + 1], self.of(state), strict=True)

    def positions(self, rows: Sequence[Row], kinds: "Kinds") -> CardPositions:
        """Return the positions of all tokens in the piles of all rows."""
        piles: list[list[int]] = []
        for row in rows:
            piles += self._read_single(row.state)
            for zone in self._read_lists(row.state):
                piles += zone
        # Pile by pile in Python, token by token in numpy.
        lengths = indices([*map(len, piles)])
        numbers = self._numbers_by_viewer.take([row.viewer + 1 for row in rows], axis=0).ravel()
        row_of = np.arange(len(rows)).repeat(lengths.reshape(len(rows), -1).sum(1))
        in_row = joined(piles)
        of_kind, seen = kinds.of(rows)
        return CardPositions(
            row_of,
            in_row,
            numbers.repeat(lengths),
            of_kind.take(row_of * seen.shape[1] + in_row),
            numbers,
            lengths,
            lengths.cumsum(),
            seen,
        )


class Kinds:
    """The kinds of cards a viewer can tell apart: each face in play, then each unseen back.

    Kinds are numbered from `first`, which follows the last pile.
    """

    def __init__(self, cards: Cards, pack: list[int], first: int, seats: int) -> None:
        faces, backs = Counter(pack), Counter(cards.back_of[face] for face in pack)
        self.faces, self.backs = sorted(faces), sorted(backs)
        self.first, self.size = first, len(faces) + len(backs)
        self.copies = np.array([*map(faces.get, self.faces), *map(backs.get, self.backs)], float)
        # Faces that are not in play never occur.
        numbers = np.zeros((len(cards.backs), len(cards.faces) + 1), int)
        numbers[:, self.faces] = range(first, first + len(faces))
        numbers[self.backs, BLANK] = range(first + len(faces), first + self.size)
        # By back and the number after a face: BLANK comes first.
        self._numbers, self._width = np.roll(numbers, 1, axis=1).ravel(), numbers.shape[1]
        self.by_back: list[list[int]] = numbers.tolist()
        """The kinds by back and face; the face BLANK is the last one."""
        self._has_backs = len(cards.backs) > 1

    def of(self, rows: Sequence[Row]) -> tuple[Indices, Indices]:
        """Return, by row and token, the kinds for each row's viewer, and the bits of viewers."""
        viewers = [row.viewer for row in rows]
        shape = len(rows), len(rows[0].state.seen)
        seen = joined([row.state.seen for row in rows]).reshape(shape)
        faces = joined([_faces(row.state) for row in rows]).reshape(shape)
        # The only use of faces: none that the viewer has not seen gets beyond this mask.
        is_known = seen & np.array([[1 << max(viewer, 0)] for viewer in viewers]) != 0
        if EVERYTHING in viewers:
            is_known |= np.array(viewers)[:, np.newaxis] == EVERYTHING
        # A face can be BLANK though it counts as seen: in a masked state that is played on.
        known = np.where(is_known, faces, BLANK) + 1
        if self._has_backs:
            backs = joined([row.state.back for row in rows]).reshape(shape)
            known += backs * self._width
        return self._numbers.take(known), seen

    def of_one(self, row: Row) -> list[int]:
        """Return the kinds by token for one row."""
        state, viewer, of_back = row.state, row.viewer, self.by_back
        # An unseen face is BLANK, which is the index of the last one.
        faces = _faces(state)
        if viewer == EVERYTHING:
            return [of_back[back][face] for face, back in zip(faces, state.back, strict=True)]
        if not self._has_backs:
            looks, known = of_back[0], zip(faces, state.seen, strict=True)
            return [looks[face if seen >> viewer & 1 else -1] for face, seen in known]
        tokens = zip(faces, state.back, state.seen, strict=True)
        return [of_back[back][face if seen >> viewer & 1 else -1] for face, back, seen in tokens]


def _faces(state: State) -> Sequence[int]:
    # Those of a true state are read only, so that they need no copy.
    return state.face if isinstance(state.face, list) else blanked(state.face)
