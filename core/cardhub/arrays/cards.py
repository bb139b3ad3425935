"""Where the cards lie, and which they are as far as the viewer knows."""

from collections import Counter
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from cardhub.arrays.parts import Part, Slots, in_order, relative
from cardhub.cards import Cards
from cardhub.hidden.observation import Observation
from cardhub.table.faces import blanked
from cardhub.table.state import State
from cardhub.table.zones import Zone

Numbers = NDArray[np.intp]


class Lying(NamedTuple):
    """All tokens pile by pile, from the bottom up: the pile of each, its depth, and what it is.

    Piles are numbered as the viewer counts them, depths from 0 for a top card, and what a card is
    as its kind has a column.
    """

    tokens: Numbers
    piles: Numbers
    depths: Numbers
    kinds: Numbers


class Piles:
    """The piles of a table, numbered from each viewer's point of view."""

    def __init__(self, state: State) -> None:
        self.zones: tuple[Zone, ...] = state.zones
        self.counts = [len(zone.piles(state)) for zone in self.zones]
        self.size = sum(self.counts)
        viewers = range(-1, state.seats + 1)
        self._numbers = {viewer: self._numbered(viewer, state.seats) for viewer in viewers}
        self._upwards = np.arange(1, len(state.face) + 1)

    def _numbered(self, viewer: int, seats: int) -> Numbers:
        numbers, first = [], 0
        for zone, count in zip(self.zones, self.counts, strict=True):
            per_seat = zone.count == 0
            for pile in range(count):
                numbers.append(first + (relative(pile, viewer, seats) if per_seat else pile))
            first += count
        return np.array(numbers, np.intp)

    def lying(self, observation: Observation[Any], kinds: "Kinds") -> Lying:
        """Return where all tokens lie."""
        state = observation.state
        piles = [pile for zone in self.zones for pile in zone.piles(state)]
        lengths = np.array(list(map(len, piles)))
        tokens = np.array(list(chain.from_iterable(piles)), np.intp)
        beneath = lengths.cumsum().repeat(lengths) - self._upwards[: len(tokens)]
        numbers = self._numbers[observation.seat].repeat(lengths)
        return Lying(tokens, numbers, beneath, kinds.of(state)[tokens])


class Kinds:
    """What a card can be for a viewer: a face in play, then an unseen card of a back in play."""

    def __init__(self, cards: Cards, pack: list[int]) -> None:
        faces, backs = Counter(pack), Counter(cards.back_of[face] for face in pack)
        self.faces, self.backs = sorted(faces), sorted(backs)
        self._columns = np.zeros(len(cards.faces) + len(cards.backs), np.intp)
        self._columns[self.faces] = range(len(faces))
        unseen = [len(cards.faces) + back for back in self.backs]
        self._columns[unseen] = range(len(faces), len(faces) + len(backs))
        self._first_back = len(cards.faces)
        copies = [faces[face] for face in self.faces] + [backs[back] for back in self.backs]
        self.copies = np.array(copies)

    def of(self, state: State) -> Numbers:
        """Return what every token is, in the state as a viewer knows it."""
        first, known = self._first_back, zip(blanked(state.face), state.back, strict=True)
        found = [face if face >= 0 else first + back for face, back in known]
        return self._columns[np.array(found, np.intp)]


class Zones:
    """The parts `known` and `unseen`: for each pile how many of each face and back lie there.

    A share of all copies in play: 1 if they all lie there.
    """

    def __init__(self, piles: Piles, kinds: Kinds) -> None:
        named = ", ".join(_pile_words(z, n) for z, n in zip(piles.zones, piles.counts, strict=True))
        faces, backs = len(kinds.faces), len(kinds.backs)
        words = f"a row for each pile ({named}); in it, the share of each {{}}"
        self.parts = in_order(
            [
                Part(
                    "known", (piles.size, faces), words.format("face that the viewer knows there")
                ),
                Part("unseen", (piles.size, backs), words.format("back of cards unseen there")),
            ]
        )
        # Slot number `first + width * pile` is that of a kind in a pile.
        unseen = self.parts[1].start
        self._first = np.array([*range(faces), *range(unseen, unseen + backs)])
        self._width = np.array([faces] * faces + [backs] * backs)
        of_faces, of_backs = np.split(kinds.copies, [faces])
        self._copies = np.concatenate(
            [np.tile(of_faces, piles.size), np.tile(of_backs, piles.size)]
        )

    def fill(self, slots: Slots, lying: Lying) -> None:
        """Write where cards lie into the section's slots."""
        where = self._first[lying.kinds] + self._width[lying.kinds] * lying.piles
        slots[:] = np.bincount(where, minlength=len(self._copies)) / self._copies


class Tokens:
    """The part `tokens`: a row for each, as actions number them.

    In it, a slot for each pile, face, back and viewer is 1 if the token lies there, is known to
    bear that face, is unseen with that back, is seen by them; one holds 1 for the top of a pile,
    1/2 for the card beneath it, and so on.
    """

    def __init__(self, piles: Piles, kinds: Kinds, tokens: int, seats: int) -> None:
        self._depth = piles.size
        self._kinds = self._depth + 1
        self._seen = self._kinds + len(kinds.copies)
        self._width = self._seen + seats + 1
        self._near = 1 / np.arange(1, tokens + 1, dtype=np.float32)
        self._shifts = {v: _seen_bits(v, seats) for v in range(-1, seats + 1)}
        words = (
            f"a row for each token: its pile ({piles.size}), how near the top (1), its face if "
            f"known ({len(kinds.faces)}), else its back ({len(kinds.backs)}), who has seen it: "
            f"seats from the viewer's on, spectators ({seats + 1})"
        )
        self.parts = (Part("tokens", (tokens, self._width), words),)

    def fill(self, slots: Slots, lying: Lying, observation: Observation[Any]) -> None:
        """Write where each token lies and what it bears into the section's slots."""
        rows = lying.tokens * self._width
        slots[rows + lying.piles] = 1
        slots[rows + self._depth] = self._near[lying.depths]
        slots[rows + (lying.kinds + self._kinds)] = 1
        seen = np.array(observation.state.seen)[:, np.newaxis]
        bits = slots.reshape(-1, self._width)[:, self._seen :]
        bits[:] = seen >> self._shifts[observation.seat] & 1


def _seen_bits(viewer: int, seats: int) -> Numbers:
    """Return which bit of `State.seen` is whose: seats from the viewer's on, then spectators."""
    first = max(viewer, 0) if viewer < seats else 0
    return np.array([*((first + step) % seats for step in range(seats)), seats])


def _pile_words(zone: Zone, count: int) -> str:
    return zone.name if zone.count is None else f"{zone.name} {count}"
