"""Drawings on cards as plain data."""

from collections.abc import Mapping

import msgspec


class ArtElement(msgspec.Struct, frozen=True, array_like=True):
    """An element of a drawing: its tag, its attributes and the elements inside it.

    A whole drawing is an element with the tag `svg`. Its JSON is a list:
    `["circle", {"r": "4"}, []]`.
    """

    tag: str
    attributes: Mapping[str, str]
    children: tuple["ArtElement", ...] = ()
