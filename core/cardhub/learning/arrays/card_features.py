"""Card features: the pile of each card, and its face or back as the viewer knows it.

A batch is filled through its flat form, because numpy takes several times as long with one index
per axis.
"""

from collections.abc import Sequence

import numpy as np

from cardhub.learning.arrays.card_positions import CardPositions, Kinds, NumberedPiles, Piles
from cardhub.learning.arrays.feature_spec import Part, Slots, consecutive
from cardhub.learning.arrays.state_reader import Reading

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
        self._slot_lists = self._slot.tolist()
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
            of_pile = self._slot_lists[pile]
            for token in tokens:
                slot = of_pile[kinds[token]]
                counts[slot] = counts.get(slot, 0) + 1
        copies = self._copies_list
        for slot, count in counts.items():
            slots[start + slot] = count / copies[slot]


class TokenFeatures:
    """The part `tokens`: a row for each token, in the order of token actions.

    A row holds one-hot slots for the token's pile and kind, a slot for its depth (1 for the top
    card of a pile, 1/2 for the next card and so on), and a slot for each viewer who has seen its
    face.
    """

    def __init__(self, piles: Piles, kinds: Kinds, tokens: int, seats: int) -> None:
        self._depth = kinds.first + kinds.size
        self._seen = self._depth + 1
        self._width = self._seen + seats + 1
        bits = [_seen_bits(viewer, seats) for viewer in range(-1, seats + 1)]
        self._bits, self._bits_of_viewer = np.concatenate(bits), len(bits[0])
        meaning = (
            f"a row for each token: its pile ({piles.size}), its face if known "
            f"({len(kinds.faces)}), else its back ({len(kinds.backs)}), how near the top (1), who "
            f"has seen it: seats from the viewer's on, spectators ({seats + 1})"
        )
        self.parts = (Part("tokens", (tokens, self._width), meaning, measured=(self._depth,)),)

    def fill(self, slots: Slots, start: int, positions: CardPositions, reading: Reading) -> None:
        """Write the pile, kind, depth and viewers of each token into complete arrays."""
        flat, width = slots.reshape(-1), self._width
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
        by_token[:, :, self._seen :] = self._bits.take(
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
        self._lines_list = lines
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
        lines, size, first = self._lines_list, self._kinds.size, start - self._kinds.first
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
