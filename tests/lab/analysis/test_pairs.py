"""Scores of all pairs, from a whole log, and histograms of their margins."""

from collections.abc import Callable
from random import Random
from typing import Any

import pytest

from cardhub.lab.analysis.pairs.partner_totals import MOST_BARS, MarginHistogram
from cardhub.lab.analysis.schema import MarginBar
from cardhub.lab.match.task import GameTask
from cardhub.lab.stats import ConfidenceSequence, as_elo, mean_score

Data = dict[str, Any]
Analysed = Callable[..., Data]
Cup = Callable[..., str]

FOUR = "[{game: gargon, players: 3, seating: rotation}]"


def planted(task: GameTask) -> list[int]:
    """Return scores by which a loses every third deal, draws the next, and wins the others by 4."""
    gain = (-4, 0, 4)[task.deal % 3]
    return [gain if seat.bot == "a" else 0 for seat in task.seats]


def test_a_pair_has_all_estimates(analysed: Analysed, cup: Cup) -> None:
    """The row has scores with both intervals, Elo, counts and margins."""
    (game,) = analysed(cup("ab", blocks=9), planted)["games"]
    (row,) = game["pairs"]
    scores = [0.0, 0.5, 1.0] * 3
    watched = ConfidenceSequence()
    for score in scores:
        watched.add(score)
    fixed = mean_score(scores)
    assert fixed is not None
    assert tuple(row["score"].values()) == tuple(watched.interval())
    assert tuple(row["elo"].values()) == tuple(as_elo(watched.interval()))
    assert tuple(row["score_fixed"].values()) == tuple(fixed)
    assert (row["a"], row["b"], row["bots"], row["deals"]) == ("a", "b", ["a", "b"], [0, 8])
    assert (row["blocks"], row["games"], row["is_as_planned"]) == (9, 18, True)
    assert (row["wins"], row["draws"], row["losses"]) == (6, 6, 6)
    assert row["margin"]["value"] == 0
    assert row["margins"] == [{"from": n, "to": n, "games": 6} for n in (-4, 0, 4)]
    assert (row["p_value"], row["p_is_exact"], row["verdict"]) == (1, True, "open")
    assert (row["undecided_share"], row["los"]) == (pytest.approx(1 / 3), 0.5)
    assert game["p_value_of"] == row["evidence"]["kind"] == "sign_flip"
    assert row["evidence"]["score"] == row["score_fixed"]
    assert row["evidence"]["limit"] == pytest.approx(0.05)


def test_the_crosstable_has_both_sides(analysed: Analysed, cup: Cup) -> None:
    """The scores of both sides add up to 1, and "better" on one side is "worse" on the other."""

    def scores(task: GameTask) -> list[int]:
        return [0 if seat.bot == "c" else 1 for seat in task.seats]

    (game,) = analysed(cup("abc", blocks=12), scores)["games"]
    cells = {(row["bot"], row["against"]): row for row in game["crosstable"]}
    assert list(cells) == [(x, y) for x in "abc" for y in "abc" if x != y]
    for (one, other), cell in cells.items():
        back = cells[other, one]
        assert cell["score"] == pytest.approx(1 - back["score"])
        assert cell["low"] == pytest.approx(1 - back["high"])
        assert {cell["verdict"], back["verdict"]} in ({"open"}, {"better", "worse"})
    assert [cells[pair]["verdict"] for pair in (("a", "b"), ("a", "c"), ("c", "b"))] == [
        "open",
        "better",
        "worse",
    ]


def test_all_verdicts_hold_at_once(analysed: Analysed, cup: Cup) -> None:
    """Six blocks are enough for one pair alone, by the sign-flip test, but not for three."""

    def scores(task: GameTask) -> list[int]:
        return [-ord(seat.bot) for seat in task.seats]

    alone, among = (analysed(cup(bots, blocks=6), scores)["games"][0] for bots in ("ab", "abc"))
    p_values = [row["p_value"] for row in (*alone["pairs"], *among["pairs"])]
    assert p_values == pytest.approx([2 / 2**6] * 4)
    assert [row["verdict"] for row in alone["pairs"]] == ["better"]
    assert [row["verdict"] for row in among["pairs"]] == ["open"] * 3


def test_optional_stopping_needs_anytime_valid_p_values(analysed: Analysed, cup: Cup) -> None:
    def scores(task: GameTask) -> list[int]:
        return [-ord(seat.bot) for seat in task.seats]

    (game,) = analysed(cup("ab", blocks=9), scores, most=12)["games"]
    (row,) = game["pairs"]
    assert (game["p_value_of"], row["is_as_planned"], row["blocks"]) == ("sequence", False, 6)
    assert row["p_value"] < 0.05 < row["p_always"]
    assert row["verdict"] == "open"
    assert any("as many blocks as planned" in note for note in game["notes"])
    race = "schedule: {mode: racing, blocks: 120, batch: 2}"
    (game,) = analysed(cup("abc", more=race), scores)["games"]
    assert game["p_value_of"] == "sequence"
    assert {row["verdict"] for row in game["pairs"]} == {"better"}
    assert sum(row["blocks"] for row in game["pairs"]) == game["blocks"] < 120


