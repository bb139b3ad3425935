"""A tree node as a `pyspiel.State`, and resampling from an information state."""

from collections.abc import Callable, Iterable
from itertools import islice
from random import Random
from typing import Any

from typing_extensions import override

from cardhub import EVERYTHING, Observation
from cardhub.bots.solving.game_tree import TreeNode, node_after
from cardhub.learning.arrays import Layout, LegalActions
from cardhub.model.table.rounds import asked_seats, count_choices, turn_to
from cardhub_openspiel.exported.views import label, observation, outcome
from cardhub_openspiel.library import pyspiel


class CardhubState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A state of a cardhub game in which chance deals card by card; its game creates it.

    A round of simultaneous choices is one simultaneous node, or in a turn-based game a node for
    each seat.
    """

    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.node: TreeNode[Any] = game.tree.root
        # The exact actions that are being applied: `apply_action` would take the lowest of several
        # that share a number.
        self._steps: list[int] = []

    def current_player(self) -> int:
        """Return the seat to act, or OpenSpiel's player id for several, for chance or the end."""
        kind = self.node.due.kind
        if kind == "turn":
            seat: int = self.node.state.seat
            return int(pyspiel.PlayerId.SIMULTANEOUS) if self._choosing_seats() else seat
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
        state.follow(_resampled(self.node, player_id, Random(sampler())).path())
        return state

    def follow(self, path: Iterable[int]) -> None:
        """Apply outcomes of chance and actions with the game's numbers, one by one."""
        steps = iter(path)
        for step in steps:
            self.apply_step(step, *islice(steps, max(len(self._choosing_seats()) - 1, 0)))

    def apply_step(self, *steps: int) -> None:
        """Apply an outcome of chance or an action, with the game's numbers.

        At a simultaneous node it takes the action of each seat that chooses, in the order of seats.
        """
        self._steps = [*steps]
        seats = self._choosing_seats()
        if seats:
            joint = [0] * self.node.tree.seats
            for seat, step in zip(seats, steps, strict=True):
                joint[seat] = _number_of(step, self._numbered(seat))
            self.apply_actions(joint)
        else:
            self.apply_action(_number_of(steps[0], self._numbered(self.current_player())))
        self._steps = []

    def meant(self, number: int, player: int) -> int:
        """Return the game's action for a player's number of OpenSpiel; raises ValueError."""
        return self._numbered(player).meant(number)

    def _choosing_seats(self) -> list[int]:
        """Return the seats that choose at a simultaneous node, an empty list at other nodes."""
        if self.node.due.kind != "turn" or self.get_game().is_turn_based:
            return []
        seats = asked_seats(self.node.state)
        return seats if len(seats) > 1 else []

    def _numbered(self, player: int) -> LegalActions:
        """Return the legal steps of a player with their numbers in OpenSpiel."""
        node, steps = self.node, [step for step, _ in self.node.odds]
        if node.due.kind != "turn":
            return LegalActions(steps, steps, ())
        layout: Layout = self.get_game().layout
        state = node.state
        if player == state.seat or player not in self._choosing_seats():
            return layout.legal(state, state.seat, steps)
        state = state.clone()
        turn_to(state, player)
        return layout.legal(state, player, sorted(node.tree.game.legal(state)))

    def _legal_actions(self, player: int) -> list[int]:
        seats = self._choosing_seats()
        return [] if seats and player not in seats else sorted({*self._numbered(player).numbers})

    def _apply_action(self, action: int) -> None:
        steps = self._steps or [self._numbered(self.current_player()).chosen(action)]
        self.node = self.node.child(steps[0])

    def _apply_actions(self, actions: list[int]) -> None:
        seats, node = self._choosing_seats(), self.node
        for step in self._steps or [self._numbered(s).chosen(actions[s]) for s in seats]:
            node = node.child(step)
        self.node = node

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return outcome(self.node, action)
        legal = self._numbered(player)
        if action not in legal.numbers:
            return str(self.get_game().layout.action_text(action))
        others = [legal.meant(number) for number in {*legal.numbers} - {action}]
        return label(self.node, player, legal.meant(action), others)

    @override
    def __str__(self) -> str:
        return observation(self.node, EVERYTHING)


def _number_of(step: int, legal: LegalActions) -> int:
    return legal.numbers[legal.actions.index(step)]


def _resampled(node: TreeNode[Any], seat: int, rng: Random) -> TreeNode[Any]:
    # Use only the observation: the true cards and others' choices must not influence the sample.
    observed = Observation(node.tree.game, node.state, seat, node.history)
    public = len(node.history) - count_choices(node.state)
    sample = node_after(node.tree, observed.determinize_whole(rng), node.history[:public])
    for chooser, choice in node.history[public:]:
        sample = sample.child(choice if chooser == seat else rng.choice(sample.odds)[0])
    return sample
