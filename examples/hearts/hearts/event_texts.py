"""Sentences about an action, from the states before and after it."""

from cardhub import BreakdownRow, BreakdownSection, Names, Summary, amount, clockwise
from hearts.table import (
    ALL_POINTS,
    CARDS,
    DEAL,
    HEARTS,
    NO_SUIT,
    PASSING,
    PLAY,
    POINTS,
    RANK,
    SEATS,
    SUIT,
    TWO_OF_CLUBS,
    Table,
    receiver,
    suit_led,
)
from hearts.tricks import scores


def describe(before: Table, action: int, after: Table, names: Names) -> list[str]:
    """Describe an action and its results."""
    if action == DEAL:
        return [f"Hand {after.number + 1} is dealt", *_leads(after, names)]
    player = names.player(before.seat)
    if action < PLAY:
        text = f"{player} passes {names.phrase(action)}"
        return [text, *_exchanged(before, action, after, names), *_leads(after, names)]
    token = action - PLAY
    text = f"{player} plays {names.card(token)}"
    return [text, *_taken(before, token, after, names), *_hand_over(before, after, names)]


def _leads(after: Table, names: Names) -> list[str]:
    return (
        []
        if after.phase == PASSING
        else [f"{names.player(after.leader)} has {CARDS.faces[TWO_OF_CLUBS].label}"]
    )


def _exchanged(before: Table, action: int, after: Table, names: Names) -> list[str]:
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


def _taken(before: Table, token: int, after: Table, names: Names) -> list[str]:
    """Return the seat that took the trick, if this card was its last."""
    trick = [card for seat in clockwise(before.leader, SEATS) for card in before.laid[seat]]
    # Before the action the last card of a trick is still in a hand.
    if len(trick) < SEATS - 1:
        return []
    trick.append(token)
    points = sum(POINTS[after.face[card]] for card in trick)
    cost = f", {amount(points, 'point')}" if points else ""
    return [f"{names.player(after.leader)} takes {names.cards(trick)}{cost}"]


def _hand_over(before: Table, after: Table, names: Names) -> list[str]:
    """Return the seat that has shot the moon, if the hand is over."""
    shooter = _shooter(before, after) if after.number != before.number else None
    return [] if shooter is None else [f"{names.player(shooter)} has shot the moon"]


def summarize(before: Table, after: Table, names: Names) -> Summary | None:
    """Return the points of each player if an action has ended a hand."""
    if after.number == before.number:
        return None
    rows = [["", "this hand", "in all"]]
    for seat, (gained, total) in enumerate(zip(_gained(before, after), scores(after), strict=True)):
        rows.append([names.player(seat), str(gained), str(total)])
    shooter = _shooter(before, after)
    moon = "" if shooter is None else f": {names.player(shooter)} has shot the moon"
    return Summary(f"Hand {after.number}{moon}", rows)


def _gained(before: Table, after: Table) -> list[int]:
    """Return the points of each seat in the hand that has ended."""
    return [now - was for now, was in zip(scores(after), before.total, strict=True)]


def _shooter(before: Table, after: Table) -> int | None:
    gained = _gained(before, after)
    return gained.index(0) if gained.count(ALL_POINTS) == SEATS - 1 else None


def consequence(state: Table, action: int, names: Names) -> str:
    """Return whether a card would take the current trick, and for how many points."""
    suit, face = suit_led(state), state.face
    laid = {seat: pile[0] for seat, pile in enumerate(state.laid) if pile}
    if suit == NO_SUIT or action < PLAY or action == DEAL:
        return ""
    ranks = {seat: RANK[face[token]] for seat, token in laid.items() if SUIT[face[token]] == suit}
    card, best = face[action - PLAY], max(ranks, key=ranks.__getitem__)
    is_best = SUIT[card] == suit and RANK[card] > ranks[best]
    winner = "you" if is_best else names.player(best)
    points = POINTS[card] + sum(POINTS[face[token]] for token in laid.values())
    worth = amount(points, "point") if points else "no points"
    if len(laid) == SEATS - 1:
        return f"{winner} take{'s' * (not is_best)} the trick: {worth}"
    return f"the best card so far, {worth} yet" if is_best else f"{winner} is ahead, {worth} yet"


def causes(state: Table) -> list[BreakdownSection]:
    """Return the points of the last hand by card, and the sum of all hands before it."""
    hearts, queen = ([0] * SEATS for _ in range(2))
    for seat, taken in enumerate(state.taken):
        for face in (state.face[token] for token in taken):
            (hearts if SUIT[face] == HEARTS else queen)[seat] += POINTS[face]
    notes = [f"{count} ♥" if count else "" for count in hearts]
    cards = [[t for t in taken if SUIT[state.face[t]] == HEARTS] for taken in state.taken]
    rows = [
        BreakdownRow("hearts", hearts, notes, "red", cards),
        BreakdownRow("queen of spades", queen),
    ]
    moon = [
        score - sum(others)
        for score, *others in zip(scores(state), state.total, hearts, queen, strict=True)
    ]
    if any(moon):
        rows.append(BreakdownRow("shot the moon", moon))
    if any(state.total):
        rows.insert(0, BreakdownRow("hands before", state.total))
    return [BreakdownSection("", rows)]
