"""The question of a match of several games, from its file to the answer."""

from collections.abc import Callable

import pytest
from tests.lab.analysis.conftest import Analysed, Data

from cardhub.lab.match.task import GameTask

Cup = Callable[..., str]
CHIPS_AND_PLACES = "[{game: kuhn, id: x}, {game: kuhn, id: y, score: rank}]"


def by_name(task: GameTask) -> list[int]:
    """Return three chips for the bot whose name comes first, from the other one."""
    first = min(seat.bot for seat in task.seats)
    return [3 if seat.bot == first else -3 for seat in task.seats]


def leads(overall: Data) -> dict[tuple[str, str], float]:
    """Return by how much the first bot of each pair is ahead."""
    return {(row["a"], row["b"]): row["evidence"]["score"]["value"] for row in overall["pairs"]}


@pytest.mark.parametrize("question", ["mean_score", "mean_rank"])
def test_points_count_in_units_of_the_typical_difference(
    analysed: Analysed, cup: Cup, question: str
) -> None:
    """Six chips in every game are as much as a win; places have no unit."""
    text = cup("ab", CHIPS_AND_PLACES, 10, f"overall: {{verdict: {question}}}")
    overall = analysed(text, by_name)["overall"]
    assert overall["question"] == question
    assert leads(overall) == {("a", "b"): pytest.approx(0.5)}
    assert [(row["bot"], row["best"], row["worst"]) for row in overall["leads"]] == [
        ("a", 1, 1),
        ("b", 2, 2),
    ]


def test_asked_about_each_game_there_is_no_mean(analysed: Analysed, cup: Cup) -> None:
    overall = analysed(cup("ab", CHIPS_AND_PLACES, 10, "overall: {verdict: each}"), by_name)[
        "overall"
    ]
    assert (overall["question"], overall["pairs"], overall["leads"]) == ("each", [], [])


def test_a_bot_that_misses_a_game_is_not_compared_or_loses_it(analysed: Analysed, cup: Cup) -> None:
    text = cup("abc", "[{game: kuhn, id: x, score: rank}, {game: kuhn, id: y, score: rank}]", 10)
    text = text.replace("id: c, use: random", "id: c, use: random, plays: [x]")
    assert leads(analysed(text, by_name)["overall"]).keys() == {("a", "b")}
    lost = text.replace("{bootstrap: 100}", "{bootstrap: 100, missing: loss}")
    # In x a leads c by 2/3, through all opponents, and in y by the assumed loss.
    assert leads(analysed(lost, by_name)["overall"])["a", "c"] == pytest.approx((2 / 3 + 1 / 2) / 2)
