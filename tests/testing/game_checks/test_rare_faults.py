"""Faults that uniformly random games miss, and rules that do not end."""

from collections.abc import Sequence
from itertools import chain, islice, product
from typing import ClassVar

import pytest
from tests.games import rare_faults as rare
from tests.games.faulty_magpies import GoesOn
from tests.games.magpie import Magpie, Table

from cardhub import Game
from cardhub.testing import GameFinding, Trial, checking, play, random_play
from cardhub.testing.coverage import ActionChooser, Coverage, rounds
from cardhub.testing.game_checks import playout_checks
from cardhub.testing.game_checks.game_report import GameFindings, SuiteClock, check_trial
from cardhub.testing.random_play import default_trial

# Random games that a check had when it missed such faults, and the number that it needs here.
MISSED, NEEDED = 12, 24


def explore(game: rare.Noting, games: int, *, uniform: bool = False) -> tuple[GameFinding, ...]:
    """Return the findings of random games, up to the first game with any."""
    collected = GameFindings(game)
    for trial in islice(chain.from_iterable(rounds(game, 0)), games):
        played = Trial(trial.seats, trial.settings, trial.seed) if uniform else trial
        check_trial(game, played, collected, collected.coverage, is_first=False)
        if collected.by_check:
            break
    return collected.root_causes()


