"""A game in progress without a referee: no records and no events, which learners do not need."""

from contextlib import suppress
from random import Random
from typing import Any

from cardhub.errors import IllegalActionError
from cardhub.errors.quoting import as_int
from cardhub.game.game import Game
from cardhub.game.initial_state import initial_state, shuffled_pack
from cardhub.hidden.chance import advance, sample_action
from cardhub.hidden.labels import unknown_action
from cardhub.hidden.observation import Observation, Step
from cardhub.table.settings import Settings
from cardhub.table.state import CHANCE, OVER, State


class Episode:
    """The true state of a game and its history; a seed deals the cards of `cardhub play --seed`."""

    def __init__(self, game: Game[Any], settings: Settings, seats: int, seed: int) -> None:
        self._game = game
        # The same generators as at the table, so that equal seeds give equal games.
        faces = shuffled_pack(game, settings, seats, Random(f"{seed} deal"))
        self._state: State = initial_state(game, settings, seats, faces)
        self._chance = Random(f"{seed} chance")
        self._history: list[Step] = []
        self._pass_chance()

    @property
    def seat(self) -> int:
        """The seat to act, or OVER."""
        return self._state.seat

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._state.seat == OVER

    def observe(self, viewer: int) -> Observation[Any]:
        """Return a viewer's observation."""
        return Observation(self._game, self._state, viewer, self._history)

    def scores(self) -> list[int]:
        """Return the present scores by seat."""
        return self._game.scores(self._state)

    def act(self, action: Any) -> None:
        """Apply an action of the seat to act; raises IllegalActionError with the legal ones."""
        number = None
        with suppress(TypeError):  # raised by numpy for arrays that are no integers
            number = as_int(action)
        if number is None or number not in self._game.legal(self._state):
            raise self._refusal(action if number is None else number)
        self._take(number)
        self._pass_chance()

    def _pass_chance(self) -> None:
        while self._state.seat == CHANCE:
            self._take(sample_action(self._game, self._state, self._chance))

    def _take(self, action: int) -> None:
        self._history.append(Step(self._state.seat, action))
        advance(self._game, self._state, action, self._chance)

    def _refusal(self, action: Any) -> IllegalActionError:
        labels, legal = self.observe(self.seat).labels(), self._game.legal(self._state)
        words = unknown_action(action)
        # Other objects, such as an array, have no label.
        if type(action) is int and labels.is_action(action):
            words += f" ({labels.label(action)})"
        names = (f"{number} ({name})" for name, number in labels.notations(legal).items())
        return IllegalActionError(f"{words} is not legal for this agent. Legal: {', '.join(names)}")
