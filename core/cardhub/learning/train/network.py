"""The network of a trained bot: small, and played with numpy alone."""

from collections.abc import Sequence
from io import BytesIO
from typing import Any

import numpy as np
from numpy.typing import NDArray
from typing_extensions import override

from cardhub.base.errors import BotError
from cardhub.learning.arrays import Mask, Slots
from cardhub.learning.arrays.feature_spec import Indices
from cardhub.learning.learn.model_file import Policy

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
# The player never takes an action with less than this share of the most probable action: training
# explores with it, and play needs no exploration.
LEAST_SHARE = 0.05


class Network(Policy):
    """A policy with hidden layers over some slots of a layout."""

    def __init__(self, slots: Indices, layers: Sequence[Layer]) -> None:
        self._slots = slots
        self._layers = layers

    @override
    def __call__(self, observations: Slots, masks: Mask, /) -> NDArray[np.float32]:
        """Return a row of probabilities for each observation."""
        values = observations[:, self._slots]
        *hidden, (weights, biases) = self._layers
        for hidden_weights, hidden_biases in hidden:
            values = np.maximum(values @ hidden_weights + hidden_biases, 0)
        logits = np.where(masks, values @ weights + biases, -np.inf)
        shares: NDArray[np.float32] = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares[shares < LEAST_SHARE] = 0
        shares /= shares.sum(axis=1, keepdims=True)
        return shares


def pack(slots: Indices, layers: Sequence[Layer]) -> bytes:
    """Return the bytes of a network."""
    arrays: dict[str, Any] = {"slots": slots.astype("<i4")}
    for number, (weights, biases) in enumerate(layers):
        arrays[f"weights_{number}"] = weights.astype(STORED)
        arrays[f"biases_{number}"] = biases.astype(STORED)
    file = BytesIO()
    np.savez(file, **arrays)
    return file.getvalue()


def load(data: bytes) -> Network:
    """Return the network that `pack` wrote; raises BotError."""
    # Without pickles, which could run code: a file of numbers is safe to load.
    with np.load(BytesIO(data), allow_pickle=False) as arrays:
        slots = arrays["slots"].astype(np.intp)
        layers = [
            (
                arrays[f"weights_{number}"].astype(np.float32),
                arrays[f"biases_{number}"].astype(np.float32),
            )
            for number in range((len(arrays.files) - 1) // 2)
        ]
    if not layers or len(slots) != len(layers[0][0]):
        raise BotError("the network has no layer for its slots")
    return Network(slots, layers)


def hidden_width(slots: int, actions: int) -> int:
    """Return the width of the hidden layers for arrays of this size."""
    if slots <= SMALL_ARRAY:
        return SMALL_WIDTH
    return next(
        (
            width
            for width in WIDTHS
            if (slots + width + actions) * width * STORED.itemsize < MOST_BYTES
        ),
        WIDTHS[-1],
    )
