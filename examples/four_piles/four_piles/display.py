"""The scene of a state of Four piles, and sentences about actions."""

from cardhub import OVER, Area, Names, Scene, Target, clockwise
from four_piles.table import (
    DONE,
    KEEP,
    LAYING,
    NO_PILE,
    ON,
    PILES,
    RISING,
    STUCK,
    VALUE,
    Table,
    count_laid,
    required,
)

WAYS = tuple("rising" if pile in RISING else "falling" for pile in range(len(PILES)))
CAPTIONS = tuple(f"{name} {way}" for name, way in zip(PILES, WAYS, strict=True))


def scene(state: Table, viewer: int) -> Scene:
    """Return the piles, the stack, and the hands with the viewer's own last."""
    areas = [
        Area(caption, cards, look="pile", note=note(state, pile))
        for pile, (caption, cards) in enumerate(zip(CAPTIONS, state.pile, strict=True))
    ]
    areas.append(Area("stack", state.stack, look="count"))
    if state.chosen:
        areas.append(Area("to lay", state.chosen))
    for seat in clockwise(viewer + 1, state.seats) if viewer < state.seats else range(state.seats):
        areas += hand_of(state, seat, viewer)
    # Actions on cards need no target.
    points = {ON + pile: Target("area", caption) for pile, caption in enumerate(CAPTIONS)}
    return Scene(prompt(state), areas, points)


def note(state: Table, pile: int) -> str:
    """Return the number on a pile, and whether a player asks to keep off it."""
    return f"at {state.tops[pile]}" + (", keep off" if pile in state.kept else "")


def hand_of(state: Table, seat: int, viewer: int) -> list[Area]:
    """Return the hand of a seat, sorted for its owner, and its signal."""
    hand, kept = state.hand[seat], state.kept[seat]
    signal = [] if kept == NO_PILE else [Area("keep off", seat=seat, note=PILES[kept])]
    if seat == viewer:
        own = sorted(hand, key=lambda token: VALUE[state.face[token]])
        return [*signal, Area("hand", own, seat, "hand")]
    return [*signal, Area("hand", hand, seat)]


def prompt(state: Table) -> str:
    """Return the prompt for the seat to act."""
    if state.phase != LAYING:
        return "choose a pile"
    left = required(state) - state.laid
    if left > 0:
        return "lay a card" if left == 1 else f"lay {left} cards"
    return "lay another card, or end your turn"


def story(before: Table, action: int, after: Table, names: Names) -> list[str]:
    """Return an action and the end of the game as sentences."""
    player = names.player(before.seat)
    if action < ON:
        return [f"{player} chooses {names.card(action)}"]
    if action < DONE:
        return [placed(before, action - ON, names), *ended(after)]
    if action == STUCK:
        left = len(before.stack) + sum(map(len, before.hand))
        return [f"{player} cannot lay a card", f"{left} cards are left"]
    signal = f" and asks to keep off {PILES[action - KEEP]}" if action >= KEEP else ""
    drawn = len(before.stack) - len(after.stack)
    return [f"{player} draws {drawn}{signal}" if drawn else f"{player} is done{signal}"]


def placed(before: Table, pile: int, names: Names) -> str:
    """Return the card and the pile on which it was laid."""
    card = names.card(before.chosen[0])
    player, top = names.player(before.seat), before.tops[pile]
    return f"{player} lays {card} on {PILES[pile]}, which was at {top}"


def ended(after: Table) -> list[str]:
    """Return the end of the game, if all cards are laid."""
    return [f"All {count_laid(after)} cards are laid"] if after.seat == OVER else []
