"""Sentences about an action, from the states before and after it."""

from collections.abc import Iterable

from cardhub import OVER, Names, Summary
from cardhub_gargon.table import ACTIONS, COLOURS, FIGHTING, LAYING, SPLITS, STACKS, Table


def describe(before: Table, action: int, after: Table, names: Names) -> list[str]:
    """Describe an action, the cards turned up by it and the results of battles."""
    text = _action(before, action, after, names)
    return [text, *_turned_up(before, after, names), *_results(before, after, names)]


def summarize(before: Table, after: Table, names: Names) -> Summary | None:
    """Return the cards won and discarded in a round if an action has ended it."""
    if before.phase == LAYING or (after.phase != LAYING and after.seat != OVER):
        return None
    *won_before, discarded_before = before.won_before
    rows = [["", "won", "in all", "cards"]]
    for seat, (won, count) in enumerate(zip(after.won, won_before, strict=True)):
        rows.append([names.player(seat), *_gained(won, count, names)])
    rows.append(["discarded", *_gained(after.discard, discarded_before, names)])
    return Summary(f"Round {before.round}", rows)


def _gained(pile: list[int], count: int, names: Names) -> list[str]:
    gained = pile[count:]
    return [str(len(gained)), str(len(pile)), _cards(gained, names)]


def _action(before: Table, action: int, after: Table, names: Names) -> str:
    player, hand = names.player(before.seat), after.hand[before.seat]
    verb, index = ACTIONS.verb_and_index[action]
    match verb:
        case "lay":
            return f"{player} lays {names.phrase(action)}"
        case "done":
            return f"{player} lays no more"
        case "pass":
            return f"{player} passes and draws {_split(SPLITS[index], hand, names)}"
        case "fight":
            return f"{player} has {COLOURS[index]} fought out"
        # Cards enter a hand at its end, so the drawn card is the last one.
        case _:
            return f"{player} draws {names.phrase(hand[-1])} from the {STACKS[index]} stack"


def _split(split: tuple[int, int], hand: list[int], names: Names) -> str:
    # The drawn cards are the last of the hand, the left stack's first.
    left, right = split
    drawn = hand[len(hand) - left - right :]
    parts = (drawn[:left], drawn[left:])
    texts = [
        f"{_cards(part, names)} {side}" for part, side in zip(parts, STACKS, strict=True) if part
    ]
    return ", ".join(texts) or "nothing"


def _turned_up(before: Table, after: Table, names: Names) -> list[str]:
    if before.phase != LAYING or after.phase != FIGHTING:
        return []
    laid = ((seat, cards) for seat, cards in enumerate(after.laid) if cards)
    return [f"{names.player(seat)} shows {_cards(cards, names)}" for seat, cards in laid]


def _results(before: Table, after: Table, names: Names) -> list[str]:
    lines = []
    for seat, won in enumerate(after.won):
        gained = won[len(before.won[seat]) :]
        if gained:
            lines.append(f"{names.player(seat)} wins {_cards(gained, names)}")
    lost = after.discard[len(before.discard) :]
    return [*lines, f"Discarded: {_cards(lost, names)}"] if lost else lines


def _cards(tokens: Iterable[int], names: Names) -> str:
    return " ".join(map(names.card, tokens))
