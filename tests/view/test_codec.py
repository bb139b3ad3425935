"""The JSON form of views is decoded with types: bad data is refused with the place of the fault."""

import json
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardhub.play.seating import seat_players
from cardhub.play.setup import set_up
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.view import decode_catalogue, decode_view, encode
from cardhub_garner import Garner

# Garner's views have a grid, areas, tallies and many choices.
REFEREE = set_up(Garner(), seat_players([], 2, "random"), {}, 1)
VIEW = build_view(REFEREE.observe(0), ["Anna", "Bob"])
ENCODED = encode(VIEW)
Path = tuple[str | int, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of all texts, numbers and flags of a JSON value."""
    if isinstance(value, dict):
        for key, each in value.items():
            yield from leaves(each, (*path, key))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from leaves(each, (*path, number))
    else:
        yield path


PATHS = list(leaves(json.loads(ENCODED)))
OTHER_VALUES = st.one_of(st.lists(st.integers(), max_size=2), st.just({"x": 1}), st.just(1.25))


def replaced(path: Path, value: Any) -> bytes:
    """Return the JSON form of the view with one leaf replaced."""
    whole = json.loads(ENCODED)
    part = whole
    for key in path[:-1]:
        part = part[key]
    part[path[-1]] = value
    return json.dumps(whole).encode()


@given(st.sampled_from(PATHS), OTHER_VALUES)
def test_a_value_of_another_type_is_refused_wherever_it_is(path: Path, value: Any) -> None:
    """Lists, objects and fractions stand for no text, number or flag of a view."""
    with pytest.raises(msgspec.ValidationError):
        decode_view(replaced(path, value))


@given(st.integers(0, len(ENCODED) - 1))
def test_a_view_that_is_cut_off_is_refused(length: int) -> None:
    """A connection may break at any byte."""
    with pytest.raises(msgspec.DecodeError):
        decode_view(ENCODED[:length])


@given(st.binary(max_size=60))
def test_bytes_that_are_no_view_are_refused(data: bytes) -> None:
    """No other exception escapes, whatever a server sends."""
    with pytest.raises(msgspec.DecodeError):
        decode_view(data)
    with pytest.raises(msgspec.DecodeError):
        decode_catalogue(data)


@pytest.mark.parametrize("data", [b"\xff{}", b"[" * 100_000, b'{"revision": ' + b"9" * 5000])
def test_odd_data_are_refused_as_well(data: bytes) -> None:
    """Data that are no UTF-8, too deep, or have a number with too many digits."""
    for decode in (decode_view, decode_catalogue):
        with pytest.raises(msgspec.DecodeError):
            decode(data)


def test_a_refusal_names_the_place_of_the_fault() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"`\$\.players\[1\]\.name`"):
        decode_view(replaced(("players", 1, "name"), 5))


def test_a_view_of_another_version_is_refused() -> None:
    """A client must not draw data whose meaning it does not know."""
    with pytest.raises(msgspec.ValidationError, match="version 2"):
        decode_view(replaced(("version",), 2))


def test_views_and_catalogues_survive_their_json_form() -> None:
    """Decoding returns an equal value; `cardhub check` tests it for all views of a game."""
    assert decode_view(ENCODED) == VIEW
    catalogue = build_catalogue(Garner())
    assert decode_catalogue(encode(catalogue)) == catalogue
