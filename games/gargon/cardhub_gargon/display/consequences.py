"""Consequences of legal actions, computed from the observation of the seat to act."""

from collections.abc import Mapping, Sequence

from cardhub import Names, amount, clockwise, listed
from cardhub_gargon import laying
from cardhub_gargon.display.scene import MIXES
from cardhub_gargon.table import (
    AMULETS,
    COLOURS,
    VALUE,
    Table,
)


def lay(state: Table, token: int, names: Names) -> str:
    """Return the rivals in the colour of a card, and what is left to lay after it."""
    return f"{_rivals(state, token, names)} {_after_laying(state, token)}"


def done(state: Table) -> str:
    """Return the mix that the starting player fixes."""
    once, twice = laying.count_colours(state.laid[state.seat], state.back)
    mix = MIXES[once.bit_count(), bool(twice)]
    return f"The mix is {mix}: the others must match it or pass."


def _rivals(state: Table, token: int, names: Names) -> str:
    """Return the players who have laid cards of this colour; backs are public."""
    colour = state.back[token]
    if state.seat == state.leader:
        return _holders(state, colour, names)
    seats = [
        seat
        for seat in clockwise(state.leader, state.seats)
        if seat != state.seat and any(state.back[laid] == colour for laid in state.laid[seat])
    ]
    if not seats:
        return f"No other player has laid a {COLOURS[colour]} card so far."
    return (
        f"It meets the {COLOURS[colour]} cards of {listed([names.player(seat) for seat in seats])}."
    )


def _holders(state: Table, colour: int, names: Names) -> str:
    """Return the other players' numbers of cards of a colour in hand."""
    others = [seat for seat in clockwise(state.seat, state.seats) if seat != state.seat]
    counts = {seat: sum(state.back[t] == colour for t in state.hand[seat]) for seat in others}
    holders = [f"{names.player(seat)} {count}" for seat, count in counts.items() if count]
    if not holders:
        return f"No other player holds a {COLOURS[colour]} card, so you are sure to win it."
    return f"Other players hold {COLOURS[colour]} cards: {', '.join(holders)}."


def _after_laying(state: Table, token: int) -> str:
    seat = state.seat
    laid = [*state.laid[seat], token]
    if seat == state.leader:
        if len(laid) == laying.MOST_LAID:
            return "Then your mix is complete."
        return "Then you may lay another card, or choose done."
    left = state.colours + state.pair - len(laid)
    if left:
        return f"Then lay {left} more: the mix is {MIXES[state.colours, state.pair]}."
    return "Then your mix is complete."


def pass_turn(state: Table, split: tuple[int, int], names: Names) -> str:
    """Return the cards that a seat draws if it passes."""
    left, right = (
        names.phrases(stack[-count:][::-1] if count else ())
        for stack, count in zip(state.stacks, split, strict=True)
    )
    if left and right:
        return (
            f"You sit out the battles of this round, and draw {left} from the left stack and "
            f"{right} from the right."
        )
    if left:
        return f"You sit out the battles of this round, and draw {left} from the left stack."
    if right:
        return f"You sit out the battles of this round, and draw {right} from the right stack."
    return "You sit out the battles of this round. Both stacks are empty, so you draw no card."


def fight(state: Table, colour: int, names: Names) -> str:
    """Return how a colour will be fought out: it is certain because all laid cards are open."""
    own = state.seat
    laid = _laid(state, colour)
    if len(laid) == 1:
        won_alone = _worth(state, laid[own], names)
        return f"No other player has laid {COLOURS[colour]}: you win {won_alone}."
    others = listed(
        [
            f"{names.player(seat)}'s {names.cards(cards)}"
            for seat, cards in laid.items()
            if seat != own
        ]
    )
    won, draws = _fought_out(state, laid)
    result = [f"you win {_worth(state, won[own], names)}" if won[own] else "you win no card"]
    lost = len(laid[own]) - len(won[own])
    if lost:
        drawn = min(draws[own], sum(map(len, state.stacks)))
        cards = amount(lost, "card")
        result.append(f"lose {cards} and draw {drawn}" if drawn else f"lose {cards}")
    return f"Your {names.cards(laid[own])} against {others}: {', '.join(result)}."


def _laid(state: Table, colour: int) -> dict[int, list[int]]:
    """Return the laid cards of a colour by seat, clockwise from the leader, weak ones first."""
    laid = {}
    for seat in clockwise(state.leader, state.seats):
        cards = [token for token in state.laid[seat] if state.back[token] == colour]
        if cards:
            laid[seat] = sorted(cards, key=lambda token: VALUE[state.face[token]])
    return laid


def _fought_out(
    state: Table, laid: Mapping[int, Sequence[int]]
) -> tuple[dict[int, list[int]], dict[int, int]]:
    """Return by seat the cards won and the number of draws, as `battle.fight` will carry it out."""
    value = {token: VALUE[state.face[token]] for cards in laid.values() for token in cards}
    left = {seat: list(cards) for seat, cards in laid.items()}
    won: dict[int, list[int]] = {seat: [] for seat in laid}
    draws = dict.fromkeys(laid, 0)
    while len(left) > 1:
        strongest = {seat: cards.pop() for seat, cards in left.items()}
        highest = max(value[token] for token in strongest.values())
        for seat, token in strongest.items():
            if highest and value[token] == highest:
                won[seat].append(token)
            else:
                # Two zeros are discarded without a draw, unless an option says so (gargon R5).
                draws[seat] += highest > 0 or state.settings.flag("zero_tie_draw")
        left = {seat: cards for seat, cards in left.items() if cards}
    for seat, cards in left.items():
        won[seat] += cards
    return won, draws


def _worth(state: Table, tokens: Sequence[int], names: Names) -> str:
    faces = [state.face[token] for token in tokens]
    amulets = sum(AMULETS[face] for face in faces)
    zeros = sum(VALUE[face] == 0 for face in faces)
    parts = [amount(amulets, "amulet")] if amulets or not zeros else []
    parts += ["doubles the colour"] * bool(zeros)
    return f"{names.cards(tokens)} ({', '.join(parts)})"
