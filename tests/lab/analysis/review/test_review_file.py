"""The file of a review: the same in every run, continued, and kept apart from other reviews."""

from dataclasses import replace
from pathlib import Path
from shutil import copytree

import pytest
from tests.lab.analysis.review.conftest import IN_PROCESS, Play, Review, of_bot

from cardhub.base.errors import MatchError, OptionError
from cardhub.lab.analysis.review import reviews_in
from cardhub.lab.analysis.review.review_file import BUSY, open_review, read_review
from cardhub.lab.analysis.review.review_run import (
    ReviewOptions,
    ReviewRequest,
    default_reviewer,
    plan_review,
)
from cardhub.lab.analysis.review.review_schema import REVIEW
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.run.executors import InProcess, make_executor
from cardhub.plugins.registry import PluginRegistry

REQUEST = ReviewRequest(reviewer="ismcts:10", seats=3, worst=1, mistakes=2)


@pytest.fixture(scope="module")
def whole(play: Play, review: Review) -> Path:
    """Return the folder of a reviewed match."""
    folder = play("careful random", "[{game: kuhn}]", 4)
    review(folder, REQUEST)
    return folder


@pytest.fixture
def folder(whole: Path, tmp_path: Path) -> Path:
    """Return a copy of that folder."""
    return copytree(whole, tmp_path / "cup")


def test_the_file_is_the_same_for_any_number_of_workers(folder: Path, review: Review) -> None:
    """Byte by byte, in the order of the plan."""
    before = (folder / REVIEW).read_bytes()
    review(folder, REQUEST, ReviewOptions(make_executor(2), ahead=4, is_fresh=True))
    assert (folder / REVIEW).read_bytes() == before


@pytest.mark.parametrize("kept", [0.0, 0.3, 0.6, 0.9])
def test_a_review_that_was_killed_continues(folder: Path, review: Review, kept: float) -> None:
    path, before = folder / REVIEW, (folder / REVIEW).read_bytes()
    path.write_bytes(before[: int(kept * len(before))])
    assert review(folder, REQUEST).is_whole
    assert path.read_bytes() == before


def test_a_review_stops_when_its_time_is_over(folder: Path, review: Review) -> None:
    """What it has rated stays, and counts only where a seat is complete."""
    before = (folder / REVIEW).read_bytes()
    options = ReviewOptions(InProcess, seconds=1e-6, is_fresh=True)
    results = review(folder, REQUEST, options)
    assert not results.is_whole
    assert [bot.decisions for bot in results.bots] in ([], [0])
    assert review(folder, REQUEST).is_whole
    assert sorted((folder / REVIEW).read_bytes().split()) == sorted(before.split())


@pytest.mark.parametrize(
    ("request_", "difference"),
    [
        (REQUEST._replace(reviewer="ismcts:11"), "reviewer ismcts:10 instead of ismcts:11"),
        (REQUEST._replace(bots=("careful",)), "bots careful, random instead of careful"),
        (REQUEST._replace(mistakes=3), "mistakes 2 instead of 3"),
    ],
)
def test_a_review_with_other_arguments_is_refused(
    folder: Path, review: Review, request_: ReviewRequest, difference: str
) -> None:
    """It is not overwritten, unless that is asked for."""
    before = (folder / REVIEW).read_bytes()
    with pytest.raises(MatchError, match=difference):
        review(folder, request_)
    assert (folder / REVIEW).read_bytes() == before
    assert review(folder, request_, replace(IN_PROCESS, is_fresh=True)).is_whole


def test_a_review_is_written_by_one_program_at_a_time(folder: Path) -> None:
    content = read_review(folder)
    assert content is not None
    with (
        open_review(folder, content.header),
        pytest.raises(MatchError, match=BUSY),
        open_review(folder, content.header),
    ):
        pass


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"cardhub_review":1', '"cardhub_review":9', ":1: the file has version 9, not 1"),
        ('"kind":"seat"', '"kind":"chair"', ":2: "),
        ('"kind":"decision","legal":2', '"kind":"decision","legal":"x"', "legal"),
    ],
)
def test_a_damaged_file_is_named_with_its_line(
    folder: Path, old: str, new: str, problem: str
) -> None:
    path = folder / REVIEW
    path.write_text(path.read_text("utf-8").replace(old, new, 1), "utf-8")
    with pytest.raises(MatchError, match=problem) as caught:
        reviews_in(folder)
    assert "--fresh" in str(caught.value)


def test_a_review_of_another_match_is_refused(folder: Path, play: Play) -> None:
    """A file that was copied into the wrong folder."""
    other = play("bluffer random", "[{game: kuhn}]", 1)
    (other / REVIEW).write_bytes((folder / REVIEW).read_bytes())
    with pytest.raises(MatchError, match="this review belongs to another match"):
        reviews_in(other)


def test_losses_chosen_by_their_result_count_in_no_mean(whole: Path) -> None:
    content, results = read_review(whole), reviews_in(whole)
    assert content is not None
    assert results is not None
    chosen = [seat for seat in content.seats.values() if seat.chosen_by == "result"]
    assert chosen
    assert of_bot(results, "random").seats == 3
    assert len({(s.game_id, s.seat) for s in content.seats.values()}) == len(content.seats)


def test_seats_of_a_bot_get_equal_numbers_of_games(play: Play, registry: PluginRegistry) -> None:
    folder = play("first random steady", "[{game: gargon, players: 3}]", 2)
    plan = plan_review(folder, registry, ReviewRequest(seats=6, reviewer="ismcts:5"))
    for bot in ("first", "random", "steady"):
        seats = [s.seat for s in plan.seats if s.result.seats[s.seat] == bot]
        assert sorted(seats) == [0, 0, 1, 1, 2, 2]
    assert len({s.result.seats[s.seat] for s in plan.seats[:3]}) == 3


def test_the_default_search_is_stronger_than_those_of_the_bots(
    play: Play, registry: PluginRegistry
) -> None:
    """Four times their iterations, and a thousand at least."""
    folder = play("ismcts:2 random", "[{game: kuhn}]", 1)
    assert default_reviewer(match_in(folder), registry) == "ismcts:iterations=1000"
    match = match_in(folder)
    strong = replace(match, entrants=(replace(match.entrants[0], use="pimc:700"),))
    assert default_reviewer(strong, registry) == "ismcts:iterations=2800"


@pytest.mark.parametrize(
    ("reviewer", "problem"),
    [
        ("random", "cannot rate an action that it would not choose"),
        ("ismcts:milliseconds=5", "looks at the clock"),
    ],
)
def test_a_bot_that_cannot_review_is_refused(
    folder: Path, registry: PluginRegistry, reviewer: str, problem: str
) -> None:
    with pytest.raises(OptionError, match=problem):
        plan_review(folder, registry, REQUEST._replace(reviewer=reviewer))
