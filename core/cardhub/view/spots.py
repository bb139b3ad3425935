"""Spots: the parts of a view that the cursor can stop at and that actions refer to."""

from typing import Literal

import msgspec


class Spot(msgspec.Struct, frozen=True, gc=False, array_like=True):
    """A part of a view.

    `kind` is card (key: token), site (key: number of the site, row by row), area (key: 0), seat
    (key: seat) or button (key: action). `area` is the index of the area in the view, -1 for seats
    and buttons.
    """

    kind: Literal["card", "site", "area", "seat", "button"]
    key: int
    area: int = -1
