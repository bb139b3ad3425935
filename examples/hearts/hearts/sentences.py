"""What the rules write into the log, and the pause before a trick is swept."""

from cardhub import clockwise
from hearts.table import ALL_POINTS, CARDS, POINTS, SEATS, TWO_OF_CLUBS, Table

TAKES_TRICK = "{player} takes the trick"
GETS = "{player} gets {cards} from {other}"
LEADS = f"{{player}} has {CARDS.faces[TWO_OF_CLUBS].label} and leads"


def show_trick(state: Table, winner: int) -> None:
    """Pause before the winner takes the trick, and log its cards and points."""
    state.pause(TAKES_TRICK, state.laid[winner], winner)
    trick = [state.laid[seat][0] for seat in clockwise(state.leader, SEATS)]
    points = sum(POINTS[state.face[token]] for token in trick)
    text = "{player} takes {cards} for {points:point}" if points else "{player} takes {cards}"
    state.log(text, winner, trick, points=points)


def log_shooter(state: Table, scores: list[int]) -> None:
    """Log who has shot the moon in the hand that ends with these scores."""
    shooter = find_shooter(state.total, scores)
    if shooter is not None:
        state.log("{player} has shot the moon", shooter)


def find_shooter(before: list[int], after: list[int]) -> int | None:
    """Return the seat that has shot the moon in a hand, given the scores around it, or None."""
    gained = [now - was for was, now in zip(before, after, strict=True)]
    return gained.index(0) if gained.count(ALL_POINTS) == SEATS - 1 else None
