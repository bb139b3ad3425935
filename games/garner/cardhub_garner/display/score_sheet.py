"""The suits that each seat has won, and the parts of a game for replays."""

from cardhub import BreakdownRow, BreakdownSection, amount
from cardhub_garner.display.scene import suit_colour, suit_label
from cardhub_garner.layouts import Layout
from cardhub_garner.majorities import counts, total_scores
from cardhub_garner.table import SUIT, Table, layout_of

# The number of cards between two marks of a replay; suits won have marks too.
CARDS_BETWEEN_MARKS = 15


def breakdown(state: Table) -> list[BreakdownSection]:
    """Return a row for each suit; without a majority of suits none of them scores (garner R8)."""
    layout, held = layout_of(state), counts(state)
    is_scored = any(total_scores(state))
    rows = []
    for suit in range(len(layout.cards)):
        cards = [seat[suit] for seat in held]
        points = [
            layout.weights[suit] if is_scored and count >= layout.majorities[suit] else 0
            for count in cards
        ]
        notes = [amount(count, "card") for count in cards]
        tokens = [[t for t in won if SUIT[state.face[t]] == suit] for won in state.won]
        label, colour = suit_label(layout, suit), suit_colour(suit)
        rows.append(BreakdownRow(label, points, notes, colour, tokens))
    return [BreakdownSection("", rows)]


def chapter(state: Table) -> str:
    """Return the suits won by each seat, and the number of collected cards in steps."""
    won = [_suits_won(layout_of(state), held) for held in counts(state)]
    collected = sum(map(len, state.won)) // CARDS_BETWEEN_MARKS * CARDS_BETWEEN_MARKS
    return f"{collected} cards collected, suits {won[0]} : {won[1]}"


def _suits_won(layout: Layout, held: list[int]) -> int:
    return sum(count >= needed for count, needed in zip(held, layout.majorities, strict=True))
