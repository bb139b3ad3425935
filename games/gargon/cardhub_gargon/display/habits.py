"""The habits of a player that statistics count: passes, zeros, colours."""

from collections.abc import Mapping, Sequence

from cardhub import Frequency, PlayedStep
from cardhub_gargon.scoring import colour_scores
from cardhub_gargon.table import ACTIONS, COLOURS, VALUE, Table


def habits(steps: Sequence[PlayedStep[Table]], seat: int) -> Mapping[str, Frequency]:
    """Return how often a player passed, and the zeros and bonuses won."""
    if not steps:
        return {}
    end = steps[-1].after
    passes = sum(
        ACTIONS.verb_and_index[step.action][0] == "pass" and step.before.seat == seat
        for step in steps
    )
    zeros = sum(VALUE[end.face[token]] == 0 for token in end.won[seat])
    bonuses = sum(colour_scores(end, colour)[seat].bonus > 0 for colour in range(len(COLOURS)))
    return {
        "rounds passed": Frequency(passes, of=end.round),
        "zeros won": Frequency(zeros, of=2 * len(COLOURS)),
        "colours with a bonus": Frequency(bonuses, of=len(COLOURS)),
    }
