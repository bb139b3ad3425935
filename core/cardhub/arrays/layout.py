"""Layouts: observations as arrays, derived from the declarations of a game."""

from collections.abc import Mapping
from itertools import accumulate, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardhub.arrays.card_features import Kinds, PileFeatures, Piles, TokenFeatures
from cardhub.arrays.feature_spec import Part, Section, Slots, consecutive
from cardhub.arrays.probe import probe_extents
from cardhub.arrays.state_features import BitFeatures, NumberFeatures, left_out
from cardhub.arrays.turn_features import HistoryFeatures, TurnFeatures
from cardhub.errors.suggestions import did_you_mean
from cardhub.game.game import Game
from cardhub.game.initial_state import initial_state, resolve_options
from cardhub.hidden.observation import Observation
from cardhub.table import actions
from cardhub.table.settings import Value

# 1 for a legal action, 0 for any other.
Mask = NDArray[np.int8]


class Layout:
    """The encoding of observations of a game at one table: `size` slots, all from -1 to 1.

    Only the observation is encoded. Seats are counted from the viewer's. `history` is the number of
    last actions to include. With `tokens` every card has its own row; without, the cards of one
    kind in one pile are counted. The default is `tokens` for games with actions on tokens or with a
    board. `left_out` are the fields of the game's states that are not encoded. Raises OptionError.
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
        self.settings = resolve_options(game, options or {}, seats)
        pack = game.pack(self.settings, seats)
        extents = probe_extents(game, seats, self.settings)
        self.left_out = left_out(extents)
        self._sections: list[Section] = [TurnFeatures(game, seats)]
        self._sections += [NumberFeatures(extents, seats)]
        bits = BitFeatures(extents, seats)
        self._sections += [bits] if bits.parts else []
        if history:
            self._sections.append(HistoryFeatures(game, seats, history))
        self._piles = piles = Piles(initial_state(game, self.settings, seats, pack))
        self._kinds = kinds = Kinds(game.cards, pack, piles.size)
        self._zones = PileFeatures(piles, kinds)
        has_tokens = _needs_tokens(game) if tokens is None else tokens
        self._tokens = TokenFeatures(piles, kinds, len(pack), seats) if has_tokens else None
        self._count = len(pack)
        self._place()

    def _place(self) -> None:
        groups = [section.parts for section in self._sections]
        groups += [self._zones.parts, self._tokens.parts if self._tokens else ()]
        sizes = [sum(part.size for part in parts) for parts in groups]
        self._slots = [slice(*bounds) for bounds in pairwise(accumulate(sizes, initial=0))]
        self.size = sum(sizes)
        self.parts = consecutive([part for parts in groups for part in parts])

    def encode(self, observation: Observation[Any]) -> Slots:
        """Encode an observation as a new array; raises ValueError for another game or table."""
        self._check(observation)
        # Sections write into views of one array: nothing is concatenated or copied.
        slots = np.zeros(self.size, np.float32)
        # Not strict: the slots of cards come last, and have no section.
        for section, where in zip(self._sections, self._slots, strict=False):
            section.fill(slots[where], observation)
        positions = self._piles.positions(observation, self._kinds)
        cards = self._slots[len(self._sections) :]
        self._zones.fill(slots[cards[0]], positions)
        if self._tokens:
            self._tokens.fill(slots[cards[1]], positions, observation)
        return slots

    def mask(self, observation: Observation[Any]) -> Mask:
        """Return the legal actions of the viewer; all 0 if another seat is to act."""
        mask = np.zeros(self.game.actions.size, np.int8)
        if 0 <= observation.seat == observation.state.seat:
            mask[observation.legal()] = 1
        return mask

    def part(self, name: str) -> Part:
        """Return a part by name; raises LookupError, which lists the names."""
        for part in self.parts:
            if part.name == name:
                return part
        names = [part.name for part in self.parts]
        raise LookupError(
            f"no part is called {name!r}.{did_you_mean(name, names)} Parts: {', '.join(names)}"
        )

    def read(self, array: Slots, name: str) -> Slots:
        """Return a view of one part of an array, in the part's shape."""
        part = self.part(name)
        return array[part.slots].reshape(part.shape)

    def describe(self) -> str:
        """Return a line for each part: its slots, shape and meaning."""
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
        # Another table has another layout: its arrays would be misread without an error.
        state = observation.state
        theirs = (observation.game.name, state.seats, len(state.face))
        if theirs != (self.game.name, self.seats, self._count):
            raise ValueError(
                "an observation of {} with {} seats and {} cards does not fit a layout for {} with "
                "{} and {}".format(*theirs, self.game.name, self.seats, self._count)
            )


def _needs_tokens(game: Game[Any]) -> bool:
    # Players must distinguish tokens, or the order within a pile.
    is_about_tokens = any(isinstance(group, actions.Tokens) for group in game.actions.groups)
    return is_about_tokens or any(zone.count for zone in game.state_type.zones)
