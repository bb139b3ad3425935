"""Canonical JSON and its SHA-256: equal data gives equal bytes."""

import json
from hashlib import sha256
from typing import Any

# Made once: json.dumps would make a new one for each of the many digests of a game.
_ENCODER = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, separators=(",", ":"), check_circular=False
)


def canonical(data: Any) -> str:
    """Return data as JSON on one line, keys sorted."""
    return _ENCODER.encode(data)


def digest(data: Any) -> str:
    """Return the SHA-256 of data, in hexadecimal digits."""
    return sha256(canonical(data).encode()).hexdigest()
