"""Positions from which random games go on, because they reached new rules."""

from dataclasses import replace
from typing import Any

from cardhub.model.hidden.outcomes import Outcome
from cardhub.model.table.rounds import is_in_round
from cardhub.model.table.state import OVER
from cardhub.testing.random_play import Opening, Position, Trial

# The most games that go on from one position.
MOST_USES = 8


class Frontier:
    """The openings of a game by number of seats and options."""

    def __init__(self) -> None:
        self._openings: dict[tuple[object, ...], list[Opening]] = {}

    def add(self, position: Position[Any], outcomes: tuple[Outcome, ...]) -> None:
        """Add the actions up to a position, unless the game is over or a round is open."""
        if position.number and position.state.seat != OVER and not is_in_round(position.state):
            opening = Opening(position.trial.seed, position.history, outcomes)
            self._openings.setdefault(_table_of(position.trial), []).append(opening)

    def choose(self, trial: Trial) -> tuple[Trial, Opening] | None:
        """Return the least used opening for a table, the newest one first, and its trial.

        None: there is no opening that was used less than MOST_USES times.
        """
        openings = self._openings.get(_table_of(trial), [])
        opening = min(reversed(openings), key=lambda opening: opening.uses, default=None)
        if opening is None or opening.uses == MOST_USES:
            return None
        opening.uses += 1
        return replace(trial, seed=opening.seed), opening


def _table_of(trial: Trial) -> tuple[object, ...]:
    return (trial.seats, *trial.settings.items())
