"""Read the compressed data of a replay page like the page's script in the browser."""

from base64 import b64decode
from typing import Any
from zlib import decompress

import msgspec

from cardhub.play.pages.building_data import ReplayData
from cardhub.play.pages.replay_page import SHARED


def decompressed(text: str) -> ReplayData:
    """Return the data of a compressed text; raises ValueError for other texts."""
    data = msgspec.json.decode(decompress(b64decode(text, validate=True)))
    parts = data.pop("parts")
    for viewer in data["viewers"]:
        viewer["stops"] = [_unpacked(stop, parts) for stop in viewer["stops"]]
    return msgspec.convert(data, ReplayData)


def _unpacked(stop: list[Any], parts: list[Any]) -> dict[str, Any]:
    step, view, coming, spots, beats = stop
    return {
        "step": step,
        "view": _unpacked_view(step, view, parts),
        "coming": coming,
        "coming_spots": spots,
        "beats": [_unpacked_view(step, beat, parts) for beat in beats],
    }


def _unpacked_view(step: int, packed: list[Any], parts: list[Any]) -> dict[str, Any]:
    base, areas, shared = packed
    view = dict(parts[base])
    view |= dict(zip(SHARED, (parts[number] for number in shared), strict=True))
    return view | {"areas": [parts[number] for number in areas], "revision": step}
