"""Observers: the interface to observations for OpenSpiel's algorithms."""

from collections.abc import Callable
from typing import Any

import numpy as np

from cardhub.learning.adapters.openspiel.pyspiel_state import CardhubState
from cardhub.learning.adapters.openspiel.views import (
    information_state,
    observation,
    private_observation,
    viewed_state,
)
from cardhub.learning.adapters.openspiel_library import pyspiel
from cardhub.learning.arrays import Layout, Slots
from cardhub.model.hidden.observation import EVERYTHING, Observation


class CardhubObserver:
    """Observations and information states as strings; see `pyspiel.Observer`.

    Those of one player, and public ones, are also available as tensors, with the layout that
    `layout` returns.
    """

    def __init__(self, kind: Any, params: object, layout: Callable[[], Layout]) -> None:
        # Ignored silently, they would look as if they had an effect.
        if params:
            raise ValueError(f"cardhub's observers have no parameters, got {params}")
        self._kind = kind
        self.tensor: Slots | None = None
        self.dict: dict[str, Slots] = {}
        if has_tensor(kind):
            self._layout = layout()
            self.tensor = np.zeros(self._layout.size, np.float32)
            parts = self._layout.parts
            self.dict = {part.name: self._layout.read(self.tensor, part.name) for part in parts}

    def set_from(self, state: CardhubState, player: int) -> None:
        """Fill the tensor, all 0 before the deal; raises LayoutError if a game is too long."""
        if self.tensor is None:
            return
        self.tensor.fill(0.0)
        node = state.node
        # Before the deal there is no observation to encode, only zeros.
        if node.is_dealt:
            viewer = self._viewer(state, player)
            seen = Observation(node.tree.game, viewed_state(node, viewer), viewer, node.history)
            self.tensor[:] = self._layout.encode(seen)

    def string_from(self, state: CardhubState, player: int) -> str:
        """Return the observation of a player as a string."""
        kind = self._kind
        if not kind.public_info:
            is_own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
            return private_observation(state.node, player) if is_own else ""
        show = information_state if kind.perfect_recall else observation
        return show(state.node, self._viewer(state, player))

    def _viewer(self, state: CardhubState, player: int) -> int:
        private = pyspiel.PrivateInfoType
        viewers = {private.SINGLE_PLAYER: player, private.ALL_PLAYERS: EVERYTHING}
        return viewers.get(self._kind.private_info, state.node.tree.seats)


def has_tensor(kind: Any) -> bool:
    """Return whether this kind of observation has a tensor."""
    # A layout encodes the observation of one viewer.
    is_one_view = kind.private_info != pyspiel.PrivateInfoType.ALL_PLAYERS
    return bool(kind.public_info and is_one_view)
