"""Hands of no-limit hold'em, for tests about amounts."""

from cardhub import Observation
from cardhub.testing import ByHand
from cardhub.view.building import build_view
from cardhub.view.view import View
from holdem import Holdem
from holdem.table import Table

HOLDEM = Holdem()


def hand(*chips: int) -> ByHand[Table]:
    """Return a hand that has just been dealt."""
    at = ByHand(HOLDEM, len(chips), {"hands": 1})
    HOLDEM.deal(at.state)
    at.state.chips = [*chips]
    HOLDEM.apply(at.state, HOLDEM.legal(at.state)[0])
    return at


def view_of(at: ByHand[Table]) -> View:
    """Return the view of the seat to act."""
    names = ["Anna", "Bob", "Chris"][: at.state.seats]
    return build_view(Observation(HOLDEM, at.state, at.state.seat), names)
