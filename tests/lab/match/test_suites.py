"""Suites of deals: made from records, played from every seat, and verified."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from tests.lab.match.conftest import Digests, PlayOnce
from tests.lab.match.match_files import KUHN

from cardhub.base.errors import MatchError, MatchFileError
from cardhub.lab.analysis import analyse
from cardhub.lab.analysis.review.review_run import ReviewRequest, plan_review
from cardhub.lab.match.log.log_reader import GAMES, read_games
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.log.transcript import record_of
from cardhub.lab.match.match_spec import Match, identity_of, match_of
from cardhub.lab.match.matchfile.reader import parse_match
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.lab.match.suite_making import (
    Choose,
    Disagreement,
    make_suite,
    one_of_each_game,
    take_every,
)
from cardhub.lab.match.suites import Suite, read_suite, suite_text
from cardhub.lab.match.verifier import verify
from cardhub.lab.report.rendering import markdown
from cardhub.lab.report.report_files import written_result
from cardhub.lab.report.view.page import read_page
from cardhub.play.records.replaying import open_record, replayed
from cardhub.plugins.registry import PluginRegistry

LEDUC = KUHN.replace("kuhn", "leduc")
MakeSuite = Callable[..., Suite]


@pytest.fixture
def suite(play_once: PlayOnce, registry: PluginRegistry) -> MakeSuite:
    """Return a function that makes a suite from a match of random bots in Leduc poker."""

    def make(choose: Choose | None = None, most: int = 500) -> Suite:
        rng = Random(1)
        take = choose or one_of_each_game(rng, lambda _: True)
        return make_suite([play_once(LEDUC)], registry, take, rng, most=most).suite

    return make


def cup_of(file: Path, registry: PluginRegistry, **keys: object) -> Match:
    """Return a match of two bots of cardhub that begins at the positions of a file."""
    content = {
        "seed": 3,
        "bots": ["random", "cfr:5"],
        "games": [{"game": "leduc", "deals": str(file)}],
        "blocks": 4,
    }
    return parse_match(content | keys, registry)


@pytest.fixture
def file(suite: MakeSuite, tmp_path: Path) -> Path:
    """Return a file with a suite."""
    path = tmp_path / "deals.jsonl"
    path.write_text(suite_text(suite()), "utf-8")
    return path


def test_a_suite_has_a_position_of_each_game_and_is_read_as_written(
    suite: MakeSuite, file: Path
) -> None:
    made = suite()
    assert len({opening.source for opening in made.openings}) == len(made.openings) > 10
    assert read_suite(file) == made
    assert suite() == made
    assert suite(most=3).openings == made.openings[:3]


def test_every_second_decision_is_taken(suite: MakeSuite) -> None:
    made = suite(take_every(2))
    assert {opening.step % 2 for opening in made.openings} == {1}


def test_bots_disagree_in_the_chosen_positions(suite: MakeSuite, registry: PluginRegistry) -> None:
    same = Disagreement(registry, ["cfr:5", "cfr:5"], 0)
    with pytest.raises(MatchError, match="no such decision"):
        suite(one_of_each_game(Random(0), same))
    other = suite(one_of_each_game(Random(0), Disagreement(registry, ["cfr:5", "random"], 0)))
    assert 0 < len(other.openings) < 20


def test_games_begin_at_the_positions_from_every_seat(
    file: Path, registry: PluginRegistry, tmp_path: Path
) -> None:
    cup = cup_of(file, registry)
    run(cup, registry, tmp_path / "out")
    openings = read_suite(file).openings
    results = [result for _, result in read_games(tmp_path / "out")]
    for result in results:
        opening = openings[result.deal]
        assert result.cards == opening.cards
        assert result.moves[: result.opening] == opening.moves
    assert {result.opening > 0 for result in results} == {True, False}
    assert [result.seats for result in results[:2]] == [("random", "cfr-5"), ("cfr-5", "random")]


def test_a_match_from_a_suite_is_the_same_in_any_run_and_verified_without_the_file(
    file: Path, registry: PluginRegistry, tmp_path: Path, digests: Digests
) -> None:
    cup = cup_of(file, registry)
    for name, options in (("one", RunOptions()), ("two", RunOptions(ahead=5))):
        run(cup, registry, tmp_path / name, options)
    assert digests(tmp_path / "one") == digests(tmp_path / "two")
    file.unlink()
    assert match_in(tmp_path / "one").contests == cup.contests
    outcome = verify(tmp_path / "one", registry, rerun=1.0)
    assert (outcome.is_fine, outcome.played_again) == (True, 8)


def test_the_report_counts_the_positions(
    file: Path, registry: PluginRegistry, tmp_path: Path
) -> None:
    run(cup_of(file, registry), registry, tmp_path / "out", RunOptions(analyse=analyse))
    text = markdown(read_page(written_result(tmp_path / "out"), ()))
    count = len(read_suite(file).openings)
    assert f"The games begin at {count} positions of a suite" in text
    assert f'"openings": "{count} positions, in the first line of games.jsonl"' in text


def test_a_changed_opening_in_the_log_is_found(
    file: Path, registry: PluginRegistry, tmp_path: Path
) -> None:
    run(cup_of(file, registry), registry, tmp_path / "out")
    log = tmp_path / "out" / GAMES
    lines = log.read_text("utf-8").splitlines(keepends=True)
    changed = next(n for n, line in enumerate(lines) if n and '"opening":' in line)
    lines[changed] = lines[changed].replace('"opening":', '"opening":1')
    log.write_text("".join(lines), "utf-8")
    assert not verify(tmp_path / "out", registry).is_fine


def test_a_record_names_the_game_that_its_position_comes_from(
    file: Path, registry: PluginRegistry, tmp_path: Path
) -> None:
    cup, leduc = cup_of(file, registry), registry.game("leduc")
    run(cup, registry, tmp_path / "out")
    _, result = next(read_games(tmp_path / "out"))
    record = record_of(cup, result, leduc, tmp_path / "game.jsonl")
    opening = cup.contests[0].openings[0]
    assert record.header.played_on == (opening.source, opening.step)
    assert list(replayed(record, open_record(leduc, record)).scores()) == list(result.scores)


def test_the_identity_of_a_match_has_the_positions(file: Path, registry: PluginRegistry) -> None:
    cup = cup_of(file, registry)
    assert match_of(identity_of(cup)).contests == cup.contests
    dealt = cup_of(file, registry, games=["leduc"])
    assert "openings" not in identity_of(dealt)["games"][0]


@pytest.mark.parametrize(
    ("keys", "problem"),
    [
        ({"blocks": 400}, "write blocks: "),
        ({"schedule": {"mode": "swiss"}}, "not supported with `mode: swiss`"),
        ({"variance": "aivat"}, "not supported with `variance`"),
        ({"bots": ["random", "cmd:true"]}, "write sandbox: yes"),
    ],
)
def test_what_a_suite_does_not_fit_is_reported(
    file: Path, registry: PluginRegistry, keys: dict[str, object], problem: str
) -> None:
    with pytest.raises(MatchFileError) as error:
        cup_of(file, registry, **keys)
    assert problem in str(error.value)


@pytest.mark.parametrize(
    ("edit", "problem"),
    [
        (lambda text: "{}\n", ":1: not a suite of deals"),
        (lambda text: text.splitlines()[0] + "\n", "0 positions"),
        (lambda text: text.replace('"version":"', '"version":"0.'), "this is version"),
        (lambda text: text.replace('"JS"', '"JH"', 1), "the cards are not those of"),
        (lambda text: text.replace('[0,"', '[1,"', 1), "is not to act here"),
    ],
)
def test_a_damaged_suite_is_reported_with_its_line(
    file: Path, registry: PluginRegistry, edit: Callable[[str], str], problem: str
) -> None:
    file.write_text(edit(file.read_text("utf-8")), "utf-8")
    with pytest.raises(MatchFileError) as error:
        cup_of(file, registry)
    assert problem in str(error.value)


def test_decisions_after_actions_of_others_are_not_reviewed(
    file: Path, registry: PluginRegistry, tmp_path: Path
) -> None:
    run(cup_of(file, registry), registry, tmp_path / "out")
    with pytest.raises(MatchError, match="cannot be reviewed"):
        plan_review(tmp_path / "out", registry, ReviewRequest())
