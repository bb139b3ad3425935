"""Canonical JSON with its SHA-256, and the match specification in that form.

The identity of a match is the part of the specification that its games are derived from. A match
with the same identity and more blocks is the same match, continued.
"""

import json
from collections.abc import Mapping
from dataclasses import MISSING, asdict, fields
from hashlib import sha256
from typing import Any, TypeVar

import msgspec

from cardhub.base.errors import MatchError
from cardhub.lab.match.match_spec import (
    ENDLESS,
    Budget,
    Contest,
    Entrant,
    FaultRules,
    Match,
    Order,
    RatingRules,
    Salt,
    SprtRule,
)

# A constant, because json.dumps would create an encoder for each of the many digests of a game.
_ENCODER = json.JSONEncoder(
    sort_keys=True, ensure_ascii=False, separators=(",", ":"), check_circular=False
)


# Several times faster than `_ENCODER`, but it writes floats differently.
_PLAIN_ENCODER = msgspec.json.Encoder(order="sorted")


def canonical(data: Any) -> str:
    """Encode data as JSON on one line, keys sorted."""
    return _ENCODER.encode(data)


def digest(data: Any) -> str:
    """Return the SHA-256 of data encoded as canonical JSON, in hexadecimal digits."""
    return sha256(canonical(data).encode()).hexdigest()


def plain_json(data: Any) -> bytes:
    """Encode data without floats as `canonical` does; also structs."""
    return _PLAIN_ENCODER.encode(data)


T = TypeVar("T")

# Version of the JSON format.
FORMAT = 2


def identity_of(match: Match) -> dict[str, Any]:
    """Return the identity of a match as data for JSON."""
    # Without the number of blocks: a match with more blocks includes all games of the shorter one.
    order = asdict(match.order)
    del order["blocks"]
    return {
        "cardhub_match": FORMAT,
        "seed": match.seed,
        "salt": match.salt.sha256 if match.salt else None,
        "bots": [asdict(entrant) for entrant in match.entrants],
        "games": [_contest_data(contest) for contest in match.contests],
        "schedule": order,
        "sprt": asdict(match.sprt) if match.sprt else None,
        "budget": asdict(match.budget),
        "faults": asdict(match.faults),
    }


def spec_of(match: Match) -> dict[str, Any]:
    """Encode the specification as data for JSON, without workers and output folder."""
    spec = identity_of(match)
    spec["schedule"] |= {"blocks": match.order.blocks}
    return spec | {"name": match.name, "rating": asdict(match.rating)}


def identity_digest(match: Match) -> str:
    """Return the SHA-256 of a match's identity."""
    return digest(identity_of(match))


def public_digest(match: Match) -> str:
    """Return the SHA-256 of a match's identity without seed and salt.

    Game ids are derived from it, and file names that others see.
    """
    identity = identity_of(match)
    # Otherwise a public name would allow a search for the seed.
    del identity["seed"], identity["salt"]
    return digest(identity)


def match_of(spec: Mapping[str, Any]) -> Match:
    """Decode the output of `spec_of` or `identity_of`.

    Without a number of blocks the schedule is endless. Raises MatchError if the data is invalid.
    """
    try:
        return _match(spec)
    except KeyError as error:
        raise MatchError(f"invalid match specification: {error} is missing") from error
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        raise MatchError(f"invalid match specification: {error}") from error


def _match(spec: Mapping[str, Any]) -> Match:
    if spec["cardhub_match"] != FORMAT:
        older = "; play a match of an older cardhub again, in another folder"
        raise ValueError(f"format {spec['cardhub_match']!r} instead of {FORMAT}{older}")
    return Match(
        name=msgspec.convert(spec.get("name", ""), str),
        seed=msgspec.convert(spec["seed"], int),
        entrants=tuple(_typed(entrant, Entrant) for entrant in spec["bots"]),
        contests=tuple(
            _typed({**contest, "mirror": _tuples(contest["mirror"])}, Contest)
            for contest in spec["games"]
        ),
        order=_typed({"blocks": ENDLESS, **spec["schedule"]}, Order),
        sprt=_typed(spec["sprt"], SprtRule) if spec["sprt"] else None,
        budget=_typed(spec["budget"], Budget),
        faults=_typed(spec["faults"], FaultRules),
        rating=_typed(spec.get("rating", {}), RatingRules),
        salt=Salt(msgspec.convert(spec["salt"], str)) if spec["salt"] else None,
    )


def _contest_data(contest: Contest) -> dict[str, Any]:
    # Without default values, because a new attribute must not change the identity of older matches.
    optional = {f.name: f.default for f in fields(Contest) if f.default is not MISSING}
    return {k: v for k, v in asdict(contest).items() if k not in optional or v != optional[k]}


def _typed(data: Mapping[str, Any], kind: type[T]) -> T:
    msgspec.convert(data, kind)  # only validates: the converted value would have floats for ints
    return kind(**_tuples(data))


def _tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    return {key: tuple(v) if isinstance(v, list) else v for key, v in data.items()}
