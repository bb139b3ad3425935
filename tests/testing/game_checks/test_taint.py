"""Leaks of hidden cards are found at their lines, at their first occurrence."""

import inspect
from itertools import chain
from typing import Any

import pytest
from tests.games import leaking_vaults as leaking
from tests.games.vaults import Vaults

from cardhub import Game
from cardhub.testing import ConformanceError, play
from cardhub.testing.game_checks.display import check_sight
from cardhub.testing.game_checks.game_report import GameFinding, GameFindings, check_trial
from cardhub.testing.random_play import default_trial

# Random games in which each leak has to be found.
FEW = 12


def findings(game: Game[Any], check: str = "") -> dict[str, GameFinding]:
    """Return the findings of random games, up to the first game in which `check` fails."""
    collected = GameFindings(game)
    for number in range(FEW if check else 2):
        check_trial(game, default_trial(game, 2, number), collected, is_first=not number)
        if check in collected.by_check:
            break
    return {finding.check: finding for finding in collected.root_causes()}


def leaking_lines(plant: type[Vaults]) -> set[int]:
    """Return the lines of a plant or its display that are marked as its leak."""
    kinds = [kind for kind in (plant, plant.display_type) if inspect.isclass(kind)]
    sources = [
        inspect.getsourcelines(kind) for kind in kinds if kind.__module__ == plant.__module__
    ]
    lines = chain.from_iterable(enumerate(text, first) for text, first in sources)
    return {number for number, line in lines if line.rstrip().endswith("# leak")}


# The check that finds each leak.
IN_RESULTS = (
    *(leaking.NotesValue, leaking.NotesByBranch, leaking.NotesOneFace, leaking.NotesSum),
    *(leaking.NotesPairs, leaking.NotesByTable, leaking.ReadsSlice, leaking.DrawsHigher),
    *(leaking.ShufflesSorted, leaking.TurnsByCard, leaking.ShowsIfHigh, leaking.AsksIfHigh),
    *(leaking.LogsValue, leaking.LogsByBranch, leaking.PausesAtValue, leaking.PausesIfHigh),
    *(leaking.PausesSorted, leaking.VotesByCard, leaking.RaisesBets, leaking.NamesKept),
    leaking.NotesBetweenVotes,
)
ELSEWHERE = (
    (leaking.DealsNote, "deal_is_blind"),
    (leaking.DealsSorted, "deal_is_blind"),
    (leaking.LimitsBets, "legal_is_public"),
    (leaking.WeighsRolls, "legal_is_public"),
    (leaking.HidesLowOnly, "reachable"),
    (leaking.CountsVotesEarly, "order"),
    (leaking.SortsScene, "scene"),
)


@pytest.mark.usefixtures("short_suite")
@pytest.mark.parametrize(
    ("plant", "check"),
    [*((plant, "same_result") for plant in IN_RESULTS), *ELSEWHERE],
    ids=lambda value: getattr(value, "__name__", value),
)
def test_a_leak_is_found_at_its_line(plant: type[Vaults], check: str) -> None:
    reported = findings(plant(), check)
    assert check in reported
    named = {line.line for line in reported[check].source_lines}
    assert leaking_lines(plant) <= named


def test_the_report_names_card_viewer_action_and_another_card() -> None:
    finding = findings(leaking.NotesByBranch(), "same_result")["same_result"]
    assert finding.problem.startswith("state.note depends on the face of V")
    assert "which seat 1 has not seen: with V" in finding.problem
    assert "in its place it is another after 'hide V" in finding.problem
    first, second = finding.source_lines
    assert first.line < second.line
    assert second.problem == "changes state.note by a hidden face"


@pytest.mark.usefixtures("short_suite")
@pytest.mark.parametrize("good", [Vaults, leaking.AnswersHigh, leaking.TurnsUp])
def test_answers_and_cards_that_are_turned_up_are_no_leaks(good: type[Vaults]) -> None:
    assert findings(good()) == {}


@pytest.mark.usefixtures("short_suite")
@pytest.mark.parametrize("harmless", [leaking.LogsForSeer, leaking.ReadsInVain, leaking.NotesDeck])
def test_a_read_that_nobody_notices_is_no_leak(harmless: type[Vaults]) -> None:
    assert findings(harmless()).keys() <= {"record"}


def look_at_games(game: Game[Any]) -> None:
    """Have all viewers look at every step of a few random games."""
    for seed in range(FEW):
        for position in play(game, default_trial(game, 2, seed)):
            for viewer in range(3):
                check_sight(game, position, viewer)


@pytest.mark.parametrize(
    "plant",
    [
        *(leaking.SortsScene, leaking.PromptsCard, leaking.NarratesCard, leaking.SumsUpCard),
        *(leaking.SaysCard, leaking.ChaptersByCard, leaking.ScenesAtPauses),
        *(leaking.LabelsCard, leaking.CostsByCard),
    ],
)
def test_a_text_or_scene_that_reads_a_hidden_card_is_found_at_its_step(
    plant: type[Vaults],
) -> None:
    with pytest.raises(ConformanceError) as caught:
        look_at_games(plant())
    (line,) = leaking_lines(plant)
    assert f"leaking_vaults.py:{line}" in caught.value.problem
