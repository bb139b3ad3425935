"""Resampling: another course of the game that one seat cannot tell from the true one."""

from collections.abc import Sequence
from random import Random
from typing import Any, NamedTuple

from cardhub.adapters.openspiel.positions import Position, Tree
from cardhub.errors import DeterminizationError
from cardhub.game.game import S
from cardhub.hidden.observation import Observation, Step
from cardhub.hidden.shuffles.snapshots import back_snapshots, face_snapshots


class _Course(NamedTuple):
    """The actions of a game, and the faces and backs by token: as dealt, then by shuffle."""

    steps: Sequence[Step]
    faces: list[list[int]]
    backs: list[list[int]]


def resampled(position: Position[Any], seat: int, rng: Random) -> Position[Any]:
    """Return a position with the same information state for a seat, drawn as bots draw worlds.

    It is computed from what the seat has seen alone. Raises DeterminizationError.
    """
    observation = Observation(position.tree.game, position.state, seat, position.history)
    return followed(position.tree, observation.determinize_whole(rng), position.history)


def followed(tree: Tree[S], world: S, steps: Sequence[Step]) -> Position[S]:
    """Return the position that actions lead to with the cards of a complete state after them.

    Raises DeterminizationError if they are not possible with those.
    """
    course = _Course(steps, face_snapshots(world), back_snapshots(world))
    here, taken = tree.root, 0
    while here.due.kind in ("back", "face") or taken < len(course.steps):
        step = _step(here, course, taken)
        if all(step != possible for possible, _ in here.odds):
            name = tree.game.name
            raise DeterminizationError(f"{name}: the cards drawn do not lead to what was done")
        taken += here.due.kind in ("turn", "chance")
        here = here.child(step)
    return here


def _step(here: Position[Any], course: _Course, taken: int) -> int:
    """Return the action, face or back that comes next."""
    kind, token = here.due
    if kind == "face":
        return course.faces[here.shuffles][token]
    if kind == "back":
        return course.backs[here.shuffles][token]
    return course.steps[taken].action
