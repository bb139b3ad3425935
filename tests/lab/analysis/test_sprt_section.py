"""The sequential test in the statistics: its history, and the Elo after it."""

from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest

from cardhub.lab.analysis.sprt_section import (
    APART,
    COARSE,
    MOST_POINTS,
    SprtHistory,
    strength_after,
)
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.match.task import GameTask
from cardhub.lab.stats import ConfidenceSequence, Hypotheses, Sprt

ALWAYS = OpenEstimate(300.0, 100.0, None)
STOP = "stop: {sprt: {a: second, b: first, nelo: [0, 400]}}"


def second_is_ahead(task: GameTask) -> list[int]:
    """Return scores by which `second` wins, but loses both games of every fourth deal."""
    is_ahead = task.deal % 4 != 3
    return [1 if (seat.bot == "second") == is_ahead else 0 for seat in task.seats]


def test_the_course_of_a_test_stands_in_the_statistics(
    analysed: Callable[..., dict[str, Any]], cup: Callable[..., str]
) -> None:
    """A point for every block, the same as if the test had been fed with its scores."""
    course = analysed(cup(["first", "second"], blocks=40, more=STOP), second_is_ahead)["test"][
        "course"
    ]
    assert [point["blocks"] for point in course] == list(range(1, len(course) + 1))
    sprt, seen = Sprt(Hypotheses(0, 400), (0, 0.25, 0.5, 0.75, 1)), ConfidenceSequence()
    for point in course:
        score = 0.0 if point["blocks"] % 4 == 0 else 1.0
        sprt.add(score)
        seen.add(score)
        assert point["llr"] == pytest.approx(sprt.llr)
        interval = (point["score"], point["low"], point["high"])
        assert interval == pytest.approx(tuple(seen.interval()))


def test_a_test_with_narrow_hypotheses_suggests_wider_ones(
    analysed: Callable[..., dict[str, Any]], cup: Callable[..., str]
) -> None:
    narrow = STOP.replace("400", "20")
    (note,) = analysed(cup(["first", "second"], blocks=150, more=narrow), second_is_ahead)["notes"]
    assert note.startswith("With `nelo: [0, ")
    assert "not a verdict" in note
    wide = analysed(cup(["first", "second"], blocks=40, more=STOP), second_is_ahead)
    assert wide["notes"] == []


@pytest.mark.parametrize("blocks", [0, 1, MOST_POINTS, MOST_POINTS + 1, 1001])
def test_a_long_course_is_thinned_out(blocks: int) -> None:
    history, sprt = SprtHistory(0.95, in_points=False), Sprt(Hypotheses(0, 400))
    for block in range(blocks):
        score = float(block % 3 == 0)
        sprt.tally.add(score)
        history.add(score, sprt)
    numbers = [point.blocks for point in history.points(sprt)]
    assert len(numbers) <= MOST_POINTS + 1
    assert numbers[-1:] == ([blocks] if blocks else [])
    distances = {late - early for early, late in pairwise(numbers[:-1])}
    assert len(distances) <= 1


def test_intervals_that_contradict_each_other_are_never_told_together() -> None:
    """The anytime-valid one stands then, and the note says so."""
    assert strength_after(OpenEstimate(50.0, 0.0, 99.0), ALWAYS) == (None, APART)
    assert strength_after(OpenEstimate(None, None, 99.0), ALWAYS) == (None, APART)


def test_intervals_that_overlap_are_told() -> None:
    """If the two intervals do not overlap, only the anytime-valid one is given."""
    assert strength_after(OpenEstimate(50.0, 0.0, 101.0), ALWAYS)[1] is None
    assert strength_after(OpenEstimate(None, 442.0, None), ALWAYS) == (None, COARSE)
    assert strength_after(None, None) == (None, None)


def test_a_match_that_its_test_may_end_has_no_fixed_intervals(
    analysed: Callable[..., dict[str, Any]], cup: Callable[..., str]
) -> None:
    """Seats, mixtures, margins and weights of games have values only, even if no block is missing.

    A number of blocks that could have been smaller is not fixed: whether the match goes on depends
    on the results.
    """
    games = "[{game: kuhn, score: rank}, {game: kuhn, id: other, score: rank}]"
    more = "stop: {sprt: {a: a, b: b, game: kuhn}}"

    def scores(task: GameTask) -> list[int]:
        return [(task.deal + 2 * seat) % 5 for seat in range(2)]

    statistics = analysed(cup("abc", games, blocks=6, more=more), scores)
    game = statistics["games"][0]
    values = [seat[key] for seat in game["seats"] for key in ("score", "elo")]
    values += [row["share"] for row in game["transitivity"]["nash"]]
    values += [row["mass"] for row in game["transitivity"]["alpha_rank"]]
    values += [row["margin"] for row in game["pairs"]]
    values += [row["share"] for row in statistics["overall"]["game_mixture"]]
    assert len(values) == 4 + 3 + 3 + 3 + 2
    for value in values:
        assert value["value"] is not None
        assert value["low"] is value["high"] is None
