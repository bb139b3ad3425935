"""The habits of a player that statistics count: cries of Gamon, lies, rounds."""

from collections.abc import Mapping, Sequence

from cardhub import Frequency, PlayedStep
from cardhub_gamon.table import ACTIONS, BASE, WON_TURN, Table


def habits(steps: Sequence[PlayedStep[Table]], seat: int) -> Mapping[str, Frequency]:
    """Return how often a player was right in crying Gamon, lied, was caught, and won rounds."""
    cries = right = lies = calls = caught = 0
    for step in steps:
        verb, index = ACTIONS.verb_and_index[step.action]
        is_own = step.before.seat == seat
        if verb == "gamon" and is_own:
            cries += 1
            right += _winner(step.after) == seat
        elif verb == "gamon":
            caught += _winner(step.after) != seat
        elif verb == "call" and is_own:
            calls += 1
            lies += BASE[step.before.face[step.before.placed[seat][0]]] != index + 1
    rounds = steps[-1].after.rounds if steps else ()
    return {
        "cried Gamon rightly": Frequency(right, of=cries),
        "lied in a call": Frequency(lies, of=calls),
        "lies caught by the opponent": Frequency(caught, of=lies),
        "rounds won": Frequency(sum(winner == seat for winner, *_ in rounds), of=len(rounds)),
    }


def _winner(state: Table) -> int:
    """Return the winner of the turn that an action has ended; the action may begin others."""
    return next(seat for kind, seat, *_ in state.announced if kind == WON_TURN)
