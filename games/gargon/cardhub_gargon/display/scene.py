"""The scene of a state of Gargon for one viewer."""

from cardhub import OVER, Area, Scene, Target, clockwise
from cardhub_gargon.scoring import total_scores
from cardhub_gargon.table import COLOURS, DRAWING, FIGHTING, STACKS, TAKE, VALUE, Table

MIXES = {
    (1, False): "1 card",
    (1, True): "2 cards of one colour",
    (2, False): "2 cards of two colours",
    (2, True): "2 cards of one colour and 1 of another",
    (3, False): "3 cards of three colours",
}


def table(state: Table, viewer: int) -> Scene:
    """Return the scene: the stacks, the cards of each seat, and the viewer's own last."""
    areas = [_stack(state, number) for number in range(len(STACKS))]
    areas.append(Area("discarded", state.discard, look="pile"))
    if state.colours:
        areas.append(Area("mix", note=_mix(state)))
    own = viewer if viewer < state.seats else state.seats - 1
    for seat in clockwise(own + 1, state.seats):
        areas += _player(state, seat, viewer)
    points = {TAKE + number: Target("area", f"{name} stack") for number, name in enumerate(STACKS)}
    return Scene(_prompt(state), areas, points)


def _stack(state: Table, number: int) -> Area:
    # Fanned, the card to be drawn next first.
    return Area(f"{STACKS[number]} stack", state.stacks[number][::-1])


def _player(state: Table, seat: int, viewer: int) -> list[Area]:
    areas = [Area("laid", state.laid[seat], seat)] if state.laid[seat] else []
    areas.append(_won(state, seat, viewer))
    if seat == state.leader and state.seat != OVER:
        areas.append(Area("", seat=seat, note="leads"))
    return [*areas, _hand(state, seat, viewer)] if seat == viewer else [_hand(state, seat), *areas]


def _hand(state: Table, seat: int, viewer: int = -1) -> Area:
    # Hidden cards cannot be sorted by value; at the end all hands are open (gargon R8).
    if seat != viewer and state.seat != OVER:
        return Area("hand", sorted(state.hand[seat], key=state.back.__getitem__), seat)
    hand = _sorted(state, state.hand[seat])
    return Area("hand", hand, seat, look="hand" if seat == viewer else "row")


def _won(state: Table, seat: int, viewer: int) -> Area:
    """Return the won cards; those of other players are closed unless an option opens them."""
    won = state.won[seat]
    # All seats have seen these cards, so this restricts the display only (gargon R8).
    if not (state.seat == OVER or seat == viewer or state.settings.flag("open_winnings")):
        return Area("won", won, seat, look="count", closed=True)
    note = f"{total_scores(state)[seat]} points" if state.seat == OVER else ""
    return Area("won", _sorted(state, won), seat, note=note)


def _sorted(state: Table, tokens: list[int]) -> list[int]:
    return sorted(tokens, key=lambda token: (state.back[token], VALUE[state.face[token]]))


def _prompt(state: Table) -> str:
    if state.phase == FIGHTING:
        return "pick a colour of your laid cards to fight out"
    if state.phase == DRAWING:
        return f"lost a {COLOURS[state.colour]} card: take one from a stack"
    if state.seat == state.leader:
        return "start the round with 1 to 3 cards, not 3 of one colour"
    left = state.colours + state.pair
    if state.seat >= 0 and state.laid[state.seat]:
        return f"lay {left - len(state.laid[state.seat])} more for {_mix(state)}"
    return f"lay {_mix(state)}, or pass"


def _mix(state: Table) -> str:
    return MIXES.get((state.colours, state.pair), "cards")
