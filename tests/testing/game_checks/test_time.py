"""The time of checks: own cost is nobody's fault, and no check takes the time of another one."""

import time
from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest
from tests.games.cribs import Cribs
from tests.games.leaking_cribs import LeakingCribs, WaitingCribs
from tests.games.magpie import Magpie

from cardhub import Game
from cardhub.testing import GameReport, checking, inspect_game
from cardhub.testing.checking import ConformanceError, UnfinishedError, run_limited
from cardhub.testing.game_checks import game_report
from cardhub.testing.game_checks.game_report import GameFindings, SuiteClock
from cardhub.testing.random_play import Trial, default_trial

# Processor seconds of a call of the rules, far below the time of a check of many games.
SHORT = 0.3


def checks_of(report: GameReport) -> set[str]:
    """Return the names of the failed checks."""
    return {finding.check for finding in report.findings}


@pytest.mark.usefixtures("short_suite")
def test_a_correct_game_of_many_deals_has_no_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    """The checks of a game with twelve shuffles take long, but no call of its rules does."""
    monkeypatch.setattr(checking, "LIMIT", SHORT)
    monkeypatch.setattr(game_report, "FEWER_GUESS_GAMES", 10)
    report = inspect_game(Cribs(), games=1, is_measured=False)
    assert (report.findings, report.games) == ((), 1)
    assert set(report.skipped) == {"golden"}


@pytest.mark.usefixtures("short_suite")
def test_leaks_of_a_game_of_many_deals_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "LIMIT", SHORT)
    report = inspect_game(LeakingCribs(), games=1, is_measured=False)
    assert "same_result" in checks_of(report)
    assert "time" not in checks_of(report)


@pytest.mark.usefixtures("short_suite")
def test_a_call_that_does_not_return_hides_no_other_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "LIMIT", SHORT)
    report = inspect_game(WaitingCribs(), games=1, is_measured=False)
    late = report.finding("time")
    assert late is not None
    assert late.problem.startswith("why_not() has not returned after ")
    assert "leaking_cribs.py:" in late.problem
    assert checks_of(report) >= {"time", "same_result"}


def test_the_seconds_bound_all_checks() -> None:
    """Processor time cannot pass faster than the clock, however busy the computer is."""
    began = time.process_time()
    report = inspect_game(Cribs(), seconds=1)
    assert time.process_time() - began < 2
    assert report.findings == ()
    assert "there was no time for it" in report.skipped.values()


def test_a_check_without_time_left_is_skipped_and_the_others_are_run() -> None:
    clock = SuiteClock()
    clock.check_seconds = 0.1
    game, collected, runs = Cribs(), GameFindings(Cribs(), clock), list[str]()

    def check_guesses(game: Game[Any], trial: Trial) -> None:
        runs.append("guesses")
        while True:
            pass

    def check_room(game: Game[Any], trial: Trial) -> None:
        runs.append("room")

    trial = default_trial(game, 2, 0)
    for check in (check_guesses, check_guesses, check_room):
        assert collected(check, game, trial)
    assert runs == ["guesses", "room"]
    assert collected.root_causes() == ()
    why = "0.1 seconds of processor time were not enough for it"
    assert collected.inconclusive()["guesses"] == why
    assert "room" not in collected.inconclusive()


def test_a_check_within_another_one_has_a_time_of_its_own() -> None:
    clock = SuiteClock()
    clock.check_seconds = 0.2
    game, collected = Cribs(), GameFindings(Cribs(), clock)

    def check_reachable(game: Game[Any], trial: Trial) -> None:
        while True:
            pass

    def check_determinization(game: Game[Any], trial: Trial) -> None:
        collected(check_reachable, game, trial)

    assert collected(check_determinization, game, default_trial(game, 2, 0))
    assert "determinization" not in collected.inconclusive()
    assert "reachable" in collected.inconclusive()


@pytest.mark.parametrize(("rounds", "games"), [(1, 50), (2, 100 + 50 + 50), (4, 150 + 50 + 50)])
def test_a_number_of_games_bounds_the_sampled_games(
    rounds: int, games: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One game of each kind needs no more than a few seconds for the checks that sample games."""
    sampled: list[int] = []

    def note(game: Game[Any], trial: Trial, games: int, ends: Callable[[], bool]) -> None:
        assert not ends()
        sampled.append(games)

    def pass_all(check: Callable[..., object], game: Game[Any], subject: Any, *more: Any) -> bool:
        check(game, subject, *more)
        return True

    monkeypatch.setattr(game_report, "check_guesses", note)
    game_report._check_all_guesses(Magpie(), SuiteClock(), rounds, 0, pass_all)
    assert sum(sampled) == games


def test_a_call_that_waits_without_working_is_late(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checking, "LIMIT", 0.1)

    def check_scores(game: Game[Any], subject: object) -> None:
        while True:
            time.sleep(0.01)

    with pytest.raises(ConformanceError, match=r"not returned after a wait of 0\.6 s"):
        run_limited(check_scores, Magpie(), None)


def test_a_check_in_a_thread_ends_as_well() -> None:
    """Signals reach the main thread only."""
    errors: list[Exception] = []
    ended: list[int] = []

    def check_scores(game: Game[Any], subject: object) -> None:
        while not ended:
            time.sleep(0.001)

    def run() -> None:
        try:
            run_limited(check_scores, Magpie(), None, ends=time.monotonic())
        except UnfinishedError as error:
            errors.append(error)

    thread = Thread(target=run)
    thread.start()
    thread.join()
    ended.append(1)
    assert len(errors) == 1
