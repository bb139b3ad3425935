"""Card features: the pile of each card, and its face or back as the viewer knows it.

A batch is filled through its flat form, because numpy takes several times as long with one index
per axis.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import chain, compress
from operator import is_not
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.learning.arrays.feature_spec import (
    Indices,
    Part,
    Row,
    Slots,
    consecutive,
    joined,
    narrow_ints,
    relative,
)
from cardhub.learning.arrays.state_features import Reading
from cardhub.model.cards import Cards
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.faces import BLANK, Faces, blanked
from cardhub.model.table.state import State
from cardhub.model.table.state_declaration import Zone

# The piles of one row, each from the bottom up, with their numbers for the row's viewer.
NumberedPiles = list[tuple[int, list[int]]]


class CardPositions(NamedTuple):
    """All tokens in the piles of a batch, row by row and pile by pile, from the bottom up.

    For each token: `rows`, the first slot of its row in the batch; `tokens`, its number; `piles`,
    the number of its pile, counted from the viewer's seat; `kinds`, its kind as in `Kinds`.
    For each pile of each row: `numbers`, its number as in `piles`; `lengths`, its number of tokens;
    `ends`, the number of tokens up to its top. `seen`: the viewers of each token, by row and token.
    """

    rows: Indices
    tokens: Indices
    piles: Indices
    kinds: Indices
    numbers: Indices
    lengths: Indices
    ends: Indices
    seen: NDArray[Any]


class Piles:
    """The piles of a state, indexed for each viewer with their own seat first."""

    def __init__(self, state: State) -> None:
        self.zones: tuple[Zone, ...] = state.zones
        self.counts = [len(zone.piles(state)) for zone in self.zones]
        self.size = sum(self.counts)
        viewers = range(-1, state.seats + 1)
        self.numbers = [self._numbered(viewer, state.seats) for viewer in viewers]
        self._numbers_by_viewer = np.array(self.numbers, np.intp)

    def _numbered(self, viewer: int, seats: int) -> list[int]:
        numbers: list[int] = []
        for zone, count in zip(self.zones, self.counts, strict=True):
            first, per_seat = len(numbers), zone.count == 0
            numbers += [
                first + (relative(pile, viewer, seats) if per_seat else pile)
                for pile in range(count)
            ]
        return numbers

    def numbered(self, state: State, viewer: int) -> Iterator[tuple[int, list[int]]]:
        """Return the piles with their numbers for the viewer."""
        piles = chain.from_iterable([zone.piles(state) for zone in self.zones])
        return zip(self.numbers[viewer + 1], piles, strict=True)

    def numbered_in(self, reading: Reading) -> Iterator[NumberedPiles]:
        """Yield the piles of each row with their numbers for the row's viewer."""
        cards, end, start = reading.cards, reading.end, 0
        for row in reading.rows:
            piles = []
            for number in self.numbers[row.viewer + 1]:
                stop = cards.index(end, start)
                piles.append((number, cards[start:stop]))
                start = stop + 1
            yield piles

    def positions(self, reading: Reading, kinds: Indices, size: int) -> CardPositions:
        """Return the positions of all tokens in the piles of all rows.

        `kinds`: the kind of each token, by row. `size`: the number of slots of a row.
        """
        rows, tokens = kinds.shape
        cards = narrow_ints(reading.cards)
        is_token = cards != reading.end
        ends = (~is_token).nonzero()[0]
        ends -= np.arange(len(ends))  # do not count the end marks before
        lengths = ends.copy()
        lengths[1:] -= ends[:-1]
        in_row = cards[is_token].astype(np.intp)
        of_row = ends[self.size - 1 :: self.size].copy()
        of_row[1:] -= ends[self.size - 1 : -1 : self.size]
        numbers = self._numbers_by_viewer.take(reading.viewers, axis=0).ravel()
        cells = np.arange(0, kinds.size, tokens).repeat(of_row) + in_row
        return CardPositions(
            np.arange(0, rows * size, size).repeat(of_row),
            in_row,
            numbers.repeat(lengths),
            kinds.take(cells),
            numbers,
            lengths,
            ends,
            reading.seen_bits,
        )


