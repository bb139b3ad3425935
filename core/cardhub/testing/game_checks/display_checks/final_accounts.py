"""Checks of finished games: the scores by cause, and the counts for statistics."""

from typing import Generic

from cardhub.model.game.breakdown_faults import breakdown_faults
from cardhub.model.game.game import Display, Game, S
from cardhub.model.game.played_steps import Frequency, PlayedStep
from cardhub.model.hidden.observation import EVERYTHING, Observation, observe_step
from cardhub.model.table.rounds import count_choices
from cardhub.testing.checking import error_line
from cardhub.testing.game_checks.display_checks.comparisons import is_one_line
from cardhub.testing.random_play import Position


class StepCollector(Generic[S]):
    """Collects the steps of a random game as one seat sees them, if the game counts any."""

    def __init__(self, game: Game[S], seat: int) -> None:
        self.seat = seat
        self._game = game
        self.steps: list[PlayedStep[S]] = []
        # Copies of states at every step, which most games do not need.
        self._is_needed = type(game.display).player_statistics is not Display.player_statistics

    def add(self, position: Position[S]) -> None:
        """Add the last action before a position; of a round of choices only the last one."""
        before, applied = position.before, position.applied
        if not self._is_needed or before is None or applied is None or count_choices(applied):
            return
        action = position.steps[position.number - 1].action
        first, second = observe_step(self._game, before, action, applied, self.seat)
        self.steps.append(PlayedStep(first.state, action, second.state))


def check_breakdown(game: Game[S], position: Position[S]) -> None:
    """Check that the points of all causes add up to the scores at the end of a game."""
    observation = Observation(game, position.state, EVERYTHING)
    try:
        sections = list(game.display.breakdown(observation.state))
        faults = list(breakdown_faults(sections, game.scores(position.state)))
    except Exception as error:  # noqa: BLE001  # the method of a faulty game may raise anything
        position.fail(game, "breakdown", f"breakdown(): {error_line(error)}")
    if faults:
        position.fail(game, "breakdown", "; ".join(faults))


def check_player_statistics(
    game: Game[S], position: Position[S], collector: StepCollector[S]
) -> None:
    """Check that the counts of a finished game for a seat have texts and valid frequencies."""
    try:
        notes = dict(game.display.player_statistics(collector.steps, collector.seat))
    except Exception as error:  # noqa: BLE001  # the method of a faulty game may raise anything
        problem = f"player_statistics() for seat {collector.seat}: {error_line(error)}"
        position.fail(game, "player_statistics", problem)
    for text, frequency in notes.items():
        is_valid = isinstance(frequency, Frequency) and frequency.is_valid
        if not text or not is_one_line(text) or not is_valid:
            problem = f"seat {collector.seat} gets {text!r}: {frequency!r}"
            position.fail(game, "player_statistics", problem)
