"""The check `order` of rounds in which several seats choose at the same time."""

from typing import Any

import pytest
from tests.games.throws import PAPER, Table, Throws

from cardhub import Game
from cardhub.testing import inspect_game
from cardhub.testing.game_checks.game_report import GameFinding, GameFindings, check_trial
from cardhub.testing.random_play import default_trial


def findings(game: Game[Any]) -> dict[str, GameFinding]:
    """Return the findings of a random game by check."""
    collected = GameFindings(game)
    for seed in range(4):
        if not collected.by_check:
            check_trial(game, default_trial(game, 2, seed), collected, is_first=False)
    return {finding.check: finding for finding in collected.root_causes()}


class NotesThrow(Throws):
    """Notes the first throw where everybody sees it."""

    def apply(self, state: Table, action: int) -> None:
        state.points[state.seat] = action + 1
        super().apply(state, action)


class PausesEarly(Throws):
    """Shows the throw of the first seat to everybody."""

    def apply(self, state: Table, action: int) -> None:
        if action == PAPER:
            state.pause("{player} throws paper", by=state.seat)
        super().apply(state, action)


class ReadsThrow(Throws):
    """Forbids the second seat to throw the same as the first."""

    def legal(self, state: Table) -> list[int]:
        return [action for action in super().legal(state) if action not in state.choices]


class FavoursFirst(Throws):
    """Gives a point to the seat that has chosen last."""

    def apply(self, state: Table, action: int) -> None:
        last = state.seat
        super().apply(state, action)
        if state.throws:
            state.points = [0, 0]
            state.points[last] = 1


class PassesOn(Throws):
    """Gives the turn back to the seat that has just chosen."""

    def apply(self, state: Table, action: int) -> None:
        seat = state.seat
        super().apply(state, action)
        if not state.throws:
            state.seat = seat


PLANTED = [
    (NotesThrow, "changes state.points before all have chosen, which everybody sees"),
    (PausesEarly, "pauses or logs before all have chosen, which everybody sees"),
    (FavoursFirst, "the round ends with another state.points if the last seat chooses first"),
]


@pytest.mark.parametrize(("plant", "problem"), PLANTED)
def test_a_choice_with_an_effect_before_all_have_chosen_is_found(
    plant: type[Throws], problem: str
) -> None:
    finding = findings(plant())["order"]
    assert problem in finding.problem
    assert "nothing until state.choose() returns the choices" in finding.promise.remedy


def test_legal_actions_that_read_a_choice_are_found() -> None:
    assert "legal_is_public" in findings(ReadsThrow())


def test_a_turn_that_is_not_passed_on_is_found() -> None:
    assert {"order", "rules"} & {*findings(PassesOn())}


def test_a_game_of_simultaneous_choices_passes_all_checks() -> None:
    report = inspect_game(Throws(), games=1, is_measured=False)
    assert report.findings == ()
    assert "order" not in report.skipped
