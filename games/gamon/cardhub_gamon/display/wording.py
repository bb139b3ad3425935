"""Sentences made of news."""

from collections.abc import Callable, Iterable

from cardhub_gamon import modifiers
from cardhub_gamon.news import (
    ADDED,
    JUDGED,
    NO_COINS,
    OUT_OF_CARDS,
    PRIZE_TO,
    ROUND,
    STUCK,
    TOO_FEW_CARDS,
    TOOK,
    TURNED,
    WEAKENED,
    WON_TURN,
    WORTH,
    News,
)
from cardhub_gamon.rules_of_cards import VALUE, Modifier
from cardhub_gamon.table import BASE, CARDS, SIDES

NUMBERS = ("no", "one", "two", "three", "four", "five")

REASONS: dict[Modifier, Callable[[int], str]] = {
    modifiers.nothing: lambda points: "",
    modifiers.number_called: lambda points: "as called",
    modifiers.per_coin_in_prize: lambda points: f"for {coins(points)} in the prize",
    modifiers.three_per_deckhand: lambda points: f"for {count(points // 3, 'Deckhand')} played",
    modifiers.three_if_poorer: lambda points: "for the smaller purse",
    modifiers.two_if_cried: lambda points: "for a Gamon this round",
    modifiers.three_if_false: lambda points: "for the false call",
    modifiers.two_per_card: lambda points: f"for {count(points // 2, 'card')} played",
}
"""Why a card is worth more than its base value, given by how much."""


def sentences(news: Iterable[News]) -> list[str]:
    """Tell what happened; who wins a turn by Gamon is told where the lie is."""
    lines: list[str] = []
    for kind, seat, *numbers in news:
        line = _TOLD[kind](SIDES[seat], *numbers)
        if kind == WON_TURN and lines and lines[-1].endswith(" lie"):
            lines[-1] += f"; {line}"
        else:
            lines.append(line)
    return lines


def coins(amount: int) -> str:
    """Return an amount of coins in words."""
    return count(amount, "coin")


def count(amount: int, thing: str) -> str:
    """Return how many of a thing there are, small numbers as words."""
    number = NUMBERS[amount] if amount < len(NUMBERS) else str(amount)
    return f"{number} {thing}" + ("" if amount == 1 else "s")


def title(face: int) -> str:
    """Return what is printed on a card."""
    return CARDS.faces[face].title


def _judged(side: str, face: int, called: int) -> str:
    lie = "a lie" if BASE[face] != called else "no lie"
    return f"{side}'s {title(face)}: called {called}, base {BASE[face]}: {lie}"


def _worth(side: str, face: int, modifier: int, carried: int) -> str:
    """Return the sum of a card's value: `Navy's High Officer 3 + 2 for one card played = 5`."""
    terms = [f"{side}'s {title(face)} {BASE[face]}"]
    if modifier:
        terms.append(f"+ {modifier} {REASONS[VALUE[face]](modifier)}")
    if carried:
        terms.append(f"{'+' if carried > 0 else '-'} {abs(carried)} from an earlier card")
    if len(terms) > 1:
        terms.append(f"= {BASE[face] + modifier + carried}")
    return " ".join(terms)


def _took(side: str, face: int, amount: int) -> str:
    return f"{title(face)}: {side} takes {coins(amount)} from the prize"


def _added(side: str, face: int, amount: int) -> str:
    verb = "joins" if amount == 1 else "join"
    return f"{title(face)}: {coins(amount)} from the pile {verb} the prize"


_TOLD: dict[int, Callable[..., str]] = {
    TURNED: lambda side, face: f"{side}'s card is {title(face)}",
    JUDGED: _judged,
    WORTH: _worth,
    WON_TURN: lambda side: f"{side} wins the turn",
    TOOK: _took,
    ADDED: _added,
    WEAKENED: lambda side, face: f"{title(face)}: {side}'s next card this round has -2",
    STUCK: lambda side: f"{side} has no card that can be placed",
    OUT_OF_CARDS: lambda side: f"{side} has no card left for a third turn",
    PRIZE_TO: lambda side, amount: f"{side} wins the round and {coins(amount)}",
    ROUND: lambda side, number: f"Round {number}: {side} attacks",
    NO_COINS: lambda side: "The pile is empty",
    TOO_FEW_CARDS: lambda side: f"{side} has fewer than two cards left",
}
