"""A match as JSON, and back: its canonical form.

What is called the identity of a match is all that decides its games one by one. A match with the
same identity and more blocks is the same match, continued.
"""

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, TypeVar

import msgspec

from cardhub.errors import MatchError
from cardhub.match.canonical import digest
from cardhub.match.spec import (
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

T = TypeVar("T")

FORMAT = 2
"""The version of what is written of a match."""


def identity_of(match: Match) -> dict[str, Any]:
    """Return all that decides the games of a match, as data for JSON."""
    order = asdict(match.order)
    del order["blocks"]
    return {
        "cardhub_match": FORMAT,
        "seed": match.seed,
        "salt": match.salt.sha256 if match.salt else None,
        "bots": [asdict(entrant) for entrant in match.entrants],
        "games": [asdict(contest) for contest in match.contests],
        "schedule": order,
        "sprt": asdict(match.sprt) if match.sprt else None,
        "budget": asdict(match.budget),
        "faults": asdict(match.faults),
    }


def spec_of(match: Match) -> dict[str, Any]:
    """Return all that a match file says of games and report: not workers and folder."""
    spec = identity_of(match)
    spec["schedule"] |= {"blocks": match.order.blocks}
    return spec | {"name": match.name, "rating": asdict(match.rating)}


def identity_digest(match: Match) -> str:
    """Return the SHA-256 of a match's identity."""
    return digest(identity_of(match))


def public_digest(match: Match) -> str:
    """Return the SHA-256 of a match's identity without what deals follow from.

    Games are named by it, and so are files that are given to others.
    """
    identity = identity_of(match)
    del identity["seed"], identity["salt"]
    return digest(identity)


def match_of(spec: Mapping[str, Any]) -> Match:
    """Return the match that some JSON describes: what `spec_of` or `identity_of` returned.

    Without a number of blocks it has no end. Raises MatchError if it cannot be understood.
    """
    try:
        return _match(spec)
    except KeyError as error:
        raise MatchError(f"this is no description of a match: {error} is missing") from error
    except (AttributeError, TypeError, ValueError, RecursionError) as error:
        raise MatchError(f"this is no description of a match: {error}") from error


def _match(spec: Mapping[str, Any]) -> Match:
    if spec["cardhub_match"] != FORMAT:
        older = "; a match of an older cardhub is played anew in another folder"
        raise ValueError(f"format {spec['cardhub_match']!r} instead of {FORMAT}{older}")
    return Match(
        name=msgspec.convert(spec.get("name", ""), str),
        seed=msgspec.convert(spec["seed"], int),
        entrants=tuple(_typed(entrant, Entrant) for entrant in spec["bots"]),
        contests=tuple(_contest(contest) for contest in spec["games"]),
        order=_typed({"blocks": ENDLESS, **spec["schedule"]}, Order),
        sprt=_typed(spec["sprt"], SprtRule) if spec["sprt"] else None,
        budget=_typed(spec["budget"], Budget),
        faults=_typed(spec["faults"], FaultRules),
        rating=_typed(spec.get("rating", {}), RatingRules),
        salt=Salt(msgspec.convert(spec["salt"], str)) if spec["salt"] else None,
    )


def _contest(data: Mapping[str, Any]) -> Contest:
    return _typed({**data, "mirror": _tuples(data["mirror"])}, Contest)


def _typed(data: Mapping[str, Any], kind: type[T]) -> T:
    """Return an object of these fields; raises TypeError or ValueError if it cannot have them."""
    msgspec.convert(data, kind)  # checks only: it would make a float of a whole number
    return kind(**_tuples(data))


def _tuples(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a mapping with its lists as tuples."""
    return {key: tuple(v) if isinstance(v, list) else v for key, v in data.items()}
