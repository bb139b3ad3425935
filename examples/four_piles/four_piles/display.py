"""The display of Four piles: the table and all texts for people."""

from typing_extensions import override

from cardhub import (
    OVER,
    Area,
    BreakdownRow,
    BreakdownSection,
    Display,
    Names,
    Scene,
    SeatLine,
    Target,
    amount,
    clockwise,
)
from four_piles import reasons
from four_piles.table import (
    ACTIONS,
    DONE,
    JUMP,
    KEEP,
    LAYING,
    NO_PILE,
    ON,
    PILES,
    PLACING,
    RISING,
    STUCK,
    VALUE,
    Table,
    count_laid,
    hand_size,
    required,
    step,
)

WAYS = tuple("rising" if pile in RISING else "falling" for pile in range(len(PILES)))
CAPTIONS = tuple(f"{name} {way}" for name, way in zip(PILES, WAYS, strict=True))


class FourPilesDisplay(Display[Table]):
    """The piles with their numbers, and the signals of the players."""

    primary = ("done",)

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        """Return the piles, the stack, and the hands with the viewer's own last."""
        areas = [
            Area(caption, cards, look="pile", note=note(state, pile))
            for pile, (caption, cards) in enumerate(zip(CAPTIONS, state.pile, strict=True))
        ]
        areas.append(Area("stack", state.stack, look="count"))
        areas.append(Area("to lay", state.chosen))
        for seat in (
            clockwise(viewer + 1, state.seats) if viewer < state.seats else range(state.seats)
        ):
            areas.append(hand_of(state, seat, viewer))
        # Actions on cards need no target.
        points = {ON + pile: Target("area", caption) for pile, caption in enumerate(CAPTIONS)}
        signals = {
            seat: SeatLine(badges=[f"keep off {PILES[pile]}"])
            for seat, pile in enumerate(state.kept)
            if pile != NO_PILE
        }
        return Scene(prompt(state), areas, points, status=status(state), seats=signals)

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        """Return an action as sentences; the rules log the end of the game."""
        player = names.player(before.seat)
        if action < ON:
            return [f"{player} chooses {names.card(action)}"]
        if action < DONE:
            return [placed(before, action - ON, names)]
        if action == STUCK:
            return [f"{player} cannot lay a card"]
        drawn = len(before.stack) - len(after.stack)
        lines = [f"{player} draws {amount(drawn, 'card')}" if drawn else f"{player} is done"]
        if action >= KEEP:
            lines.append(f"{player} asks the others to keep off {PILES[action - KEEP]}")
        return lines

    @override
    def why_not(self, state: Table, action: int, names: Names) -> str | None:
        verb, index = ACTIONS.verb_and_index[action]
        if verb == "on":
            return reasons.on(state, index, names)
        if state.phase == PLACING:
            return f"choose a pile for {names.cards(state.chosen)}"
        match verb:
            case "lay":
                return reasons.lay(state, index)
            case "stuck":
                return reasons.stuck(state)
        if state.laid < required(state):
            return f"a turn needs {amount(required(state), 'card')}"
        if verb == "keep" and state.seats == 1:
            return "there are no other players"
        return (
            "signals are off in this game"
            if verb == "keep" and not state.settings.flag("signals")
            else None
        )

    @override
    def consequence(self, state: Table, action: int, names: Names) -> str:
        """Return how far a card moves a pile on, or the pile that it moves on least."""
        if action == STUCK:
            return ""
        if action >= DONE:
            return end_of_turn(state, action)
        if action >= ON:
            pile, token = action - ON, state.chosen[0]
            return moved(state, pile, VALUE[state.face[token]])
        value = VALUE[state.face[action]]
        steps = {pile: step(state, pile, value) for pile in range(len(PILES))}
        fitting = {pile: ahead for pile, ahead in steps.items() if ahead is not None}
        best = min(fitting, key=fitting.__getitem__)
        text = moved(state, best, value)
        return f"best: {text}" if len(fitting) > 1 else text

    @override
    def breakdown(self, state: Table) -> list[BreakdownSection]:
        """Return the cards on each pile, which count for all players alike."""
        rows = [
            BreakdownRow(caption, [len(cards)] * state.seats)
            for caption, cards in zip(CAPTIONS, state.pile, strict=True)
        ]
        return [BreakdownSection("", rows)]


def status(state: Table) -> str:
    """Return how many cards are laid, and how many are still to be drawn."""
    return f"{count_laid(state)} of {len(state.face)} cards laid · {len(state.stack)} to draw"


def note(state: Table, pile: int) -> str:
    """Return the number on a pile, and whether a player asks to keep off it."""
    return f"{state.tops[pile]}, keep off" if pile in state.kept else f"at {state.tops[pile]}"


def hand_of(state: Table, seat: int, viewer: int) -> Area:
    """Return the hand of a seat, sorted for its owner."""
    hand, room = state.hand[seat], hand_size(state.seats)
    if seat != viewer:
        return Area("hand", hand, seat, room=room)
    own = sorted(hand, key=lambda token: VALUE[state.face[token]])
    return Area("hand", own, seat, "hand", room=room)


def prompt(state: Table) -> str:
    """Return the prompt for the seat to act."""
    if state.seat == OVER:
        return "the game is over"
    if state.phase != LAYING:
        return "choose a pile"
    left = required(state) - state.laid
    if left > 0:
        return "lay a card" if left == 1 else f"lay {left} cards"
    return "lay another card, or end the turn"


def placed(before: Table, pile: int, names: Names) -> str:
    """Return the card and the pile on which it was laid."""
    card = names.card(before.chosen[0])
    player, top = names.player(before.seat), before.tops[pile]
    return f"{player} lays {card} on {PILES[pile]}, which was at {top}"


def end_of_turn(state: Table, action: int) -> str:
    """Return how many cards the seat to act draws, and the pile that it asks others to keep off."""
    lacking = hand_size(state.seats) - len(state.hand[state.seat])
    drawn = min(lacking, len(state.stack))
    text = f"you draw {amount(drawn, 'card')}" if drawn else "your turn ends"
    if action == DONE:
        return text
    return f"{text}, and ask the others to keep off pile {PILES[action - KEEP]}"


def moved(state: Table, pile: int, value: int) -> str:
    """Return the step of a pile as text, with a reminder if a player asks to keep off it."""
    ahead, name, is_kept = step(state, pile, value), PILES[pile], pile in state.kept
    if ahead == -JUMP:
        if is_kept:
            return f"pile {name} moves back by {JUMP}, but a player asks you to keep off it"
        return f"pile {name} moves back by {JUMP}"
    if is_kept:
        return f"pile {name} moves on by {ahead}, but a player asks you to keep off it"
    return f"pile {name} moves on by {ahead}"
