"""Positions set up by hand."""

import pytest

from cardhub.base.errors import IllegalActionError
from cardhub.testing import ByHand
from cardhub_gargon import Gargon
from cardhub_gargon.laying import begin_laying


def test_it_begins_without_cards_and_without_seen_faces() -> None:
    at = ByHand(Gargon(), 3)
    piles = [pile for zone in at.state.zones for pile in zone.piles(at.state)]
    assert not any(piles)
    assert not any(at.state.seen)
    assert len(at.left) == 102


def test_cards_are_taken_by_name_and_acted_on_in_notation() -> None:
    """Each card as often as the box holds it; actions as records write them."""
    at = ByHand(Gargon(), 3, {"start": 1})
    at.state.put_all(at.take("R0 R0 W3"), at.state.hand, 0)
    begin_laying(at.state, 0)
    assert at.legal() == {"lay R0", "lay W3"}
    at.act("lay R0", "lay W3")
    assert at.cards(at.state.laid[0]) == "R0 W3"
    assert at.observe(1).labels().card(at.state.laid[0][0]) == "R?"


def test_why_not_answers_the_seat_to_act() -> None:
    at = ByHand(Gargon(), 3)
    at.state.put_all(at.take("R0 R1"), at.state.hand, 0)
    at.state.put_all(at.take("W5"), at.state.hand, 1)
    begin_laying(at.state, 0)
    assert at.why_not("lay R0") is None
    assert at.why_not("lay W5") == "it is not in your hand"
    with pytest.raises(IllegalActionError, match="'lay R99' is not one of the choices"):
        at.why_not("lay R99")


def test_what_cannot_be_taken_or_done_is_named() -> None:
    """A mistake in a test raises another error than a fault of the game."""
    at = ByHand(Gargon(), 3)
    with pytest.raises(LookupError, match="no W3 is left to take"):
        at.take("W3 W3")
    with pytest.raises(LookupError, match="unknown card 'W99'"):
        at.take("W99")
    with pytest.raises(IllegalActionError, match="'lay R1' is not one of the choices"):
        at.act("lay R1")
