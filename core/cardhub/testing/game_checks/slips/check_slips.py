"""A look at the source of a game before the first random game: slips of spelling and form.

It reports only what it is sure of, with file and line: attributes that a state does not have,
fields without an annotation, methods that the core would never call or could not call, methods
without a value that the core needs, an `apply` that sets no next seat,
values that change during a game but are not in its state, and misspelled verbs of actions.
"""

from typing import Any

from cardhub.model.game.game import Game
from cardhub.testing.checking import ConformanceError
from cardhub.testing.game_checks.slips.fields import field_slips
from cardhub.testing.game_checks.slips.kept_state import kept_state_slips
from cardhub.testing.game_checks.slips.methods import method_slips
from cardhub.testing.game_checks.slips.sources import GameSource, Slip
from cardhub.testing.game_checks.slips.verbs import verb_slips


def check_source(game: Game[Any], subject: None = None) -> None:
    """Check that the classes of the game are written as the core reads them."""
    slips = find_slips(game)
    if slips:
        problem = "; ".join(f"{slip.line}: {slip.problem}" for slip in slips)
        lines = [(slip.line, slip.problem) for slip in slips]
        raise ConformanceError("source", game.name, problem, lines)


def find_slips(game: Game[Any]) -> list[Slip]:
    """Return the slips in the source of a game, by file and line."""
    source = GameSource(game)
    return sorted(
        {
            *method_slips(source),
            *field_slips(source),
            *kept_state_slips(source),
            *verb_slips(source, game.actions),
        }
    )
