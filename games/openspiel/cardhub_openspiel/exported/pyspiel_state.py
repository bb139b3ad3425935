"""A tree node as a `pyspiel.State`, and resampling from an information state."""

from collections.abc import Callable
from random import Random
from typing import Any

from typing_extensions import override

from cardhub import EVERYTHING, Observation
from cardhub.bots.solving.game_tree import TreeNode, node_after
from cardhub.learning.arrays import Layout, LegalActions
from cardhub.model.table.state import count_choices
from cardhub_openspiel.exported.views import label, observation, outcome
from cardhub_openspiel.library import pyspiel


class CardhubState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A state of a cardhub game in which chance deals card by card; its game creates it."""

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.node: TreeNode[Any] = game.tree.root
        self._step: int | None = None

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's player id for chance or for the end."""
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
        # Return a copy, because all states of a game share the nodes.
        return self.node.odds[:]

    def returns(self) -> list[float]:
        """Return each player's utility; all are 0 before the end."""
        game = self.get_game()
        if not self.is_terminal():
            return [0.0] * self.node.tree.seats
        values: list[float] = game.utilities(self.node.scores)
        return values

    def resample_from_infostate(
        self, player_id: int, sampler: Callable[[], float]
    ) -> "CardhubState":
        """Return a state sampled from the player's information state.

        `sampler`: a function that returns numbers from 0 to 1. Others' choices of an incomplete
        round are sampled uniformly. Raises DeterminizationError.
        """
        state: CardhubState = self.get_game().new_initial_state()
        # Replay from the root, because OpenSpiel's states keep their history of actions.
        for step in _resampled(self.node, player_id, Random(sampler())).path():
            state.apply_step(step)
        return state

    def apply_step(self, step: int) -> None:
        """Apply an outcome of chance, or an action with the game's number."""
        legal = self._numbered()
        # Store the exact action: if several share a number, `apply_action` takes the lowest.
        self._step = step
        self.apply_action(legal.numbers[legal.actions.index(step)])
        self._step = None

    def meant(self, number: int) -> int:
        """Return the game's action for a number of OpenSpiel; raises ValueError."""
        return self._numbered().meant(number)

    def _numbered(self) -> LegalActions:
        """Return the legal steps with their numbers in OpenSpiel."""
        node, steps = self.node, [step for step, _ in self.node.odds]
        if node.due.kind != "turn":
            return LegalActions(steps, steps, ())
        layout: Layout = self.get_game().layout
        return layout.legal(node.state, node.state.seat, steps)

    def _legal_actions(self, player: int) -> list[int]:
        return sorted({*self._numbered().numbers})

    def _apply_action(self, action: int) -> None:
        step = self._numbered().chosen(action) if self._step is None else self._step
        self.node = self.node.child(step)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return outcome(self.node, action)
        legal = self._numbered()
        if action not in legal.numbers:
            return str(self.get_game().layout.action_text(action))
        others = [legal.meant(number) for number in {*legal.numbers} - {action}]
        return label(self.node, player, legal.meant(action), others)

    @override
    def __str__(self) -> str:
        return observation(self.node, EVERYTHING)


def _resampled(node: TreeNode[Any], seat: int, rng: Random) -> TreeNode[Any]:
    # Use only the observation: the true cards and others' choices must not influence the sample.
    observed = Observation(node.tree.game, node.state, seat, node.history)
    public = len(node.history) - count_choices(node.state)
    sample = node_after(node.tree, observed.determinize_whole(rng), node.history[:public])
    for chooser, choice in node.history[public:]:
        sample = sample.child(choice if chooser == seat else rng.choice(sample.odds)[0])
    return sample
