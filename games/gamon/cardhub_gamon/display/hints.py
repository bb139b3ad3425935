"""What speaks for an action in a hint: the cards that the other side may have."""

from cardhub_gamon.display.consequences import faces_not_shown, faces_of_placed
from cardhub_gamon.rules_of_cards import VALUE, number_called
from cardhub_gamon.table import BASE, Table
from cardhub_gamon.turns import value_of


def rivals(state: Table, token: int, other: str) -> str:
    """Return how many cards of the other side have a higher base value than a card."""
    seat, face = 1 - state.seat, state.face[token]
    if VALUE[face] is number_called:
        return ""
    unseen = faces_of_placed(state, seat) if state.placed[seat] else faces_not_shown(state, seat)
    higher = sum(count for rival, count in unseen.items() if BASE[rival] > BASE[face])
    total = sum(unseen.values())
    if higher == 1:
        return (
            f"Of the {total} cards that {other} may place against it, one has a higher base value."
        )
    return (
        f"Of the {total} cards that {other} may place against it, {higher or 'none'} have a higher "
        "base value."
    )


def credit(state: Table, number: int, other: str) -> str:
    """Return for how many cards a call is true, as far as the other side knows."""
    unseen = faces_of_placed(state, state.seat)
    true = sum(count for face, count in unseen.items() if BASE[face] == number)
    total = sum(unseen.values())
    return f"For {other}, the card may be any of {total}, and the call is true for {true} of them."


def stronger(state: Table, other: str) -> str:
    """Return how many of the cards that the other side may have placed would win the turn."""
    seat, rival = state.seat, 1 - state.seat
    worth = value_of(state, seat, state.face[state.placed[seat][0]])
    unseen = faces_of_placed(state, rival)
    wins_ties = seat == state.attacker
    winning = sum(
        count for face, count in unseen.items() if value_of(state, rival, face) + wins_ties > worth
    )
    total = sum(unseen.values())
    if winning == 1:
        return f"Of the {total} cards that {other} may have placed, one wins."
    return f"Of the {total} cards that {other} may have placed, {winning or 'none'} win."
