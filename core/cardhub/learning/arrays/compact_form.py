"""Arrays as bytes, for replay buffers: a bit for each slot, and floats where needed."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cardhub.base.errors import LayoutError
from cardhub.learning.arrays.feature_spec import Part, Slots

Bits = NDArray[np.uint8]

FLOAT = np.dtype("<f4")


class CompactForm:
    """The compact form of arrays with these parts: `size` bytes, from which they can be restored.

    First a bit for each slot that is not 0, then the values of all slots that have others besides
    0 and 1, as floats with the lowest byte first.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._slots = sum(part.size for part in parts)
        self._measured = np.array([slot for part in parts for slot in part.measured_slots], np.intp)
        self._bytes = -(-self._slots // 8)
        self.size = self._bytes + FLOAT.itemsize * len(self._measured)

    def pack(self, arrays: Slots) -> Bits:
        """Return the bytes of one array or of any number of them, one in each row."""
        _check(arrays, self._slots, "an array")
        bits = np.packbits(arrays != 0, axis=-1, bitorder="little")
        floats = np.ascontiguousarray(arrays[..., self._measured], FLOAT).view(np.uint8)
        return np.concatenate([bits, floats], axis=-1)

    def unpack(self, packed: Bits) -> Slots:
        """Return the arrays from which bytes were made, exactly."""
        _check(packed, self.size, "a compact form")
        bits = packed[..., : self._bytes]
        arrays = np.unpackbits(bits, axis=-1, count=self._slots, bitorder="little")
        slots = arrays.astype(np.float32)
        slots[..., self._measured] = np.ascontiguousarray(packed[..., self._bytes :]).view(FLOAT)
        return slots


def _check(array: NDArray[Any], size: int, name: str) -> None:
    if not array.ndim or array.shape[-1] != size:
        raise LayoutError(
            f"{name} with shape {array.shape} does not fit this layout. "
            f"fix: the last axis has {size} values"
        )