def test_groups_on_the_same_deal_are_one_block(analysed: Analysed, cup: Cup) -> None:
    rng = Random(3)

    def scores(task: GameTask) -> list[int]:
        return [rng.randrange(3) for _ in task.seats]

    (game,) = analysed(cup("abcd", FOUR, blocks=5), scores)["games"]
    assert (game["blocks"], game["games"], game["games_per_block"]) == (20, 60, 3)
    assert {(row["blocks"], row["games"]) for row in game["pairs"]} == {(5, 30)}
    assert {(row["blocks"], row["games"]) for row in game["bots"]} == {(5, 45)}
    assert {row["blocks"] for row in game["seats"]} == {5}


def test_mirrored_tables_count_every_two_seats(analysed: Analysed, cup: Cup) -> None:
    """Two bots at a table for three: six games with two pairs of seats in each."""

    def scores(task: GameTask) -> list[int]:
        return [seat.bot == "a" for seat in task.seats]

    (game,) = analysed(cup("ab", "[{game: gargon, players: 3}]", blocks=4), scores)["games"]
    (row,) = game["pairs"]
    assert row["games"] == game["games"]
    assert (row["wins"], row["draws"], row["losses"]) == (2 * row["games"], 0, 0)
    assert row["score"]["value"] == 1


def test_who_only_fills_seats_is_rated_and_in_no_pair(analysed: Analysed, cup: Cup) -> None:
    def scores(task: GameTask) -> list[int]:
        return [seat.bot == "c" for seat in task.seats]

    text = cup("abc", "[{game: gargon, players: 3, fill: [c]}]", blocks=4)
    (game,) = analysed(text, scores)["games"]
    assert [(row["a"], row["b"]) for row in game["pairs"]] == [("a", "b")]
    assert [(row["bot"], row["is_filler"], row["rank"]) for row in game["bots"]] == [
        ("a", False, 1),
        ("b", False, 1),
        ("c", True, None),
    ]


def test_deals_that_favour_a_seat_need_fewer_games(analysed: Analysed, cup: Cup) -> None:
    """Luck of the deal is three quarters of all variance: blocks save a factor of about four."""
    rng = Random(7)

    def scores(task: GameTask) -> list[int]:
        luck = Random(task.seed).gauss(0, 173)
        return [round(luck * (1 - 2 * seat) + rng.gauss(0, 100)) for seat in (0, 1)]

    (game,) = analysed(cup("ab", blocks=1500), scores)["games"]
    (row,) = game["pairs"]
    assert game["factor_saved"] == row["factor_saved"] > 2.5
    assert game["luck_share"] == pytest.approx(1 - 1 / game["factor_saved"])
    margins = [bar["games"] for bar in row["margins"]]
    assert sum(margins) == 3000
    assert len(margins) <= 41


def test_seats_have_an_advantage_for_every_bot(analysed: Analysed, cup: Cup) -> None:
    rng = Random(5)

    def scores(task: GameTask) -> list[int]:
        return [round(1000 * (rng.gauss(0, 1) + 0.5 * (seat == 0))) for seat in (0, 1)]

    (game,) = analysed(cup("ab", blocks=400), scores)["games"]
    first, second = game["seats"]
    assert 0.05 < first["score"]["low"] < first["score"]["value"] < first["score"]["high"] < 0.25
    assert first["elo"]["value"] == pytest.approx(-second["elo"]["value"])
    assert first["elo"]["low"] > 30
    for row in game["bots"]:
        assert row["elo"]["low"] < 0 < row["elo"]["high"]


def test_histograms_widen_their_bars_instead_of_getting_longer() -> None:
    numbers = [*range(-90, 91), 0, 0]
    one, other = MarginHistogram(), MarginHistogram()
    for number in numbers:
        one.add(number)
    for number in reversed(numbers):
        other.add(number)
    rows = one.rows()
    assert rows == other.rows()
    assert len(rows) <= 2 * MOST_BARS + 1
    assert MarginBar(0, 0, 3) in rows
    assert rows[-1] == MarginBar(89, 96, 2)
    assert rows[0] == MarginBar(-96, -89, 2)
    assert {row.high - row.low for row in rows if row.low} == {7}
    assert sum(row.games for row in rows) == len(numbers)


def test_small_numbers_have_a_bar_each() -> None:
    """Bars are only joined when there are too many."""
    histogram = MarginHistogram()
    for number in (3, -1, 3, 20):
        histogram.add(number)
    assert histogram.rows() == (MarginBar(-1, -1, 1), MarginBar(3, 3, 2), MarginBar(20, 20, 1))


@pytest.mark.parametrize("score", ["win", "rank"])
def test_a_game_won_by_one_of_three_has_a_secondary_test_by_places(
    analysed: Analysed, cup: Cup, score: str
) -> None:
    """Bot a wins every game, b is always ahead of c: wins say nothing about these two."""
    order = {"a": 2, "b": 1, "c": 0}
    table = f"[{{game: gargon, players: 3, score: {score}}}]"
    text = cup("abc", table, blocks=12)
    (game,) = analysed(text, lambda task: [order[seat.bot] for seat in task.seats])["games"]
    assert {(row["a"], row["b"]): row["verdict"] for row in game["joint"]} == {
        ("a", "b"): "better",
        ("a", "c"): "better",
        ("b", "c"): "open" if score == "win" else "better",
    }
    by_places = [row["verdict"] for row in game["by_places"]]
    assert by_places == (["better"] * 3 if score == "win" else [])
    assert all((row["elo"] is None) == (score == "win") for row in game["pairs"])
    ranks = {row["bot"]: (row["best"], row["worst"]) for row in game["bots"]}
    assert ranks["b"] == ((2, 3) if score == "win" else (2, 2))
