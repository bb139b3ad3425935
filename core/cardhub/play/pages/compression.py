"""The data of a replay page as a compressed text that contains equal parts of views once."""

from base64 import b64encode
from collections.abc import Iterable
from typing import Any
from zlib import compress

import msgspec

from cardhub.play.pages.replay_data import ReplayData, ReplayStop, ReplayViewer

# Fields of a view that rarely change between stops; each value is stored once, as a part.
SHARED = ("players", "counters", "tallies")
ALONE = ("areas", *SHARED, "revision")


def compressed(data: ReplayData) -> str:
    """Return the data as base64 of zlib-compressed JSON; the same data give the same text."""
    parts = _Parts()
    viewers = [_viewer(viewer, parts) for viewer in data.viewers]
    rest = {name: getattr(data, name) for name in data.__struct_fields__ if name != "viewers"}
    text = msgspec.json.encode({**rest, "viewers": viewers, "parts": parts.listed})
    return b64encode(compress(text, 9)).decode("ascii")


class _Parts:
    """Distinct parts, in the order of their first use."""

    def __init__(self) -> None:
        self._numbers: dict[bytes, int] = {}

    @property
    def listed(self) -> list[msgspec.Raw]:
        return [msgspec.Raw(part) for part in self._numbers]

    def number(self, part: object) -> int:
        encoded = msgspec.json.encode(part)
        return self._numbers.setdefault(encoded, len(self._numbers))

    def numbers(self, parts: Iterable[object]) -> list[int]:
        return [self.number(part) for part in parts]


def _viewer(viewer: ReplayViewer, parts: _Parts) -> dict[str, Any]:
    fields = {name: getattr(viewer, name) for name in viewer.__struct_fields__}
    return {**fields, "stops": [_stop(stop, parts) for stop in viewer.stops]}


def _stop(stop: ReplayStop, parts: _Parts) -> list[object]:
    """Return step, view without its parts, areas, shared parts, coming action and its spots."""
    view = stop.view
    base = {name: getattr(view, name) for name in view.__struct_fields__ if name not in ALONE}
    return [
        stop.step,
        parts.number(base),
        parts.numbers(view.areas),
        parts.numbers(getattr(view, name) for name in SHARED),
        stop.coming,
        stop.coming_spots,
    ]
