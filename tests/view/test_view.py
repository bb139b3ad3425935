"""The JSON form of views is decoded with types; the numbers of choices never differ from labels."""

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
from cardhub.view.view import CardCatalogue, ChoiceView, decode_view, encode, numbered_choices
from cardhub_garner import Garner

# Garner's views have a grid, areas, tallies and many choices.
REFEREE = set_up(Garner(), seat_players([], 2, "random"), {}, 1)
VIEW = build_view(REFEREE.observe(0), ["Anna", "Bob"])
ENCODED = encode(VIEW)
Path = tuple[str | int, ...]


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    """Yield the paths of all texts, numbers and flags of a JSON value."""
    if isinstance(value, dict):
        for key, part in value.items():
            yield from leaves(part, (*path, key))
    elif isinstance(value, list):
        for number, part in enumerate(value):
            yield from leaves(part, (*path, number))
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
    with pytest.raises(msgspec.ValidationError):
        decode_view(replaced(path, value))


@given(st.integers(0, len(ENCODED) - 1))
def test_a_view_that_is_cut_off_is_refused(length: int) -> None:
    with pytest.raises(msgspec.DecodeError):
        decode_view(ENCODED[:length])


@given(st.binary(max_size=60))
def test_bytes_that_are_no_view_are_refused(data: bytes) -> None:
    """No other exception escapes, even for arbitrary bytes."""
    with pytest.raises(msgspec.DecodeError):
        decode_view(data)


@pytest.mark.parametrize("data", [b"\xff{}", b"[" * 100_000, b'{"revision": ' + b"9" * 5000])
def test_odd_data_are_refused_as_well(data: bytes) -> None:
    """The data are not UTF-8, are nested too deep, or have a number with too many digits."""
    with pytest.raises(msgspec.DecodeError):
        decode_view(data)


def test_a_refusal_names_the_place_of_the_fault() -> None:
    with pytest.raises(msgspec.ValidationError, match=r"`\$\.players\[1\]\.name`"):
        decode_view(replaced(("players", 1, "name"), 5))


def test_a_view_of_another_version_is_refused() -> None:
    """A client must not draw data whose meaning it does not know."""
    with pytest.raises(msgspec.ValidationError, match="version 2"):
        decode_view(replaced(("version",), 2))


def test_views_and_catalogues_survive_their_json_form() -> None:
    """`cardhub check` tests this for all views of a game."""
    assert decode_view(ENCODED) == VIEW
    catalogue = build_catalogue(Garner())
    assert msgspec.json.decode(encode(catalogue), type=CardCatalogue) == catalogue


def choices(*names: str) -> list[ChoiceView]:
    """Return choices with these names, of a verb and an object."""
    return [
        ChoiceView(
            action=number,
            name=name,
            notation=name,
            verb=name.partition(" ")[0],
            object=name.partition(" ")[2],
            spots=(),
        )
        for number, name in enumerate(names)
    ]


def numbers(*names: str) -> dict[int, str]:
    """Return the names by number."""
    return {number: choice.name for number, choice in numbered_choices(choices(*names)).items()}


def test_choices_are_numbered_in_their_order() -> None:
    assert numbers("lay R14", "lay B2", "pass") == {1: "lay R14", 2: "lay B2", 3: "pass"}


def test_a_label_that_is_a_number_keeps_it() -> None:
    assert numbers("call 0", "call 2", "pass", "call 1", "show") == {
        0: "call 0",
        1: "call 1",
        2: "call 2",
        3: "pass",
        4: "show",
    }


def test_a_label_that_several_choices_have_is_the_number_of_none() -> None:
    assert numbers("bid 1", "call 1", "pass") == {2: "bid 1", 3: "call 1", 4: "pass"}
