"""Sentences about an action, made from the announcements in the state after it."""

from collections.abc import Callable, Iterable

from cardhub import Names
from cardhub_gamon import rules_of_cards as rules
from cardhub_gamon.table import (
    ACTIONS,
    ADDED,
    BASE,
    CARDS,
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
    Announcement,
    Table,
)

NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"]

# The reasons for a modifier, given its amount.
REASONS: dict[rules.Modifier, Callable[[int], str]] = {
    rules.no_modifier: lambda points: "",
    rules.number_called: lambda points: "for the call",
    rules.per_coin_in_prize: lambda points: f"for {coins(points)} in the prize",
    rules.three_per_deckhand: lambda points: f"for {_count(points // 3, 'Deckhand')} played",
    rules.three_if_poorer: lambda points: "for the smaller purse",
    rules.two_if_cried: lambda points: "for crying Gamon this round",
    rules.three_if_false: lambda points: "for the false call",
    rules.two_per_card: lambda points: f"for {_count(points // 2, 'card')} played",
}


def sentences(announcements: Iterable[Announcement], names: Names) -> list[str]:
    """Return a sentence for each announcement; for a turn won by Gamon the sentence has the lie."""
    lines: list[str] = []
    for kind, seat, *numbers in announcements:
        line = _SENTENCES[kind](names.player(seat), *numbers)
        # The lie, or the truth, is the reason for the win: one sentence has both.
        if kind == WON_TURN and lines and lines[-1].endswith(" lied"):
            lines[-1] += f", and {line}"
        elif kind == WON_TURN and lines and lines[-1].endswith(" told the truth"):
            lines[-1] += " and wins the turn"
        else:
            lines.append(line)
    return lines


def coins(amount: int) -> str:
    """Return an amount of coins in words."""
    return _count(amount, "coin")


def action_text(before: Table, action: int, names: Names) -> str:
    """Return an action as a sentence."""
    verb, index = ACTIONS.verb_and_index[action]
    if verb == "first":
        return f"{names.player(index)} attacks first"
    seat = before.seat
    player, other = names.player(seat), names.player(1 - seat)
    match verb:
        case "place":
            return f"{player} places {names.phrase(action)}"
        case "call":
            return f"{player} calls {index + 1}"
        case "gamon":
            return f"{player} doubts {other}'s {before.called[1 - seat]} and cries GAMON!"
        case "believe":
            return f"{player} believes {other}'s {before.called[1 - seat]}"
        case "prize" if index + 1 > before.prize:
            return f"{player} raises the prize to {coins(index + 1)}"
        case "prize":
            return f"{player} leaves the prize at {coins(index + 1)}"
        case _:
            return _effect_text(verb, index, player, other)


def _effect_text(verb: str, amount: int, player: str, other: str) -> str:
    if verb == "move":
        return f"{player} moves {coins(amount)} from {other}'s purse to the prize"
    if verb == "remove":
        return f"{player} removes {coins(amount)} from the prize"
    if amount:
        return f"{player} pays a coin into the prize: +2 for the next card"
    return f"{player} pays nothing into the prize: no +2 for the next card"


def _count(amount: int, thing: str) -> str:
    number = NUMBERS[amount] if amount < len(NUMBERS) else str(amount)
    return f"{number} {thing}" + ("" if amount == 1 else "s")


def _title(face: int) -> str:
    return CARDS.faces[face].title


def _judged(player: str, face: int, called: int) -> str:
    if BASE[face] != called:
        return f"{_title(face)} is a {BASE[face]}, not a {called}: {player} lied"
    return f"{_title(face)} is a {called}, as called: {player} told the truth"


def _worth(face: int, modifier: int, carried: int) -> str:
    """Return the sum of a card's value: `High Officer: 3 + 2 for one card played = 5`."""
    terms = [f"{_title(face)}: {BASE[face]}"]
    if modifier:
        terms.append(f"+ {modifier} {REASONS[rules.VALUE[face]](modifier)}")
    if carried:
        terms.append(f"{'+' if carried > 0 else '-'} {abs(carried)} from an earlier card")
    if len(terms) > 1:
        terms.append(f"= {BASE[face] + modifier + carried}")
    return " ".join(terms)


def _took(player: str, face: int, amount: int) -> str:
    return f"{_title(face)}: {player} takes {coins(amount)} from the prize"


def _added(player: str, face: int, amount: int) -> str:
    return f"{_title(face)} adds {coins(amount)} from the pile to the prize"


_SENTENCES: dict[int, Callable[..., str]] = {
    TURNED: lambda player, face: f"{player} shows {_title(face)}",
    JUDGED: _judged,
    WORTH: lambda player, *value: f"{player} shows {_worth(*value)}",
    WON_TURN: lambda player: f"{player} wins the turn",
    TOOK: _took,
    ADDED: _added,
    WEAKENED: lambda player, face: f"{_title(face)}: {player}'s next card this round counts 2 less",
    STUCK: lambda player: f"{player} holds no card that may be placed",
    OUT_OF_CARDS: lambda player: f"{player} has no card left for a third turn",
    PRIZE_TO: lambda player, amount: (
        f"{player} wins the round and {coins(amount)}"
        if amount
        else f"{player} wins the round, but the prize is empty"
    ),
    ROUND: lambda player, number: f"Round {number}: {player} attacks",
    NO_COINS: lambda player: "The pile is empty, so the game ends",
    TOO_FEW_CARDS: lambda player: f"{player} has fewer than two cards left, so the game ends",
}