class Kinds:
    """The kinds of cards that a viewer can distinguish: each face in play, then each unseen back.

    Kinds are numbered from `first`, which follows the last pile.
    """

    def __init__(self, cards: Cards, pack: list[int], first: int, seats: int) -> None:
        faces, backs = Counter(pack), Counter(cards.back_of[face] for face in pack)
        self.faces, self.backs = sorted(faces), sorted(backs)
        self.first, self.size = first, len(faces) + len(backs)
        self.copies = np.array([*map(faces.get, self.faces), *map(backs.get, self.backs)], float)
        self.are_single = max(faces.values(), default=1) == 1
        """Whether no face has copies."""
        # Faces that are not in play never occur.
        numbers = np.zeros((len(cards.backs), len(cards.faces) + 1), int)
        numbers[:, self.faces] = range(first, first + len(faces))
        numbers[self.backs, BLANK] = range(first + len(faces), first + self.size)
        # Indexed by back and face + 1: BLANK comes first.
        self._numbers, self._width = np.roll(numbers, 1, axis=1).ravel(), numbers.shape[1]
        self.by_back: list[list[int]] = numbers.tolist()
        """The kinds by back and face; BLANK is the last face."""
        self._has_backs = len(cards.backs) > 1
        # The bits in `State.seen` of EVERYTHING, of all seats, and of a spectator.
        self._bits = np.array([0, *(1 << viewer for viewer in range(seats + 1))])
        if 1 << seats < 256:
            self._bits = self._bits.astype(np.uint8)

    def of(self, reading: Reading, cache: "LookCache | None") -> Indices:
        """Return, by row and token, the kinds for each row's viewer."""
        viewers = reading.viewers
        # Faces are used only behind this mask, which hides those that the viewer has not seen.
        is_known = (reading.seen_bits & self._bits.take(viewers)[:, np.newaxis]) != 0
        if not viewers.all():
            is_known |= (viewers == 0)[:, np.newaxis]  # EVERYTHING
        if cache:
            return np.where(is_known, *cache.of(reading, self))
        # If a masked state is played on, a face can be BLANK although it counts as seen.
        faces = joined([*map(_readable, reading.faces)]).reshape(is_known.shape)
        looks = np.where(is_known, faces, BLANK) + 1
        if self._has_backs:
            looks += joined(reading.backs).reshape(is_known.shape) * self._width
        return self._numbers.take(looks)

    def looks(
        self, faces: Sequence[Faces], backs: Sequence[tuple[int, ...]]
    ) -> tuple[Indices, Any]:
        """Return the kinds of cards by row and token, once with and once without seen faces."""
        shape = len(faces), -1
        columns = joined([*map(_readable, faces)]).reshape(shape) + 1
        if not self._has_backs:
            return self._numbers.take(columns), self._numbers.take([[0]])
        first = joined(backs).reshape(shape) * self._width
        return self._numbers.take(columns + first), self._numbers.take(first)

    def of_row(self, row: Row) -> list[int]:
        """Return the kinds by token for one row."""
        state, viewer, of_back = row.state, row.viewer, self.by_back
        # An unseen face is BLANK (-1), which indexes the last face.
        faces = _readable(state.face)
        if viewer == EVERYTHING:
            return [of_back[back][face] for face, back in zip(faces, state.back, strict=True)]
        if not self._has_backs:
            looks, pairs = of_back[0], zip(faces, state.seen, strict=True)
            return [looks[face if seen >> viewer & 1 else -1] for face, seen in pairs]
        tokens = zip(faces, state.back, state.seen, strict=True)
        return [of_back[back][face if seen >> viewer & 1 else -1] for face, back, seen in tokens]


class LookCache:
    """A cache of the looks of all cards in a batch of rows, valid until a shuffle.

    A shuffle replaces the faces and backs of a state; they are never changed in place. So a row
    with the same two objects has the same looks. The cache holds the objects, so that their
    identity cannot be reused. It is for true states only: masked faces change with each view.
    """

    def __init__(self) -> None:
        self._faces: list[Faces] = []
        self._backs: list[tuple[int, ...]] = []
        self._looks: tuple[Indices, Any]

    def of(self, reading: Reading, kinds: Kinds) -> tuple[Indices, Any]:
        """Return two arrays by row and token: the kinds with seen and with unseen faces."""
        faces, backs = reading.faces, reading.backs
        if len(faces) != len(self._faces):
            self._looks = kinds.looks(faces, backs)
        else:
            is_other = map(is_not, chain(faces, backs), chain(self._faces, self._backs))
            rows = chain(range(len(faces)), range(len(faces)))
            changed = sorted({*compress(rows, is_other)})
            if changed:
                new = kinds.looks([faces[n] for n in changed], [backs[n] for n in changed])
                for old, row_looks in zip(self._looks, new, strict=True):
                    if len(old) == len(faces):
                        old[changed] = row_looks
        self._faces, self._backs = faces, backs
        return self._looks


def _readable(faces: Faces) -> Sequence[int]:
    # A true state's faces are only read here, so they need no copy.
    return faces if isinstance(faces, list) else blanked(faces)


# The row of `top_cards` for a pile that is not visible to all, which has none.
HIDDEN = -1


