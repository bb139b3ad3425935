"""The network of a trained bot: small, and played with numpy alone."""

from collections.abc import Mapping, Sequence
from io import BytesIO
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from cardhub.base.errors import BotError
from cardhub.learning.arrays import Mask, Slots
from cardhub.learning.arrays.feature_spec import Indices
from cardhub.learning.learn.model_file import ValuingPolicy

Weights = NDArray[np.float32]
# The weights and the biases of a layer.
Layer = tuple[Weights, Weights]

# The type of the weights in files, and their greatest size in bytes.
STORED = np.dtype("<f2")
MOST_BYTES = 1_000_000
# Widths of the hidden layers, of which the greatest that fits into a file is used. Arrays of few
# slots need less.
WIDTHS = (256, 192, 128, 96, 64)
SMALL_WIDTH, SMALL_ARRAY = 128, 256
# The greatest width of the critic.
CRITIC_WIDTH = 128
# The start of the names of the critic's layers in a file.
CRITIC = "critic_"
# The player never takes an action with less than this share of the most probable action: training
# explores with it, and play needs no exploration.
LEAST_SHARE = 0.05


class PlayerLayers(NamedTuple):
    """The layers of a player: its policy, and the critic that estimates the seats' utilities."""

    policy: Sequence[Layer]
    critic: Sequence[Layer] = ()

    def copied(self) -> "PlayerLayers":
        """Return layers that do not change when the training goes on."""
        policy, critic = ([(w.copy(), b.copy()) for w, b in layers] for layers in self)
        return PlayerLayers(policy, critic)

    def arrays(self) -> dict[str, Weights]:
        """Return the layers as named arrays."""
        arrays = {}
        for start, layers in (("", self.policy), (CRITIC, self.critic)):
            for number, (weights, biases) in enumerate(layers):
                arrays[f"{start}weights_{number}"] = weights
                arrays[f"{start}biases_{number}"] = biases
        return arrays

    @classmethod
    def of(cls, arrays: Mapping[str, NDArray[Any]]) -> "PlayerLayers":
        """Return the layers that `arrays` returned, among other arrays or without a critic."""
        policy, critic = (
            [
                (
                    arrays[f"{start}weights_{number}"].astype(np.float32),
                    arrays[f"{start}biases_{number}"].astype(np.float32),
                )
                for number in range(sum(name.startswith(f"{start}weights_") for name in arrays))
            ]
            for start in ("", CRITIC)
        )
        return cls(policy, critic)


class Network(ValuingPolicy):
    """A policy with hidden layers over some slots of a layout, and a critic of states."""

    def __init__(
        self, slots: Indices, policy: Sequence[Layer], critic: Sequence[Layer] = ()
    ) -> None:
        self._slots = slots
        self._policy = policy
        self._critic = critic

    @override
    def __call__(self, observations: Slots, masks: Mask, /) -> NDArray[np.float32]:
        """Return a row of probabilities for each observation."""
        logits = np.where(masks, _output(self._policy, observations[:, self._slots]), -np.inf)
        shares: NDArray[np.float32] = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares[shares < LEAST_SHARE] = 0
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    @override
    def utilities(self, states: Slots, /) -> NDArray[np.float32]:
        if not self._critic:
            raise BotError(
                "the network was trained without values, which a search needs. "
                "fix: go on with its training"
            )
        return _output(self._critic, states[:, self._slots])


def _output(layers: Sequence[Layer], values: Slots) -> NDArray[np.float32]:
    *hidden, (last_weights, last_biases) = layers
    for weights, biases in hidden:
        values = np.maximum(values @ weights + biases, 0)
    output: NDArray[np.float32] = values @ last_weights + last_biases
    return output


def pack(slots: Indices, layers: PlayerLayers) -> bytes:
    """Return the bytes of a network."""
    arrays: dict[str, Any] = {"slots": slots.astype("<i4")}
    arrays |= {name: array.astype(STORED) for name, array in layers.arrays().items()}
    file = BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def load(data: bytes) -> Network:
    """Return the network that `pack` wrote; raises BotError."""
    # Without pickles, which could run code: a file of numbers is safe to load.
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        slots = arrays["slots"].astype(np.intp)
        layers = PlayerLayers.of(arrays)
    if not layers.policy or any(len(slots) != len(part[0][0]) for part in layers if part):
        raise BotError("the network has no layer for its slots")
    return Network(slots, *layers)


def hidden_width(slots: int, actions: int) -> int:
    """Return the width of the policy's hidden layers for arrays of this size."""
    critic = (slots + CRITIC_WIDTH) * CRITIC_WIDTH
    if slots <= SMALL_ARRAY:
        return SMALL_WIDTH
    return next(
        (
            width
            for width in WIDTHS
            if ((slots + width + actions) * width + critic) * STORED.itemsize < MOST_BYTES
        ),
        WIDTHS[-1],
    )
