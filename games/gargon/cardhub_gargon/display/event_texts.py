"""What happened at a Gargon table, in sentences."""

from collections.abc import Iterable

from cardhub import Names
from cardhub_gargon.table import (
    COLOURS,
    DONE,
    FIGHT,
    FIGHTING,
    LAYING,
    PASS,
    SPLITS,
    STACKS,
    TAKE,
    Table,
)


def tell(before: Table, action: int, after: Table, names: Names) -> list[str]:
    """Tell what a seat did, which cards were turned up by it, and how fights ended."""
    deed = _deed(before, action, after, names)
    return [deed, *_turned_up(before, after, names), *_fought(before, after, names)]


def _deed(before: Table, action: int, after: Table, names: Names) -> str:
    player, drawn = names.player(before.seat), after.hand[before.seat]
    if action < DONE:
        return f"{player} lays {names.phrase(action)}"
    if action < PASS:
        return f"{player} lays no more"
    if action < FIGHT:
        return f"{player} passes and draws {_split(SPLITS[action - PASS], drawn, names)}"
    if action < TAKE:
        return f"{player} has {COLOURS[action - FIGHT]} fought out"
    return f"{player} draws {names.phrase(drawn[-1])} from the {STACKS[action - TAKE]} stack"


def _split(split: tuple[int, int], hand: list[int], names: Names) -> str:
    """Return what was drawn from each stack: the last cards of the hand, the left stack's first."""
    left, right = split
    drawn = hand[len(hand) - left - right :]
    parts = (drawn[:left], drawn[left:])
    told = [
        f"{_cards(part, names)} {side}" for part, side in zip(parts, STACKS, strict=True) if part
    ]
    return ", ".join(told) or "nothing"


def _turned_up(before: Table, after: Table, names: Names) -> list[str]:
    """Return the laid cards, player by player, when they are turned up."""
    if before.phase != LAYING or after.phase != FIGHTING:
        return []
    laid = ((seat, cards) for seat, cards in enumerate(after.laid) if cards)
    return [f"{names.player(seat)} shows {_cards(cards, names)}" for seat, cards in laid]


def _fought(before: Table, after: Table, names: Names) -> list[str]:
    """Return who won which cards by this action, and which were discarded."""
    lines = []
    for seat, won in enumerate(after.won):
        gained = won[len(before.won[seat]) :]
        if gained:
            lines.append(f"{names.player(seat)} wins {_cards(gained, names)}")
    lost = after.discard[len(before.discard) :]
    return [*lines, f"discarded: {_cards(lost, names)}"] if lost else lines


def _cards(tokens: Iterable[int], names: Names) -> str:
    return " ".join(map(names.card, tokens))
