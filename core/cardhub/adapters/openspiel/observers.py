"""What OpenSpiel's algorithms get to see of a state."""

from collections.abc import Callable
from typing import Any

import numpy as np

from cardhub.adapters.openspiel.states import CardhubState
from cardhub.adapters.openspiel.views import information_state, observation, private_observation
from cardhub.adapters.openspiel_library import pyspiel
from cardhub.arrays import Layout, Slots
from cardhub.hidden.observation import EVERYTHING, Observation


class CardhubObserver:
    """Observations and information states as text; see `pyspiel.Observer`.

    What a player, or a spectator, sees now is a tensor as well, that of `cardhub.arrays`. `layout`
    makes what that needs.
    """

    def __init__(self, kind: Any, params: object, layout: Callable[[], Layout]) -> None:
        if params:
            raise ValueError(f"cardhub's observers take no parameters, so not {params}")
        self._kind = kind
        self.tensor: Slots | None = None
        self.dict: dict[str, Slots] = {}
        if has_tensor(kind):
            self._layout = layout()
            self.tensor = np.zeros(self._layout.size, np.float32)
            parts = self._layout.parts
            self.dict = {part.name: self._layout.read(self.tensor, part.name) for part in parts}

    def set_from(self, state: CardhubState, player: int) -> None:
        """Fill in the tensor; all is 0 before the deal."""
        if self.tensor is None:
            return
        self.tensor.fill(0.0)
        here = state.position
        if here.is_dealt:
            viewer = self._viewer(state, player)
            seen = Observation(here.tree.game, here.state, viewer, here.history)
            self.tensor[:] = self._layout.encode(seen)

    def string_from(self, state: CardhubState, player: int) -> str:
        """Return the observation of a player as text."""
        kind = self._kind
        if not kind.public_info:
            is_own = kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
            return private_observation(state.position, player) if is_own else ""
        show = information_state if kind.perfect_recall else observation
        return show(state.position, self._viewer(state, player))

    def _viewer(self, state: CardhubState, player: int) -> int:
        private = pyspiel.PrivateInfoType
        viewers = {private.SINGLE_PLAYER: player, private.ALL_PLAYERS: EVERYTHING}
        return viewers.get(self._kind.private_info, state.position.tree.seats)


def has_tensor(kind: Any) -> bool:
    """Return whether observations of a kind are tensors as well."""
    is_one_view = kind.private_info != pyspiel.PrivateInfoType.ALL_PLAYERS
    return bool(kind.public_info and is_one_view and not kind.perfect_recall)
