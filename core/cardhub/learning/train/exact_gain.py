"""How much a best response gains against a policy, computed in the whole tree of a small game."""

from collections.abc import Mapping
from typing import Any, NamedTuple, Self

import numpy as np
from numpy.typing import NDArray

from cardhub.base.errors import SolvingError
from cardhub.bots.solving.sequence_form import (
    Floats,
    SequenceForm,
    Treeplex,
    exploit,
    sequence_form,
)
from cardhub.learning.arrays import Layout, Mask, Slots
from cardhub.learning.arrays.feature_spec import Indices, indices
from cardhub.learning.arrays.learner_slots import LearnerInputs
from cardhub.learning.learn.model_file import Policy
from cardhub.learning.train.network import Network, PlayerLayers
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.table.goal import Goal

# The greatest number of nodes of a tree in which best responses are searched.
MOST_NODES = 20_000
# The start of the names of the best player's arrays.
BEST = "best."


class SeatRows(NamedTuple):
    """The arrays of all information sets of a seat.

    `sets` and `actions`: for each sequence, the row of its information set and the learner's number
    of its action.
    """

    observations: Slots
    masks: Mask
    sets: Indices
    actions: Indices

    @classmethod
    def of(cls, plex: Treeplex, layout: Layout) -> Self:
        """Return the arrays of a seat's information sets."""
        pairs = zip(plex.observations, plex.actions, strict=True)
        numbers = [layout.number_of(view, action) for view, row in pairs for action in row]
        masks = [layout.mask(view) for view in plex.observations]
        sizes = np.diff(plex.first)
        return cls(
            layout.encode_many(plex.observations),
            np.reshape(masks, (len(masks), layout.action_count)),
            np.arange(len(sizes)).repeat(sizes),
            indices(numbers),
        )

    def strategy(self, policy: Policy) -> Floats:
        """Return the probability of each sequence in its information set."""
        shares = policy(self.observations, self.masks)[self.sets, self.actions]
        return np.concatenate([[1.0], shares.astype(np.float64)])


class ExactGain:
    """The tree of a game, in which the gain of a best response to a policy is computed."""

    def __init__(self, form: SequenceForm, layout: Layout) -> None:
        self._form = form
        self._seats = [SeatRows.of(plex, layout) for plex in form.treeplexes]

    @classmethod
    def within_reach(cls, layout: Layout, most_nodes: int = MOST_NODES) -> "ExactGain | None":
        """Return the tree of a layout's table; None for a large game or a common cause."""
        game, seats, settings = layout.game, layout.seats, layout.settings
        if game_scoring(game, settings, seats).goal is Goal.COMMON:
            return None
        try:
            return cls(sequence_form(game, seats, settings, most_nodes), layout)
        except SolvingError:
            return None

    def of(self, policy: Policy) -> float:
        """Return the mean gain of the seats' best responses."""
        return exploit(self._form, self._strategies(policy)).exploitability

    def values(self, policy: Policy) -> Floats:
        """Return the expected utility of each seat if the policy has all seats."""
        return self._form.values(self._strategies(policy))

    def _strategies(self, policy: Policy) -> list[Floats]:
        return [rows.strategy(policy) for rows in self._seats]


class BestPlayer:
    """The player of a small game's training that lost least to a best response.

    In a large game, which cannot be measured, it is the last player. `inputs`: what its network
    sees. `gain`: what a best response gains against it.
    """

    def __init__(self, inputs: LearnerInputs, exact: ExactGain | None) -> None:
        self._inputs, self._exact = inputs, exact
        self._layers = PlayerLayers(())
        self.gain: float | None = None

    def offer(self, layers: PlayerLayers) -> None:
        """Keep these layers if a best response gains less against them than before."""
        if self._exact is None:
            return
        gain = self._exact.of(Network(self._inputs, *layers))
        if self.gain is None or gain < self.gain:
            self.gain = gain
            self._layers = layers.copied()

    def layers(self, last: PlayerLayers) -> PlayerLayers:
        """Return the layers of the best player; `last`: the layers if none was measured."""
        return self._layers if self._layers.policy else last

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Return the best player as arrays, to go on from them."""
        layers = {f"{BEST}{name}": array for name, array in self._layers.arrays().items()}
        return {f"{BEST}gain": np.array(np.nan if self.gain is None else self.gain), **layers}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Go on from the arrays of an earlier training."""
        gain = float(arrays[f"{BEST}gain"])
        self.gain = None if np.isnan(gain) else gain
        names = [name for name in arrays if name.startswith(BEST)]
        self._layers = PlayerLayers.of({name.removeprefix(BEST): arrays[name] for name in names})
