"""Reasons why an action is not legal, for the seat to act."""

from cardhub import Names
from roses.table import (
    BIDDING,
    LAYING,
    TURNING,
    Table,
    closed,
    count_laid,
    have_all_laid,
)


def lay(state: Table, token: int) -> str | None:
    """Return why a disc cannot be laid."""
    if state.phase == BIDDING:
        return "the bidding has begun"
    if state.phase == LAYING and token not in state.hand[state.seat]:
        return "it is not in your hand"
    return None


def bid(state: Table, number: int) -> str | None:
    """Return why a number cannot be bid."""
    if state.phase not in (LAYING, BIDDING):
        return None
    if not have_all_laid(state):
        return "first every player lays a disc"
    if number <= state.bid:
        return f"the bid is already {describe_bid(state.bid)}"
    laid = count_laid(state)
    return f"only {laid} discs lie on the mats" if number > laid else None


def describe_bid(number: int) -> str:
    """Return a bid with its noun."""
    return "1 rose" if number == 1 else f"{number} roses"


def turn(state: Table, seat: int, names: Names) -> str | None:
    """Return why the top disc of a player cannot be turned up."""
    if state.phase != TURNING or seat >= state.seats:
        return None
    if seat == state.challenger:
        return "your own discs have been turned up already"
    if not closed(state, seat):
        return f"{names.player(seat)} has no disc left face down"
    return None
