"""Reports on games have what an author needs to mend a fault."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.games import faulty_magpies as faulty
from tests.games import leaking_magpies as leaking
from tests.games.leaking_vaults import NotesValue
from tests.games.vaults import Vaults
from tests.kit.paths import ROOT

from cardhub import Game
from cardhub.play.records.reading import read_record
from cardhub.play.records.replaying import open_record, replayed
from cardhub.testing import PROMISES, GameFinding, GameReport, inspect_game
from cardhub.testing.game_checks.contract import PAGE, Promise
from cardhub.testing.game_checks.game_report import GameFindings, check_trial
from cardhub.testing.game_checks.taint import public_results
from cardhub.testing.random_play import default_trial
from kuhn import Kuhn


def finding(game: Game[Any], seed: int = 0) -> GameFinding:
    """Return the first finding on a game."""
    collected = GameFindings(game)
    check_trial(game, default_trial(game, 2, seed), collected, is_first=True)
    return collected.root_causes()[0]


def test_a_good_game_passes_and_its_speed_is_said() -> None:
    report = inspect_game(Kuhn())
    assert report.passed
    assert report.games == 2
    assert dict(report.skipped) == {"golden": "there is no record in a folder for them"}
    assert report.speed is not None
    assert not report.speed.is_slow
    pattern = r"[\d,]+ random games a second, [\d,]+ actions a second"
    assert re.fullmatch(pattern, str(report.speed))


def test_a_finding_says_what_where_why_and_how_to_see_it_again() -> None:
    """It has the check, the fix, the contract, seed, players, actions and a command."""
    assert str(finding(faulty.LosesCards(), seed=7)).splitlines() == [
        "cards: every card is in exactly one place",
        "  nowhere: D3 (token 2) (games/faulty_magpies.py:96)",
        "  fix: a token that leaves one pile is put on another one: state.move does both",
        "  contract: 'States' in docs/game-reference.md",
        "  where: seed 7, 2 players, after 3 actions: chance: roll 1; Anna: take, drop D3",
        "  reproduce: cardhub check magpie --seed 7 --games 1",
    ]


@pytest.mark.parametrize(
    ("method", "value", "check", "problem"),
    [
        ("possible", None, "truth_is_allowed", "possible() returns None for token"),
        ("chance_weights", 3, "weights", "chance_weights() returns 3"),
    ],
)
def test_a_value_of_another_type_is_the_fault_of_the_method_that_returns_it(
    method: str, value: object, check: str, problem: str
) -> None:
    kind = type("Wrong", (Vaults,), {method: lambda *_: value})
    failed = finding(kind())
    assert failed.check == check
    assert failed.problem.startswith(problem)
    assert not failed.is_own_fault


def test_an_error_in_a_check_is_not_blamed_on_the_game(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(public_results, "Alternatives", None)
    failed = finding(NotesValue())
    assert failed.check == "same_result"
    assert failed.problem.startswith("cardhub's own check fails: TypeError: ")
    assert "(taint/public_results.py:" in failed.problem
    assert failed.fault.remedy.startswith("report this to the developers of cardhub")
    assert f"fix: {failed.fault.remedy}" in failed.lines()


def test_a_finding_comes_with_a_record_that_leads_there(tmp_path: Path) -> None:
    """Resuming it leads to the state in question."""
    first = finding(leaking.ShowsNote())
    assert first.location is not None
    path = tmp_path / "found.jsonl"
    path.write_text("".join(first.record), "utf-8")
    record, game = read_record(path), leaking.ShowsNote()
    referee = replayed(record, open_record(game, record))
    assert len(referee.observe(0).history) == len(first.location.actions) > 5
    notations = [line["action"] for _, line in record.lines if "action" in line]
    assert notations == [action for _, action in first.location.actions]
    seat = max(referee.seat, 0)  # before a roll of chance and after the end it is the first one
    assert [player.is_human for player in referee.players] == [seat == 0, seat == 1]


@pytest.mark.usefixtures("without_taint")
def test_only_the_end_of_a_long_list_of_actions_is_printed() -> None:
    place = finding(leaking.ShowsNote()).location
    assert place is not None
    assert "actions: in the end " in place.brief()
    assert len(place.brief()) < len(str(place))
    short = replace(place, actions=place.actions[:1])
    assert short.brief() == str(short) == "seed 0, 2 players, after 1 action: chance: roll 1"


def test_facts_for_programs_are_json() -> None:
    facts = json.loads(json.dumps(finding(faulty.LosesCards()).facts()))
    assert facts["section"] == "States"
    assert facts["place"]["actions"][0] == {"seat": "chance", "action": "roll 1"}
    assert facts["reproduce"] == "cardhub check magpie --seed 0 --games 1"


def test_a_check_without_a_result_is_not_reported_as_passed() -> None:
    """Checks that depend on a failed one are skipped with that reason, and so are later ones."""
    report = inspect_game(faulty.LosesCards(), games=1)
    assert [finding.check for finding in report.findings] == ["cards"]
    assert report.skipped["same_scene"] == "not checked because cards failed"
    assert report.skipped["scene"] == "no game reached it"
    assert report.speed is None
    assert report.games == 3, "after some games that end with a fault no more are played"


def test_a_game_whose_options_do_not_fit_is_not_played() -> None:
    """A table could not be opened."""
    report = inspect_game(faulty.ExpectsTooMuch())
    assert ([f.check for f in report.findings], report.games) == (["options"], 0)
    assert report.findings[0].again == "cardhub check magpie"


@pytest.fixture
def golden(tmp_path: Path) -> Path:
    """Return a folder with the record of a game of Kuhn poker."""
    folder = tmp_path / "records"
    folder.mkdir()
    from cardhub.cli.main import cli

    words = ["play", "kuhn", "--seat=Anna=random", "--seed=3", f"--record={folder / 'a.jsonl'}"]
    assert CliRunner().invoke(cli, words).exit_code == 0
    return folder


def kept(folder: Path) -> GameReport:
    """Return the report on Kuhn poker with records."""
    return inspect_game(Kuhn(), games=1, records=folder, is_measured=False)


def test_kept_records_are_replayed(golden: Path) -> None:
    report = kept(golden)
    assert (report.passed, report.records, "golden" in report.skipped) == (True, 1, False)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"scores": [', '"scores": [7, ', "but this game ends with"),
        ('"action": "check"', '"action": "fold"', "'fold' is not legal here. Legal: check, bet"),
        ('"version": "1"', '"version": "0"', "recorded with kuhn version 0; version 1 is here"),
        ('"game": "kuhn"', '"game": "leduc"', "this is a record of leduc, not of kuhn"),
        ('{"scores"', "", "the game is not over, so there are no scores to compare"),
    ],
)
def test_a_record_that_no_longer_fits_is_found(
    golden: Path, old: str, new: str, problem: str
) -> None:
    path = golden / "a.jsonl"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1) if new else text[: text.index(old)], "utf-8")
    (finding,) = kept(golden).findings
    assert finding.check == "golden"
    assert re.search(r"a\.jsonl:\d+: ", finding.problem)
    assert problem in finding.problem


def test_every_promise_says_what_would_be_right_and_where_that_is_written() -> None:
    for name, promise in PROMISES.items():
        assert promise.sentence
        assert promise.remedy
        assert set(promise.after) <= PROMISES.keys() - {name}
        assert not any(name in PROMISES[other].after for other in promise.after)
    assert isinstance(PROMISES["cards"], Promise)


def test_the_page_on_the_contract_has_every_section_and_check() -> None:
    """A finding names a section of it; the page of checks lists all in their own words."""
    page = (ROOT / PAGE).read_text("utf-8")
    sections = set(re.findall(r"^##+ (.+)$", page, re.MULTILINE))
    assert {promise.section for promise in PROMISES.values()} <= sections
    checks = (ROOT / "docs" / "game-checks.md").read_text("utf-8")
    listed = re.findall(r"^\| `(\w+)` \| (.+) \|$", checks, re.MULTILINE)
    assert listed[: len(PROMISES)] == [(name, p.sentence) for name, p in PROMISES.items()]


def test_the_same_check_finds_the_same() -> None:
    one, again = (inspect_game(faulty.OffersNothing(), seed=5) for _ in range(2))
    assert one == again
    assert (
        one.findings[0].location
        != inspect_game(faulty.OffersNothing(), seed=6).findings[0].location
    )
