"""Card features: the pile of each card, and its face or back as the viewer knows it."""

from collections import Counter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.arrays.feature_spec import Part, Slots, consecutive, relative
from cardhub.cards import Cards
from cardhub.hidden.observation import Observation
from cardhub.table.faces import blanked
from cardhub.table.state import State
from cardhub.table.zones import Zone

Indices = NDArray[np.intp]


class CardPositions(NamedTuple):
    """All tokens pile by pile, from the bottom up.

    `places` has two rows: the index of each token's pile, from the viewer's seat on, and its kind
    (see `Kinds`). `depths` are 0 for a top card.
    """

    tokens: Indices
    places: Indices
    depths: Indices


class Piles:
    """The piles of a state, indexed for each viewer with their own seat first."""

    def __init__(self, state: State) -> None:
        self.zones: tuple[Zone, ...] = state.zones
        self.counts = [len(zone.piles(state)) for zone in self.zones]
        self.size = sum(self.counts)
        viewers = range(-1, state.seats + 1)
        self._numbers = {viewer: self._numbered(viewer, state.seats) for viewer in viewers}

    def _numbered(self, viewer: int, seats: int) -> list[int]:
        numbers, first = [], 0
        for zone, count in zip(self.zones, self.counts, strict=True):
            per_seat = zone.count == 0
            for pile in range(count):
                numbers.append(first + (relative(pile, viewer, seats) if per_seat else pile))
            first += count
        return numbers

    def positions(self, observation: Observation[Any], kinds: "Kinds") -> CardPositions:
        """Return index of the pile, kind and depth of all tokens."""
        state = observation.state
        kind_of, numbers = kinds.of(state), self._numbers[observation.seat]
        tokens, piles, depths = list[int](), list[int](), list[int]()
        positions = (pile for zone in self.zones for pile in zone.piles(state))
        for number, pile in zip(numbers, positions, strict=True):
            tokens += pile
            piles += [number] * len(pile)
            depths += range(len(pile) - 1, -1, -1)
        found = np.array((tokens, piles, [kind_of[token] for token in tokens], depths))
        return CardPositions(found[0], found[1:3], found[3])


class Kinds:
    """The kinds of cards a viewer can tell apart: each face in play, then each unseen back.

    Kinds are numbered from `first`, which follows the last pile.
    """

    def __init__(self, cards: Cards, pack: list[int], first: int) -> None:
        faces, backs = Counter(pack), Counter(cards.back_of[face] for face in pack)
        self.faces, self.backs = sorted(faces), sorted(backs)
        self.first, self.size = first, len(faces) + len(backs)
        self.copies = np.array([*map(faces.get, self.faces), *map(backs.get, self.backs)], float)
        unseen = [len(cards.faces) + back for back in self.backs]
        # A lookup by face, then by unseen back. Faces that are not in play never occur.
        numbers = {kind: first + n for n, kind in enumerate([*self.faces, *unseen])}
        self._numbers = [numbers.get(n, 0) for n in range(len(cards.faces) + len(cards.backs))]
        self._first_back = len(cards.faces)

    def of(self, state: State) -> list[int]:
        """Return the kind of every token in a viewer's state."""
        numbers, first = self._numbers, self._first_back
        known = zip(blanked(state.face), state.back, strict=True)
        return [numbers[face] if face >= 0 else numbers[first + back] for face, back in known]


class PileFeatures:
    """The parts `known` and `unseen`: for each pile the number of cards of each face and back.

    Each is divided by the copies in play, so that 1 means all of them.
    """

    def __init__(self, piles: Piles, kinds: Kinds) -> None:
        named = ", ".join(_pile_name(z, n) for z, n in zip(piles.zones, piles.counts, strict=True))
        faces, backs = len(kinds.faces), len(kinds.backs)
        meaning = f"a row for each pile ({named}); in it, the share of each {{}}"
        self.parts = consecutive(
            [
                Part(
                    "known", (piles.size, faces), meaning.format("face that the viewer knows there")
                ),
                Part("unseen", (piles.size, backs), meaning.format("back of cards unseen there")),
            ]
        )
        known = np.arange(piles.size * faces).reshape(-1, faces)
        unseen = np.arange(piles.size * backs).reshape(-1, backs) + known.size
        self._slot = np.zeros((piles.size, kinds.first + kinds.size), np.intp)
        self._slot[:, kinds.first :] = np.hstack([known, unseen])
        of_faces, of_backs = np.split(kinds.copies, [faces])
        self._copies = np.concatenate(
            [np.tile(of_faces, piles.size), np.tile(of_backs, piles.size)]
        )

    def fill(self, slots: Slots, positions: CardPositions) -> None:
        """Write the counts by pile and kind into the section's slots."""
        # One pass in numpy instead of a loop over piles and kinds.
        counts = np.bincount(self._slot[*positions.places], minlength=len(self._copies))
        np.divide(counts, self._copies, out=slots, casting="same_kind")


class TokenFeatures:
    """The part `tokens`: a row for each token, in the order of token actions.

    A row holds one-hot slots for the token's pile and its kind, a slot that is 1 for the top of a
    pile, 1/2 for the card beneath it and so on, and a slot for each viewer who has seen its face.
    """

    def __init__(self, piles: Piles, kinds: Kinds, tokens: int, seats: int) -> None:
        self._depth = kinds.first + kinds.size
        self._seen = self._depth + 1
        self._width = self._seen + seats + 1
        self._near = 1 / np.arange(1, tokens + 1)
        self._bits = {viewer: _seen_bits(viewer, seats) for viewer in range(-1, seats + 1)}
        meaning = (
            f"a row for each token: its pile ({piles.size}), its face if known "
            f"({len(kinds.faces)}), else its back ({len(kinds.backs)}), how near the top (1), who "
            f"has seen it: seats from the viewer's on, spectators ({seats + 1})"
        )
        self.parts = (Part("tokens", (tokens, self._width), meaning),)

    def fill(self, slots: Slots, positions: CardPositions, observation: Observation[Any]) -> None:
        """Write pile, kind, depth and viewers of each token into the section's slots."""
        rows = positions.tokens * self._width
        # `places` has two rows, so this sets the one-hot slots of pile and kind at once.
        slots[rows + positions.places] = 1
        slots[rows + self._depth] = self._near[positions.depths]
        seen = slots.reshape(-1, self._width)[:, self._seen :]
        seen[:] = self._bits[observation.seat][observation.state.seen]


def _seen_bits(viewer: int, seats: int) -> Slots:
    # A row for each value of `State.seen`, so that `fill` is one lookup: the viewer's seat first,
    # spectators last.
    first = viewer if 0 <= viewer < seats else 0
    viewers = np.array([*((first + step) % seats for step in range(seats)), seats])
    bits: Slots = (np.arange(2 << seats)[:, np.newaxis] >> viewers & 1).astype(np.float32)
    return bits


def _pile_name(zone: Zone, count: int) -> str:
    return zone.name if zone.count is None else f"{zone.name} {count}"
