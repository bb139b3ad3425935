"""A game in progress without a referee, because learners need neither records nor events."""

from collections.abc import Sequence
from functools import partial
from random import Random
from typing import Any

from cardhub.learning.arrays import Layout, LegalActions, Row
from cardhub.learning.arrays.layout import known_scores
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import Seed, initial_state, shuffled_pack
from cardhub.model.hidden.chance import resolve_shuffles, sample_action
from cardhub.model.hidden.masked_rules import under_mask
from cardhub.model.hidden.observation import Observation, Step, observed_state
from cardhub.model.table.rounds import acting_seats
from cardhub.model.table.secrets import note_views
from cardhub.model.table.state import CHANCE, OVER, State
from cardhub.plugins.registry import find_plugins


class Episode:
    """The true state of a game at the table of a layout, and its history.

    `seed`: the seed of chance, and of the deal unless `faces` are given by token; `cardhub play
    --seed` deals the same cards.
    """

    def __init__(self, layout: Layout, seed: Seed, faces: list[int] | None = None) -> None:
        self._game: Game[Any] = layout.game
        self._seed = seed
        if faces is None:
            # Use the table's generators: equal seeds give equal games.
            rng = Random(f"{seed} deal")
            faces = shuffled_pack(layout.game, layout.settings, layout.seats, rng)
        self._state: State = initial_state(layout.game, layout.settings, layout.seats, faces)
        self._rng: Random | None = None
        self.history: list[Step] = []
        """All actions so far, including chance actions."""
        self._legal: list[int] | None = None
        self._pass_chance()

    @property
    def seat(self) -> int:
        """The seat to act, or OVER."""
        return self._state.seat

    @property
    def seats_to_act(self) -> list[int]:
        """The seats to act, in order: several if they choose at the same time, none at the end."""
        return acting_seats(self._state)

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._state.seat == OVER

    @property
    def seats(self) -> int:
        """The number of seats."""
        return self._state.seats

    def observe(self, viewer: int) -> Observation[Any]:
        """Return a viewer's observation."""
        return Observation(self._game, self._state, viewer, self.history)

    def row(self, viewer: int) -> Row:
        """Return the row from which a viewer's array is encoded; valid until the next action."""
        scores = under_mask(self._state, viewer, partial(known_scores, self._game))
        return Row(self._state, viewer, self.history, scores)

    def turn(self) -> tuple[Row, list[int]]:
        """Return the row and the legal actions of the seat to act."""
        state = self._state
        # Mask once for both rules, because this runs at every decision of every game of a batch.
        self._legal, scores = under_mask(state, state.seat, self._legal_and_scores)
        return Row(state, state.seat, self.history, scores), self._legal

    def _legal_and_scores(self, masked: State) -> tuple[list[int], Sequence[int]]:
        return self._game.legal(masked), known_scores(self._game, masked)

    def legal(self) -> list[int]:
        """Return the legal actions of the seat to act."""
        if self._legal is None:
            self._legal = under_mask(self._state, self._state.seat, self._game.legal)
        return self._legal

    def numbered(self, layout: Layout, seat: int | None = None) -> LegalActions:
        """Return the legal actions of a seat to act, by default the first, with a layout's numbers.

        The others are seats that choose at the same time.
        """
        if seat is None or seat == self.seat:
            return layout.legal(self._state, self._state.seat, self.legal())
        state = observed_state(self._state, seat)
        return layout.legal(state, seat, self._game.legal(state))

    def scores(self) -> Sequence[int]:
        """Return the present scores by seat."""
        return self._game.scores(self._state)

    def apply(self, action: int) -> None:
        """Apply a legal action of the seat to act, without a check."""
        self._apply_step(action)
        if self._state.seat == CHANCE:
            self._pass_chance()

    def _pass_chance(self) -> None:
        while self._state.seat == CHANCE:
            self._apply_step(sample_action(self._game, self._state, self._chance()))

    def _apply_step(self, action: int) -> None:
        state = self._state
        self._legal = None
        self.history.append(Step(state.seat, action))
        if state.views_field:
            note_views(state)
        self._game.apply(state, action)
        if state.pending_shuffles:
            resolve_shuffles(self._game, state, self._chance())

    def _chance(self) -> Random:
        # Create the generator lazily: seeding takes longer than a small game, and few games need
        # chance after the deal.
        if self._rng is None:
            self._rng = Random(f"{self._seed} chance")
        return self._rng


def named_game(game: str | Game[Any]) -> Game[Any]:
    """Return the installed game of this name, or the game itself; raises PluginError."""
    return find_plugins().game(game) if isinstance(game, str) else game
