"""A tree node as a `pyspiel.State`, and resampling from an information state."""

from collections.abc import Callable, Sequence
from random import Random
from typing import Any, NamedTuple

from typing_extensions import override

from cardhub.adapters.openspiel.tree import Tree, TreeNode
from cardhub.adapters.openspiel.views import label, observation, outcome
from cardhub.adapters.openspiel_library import pyspiel
from cardhub.errors import DeterminizationError, IllegalActionError
from cardhub.game.game import S
from cardhub.hidden.observation import EVERYTHING, Observation, Step
from cardhub.hidden.shuffles.snapshots import back_snapshots, face_snapshots


class CardhubState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A state of a cardhub game, in which chance deals card by card; created by its game."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.node: TreeNode[Any] = game.tree.root

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's id for chance or the end."""
        kind = self.node.due.kind
        if kind == "turn":
            seat: int = self.node.state.seat
            return seat
        return int(pyspiel.PlayerId.TERMINAL if kind == "over" else pyspiel.PlayerId.CHANCE)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.node.due.kind == "over"

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the possible faces, backs or actions of chance, with their probabilities."""
        # A copy: nodes are shared by all states of a game.
        return self.node.odds[:]

    def returns(self) -> list[float]:
        """Return every player's utility; zeros before the end."""
        game = self.get_game()
        if not self.is_terminal():
            return [0.0] * self.node.tree.seats
        values: list[float] = game.utilities(self.node.scores)
        return values

    def resample_from_infostate(
        self, player_id: int, sampler: Callable[[], float]
    ) -> "CardhubState":
        """Return a state sampled from the player's information state.

        `sampler` returns numbers from 0 to 1. Raises DeterminizationError.
        """
        state: CardhubState = self.get_game().new_initial_state()
        # Replayed from the root, as OpenSpiel's states keep their history of actions.
        for step in _resampled(self.node, player_id, Random(sampler())).path():
            state.apply_action(step)
        return state

    def _legal_actions(self, player: int) -> list[int]:
        return [action for action, _ in self.node.odds]

    def _apply_action(self, action: int) -> None:
        if all(action != possible for possible, _ in self.node.odds):
            legal = ", ".join(str(possible) for possible, _ in self.node.odds)
            raise IllegalActionError(f"action {action} is not legal. Legal: {legal}")
        self.node = self.node.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return outcome(self.node, action)
        return label(self.node, player, action)

    @override
    def __str__(self) -> str:
        return observation(self.node, EVERYTHING)


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


def _resampled(node: TreeNode[Any], seat: int, rng: Random) -> TreeNode[Any]:
    # Only the observation is used: the true cards must not influence the sample.
    observed = Observation(node.tree.game, node.state, seat, node.history)
    return node_after(node.tree, observed.determinize_whole(rng), node.history)


def _next_step(node: TreeNode[Any], game: _Playthrough, taken: int) -> int:
    kind, token = node.due
    if kind == "face":
        return game.faces[node.shuffles][token]
    if kind == "back":
        return game.backs[node.shuffles][token]
    return game.steps[taken].action
