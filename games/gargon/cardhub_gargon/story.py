"""What happened at a Gargon table, in sentences."""

from collections.abc import Iterable

from cardhub import Names

from cardhub_gargon.table import COLOURS, DONE, FIGHT, PASS, SPLITS, STACKS, TAKE, Table


def tell(before: Table, action: int, after: Table, names: Names) -> list[str]:
    """Tell what a seat did, and how the fights that followed from it ended."""
    return [
        _deed(before, action, names),
        *_turned_up(before, after, names),
        *_fought(before, after, names),
    ]


def _deed(before: Table, action: int, names: Names) -> str:
    player = names.player(before.seat)
    if action < DONE:
        return f"{player} lays {names.phrase(action)}"
    if action < PASS:
        return f"{player} lays no more"
    if action < FIGHT:
        return f"{player} passes and draws {_split(action - PASS)}"
    if action < TAKE:
        return f"{player} has {COLOURS[action - FIGHT]} fought out"
    return f"{player} draws from the {STACKS[action - TAKE]} stack"


def _split(split: int) -> str:
    parts = [f"{n} {name}" for n, name in zip(SPLITS[split], STACKS, strict=True) if n]
    return " and ".join(parts) or "nothing"


def _turned_up(before: Table, after: Table, names: Names) -> list[str]:
    """The laid cards when they are turned up, player by player."""
    if after.colours == 0 or before.phase == after.phase or after.phase != 1:
        return []
    return [
        f"{names.player(seat)} shows {_cards(laid, names)}"
        for seat, laid in enumerate(after.laid)
        if laid
    ]


def _fought(before: Table, after: Table, names: Names) -> list[str]:
    """Who won and who lost which cards by this action."""
    lines = []
    for seat, won in enumerate(after.won):
        gained = won[len(before.won[seat]) :]
        if gained:
            lines.append(f"{names.player(seat)} wins {_cards(gained, names)}")
    lost = after.discard[len(before.discard) :]
    return [*lines, f"discarded: {_cards(lost, names)}"] if lost else lines


def _cards(tokens: Iterable[int], names: Names) -> str:
    return " ".join(names.card(token) for token in tokens)
