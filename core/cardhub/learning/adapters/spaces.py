"""Gymnasium's spaces of a layout, for the environments of Gymnasium and PettingZoo."""

import numpy as np
from gymnasium import spaces

from cardhub.learning.arrays import Layout


def array_space(layout: Layout) -> spaces.Box:
    """Return the space of arrays."""
    low, high = layout.bounds
    return spaces.Box(low, high, dtype=np.float32)


def mask_space(layout: Layout, extra: int = 0) -> spaces.Box:
    """Return the space of masks of legal actions; `extra`: the number of further actions."""
    return spaces.Box(0, 1, (layout.action_count + extra,), np.int8)


def masked_space(layout: Layout, extra: int = 0) -> spaces.Dict:
    """Return the space of arrays with masks."""
    mask = mask_space(layout, extra)
    return spaces.Dict({"observation": array_space(layout), "action_mask": mask})


def action_space(layout: Layout, extra: int = 0) -> spaces.Discrete:
    """Return the space of all actions; a mask marks the legal ones."""
    return spaces.Discrete(layout.action_count + extra)


def head_space(layout: Layout) -> spaces.MultiDiscrete[np.int64]:
    """Return the space of choices of all heads of actions."""
    return spaces.MultiDiscrete(list(layout.action_heads.sizes))
