"""What speaks for an action in a hint: the cards that could beat a card that is laid."""

from cardhub import Names, amount, clockwise, listed
from cardhub_gargon.table import AMULETS, CARDS, COLOURS, VALUE, Table

# The most cards that a hint names; it counts more of them.
MOST_NAMED = 3


def lay(state: Table, token: int, names: Names) -> str:
    """Return which cards beat a card that is laid, and how many of its colour rivals may have."""
    colour, face = state.back[token], state.face[token]
    rivals = _rivals(state, colour)
    if not rivals:
        return f"No other player can lay a {COLOURS[colour]} card, so you win it{_prize(face)}."
    unseen = _unseen_faces(state, colour)
    higher = [other for other in unseen if VALUE[other] > VALUE[face]]
    count, total = sum(rivals.values()), amount(len(unseen), f"{COLOURS[colour]} card")
    who = listed([names.player(seat) for seat in rivals])
    have = "has" if len(rivals) == 1 else "have"
    holders = f"{who} {have} {count} of the {total} that you have not seen"
    if not VALUE[face]:
        return f"A zero is won only if no other player is left in its colour, and {holders}."
    if not higher:
        card = f"{COLOURS[colour]} card that you have not seen"
        return f"No {card} beats it, so you win it{_prize(face)}."
    labels = listed([CARDS.faces[other].label for other in higher])
    if len(higher) == 1:
        return f"Only {labels} beats it, and {holders}."
    if len(higher) <= MOST_NAMED:
        return f"Only {labels} beat it, and {holders}."
    return f"{len(higher)} of the {total} that you have not seen beat it; {who} {have} {count}."


def _rivals(state: Table, colour: int) -> dict[int, int]:
    """Return by seat the cards of a colour that other seats have laid or may still lay."""
    order = list(clockwise(state.leader, state.seats))
    later = order[order.index(state.seat) + 1 :]
    counts = dict.fromkeys(order, 0)
    for seat in order:
        cards = state.laid[seat] + (state.hand[seat] if seat in later else [])
        if seat != state.seat:
            counts[seat] = len([token for token in cards if state.back[token] == colour])
    return {seat: count for seat, count in counts.items() if count}


def _unseen_faces(state: Table, colour: int) -> list[int]:
    """Return the faces of a colour that the seat to act has not seen, copies included."""
    seen = [
        state.face[token]
        for token, back in enumerate(state.back)
        if back == colour and state.seen[token] >> state.seat & 1
    ]
    return [
        face
        for face, card in enumerate(CARDS.faces)
        if card.back == colour
        for _ in range(card.copies - seen.count(face))
    ]


def _prize(face: int) -> str:
    """Return a clause about the amulets of a card, empty for a card without any."""
    return f" and its {amount(AMULETS[face], 'amulet')}" if AMULETS[face] else ""
