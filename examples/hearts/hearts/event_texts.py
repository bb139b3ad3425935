"""Sentences about an action, from the states before and after it."""

from cardhub import Names, amount, clockwise
from hearts.table import (
    ALL_POINTS,
    CARDS,
    PASSING,
    POINTS,
    SEATS,
    TWO_OF_CLUBS,
    Table,
    receiver,
)
from hearts.tricks import scores


def first_leader(after: Table, names: Names) -> list[str]:
    """Return who has the two of clubs, once no card is left to pass."""
    return (
        []
        if after.phase == PASSING
        else [f"{names.player(after.leader)} has {CARDS.faces[TWO_OF_CLUBS].label} and leads"]
    )


def exchanged(before: Table, action: int, after: Table, names: Names) -> list[str]:
    """Return the cards passed, as far as the viewer has seen them."""
    if after.phase == PASSING:
        return []
    lines = []
    for giver, laid in enumerate(before.passed):
        cards = [*laid, action] if giver == before.seat else laid
        # A viewer has seen all three cards or none, so the first one decides.
        if names.card(cards[0]) != CARDS.backs[0].unknown:
            taker = names.player(receiver(after, giver))
            lines.append(f"{taker} gets {names.cards(cards)} from {names.player(giver)}")
    return lines


def trick_taken(before: Table, token: int, after: Table, names: Names) -> list[str]:
    """Return the seat that took the trick, if this card was its last."""
    trick = [card for seat in clockwise(before.leader, SEATS) for card in before.laid[seat]]
    # Before the action the last card of a trick is still in a hand.
    if len(trick) < SEATS - 1:
        return []
    trick.append(token)
    points = sum(POINTS[after.face[card]] for card in trick)
    taken = f"{names.player(after.leader)} takes {names.cards(trick)}"
    return [f"{taken} for {amount(points, 'point')}" if points else taken]


def moon_shot(before: Table, after: Table, names: Names) -> list[str]:
    """Return the seat that has shot the moon, if the hand is over."""
    seat = shooter(before, after) if after.number != before.number else None
    return [] if seat is None else [f"{names.player(seat)} shoots the moon"]


def gained(before: Table, after: Table) -> list[int]:
    """Return the points of each seat in the hand that has ended."""
    return [now - was for now, was in zip(scores(after), before.total, strict=True)]


def shooter(before: Table, after: Table) -> int | None:
    """Return the seat that has shot the moon in the hand that has ended, or None."""
    points = gained(before, after)
    return points.index(0) if points.count(ALL_POINTS) == SEATS - 1 else None
