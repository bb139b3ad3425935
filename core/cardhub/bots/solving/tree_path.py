"""The way through a tree to a position, given its cards: the deal and the actions."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from cardhub.base.errors import DeterminizationError
from cardhub.bots.solving.game_tree import Tree, TreeNode
from cardhub.model.game.game import S
from cardhub.model.hidden.observation import Step
from cardhub.model.hidden.shuffles.snapshots import back_snapshots, face_snapshots


class _Playthrough(NamedTuple):
    """The actions of a game, and faces and backs by token: as dealt, then after each shuffle."""

    steps: Sequence[Step]
    faces: list[list[int]]
    backs: list[list[int]]


def node_after(tree: Tree[S], state: S, steps: Sequence[Step]) -> TreeNode[S]:
    """Return the node after these actions, given the cards of the complete state after them.

    Raises DeterminizationError if the actions are impossible with these cards.
    """
    game = _Playthrough(steps, face_snapshots(state), back_snapshots(state))
    node, taken = tree.root, 0
    while node.due.kind in ("back", "face") or taken < len(game.steps):
        step = _next_step(node, game, taken)
        if all(step != possible for possible, _ in node.odds):
            name = tree.game.name
            raise DeterminizationError(f"{name}: the cards drawn do not lead to what was done")
        # Faces and backs dealt are steps in OpenSpiel only, not in the history.
        taken += node.due.kind in ("turn", "chance")
        node = node.child(step)
    return node


def _next_step(node: TreeNode[Any], game: _Playthrough, taken: int) -> int:
    kind, token = node.due
    if kind == "face":
        return game.faces[node.shuffles][token]
    if kind == "back":
        return game.backs[node.shuffles][token]
    return game.steps[taken].action
