"""Statistics of games that are played for points."""

from collections.abc import Callable
from typing import Any

import pytest

from cardhub.lab.match.task import GameTask

Analysed = Callable[..., dict[str, Any]]
Cup = Callable[..., str]

# Chips that a bot wins more than an even one: on average 1 for a and -1 for c.
STRENGTH = {"a": 1, "b": 0, "c": -1}


def chips(task: GameTask) -> list[int]:
    """Return chips by strength, luck of the deal that favours a seat, and luck of a single game."""
    luck = (int(task.seed[:8], 16) % 7) - 3
    single = (int(task.id[:8], 16) % 9) - 4
    first, second = (STRENGTH[seat.bot] for seat in task.seats)
    ahead = first - second + luck + single
    return [ahead, -ahead]


@pytest.fixture
def statistics(analysed: Analysed, cup: Cup) -> dict[str, Any]:
    """Return the statistics of Kuhn poker between bots that differ by a chip."""
    game: dict[str, Any] = analysed(cup("cab", "[{game: kuhn}]", blocks=100), chips)["games"][0]
    return game


def test_poker_is_scored_by_chips(statistics: dict[str, Any]) -> None:
    assert (statistics["scoring"], statistics["unit"]) == ("points", "chips")


def test_pairs_are_compared_by_the_mean_difference_in_a_game(statistics: dict[str, Any]) -> None:
    """What a wins b loses: a chip of strength makes a difference of two."""
    (pair,) = (row for row in statistics["pairs"] if {row["a"], row["b"]} == {"a", "b"})
    score, fixed = pair["score"], pair["score_fixed"]
    assert score["value"] == pytest.approx(2, abs=0.8)
    assert score["low"] < fixed["low"] < fixed["value"] < fixed["high"] < score["high"]
    assert fixed == pair["margin"]
    assert (pair["verdict"], pair["is_as_planned"]) == ("better", True)
    assert max(pair["p_value"], pair["p_always"]) < 0.05


def test_points_have_normalized_elo_only(statistics: dict[str, Any]) -> None:
    """Logistic Elo is about scores from 0 to 1."""
    for pair in statistics["pairs"]:
        assert pair["elo"] is None
        assert pair["elo_fixed"] is None
        assert pair["nelo_fixed"]["value"] * pair["score"]["value"] > 0


def test_the_luck_of_the_seat_leaves_the_blocks(statistics: dict[str, Any]) -> None:
    assert statistics["luck_share"] > 0.2
    assert (
        abs(statistics["seats"][0]["score"]["value"] + statistics["seats"][1]["score"]["value"])
        < 1e-9
    )


def test_bots_are_ranked_by_points(statistics: dict[str, Any]) -> None:
    assert [row["bot"] for row in statistics["bots"]] == ["a", "b", "c"]
    assert [row["rank"] for row in statistics["bots"]] == [1, 2, 3]
    for row in statistics["bots"]:
        assert row["points"]["value"] == pytest.approx(row["score"])
        assert row["points"]["low"] < row["points"]["value"] < row["points"]["high"]
        # Each met two others, and the differences are twice the points.
        above = row["points_above_mean"]
        assert above["value"] == pytest.approx(row["points"]["value"] * 4 / 3)
        assert above["low"] < above["value"] < above["high"]
        assert row["elo"] is not None


def test_both_cells_of_a_pair_have_opposite_differences(statistics: dict[str, Any]) -> None:
    cells = {(cell["bot"], cell["against"]): cell for cell in statistics["crosstable"]}
    one, other = cells["a", "c"], cells["c", "a"]
    assert (one["score"], one["low"], one["high"]) == (
        -other["score"],
        -other["high"],
        -other["low"],
    )
    assert (one["verdict"], other["verdict"]) == ("better", "worse")


def test_mixtures_and_cycles_are_those_of_the_differences(statistics: dict[str, Any]) -> None:
    """The best bot is the whole Nash mixture."""
    shares = {row["bot"]: row["share"]["value"] for row in statistics["transitivity"]["nash"]}
    assert shares["a"] == pytest.approx(1, abs=1e-6)
    assert statistics["transitivity"]["certified_cycles"] == []


def test_a_seat_at_fault_is_ahead_of_no_rival(analysed: Analysed, cup: Cup) -> None:
    """Its substitute may win: it is a point behind the loser then."""

    def fair(task: GameTask) -> list[int]:
        return [3 if seat.bot == "b" else -3 for seat in task.seats]

    def faulty(task: GameTask) -> list[int]:
        return [[seat.bot for seat in task.seats].index("b")] if task.deal == 0 else []

    game = analysed(cup("ab", "[{game: kuhn}]", blocks=4), fair, faulty)["games"][0]
    assert game["pairs"][0]["score"]["value"] == (1 + 3 * -6) / 4
    (row,) = (row for row in game["bots"] if row["bot"] == "b")
    assert row["score"] == (-4 + 3 * 3) / 4


@pytest.mark.parametrize("hypotheses", ["nelo: [0, 100]", "points: [0, 2]"])
def test_a_sequential_test_is_about_chips(analysed: Analysed, cup: Cup, hypotheses: str) -> None:
    """Its strength is the mean difference with an anytime-valid interval."""
    stop = f"stop: {{sprt: {{a: a, b: c, {hypotheses}}}}}"
    test = analysed(cup("ac", "[{game: kuhn}]", blocks=300, more=stop), chips)["test"]
    assert test["verdict"] == "better"
    assert test["elo"] is test["elo_always"] is None
    assert "no logistic Elo" in test["elo_note"]
    assert test["score_always"]["value"] > 1
    assert test["course"][-1]["score"] == test["score_always"]["value"]


def test_in_a_common_cause_a_game_is_one_table_of_each_bot(analysed: Analysed, cup: Cup) -> None:
    """Normalized Elo in the table of pairs has the scale of the test's hypotheses."""

    def tables(task: GameTask) -> list[int]:
        # Differences of 3 and 1 by turns: the mean is 2, the standard deviation 1.005.
        return [60 + (2 + (-1) ** task.deal if task.seats[0].bot == "a" else 0)] * 2

    stop = "stop: {sprt: {a: a, b: b, nelo: [0, 690]}}"
    text = cup("ab", "[{game: four_piles, players: 2}]", blocks=100, more=stop)
    statistics = analysed(text, tables)
    (pair,) = statistics["games"][0]["pairs"]
    blocks = pair["blocks"]
    sd = (blocks / (blocks - 1)) ** 0.5
    assert pair["score_fixed"]["value"] == pytest.approx(2, abs=0.1)
    assert pair["nelo_fixed"]["value"] == pytest.approx(2 * 347.4 / sd, rel=0.05)
    assert statistics["test"]["verdict"] == "better"
