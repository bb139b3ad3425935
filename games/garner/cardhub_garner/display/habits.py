"""The habits of a player that statistics count: large groups and single cards."""

from collections.abc import Mapping, Sequence

from cardhub import Frequency, PlayedStep
from cardhub_garner.table import LIFTING, Table

LARGE_GROUP = 4


def habits(steps: Sequence[PlayedStep[Table]], seat: int) -> Mapping[str, Frequency]:
    """Return how often a player collected a large group, or a single card."""
    gained = [
        len(step.after.won[seat]) - len(step.before.won[seat])
        for step in steps
        if step.before.seat == seat and _ends_turn(step)
    ]
    return {
        f"{LARGE_GROUP} cards or more collected": Frequency(
            sum(cards >= LARGE_GROUP for cards in gained), of=len(gained)
        ),
        "single cards collected": Frequency(gained.count(1), of=len(gained)),
    }


def _ends_turn(step: PlayedStep[Table]) -> bool:
    return step.after.seat != step.before.seat or (
        step.before.phase != LIFTING and step.after.phase == LIFTING
    )
