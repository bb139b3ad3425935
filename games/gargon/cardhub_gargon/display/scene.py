"""The parts of the scene of a state of Gargon for one viewer."""

from cardhub import OVER, Area, SeatLine, Target, amount, left_of
from cardhub_gargon.laying import MOST_LAID, count_colours, legal_lays
from cardhub_gargon.table import (
    COLOURS,
    DRAWING,
    FIGHT,
    FIGHTING,
    LAYING,
    PASS,
    SPLITS,
    STACKS,
    TAKE,
    VALUE,
    Table,
)

MIXES = {
    (1, False): "1 card",
    (1, True): "2 cards of one colour",
    (2, False): "2 cards of two colours",
    (2, True): "2 of one colour and 1 of another",
    (3, False): "3 cards of three colours",
}

# Ten cards are dealt, and players who pass draw more: only 1 in 100 hands is larger.
HAND_ROOM = 15


def stack(state: Table, number: int) -> Area:
    """Return a stack, fanned, with the card to be drawn next first."""
    cards = state.stacks[number][::-1]
    return Area(f"{STACKS[number]} stack", cards, look="queue", place="centre")


def player(state: Table, seat: int, viewer: int) -> list[Area]:
    """Return the areas of a seat; the viewer's own hand is the last."""
    won, laid = _won(state, seat, viewer), _laid(state, seat)
    if seat == viewer:
        return [*won, laid, _hand(state, seat, viewer)]
    return [_hand(state, seat), *won, laid]


def _laid(state: Table, seat: int) -> Area:
    expected = state.colours + state.pair if state.phase == LAYING and state.seat != OVER else 0
    has_passed = bool(state.passed >> seat & 1)
    return Area(
        "laid",
        state.laid[seat],
        seat,
        place="front",
        room=MOST_LAID,
        slots=0 if has_passed else expected,
    )


def _hand(state: Table, seat: int, viewer: int = -1) -> Area:
    # Hidden cards cannot be sorted by value; at the end all hands are open (gargon R8).
    if seat != viewer and state.seat != OVER:
        hidden = sorted(state.hand[seat], key=state.back.__getitem__)
        return Area("hand", hidden, seat, room=HAND_ROOM)
    hand = _sorted(state, state.hand[seat])
    return Area("hand", hand, seat, "hand" if seat == viewer else "row", room=HAND_ROOM)


def _won(state: Table, seat: int, viewer: int) -> list[Area]:
    """Return the won cards; other players' cards only if an option or the end opens them."""
    # All seats have seen these cards, so this restricts the display only (gargon R8).
    is_open = state.seat == OVER or state.settings.flag("open_winnings")
    if seat != viewer and viewer < state.seats and not is_open:
        return []
    won = _sorted(state, state.won[seat])
    if is_open:
        return [Area("won", won, seat)]
    return [Area("won", won, seat, look="pile" if seat == viewer else "count")]


def seat_line(state: Table, seat: int, scores: list[int] | None) -> SeatLine:
    """Return the cards that a seat has won, its role, and at the end its score."""
    if scores:
        return SeatLine(f"{scores[seat]} points", (f"won {len(state.won[seat])}",))
    return SeatLine(f"won {len(state.won[seat])}", _badges(state, seat))


def _badges(state: Table, seat: int) -> list[str]:
    badges = []
    if seat == state.leader:
        badges.append("leads")
    # The last player is so by position, also if others have passed (gargon R3).
    if left_of(seat, state.seats) == state.leader:
        badges.append("last")
    if state.passed >> seat & 1:
        badges.append("passed")
    return badges


def points(state: Table) -> dict[int, Target | list[Target]]:
    """Return the stacks that losers draw from, and all laid cards of each colour to fight out."""
    points: dict[int, Target | list[Target]] = {
        TAKE + number: Target("area", f"{name} stack") for number, name in enumerate(STACKS)
    }
    if state.phase == FIGHTING and state.seat != OVER:
        laid = [token for cards in state.laid for token in cards]
        for colour in {state.back[token] for token in state.laid[state.seat]}:
            cards = [Target("card", token) for token in laid if state.back[token] == colour]
            points[FIGHT + colour] = cards
    return points


# The cards that each pass draws from each stack.
COUNTS = {
    PASS + number: {f"{name} stack": count for name, count in zip(STACKS, split, strict=True)}
    for number, split in enumerate(SPLITS)
}


def _sorted(state: Table, tokens: list[int]) -> list[int]:
    return sorted(tokens, key=lambda token: (state.back[token], VALUE[state.face[token]]))


def status(state: Table) -> str:
    """Return the round and the cards in the stacks."""
    left, right = map(len, state.stacks)
    if state.seat == OVER:
        return amount(state.round, "round")
    # An empty stack ends the game after this round (gargon R7).
    is_last = " · last round" if not (left and right) else ""
    return f"round {state.round} · {left}+{right} cards left{is_last}"


def prompt(state: Table) -> str:
    """Return the prompt for the seat to act."""
    if state.seat == OVER:
        return "the game is over"
    if state.phase == FIGHTING:
        return "choose a colour for the next battle"
    if state.phase == DRAWING:
        return f"draw a card for the lost {COLOURS[state.colour]} card"
    laid = len(state.laid[state.seat])
    if state.seat == state.leader:
        if laid:
            _, twice = count_colours(state.laid[state.seat], state.back)
            if twice:
                return "lay a card of another colour, or choose done"
            return "lay another card, or choose done"
        return "lay 1 to 3 cards, but not 3 of one colour"
    left = state.colours + state.pair
    if laid:
        return f"lay {left - laid} more: {_mix(state)}"
    if not legal_lays(state):
        return "pass, because the hand has no cards for the mix"
    return f"lay {_mix(state)}, or pass"


def _mix(state: Table) -> str:
    return MIXES.get((state.colours, state.pair), "cards")
