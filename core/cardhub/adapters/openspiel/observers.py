"""What OpenSpiel's algorithms get to see of a state."""

from typing import Any

from cardhub.adapters.openspiel.states import CardhubState
from cardhub.adapters.openspiel.views import information_state, observation, private_observation
from cardhub.adapters.openspiel_library import pyspiel
from cardhub.hidden.observation import EVERYTHING


class CardhubObserver:
    """Observations and information states as text; see `pyspiel.Observer`."""

    tensor: Any = None

    def __init__(self, kind: Any, params: object) -> None:
        if params:
            raise ValueError(f"cardhub's observers take no parameters, so not {params}")
        self._kind = kind
        self.dict: dict[str, Any] = {}

    def set_from(self, state: CardhubState, player: int) -> None:
        """Fill in the tensor, of which there is none."""

    def string_from(self, state: CardhubState, player: int) -> str:
        """Return the observation of a player as text."""
        kind, private = self._kind, pyspiel.PrivateInfoType
        if not kind.public_info:
            is_own = kind.private_info == private.SINGLE_PLAYER
            return private_observation(state.position, player) if is_own else ""
        viewers = {private.SINGLE_PLAYER: player, private.ALL_PLAYERS: EVERYTHING}
        viewer = viewers.get(kind.private_info, state.position.tree.seats)
        show = information_state if kind.perfect_recall else observation
        return show(state.position, viewer)
