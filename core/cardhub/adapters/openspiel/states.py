"""A position as a `pyspiel.State`."""

from random import Random
from typing import TYPE_CHECKING

from cardhub.adapters.openspiel.resampling import resampled
from cardhub.adapters.openspiel.views import label, observation, outcome
from cardhub.adapters.openspiel_library import pyspiel
from cardhub.errors import IllegalActionError
from cardhub.hidden.observation import EVERYTHING

if TYPE_CHECKING:
    from collections.abc import Callable

    from cardhub.adapters.openspiel.games import CardhubGame


class CardhubState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no types
    """A state of a cardhub game, in which chance deals card by card; made by its game."""

    def __init__(self, game: "CardhubGame") -> None:
        super().__init__(game)
        self.position = game.tree.root

    def current_player(self) -> int:
        """Return the seat to act, or what stands for chance or the end."""
        kind = self.position.due.kind
        if kind == "turn":
            seat: int = self.position.state.seat
            return seat
        return int(pyspiel.PlayerId.TERMINAL if kind == "over" else pyspiel.PlayerId.CHANCE)

    def is_terminal(self) -> bool:
        """Return whether the game is over."""
        return self.position.due.kind == "over"

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return what chance can decide next, a face, a back or an action, and how likely."""
        return self.position.odds[:]

    def returns(self) -> list[float]:
        """Return what the game is worth to every player; nothing before the end."""
        game: CardhubGame = self.get_game()
        if not self.is_terminal():
            return [0.0] * game.tree.seats
        return game.worth(self.position.scores)

    def resample_from_infostate(
        self, player_id: int, sampler: "Callable[[], float]"
    ) -> "CardhubState":
        """Return another state that the player cannot tell from this one.

        `sampler` gives numbers from 0 to 1. Raises DeterminizationError.
        """
        again = resampled(self.position, player_id, Random(sampler()))
        state: CardhubState = self.get_game().new_initial_state()
        for step in again.path():
            state.apply_action(step)
        return state

    def _legal_actions(self, player: int) -> list[int]:
        return [action for action, _ in self.position.odds]

    def _apply_action(self, action: int) -> None:
        if all(action != possible for possible, _ in self.position.odds):
            legal = ", ".join(str(possible) for possible, _ in self.position.odds)
            raise IllegalActionError(f"action {action} is not legal. Legal: {legal}")
        self.position = self.position.child(action)

    def _action_to_string(self, player: int, action: int) -> str:
        if player == pyspiel.PlayerId.CHANCE:
            return outcome(self.position, action)
        return label(self.position, player, action)

    def __str__(self) -> str:
        return observation(self.position, EVERYTHING)