class PileFeatures:
    """The parts `known` and `unseen`: for each pile the number of cards of each face and back.

    A number is divided by the copies in play: 1 means all copies.
    """

    def __init__(self, piles: Piles, kinds: Kinds) -> None:
        zones = zip(piles.zones, piles.counts, strict=True)
        pile_names = ", ".join(
            zone.name if zone.count is None else f"{zone.name} {count}" for zone, count in zones
        )
        faces, backs = len(kinds.faces), len(kinds.backs)
        meaning = f"a row for each pile ({pile_names}); in it, the share of each {{}}"
        # Kinds with one copy have only the values 0 and 1; with several copies, fractions occur.
        shares = [number for number, copies in enumerate(kinds.copies) if copies > 1]
        known_part = Part(
            "known",
            (piles.size, faces),
            meaning.format("face that the viewer knows there"),
            measured=tuple(number for number in shares if number < faces),
        )
        unseen_part = Part(
            "unseen",
            (piles.size, backs),
            meaning.format("back of cards unseen there"),
            measured=tuple(number - faces for number in shares if number >= faces),
        )
        self.parts = consecutive([known_part, unseen_part])
        slots = [np.arange(part.size).reshape(part.shape) + part.start for part in self.parts]
        self._slot = np.zeros((piles.size, kinds.first + kinds.size), np.intp)
        self._slot[:, kinds.first :] = np.hstack(slots)
        self._copies = np.concatenate([np.zeros(kinds.first), kinds.copies])
        self.slots = self._slot.tolist()
        # For small ints, 32 bits give the same quotient.
        self._copies_by_slot = np.zeros(known_part.size + unseen_part.size, np.float32)
        self._copies_by_slot[np.hstack(slots)] = kinds.copies
        self._copies_list = self._copies_by_slot.tolist()

    def fill(self, slots: Slots, start: int, positions: CardPositions) -> None:
        """Write the counts by pile and kind into complete arrays, from slot `start`."""
        flat, in_row = slots.reshape(-1), positions.piles * self._slot.shape[1] + positions.kinds
        slot_numbers = self._slot.take(in_row)
        targets = slot_numbers + positions.rows
        targets += start
        np.add.at(flat, targets, np.float32(1))
        # Cards of one kind in one pile share a slot: each of them writes the same value there.
        flat[targets] = flat.take(targets) / self._copies_by_slot.take(slot_numbers)

    def fill_row(
        self, slots: Slots, start: int, piles: NumberedPiles, kinds: Sequence[int]
    ) -> None:
        """Write the same as `fill` for one row, token by token: numpy is slower for few tokens."""
        counts: dict[int, int] = {}
        for pile, tokens in piles:
            of_pile = self.slots[pile]
            for token in tokens:
                slot = of_pile[kinds[token]]
                counts[slot] = counts.get(slot, 0) + 1
        copies = self._copies_list
        for slot, count in counts.items():
            slots[start + slot] = count / copies[slot]


class DepthFeatures:
    """The part `depths`: for each face, how near it lies to the top of an open pile of the table.

    Such piles are those of the board, and single piles that all see, such as cards lifted from it.
    A slot is 1 for the top card, 1/2 for the next card and so on, and 0 elsewhere. It needs cards
    without copies: the part `known` has the pile of each face.
    """

    def __init__(self, piles: Piles, kinds: Kinds) -> None:
        zones = [
            zone
            for zone, count in zip(piles.zones, piles.counts, strict=True)
            for _ in range(count)
        ]
        self.are_sites = [is_board(zone) for zone in zones]
        # Not those with one pile per seat.
        self.are_ordered = [zone.faces == "all" and zone.count != 0 for zone in zones]
        self._is_ordered = np.array(self.are_ordered, bool)
        faces = len(kinds.faces)
        self._first, self._end = kinds.first, kinds.first + faces
        meaning = "for each face, how near to the top of an open pile it lies (1: on top)"
        self.parts = (Part("depths", (faces,), meaning, measured=(*range(faces),)),)

    def fill(self, slots: Slots, start: int, positions: CardPositions) -> None:
        """Write the depths into complete arrays, from slot `start`."""
        depths = positions.ends.repeat(positions.lengths)
        depths -= np.arange(len(depths))
        is_shown = self._is_ordered.take(positions.piles) & (positions.kinds < self._end)
        targets = positions.rows[is_shown] + positions.kinds[is_shown]
        targets += start - self._first
        slots.reshape(-1)[targets] = np.float32(1) / depths[is_shown].astype(np.float32)

    def fill_row(
        self, slots: Slots, start: int, piles: NumberedPiles, kinds: Sequence[int]
    ) -> None:
        """Write the same as `fill` for one row, pile by pile."""
        for pile, tokens in piles:
            if self.are_ordered[pile]:
                for depth, token in enumerate(reversed(tokens), 1):
                    if kinds[token] < self._end:
                        slots[start + kinds[token] - self._first] = 1 / depth