@pytest.mark.parametrize(
    ("game", "check", "problem"),
    [
        (rare.CrashesRarely(), "rules", "fails: ZeroDivisionError"),
        (rare.DeniesRarely(), "truth_is_allowed", "possible() denies that token"),
    ],
    ids=["crash", "inference"],
)
def test_a_fault_that_uniform_games_miss_is_found(
    game: rare.Noting, check: str, problem: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Directed games take rare sequences of actions as often as others."""
    # Both faults are found at the step where they happen.
    monkeypatch.setattr(playout_checks, "_check_samples", lambda *_: None)
    assert explore(game, MISSED, uniform=True) == ()
    (finding,) = explore(game, NEEDED)
    assert finding.check == check
    assert problem in finding.problem
    assert finding.location is not None
    assert finding.location.rounds > 1
    assert finding.again == f"cardhub check noting --seed 0 --games {finding.location.rounds}"
    assert finding.record, "it can be looked at"


@pytest.mark.parametrize(
    ("kind", "method"),
    [
        (rare.WaitsInDeal, "deal"),
        (rare.WaitsInLegal, "legal"),
        (rare.WaitsInApply, "apply"),
        (rare.WaitsInScores, "scores"),
    ],
)
def test_rules_that_do_not_return_are_stopped_and_named(
    kind: type[Magpie], method: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file and line in the game is where they were."""
    monkeypatch.setattr(checking, "LIMIT", 0.3)
    collected = GameFindings(kind())
    check_trial(kind(), default_trial(kind(), 2, 0), collected, is_first=False)
    (finding,) = collected.root_causes()
    assert finding.check == "time"
    assert finding.problem.startswith(f"{method}() has not returned after ")
    assert "rare_faults.py:" in finding.problem
    assert "not checked because time failed" in collected.inconclusive().values()


def test_a_game_without_end_names_the_position_that_recurs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(random_play, "MOST_CHANCE", 60)
    finding = explore_first(rare.RollsAgain())
    assert finding.check == "end"
    assert finding.problem.startswith(
        "chance acts 60 times in a row and never gives the turn back: the same position came "
    )
    assert "such as after chance: roll 1 (games/rare_faults.py:" in finding.problem
    monkeypatch.setattr(random_play, "MOST_ACTIONS", 300)
    assert explore_first(GoesOn()).problem.startswith("the game goes on after 300 actions: ")


def explore_first(game: Game[Table]) -> GameFinding:
    """Return the finding of the first random game."""
    collected = GameFindings(game)
    check_trial(game, default_trial(game, 2, 0), collected, is_first=False)
    return collected.root_causes()[0]


class Votes(Magpie):
    """Has an action and a phase that never come, and an option with many values."""

    phases: ClassVar[Sequence[str]] = (*Magpie.phases, "voting")  # type: ignore[assignment]  # one more

    def legal(self, state: Table) -> list[int]:
        """Offer no card to hide."""
        legal = super().legal(state)
        return [a for a in legal if self.actions.verb_and_index[a][0] != "hide"] or legal


def test_a_report_names_everything_that_no_game_reached() -> None:
    """It lists actions, phases, numbers of players, values of options and cards."""
    game = Votes()
    coverage = Coverage(game)
    for position in islice(play(game, default_trial(game, 2, 0)), 40):
        coverage.note(position)
    sentences = coverage.unreached()
    assert sentences[:2] == ("action `hide` was never legal", "phase `voting` never came")
    assert "no game had 3 or 4 players" in sentences
    assert "option nest=3 or 5 was not tried" in sentences
    assert "option peek=true was not tried" in sentences
    assert any(s.startswith("cards ") and s.endswith(" were never in play") for s in sentences)


def test_rounds_have_all_seats_options_and_pairs_of_options() -> None:
    """Default options first; from the second round on two options are changed as well."""
    first, *later = islice(rounds(Magpie(), 5), 12)
    assert [(t.seats, dict(t.settings)) for t in first[:3]] == [
        (seats, {"nest": 4, "peek": False}) for seats in (2, 3, 4)
    ]
    assert {(t.seats, t.settings["nest"]) for t in first} == set(product((2, 3, 4), (3, 4, 5)))
    pairs = {
        (t.settings["nest"], t.settings["peek"]) for trials in later for t in trials[len(first) :]
    }
    assert {(3, True), (5, True)} <= pairs
    assert {t.seed for t in later[0]} == {6}


def test_a_directed_game_takes_the_actions_taken_least() -> None:
    """Kinds of few actions are taken as often as those that there are for every card."""
    balance = []
    for number in (0, 1):
        game, coverage = rare.Noting(), Coverage(rare.Noting())
        for seed in range(6):
            trial = Trial(2, default_trial(game, 2, 0).settings, seed, number)
            for position in play(game, trial, ActionChooser(game, trial, coverage)):
                coverage.note(position)
        balance.append(min(coverage.kinds.values()) / max(coverage.kinds.values()))
    uniform, directed = balance
    assert directed > 2 * uniform


def test_a_time_plays_the_first_games_of_the_same_sequence(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A longer time adds games and changes none."""
    clock = iter(range(1000))
    game_suite = "cardhub.testing.game_checks.game_report"
    monkeypatch.setattr(f"{game_suite}.monotonic", lambda: next(clock))
    played: list[Trial] = []

    def noted(game: Game[Table], trial: Trial, *_: object, **__: object) -> bool:
        played.append(trial)
        return True

    monkeypatch.setattr(f"{game_suite}.check_trial", noted)
    monkeypatch.setattr(f"{game_suite}._check_all_guesses", lambda *_: None)
    monkeypatch.setattr(f"{game_suite}.PLAY_SHARE", 1)
    collected = GameFindings(Magpie(), SuiteClock(30.0))
    collected.run_suite(0, 3, lambda _: None)
    assert len(played) == collected.games == 29
    assert played == list(islice(chain.from_iterable(rounds(Magpie(), 3)), 29))


def test_chance_takes_no_action_without_weight_in_directed_games() -> None:
    """Weights of zero are respected, small ones are not."""

    class Loaded(Magpie):
        def chance_weights(self, state: Table) -> list[float] | None:
            return [1000, 1, 0]

    game, coverage, rolls = Loaded(), Coverage(Loaded()), set[int]()
    trial = Trial(2, default_trial(game, 2, 0).settings, 0, 1)
    for position in play(game, trial, ActionChooser(game, trial, coverage)):
        coverage.note(position)
        rolls.update(step.action for step in position.history[-1:] if step.action < 3)
    assert rolls == {0, 1}
