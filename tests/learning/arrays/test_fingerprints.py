"""Fingerprints: arrays of another game, version, table or layout are not taken for one's own."""

import json
from typing import Any

import pytest
from tests.kit.installed_games import names_for_arrays
from tests.learning.arrays.conftest import positions
from tests.learning.arrays.layout_fixtures import FILE, RENEW, fixture_of, written

from cardhub import Observation
from cardhub.base.errors import LayoutError
from cardhub.learning.arrays import Layout
from cardhub.plugins.registry import find_plugins
from goofspiel import Goofspiel
from kuhn import Kuhn

KEPT: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
RULE = (
    "the layout of {} has changed: models that were trained before are of no use. If that is "
    "meant, raise the version of the game or ENCODING in cardhub/learning/arrays/layout.py, "
    "unless the fingerprint differs already, and renew the file: " + RENEW
)


class NextKuhn(Kuhn):
    """A later version of the game."""

    version = "2"


def first_observation(game: Any, **options: Any) -> Observation[Any]:
    """Return an observation of seat 0 in a game with the default options."""
    return Observation(game, positions(game, 2)[0].state, 0)


@pytest.mark.parametrize("name", names_for_arrays())
def test_fingerprints_and_arrays_are_those_kept(name: str) -> None:
    """A change of a layout is noticed here, before a model computes with wrong numbers."""
    fixture = json.loads(written({name: fixture_of(find_plugins().game(name))}))[name]
    kept = KEPT.get(name, {"fingerprint": "", "parts": {}})
    assert fixture["fingerprint"] == kept["fingerprint"], RULE.format(name)
    for part in {**fixture["parts"], **kept["parts"]}:
        assert fixture["parts"].get(part) == kept["parts"].get(part), RULE.format(name)


def test_a_fingerprint_names_the_game_and_the_arguments() -> None:
    """Equal arguments have equal fingerprints, and each argument is part of it."""
    fingerprint = Layout(Goofspiel(), options={"cards": 5}).fingerprint
    assert fingerprint == Layout(Goofspiel(), options={"cards": 5}).fingerprint
    assert fingerprint.startswith("game goofspiel | version 2 | seats 2 | options cards=5")
    others = [
        Layout(Goofspiel()),
        Layout(Goofspiel(), options={"cards": 5}, history=1),
        Layout(Goofspiel(), options={"cards": 5}, tokens=True),
        Layout(Goofspiel(), options={"cards": 5}, recall="perfect"),
        Layout(NextKuhn()),
        Layout(Kuhn()),
    ]
    assert len({fingerprint, *(layout.fingerprint for layout in others)}) == 7


def test_a_model_of_another_layout_is_refused_with_the_differences() -> None:
    """The message has both values, and a remedy."""
    layout = Layout(Kuhn())
    layout.require(layout.fingerprint)
    with pytest.raises(LayoutError, match=r"version: 2, here 1. fix: train .* version 2 of the"):
        layout.require(Layout(NextKuhn()).fingerprint)
    with pytest.raises(LayoutError, match=r"history=3.*here .*history=0.*same arguments"):
        layout.require(Layout(Kuhn(), history=3).fingerprint)
    with pytest.raises(LayoutError, match=r"game: goofspiel, here kuhn"):
        layout.require(Layout(Goofspiel()).fingerprint)
    with pytest.raises(LayoutError, match="not the fingerprint of a layout: 'nonsense'"):
        layout.require("nonsense")


def test_an_observation_of_another_version_or_of_other_options_is_refused() -> None:
    """Its array could have the same size and another meaning."""
    with pytest.raises(LayoutError, match=r"kuhn 2 with 2 seats.* for kuhn 1 with 2 seats"):
        Layout(Kuhn()).encode(first_observation(NextKuhn()))
    layout = Layout(Goofspiel(), options={"cards": 5})
    with pytest.raises(LayoutError, match=r"cards=13 .* for .* cards=5 .*fix: make a layout"):
        layout.encode(first_observation(Goofspiel()))
