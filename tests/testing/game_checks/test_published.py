"""Leaks of secrets other than cards are found by the checks."""

import inspect
from typing import Any

import pytest
from tests.games.moles import HARM, HELP, LOOK, MOLE, PASS, Moles, Table

from cardhub import Game
from cardhub.testing.game_checks.game_report import GameFinding, GameFindings, check_trial
from cardhub.testing.random_play import default_trial


def findings(game: Game[Any]) -> dict[str, GameFinding]:
    """Return the findings of random games by check."""
    collected = GameFindings(game)
    for seed in range(4):
        if not collected.by_check:
            check_trial(game, default_trial(game, 3, seed), collected, is_first=not seed)
    return {finding.check: finding for finding in collected.root_causes()}


class LogsDeed(Moles):
    """Logs a secret action for everybody."""

    def apply(self, state: Table, action: int) -> None:
        if action == HARM:
            state.log("{player} harms", by=state.seat)  # leak
        super().apply(state, action)


class CountsDeeds(Moles):
    """Keeps the number of harms in a public field before it is disclosed."""

    def apply(self, state: Table, action: int) -> None:
        super().apply(state, action)
        state.phase = sum(HARM in deeds for deeds in state.deeds) % 2  # leak


class ForgetsToDisclose(Moles):
    """Makes the number of harms public without `disclose`."""

    def apply(self, state: Table, action: int) -> None:
        before = len(state.harms)
        super().apply(state, action)
        if len(state.harms) > before:
            state.harms[-1] = sum(HARM in deeds for deeds in state.deeds)
            state.answers = ()


class ReadsOthersRow(Moles):
    """Forbids to look after the seat before has looked."""

    def legal(self, state: Table) -> list[int]:
        legal = super().legal(state)
        if state.seat > 0 and LOOK in state.deeds[state.seat - 1]:
            return [action for action in legal if action != LOOK] or [PASS]
        return legal


class LooksInPublic(Moles):
    """Shows the moles to each other in public."""

    def deal(self, state: Table) -> None:
        super().deal(state)
        for mole in range(3):
            for other in range(3):
                if state.face[mole] == state.face[other] == MOLE:
                    state.show(mole, other)


class ScoresDeeds(Moles):
    """Counts all harms for the scores, which only their seats know."""

    def scores(self, state: Table) -> list[int]:
        return [sum(HARM in deeds for deeds in state.deeds)] * 3


class GivesTurnAway(Moles):
    """Passes a turn over after a harm."""

    def apply(self, state: Table, action: int) -> None:
        super().apply(state, action)
        if action == HARM and state.seat == 1:
            state.seat, state.turn = 2, state.turn + 1  # leak
            state.deeds[1].append(HELP)


class TurnsUpKnownRole(Moles):
    """Turns up a role that all players have looked at in secret, and notes it."""

    def deal(self, state: Table) -> None:
        super().deal(state)
        for seat in range(3):
            state.show(0, seat, is_secret=True)

    def apply(self, state: Table, action: int) -> None:
        if not state.turn:
            state.reveal([0])
            state.harms.append(state.face[0])
        super().apply(state, action)


@pytest.mark.parametrize(
    ("game", "check", "problem"),
    [
        (LogsDeed, "same_narration", "harms"),
        (CountsDeeds, "published", "state.phase reveals a secret"),
        (ForgetsToDisclose, "published", "state.harms reveals a secret"),
        (ReadsOthersRow, "legal_is_public", "legal"),
        (LooksInPublic, "deal_is_blind", "seen"),
        (ScoresDeeds, "final_scores", "the final scores depend on what is private"),
        (GivesTurnAway, "published", "state.seat reveals a secret"),
    ],
)
def test_a_leak_is_found(game: type[Moles], check: str, problem: str) -> None:
    causes = findings(game())
    assert problem in causes[check].problem


@pytest.mark.parametrize(
    ("game", "check"),
    [
        (LogsDeed, "same_narration"),
        (CountsDeeds, "published"),
        (GivesTurnAway, "published"),
    ],
)
def test_the_line_that_makes_a_secret_public_is_named(game: type[Moles], check: str) -> None:
    source, first = inspect.getsourcelines(game)
    (leak,) = (number for number, line in enumerate(source, first) if line.endswith("# leak\n"))
    finding = findings(game())[check]
    assert leak in {line.line for line in finding.source_lines}
    assert f"test_published.py:{leak})" in finding.problem
    assert "hidden cards" not in finding.problem


@pytest.mark.parametrize("game", [Moles, TurnsUpKnownRole])
def test_a_game_that_discloses_what_it_makes_public_passes(game: type[Moles]) -> None:
    assert findings(game()) == {}
