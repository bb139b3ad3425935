"""Fingerprints of layouts: whether the arrays of two layouts mean the same, and why not."""

import json
from collections.abc import Mapping, Sequence
from hashlib import sha256
from typing import Any

from cardhub.base.errors import LayoutError
from cardhub.learning.arrays.feature_spec import Part
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import format_value

# Increase it if the values of arrays change although the parts stay the same.
ENCODING = 1
# Number of hexadecimal digits of a hash.
DIGITS = 16
SEPARATOR = " | "
# The remedy for a difference in these fields, which are hashes.
REMEDIES = {"parts": "train a new model", "actions": "train a new model"}
NAMES = ("game", "version", "seats", "options", "layout", "parts", "actions")


def fingerprint_of(
    game: Game[Any],
    parameters: Mapping[str, Any],
    parts: Sequence[Part],
    scales: Sequence[Sequence[float]],
    actions: Sequence[str],
) -> str:
    """Return the fingerprint of a layout.

    `actions`: the labels of the actions. `scales`: the scales of each section.
    """
    arguments = dict(parameters)
    seats, options = arguments.pop("seats"), arguments.pop("options")
    slots = [(p.name, p.shape, p.low, p.high, p.measured) for p in parts]
    cards = game.cards
    looks = [[card.name for card in cards.faces], [back.name for back in cards.backs]]
    values = (
        game.name,
        game.version,
        str(seats),
        _listed(options),
        _listed(arguments),
        _hash([ENCODING, slots, scales, looks]),
        _hash(list(actions)),
    )
    return SEPARATOR.join(f"{name} {value}" for name, value in zip(NAMES, values, strict=True))


def require_same(fingerprint: str, other: str) -> None:
    """Raise LayoutError, which names the differences, unless two fingerprints are equal."""
    if fingerprint == other:
        return
    mine, theirs = _fields(fingerprint), _fields(other)
    if theirs.keys() != mine.keys():
        raise LayoutError(
            f"not the fingerprint of a layout: {other!r}. fix: pass `Layout.fingerprint`"
        )
    differing = [name for name in NAMES if mine[name] != theirs[name]]
    words = "; ".join(
        f"{name}: {theirs[name] or 'none'}, here {mine[name] or 'none'}" for name in differing
    )
    # Parts and actions follow from the arguments: they count only if no argument differs.
    is_argument = any(name not in REMEDIES and name != "version" for name in differing)
    fix = "make the layout with the same arguments" if is_argument else "train a new model"
    if "version" in differing and not is_argument:
        fix += f", or install the version {theirs['version']} of the game"
    raise LayoutError(f"another layout of arrays: {words}. fix: {fix}")


def misfit(
    observation: Observation[Any],
    game: Game[Any],
    options: Mapping[str, Any],
    seats: int,
    cards: int,
) -> LayoutError:
    """Return the error for an observation that does not fit a layout."""
    state = observation.state
    theirs = _table(observation.game, state.settings, state.seats, len(state.face))
    mine = _table(game, options, seats, cards)
    return LayoutError(
        f"an observation of {theirs} does not fit a layout for {mine}. "
        "fix: make a layout for that table"
    )


def _table(game: Game[Any], options: Mapping[str, Any], seats: int, cards: int) -> str:
    settings = f" and {_listed(options)}" if options else ""
    return f"{game.name} {game.version} with {seats} seats, {cards} cards{settings}"


def _fields(fingerprint: str) -> dict[str, str]:
    pairs = (field.partition(" ") for field in str(fingerprint).split(SEPARATOR))
    return {name: value for name, _, value in pairs}


def _listed(values: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={format_value(value)}" for name, value in sorted(values.items()))


def _hash(value: object) -> str:
    return sha256(json.dumps(value).encode()).hexdigest()[:DIGITS]