def is_board(zone: Zone) -> bool:
    """Return whether a zone has several piles without an owner that all see."""
    return bool(zone.count) and zone.faces == "all"


class TokenFeatures:
    """The part `tokens`: a row for each token, in the order of token actions.

    A row holds one-hot slots for the token's pile and kind, a slot for its depth (1 for the top
    card of a pile, 1/2 for the next card and so on), and a slot for each viewer who has seen its
    face.
    """

    def __init__(self, piles: Piles, kinds: Kinds, tokens: int, seats: int) -> None:
        self._depth = kinds.first + kinds.size
        self.seen = self._depth + 1
        self.width = self.seen + seats + 1
        bits = [_seen_bits(viewer, seats) for viewer in range(-1, seats + 1)]
        self._bits, self._bits_of_viewer = np.concatenate(bits), len(bits[0])
        meaning = (
            f"a row for each token: its pile ({piles.size}), its face if known "
            f"({len(kinds.faces)}), else its back ({len(kinds.backs)}), how near the top (1), who "
            f"has seen it: seats from the viewer's on, spectators ({seats + 1})"
        )
        self.parts = (Part("tokens", (tokens, self.width), meaning, measured=(self._depth,)),)

    def fill(self, slots: Slots, start: int, positions: CardPositions, reading: Reading) -> None:
        """Write the pile, kind, depth and viewers of each token into complete arrays."""
        flat, width = slots.reshape(-1), self.width
        lines = positions.tokens * width
        lines += positions.rows
        lines += start
        flat[lines + positions.piles] = 1
        flat[lines + positions.kinds] = 1
        ends = positions.ends.repeat(positions.lengths)
        ends -= np.arange(len(lines))
        flat[lines + self._depth] = np.float32(1) / ends.astype(np.float32)
        size = self.parts[0].size
        by_token = slots[:, start : start + size].reshape(len(slots), -1, width)
        first = reading.viewers * self._bits_of_viewer
        by_token[:, :, self.seen :] = self._bits.take(
            first[:, np.newaxis] + reading.seen_bits, axis=0
        )


class TopFeatures:
    """The part `top_cards`: for each pile that all see, a one-hot row for the face on top.

    Cards are played onto these piles one by one, so the top card is the last one played.
    """

    def __init__(self, piles: Piles, kinds: Kinds) -> None:
        names: list[str] = []
        lines: list[int] = []
        for zone, count in zip(piles.zones, piles.counts, strict=True):
            is_open = zone.faces == "all"
            lines += range(len(names), len(names) + count) if is_open else [HIDDEN] * count
            names += [zone.name] * count * is_open
        self._lines, self._kinds = np.array(lines, np.intp), kinds
        self.lines = lines
        meaning = f"a row for each pile that all see ({', '.join(names)}); in it, the card on top"
        self.parts = (Part("top_cards", (len(names), kinds.size), meaning),)

    def fill(self, slots: Slots, start: int, positions: CardPositions) -> None:
        """Write the kinds of the top cards into complete arrays, from slot `start`."""
        lines = self._lines.take(positions.numbers)
        shown = ((lines != HIDDEN) & (positions.lengths > 0)).nonzero()[0]
        # The top card is the last token before the end of its pile.
        tops, lines = positions.ends.take(shown) - 1, lines.take(shown)
        kinds = positions.kinds.take(tops) - self._kinds.first
        first = positions.rows.take(tops) + start
        slots.reshape(-1)[first + lines * self._kinds.size + kinds] = 1

    def fill_row(
        self, slots: Slots, start: int, piles: NumberedPiles, kinds: Sequence[int]
    ) -> None:
        """Write the same as `fill` for one row, pile by pile."""
        lines, size, first = self.lines, self._kinds.size, start - self._kinds.first
        for pile, tokens in piles:
            if tokens and lines[pile] != HIDDEN:
                slots[first + lines[pile] * size + kinds[tokens[-1]]] = 1


def _seen_bits(viewer: int, seats: int) -> Slots:
    # A row for each value of `State.seen`, which makes `fill` a single lookup: the viewer's seat
    # first, spectators last.
    first = viewer if 0 <= viewer < seats else 0
    viewers = np.array([*((first + step) % seats for step in range(seats)), seats])
    bits: Slots = (np.arange(2 << seats)[:, np.newaxis] >> viewers & 1).astype(np.float32)
    return bits
