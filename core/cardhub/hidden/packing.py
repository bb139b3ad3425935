"""Observations as bytes, for a bot in another process that has the same game."""

import pickle
from typing import Any

from cardhub.game.game import Game, S
from cardhub.hidden.observation import Observation
from cardhub.table.faces import blanked


def pack(observation: Observation[Any]) -> bytes:
    """Return all that an observation holds but the game itself."""
    fields = vars(observation.state) | {"face": blanked(observation.state.face)}
    return pickle.dumps((fields, observation.seat, observation.history))


def unpack(game: Game[S], packed: bytes) -> Observation[S]:
    """Return the observation that was packed; the bytes must come from a `pack` of our own."""
    fields, seat, history = pickle.loads(packed)
    # By its game's word and not by its own name, as a game in a plugins directory has none that can
    # be imported.
    state: S = object.__new__(game.state_type)
    vars(state).update(fields)
    return Observation(game, state, seat, history)
