"""Positions and kinds of cards: the pile of each token, and its face or back for one viewer."""

from array import array
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

import numpy as np

from cardhub.arrays.feature_spec import Indices, Row, field_reader, relative
from cardhub.cards import Cards
from cardhub.hidden.observation import EVERYTHING
from cardhub.table.faces import BLANK, blanked
from cardhub.table.state import State
from cardhub.table.zones import Zone

# As many ints fit into a byte.
SMALL = 256
# The greatest signed int that does.
MOST_SIGNED = 127


class CardPositions(NamedTuple):
    """All tokens that lie in piles, row by row and pile by pile, from the bottom up.

    `rows` are their rows in the batch, `piles` count from the viewer's seat on, `kinds` are those
    of `Kinds`. `ends` are, for each token, the number of tokens up to the top of its pile. `seen`
    has the viewers of all tokens, by row and token.
    """

    rows: Indices
    tokens: Indices
    piles: Indices
    kinds: Indices
    ends: Indices
    seen: Indices


class Piles:
    """The piles of a state, indexed for each viewer with their own seat first."""

    def __init__(self, state: State) -> None:
        self.zones: tuple[Zone, ...] = state.zones
        self.counts = [len(zone.piles(state)) for zone in self.zones]
        self.size = sum(self.counts)
        viewers = range(-1, state.seats + 1)
        self._numbers = [self._numbered(viewer, state.seats) for viewer in viewers]
        self._read = field_reader([zone.name for zone in self.zones])
        self._are_single = [zone.count is None for zone in self.zones]

    def _numbered(self, viewer: int, seats: int) -> list[int]:
        numbers, first = [], 0
        for zone, count in zip(self.zones, self.counts, strict=True):
            per_seat = zone.count == 0
            for pile in range(count):
                numbers.append(first + (relative(pile, viewer, seats) if per_seat else pile))
            first += count
        return numbers

    def of(self, state: State) -> list[list[int]]:
        """Return the piles of all zones."""
        piles: list[list[int]] = []
        for is_single, zone in zip(self._are_single, self._read(state), strict=True):
            if is_single:
                piles.append(zone)
            else:
                piles += zone
        return piles

    def numbered(self, state: State, viewer: int) -> Iterator[tuple[int, list[int]]]:
        """Return the piles with their numbers for the viewer."""
        return zip(self._numbers[viewer + 1], self.of(state), strict=True)

    def positions(self, rows: Sequence[Row], kinds: "Kinds") -> CardPositions:
        """Return the positions of all tokens in the piles of all rows."""
        piles: list[list[int]] = []
        numbers: list[int] = []
        for row in rows:
            numbers += self._numbers[row.viewer + 1]
            piles += self.of(row.state)
        # Pile by pile in Python, token by token in numpy.
        lengths = np.fromiter(map(len, piles), np.intp, len(piles))
        ends = lengths.cumsum()
        tokens = flat_indices(piles, ends[-1])
        in_rows = lengths.reshape(len(rows), -1).sum(1)
        row_of = np.arange(len(rows)).repeat(in_rows)
        of_kind, seen = kinds.of(rows)
        return CardPositions(
            row_of,
            tokens,
            np.array(numbers).repeat(lengths),
            of_kind.take(row_of * seen.shape[1] + tokens),
            ends.repeat(lengths),
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
        # A lookup by back and face, in which the last face is BLANK. Faces that are not in play
        # never occur.
        self._are_small = max(len(cards.faces) + 1, len(cards.backs), 2 << seats) <= SMALL
        width = SMALL if self._are_small else len(cards.faces) + 1
        numbers = np.zeros((len(cards.backs), width), np.intp)
        numbers[:, self.faces] = range(first, first + len(faces))
        numbers[self.backs, -1] = range(first + len(faces), first + self.size)
        self._numbers, self._width = numbers.ravel(), width
        self.by_back: list[list[int]] = numbers.tolist()
        """The kinds by back and face; the face BLANK is the last one."""
        self._has_backs = len(cards.backs) > 1

    def of(self, rows: Sequence[Row]) -> tuple[Indices, Indices]:
        """Return, by row and token, the kinds for each row's viewer, and the bits of viewers."""
        viewers = [row.viewer for row in rows]
        seen = self._by_token([row.state.seen for row in rows])
        faces = self._by_token([_faces(row.state, self._width) for row in rows])
        # The only use of faces: none that the viewer has not seen gets beyond this mask.
        is_known = seen & np.array([[1 << max(viewer, 0)] for viewer in viewers]) != 0
        if EVERYTHING in viewers:
            is_known[np.array(viewers) == EVERYTHING] = True
        known = np.where(is_known, faces, self._width - 1)
        if self._has_backs:
            known += self._by_token([row.state.back for row in rows]) * self._width
        return self._numbers.take(known), seen

    def of_one(self, row: Row) -> list[int]:
        """Return the kinds by token for one row."""
        state, viewer, of_back = row.state, row.viewer, self.by_back
        # An unseen face is BLANK, which is the index of the last one.
        faces = state.face if isinstance(state.face, list) else blanked(state.face)
        if viewer == EVERYTHING:
            return [of_back[back][face] for face, back in zip(faces, state.back, strict=True)]
        if not self._has_backs:
            looks, known = of_back[0], zip(faces, state.seen, strict=True)
            return [looks[face if seen >> viewer & 1 else -1] for face, seen in known]
        tokens = zip(faces, state.back, state.seen, strict=True)
        return [of_back[back][face if seen >> viewer & 1 else -1] for face, back, seen in tokens]

    def _by_token(self, lists: Sequence[Sequence[int]]) -> Indices:
        count = len(lists[0])
        if self._are_small:
            # Twice as fast as converting ints one by one.
            flat = np.frombuffer(b"".join(map(bytes, lists)), np.uint8).astype(np.intp)
        else:
            flat = flat_indices(lists, len(lists) * count)
        return flat.reshape(len(lists), count)


def flat_indices(lists: Iterable[Iterable[int]], size: int) -> Indices:
    """Return the ints of all lists, `size` of them, as one array."""
    return np.fromiter(chain.from_iterable(lists), np.intp, size)


def _faces(state: State, width: int) -> Sequence[int]:
    if isinstance(state.face, list):
        return state.face  # of a true state: read only, so that it needs no copy
    faces = blanked(state.face)
    if width == SMALL and max(faces, default=0) <= MOST_SIGNED:
        # As unsigned bytes, BLANK is the last face.
        return array("b", faces).tobytes()
    return [face if face != BLANK else width - 1 for face in faces]
