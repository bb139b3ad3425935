"""Layouts: what an observation is as an array, derived from what a game declares."""

from collections.abc import Mapping
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardhub.arrays.cards import Kinds, Piles, Tokens, Zones
from cardhub.arrays.kept import Bits, Numbers, left_out
from cardhub.arrays.parts import Part, Section, Slots, in_order
from cardhub.arrays.recent import Recent
from cardhub.arrays.rehearsal import rehearse
from cardhub.arrays.turns import Turns
from cardhub.game.game import Game
from cardhub.game.opening import settle_options, start
from cardhub.hidden.observation import Observation
from cardhub.suggest import did_you_mean
from cardhub.table import actions
from cardhub.table.settings import Value

Mask = NDArray[np.int8]
"""1 for a legal action, 0 for any other."""


class Layout:
    """How observations of a game at one table become arrays of `size` slots, all from -1 to 1.

    Everything comes from the observation alone. Seats are counted from the viewer's. `history` is
    how many of the last actions are told. Without `tokens` no card is told from another of its kind
    in its pile; unless it is said, they are told in games that have actions about tokens, or piles
    of their own for a board. `left_out` are the fields of the game's states that are not told.
    Raises OptionError.
    """

    def __init__(
        self,
        game: Game[Any],
        seats: int | None = None,
        options: Mapping[str, Value] | None = None,
        *,
        tokens: bool | None = None,
        history: int = 0,
    ) -> None:
        self.game = game
        self.seats = seats = game.seats.default if seats is None else seats
        self.settings = settle_options(game, options or {}, seats)
        pack = game.pack(self.settings, seats)
        extents = rehearse(game, seats, self.settings)
        self.left_out = left_out(extents)
        self._sections: list[Section] = [Turns(game, seats)]
        self._sections += [Numbers(extents, seats)]
        bits = Bits(extents, seats)
        self._sections += [bits] if bits.parts else []
        if history:
            self._sections.append(Recent(game, seats, history))
        self._piles = piles = Piles(start(game, self.settings, seats, pack))
        self._kinds = kinds = Kinds(game.cards, pack, piles.size)
        self._zones = Zones(piles, kinds)
        has_tokens = _needs_tokens(game) if tokens is None else tokens
        self._tokens = Tokens(piles, kinds, len(pack), seats) if has_tokens else None
        self._count = len(pack)
        self._place()

    def _place(self) -> None:
        groups = [section.parts for section in self._sections]
        groups += [self._zones.parts, self._tokens.parts if self._tokens else ()]
        sizes = [sum(part.size for part in parts) for parts in groups]
        self._slots = [slice(*bounds) for bounds in pairwise(accumulate(sizes, initial=0))]
        self.size = sum(sizes)
        self.parts = in_order([part for parts in groups for part in parts])

    def encode(self, observation: Observation[Any]) -> Slots:
        """Return what is observed, as a new array; raises ValueError if it is of another table."""
        self._check(observation)
        slots = np.zeros(self.size, np.float32)
        for section, where in zip(self._sections, self._slots, strict=False):
            section.fill(slots[where], observation)
        lying, cards = (
            self._piles.lying(observation, self._kinds),
            self._slots[len(self._sections) :],
        )
        self._zones.fill(slots[cards[0]], lying)
        if self._tokens:
            self._tokens.fill(slots[cards[1]], lying, observation)
        return slots

    def mask(self, observation: Observation[Any]) -> Mask:
        """Return which actions of the game the viewer may take; all 0 if another is to act."""
        mask = np.zeros(self.game.actions.size, np.int8)
        if 0 <= observation.seat == observation.state.seat:
            mask[observation.legal()] = 1
        return mask

    def part(self, name: str) -> Part:
        """Return the part of that name; a LookupError names those there are."""
        for part in self.parts:
            if part.name == name:
                return part
        names = [part.name for part in self.parts]
        raise LookupError(
            f"no part is called {name!r}.{did_you_mean(name, names)} Parts: {', '.join(names)}"
        )

    def read(self, array: Slots, name: str) -> Slots:
        """Return one part of an array in its own shape; writing to it writes to the array."""
        part = self.part(name)
        return array[part.slots].reshape(part.shape)

    def describe(self) -> str:
        """Return a line for each part: its slots, its shape and what they mean."""
        lines = [f"{self.game.title}, {self.seats} seats: {self.size} slots"]
        for part in self.parts:
            shape = "×".join(map(str, part.shape))
            lines.append(
                f"{part.name} [{part.slots.start}:{part.slots.stop}] {shape}: {part.meaning}"
            )
        if self.left_out:
            lines.append(f"left out: {', '.join(self.left_out)}")
        return "\n".join(lines)

    def _check(self, observation: Observation[Any]) -> None:
        state = observation.state
        theirs = (observation.game.name, state.seats, len(state.face))
        if theirs != (self.game.name, self.seats, self._count):
            raise ValueError(
                "an observation of {} with {} seats and {} cards does not fit a layout for {} with "
                "{} and {}".format(*theirs, self.game.name, self.seats, self._count)
            )


def _needs_tokens(game: Game[Any]) -> bool:
    """Return whether a player has to tell tokens apart, or what lies on what."""
    is_about_tokens = any(isinstance(group, actions.Tokens) for group in game.actions.groups)
    return is_about_tokens or any(zone.count for zone in game.state_type.zones)
