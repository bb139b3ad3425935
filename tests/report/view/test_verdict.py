"""The sentence at the top."""

import copy
from typing import Any

import pytest
from msgspec import convert

from cardhub.analysis.game_schema import GameStatistics
from cardhub.analysis.schema import MatchResult
from cardhub.report.view import verdict


def conclude(result: Any) -> verdict.Conclusion:
    """Return the conclusion of a result that is given as data."""
    return verdict.conclude(convert(result, MatchResult))


def conclude_game(game: Any) -> verdict.Conclusion:
    """Return the conclusion of one game that is given as data."""
    return verdict.conclude_game(convert(game, GameStatistics), 0.95)


def view(title: str, *bots: tuple[str, int, int, int]) -> dict[str, Any]:
    """Return a view of bots with rank, best and worst."""
    rows = [{"bot": b, "elo": None, "rank": r, "best": low, "worst": w} for b, r, low, w in bots]
    return {"view": title, "title": title, "bots": rows}


def with_views(result: Any, *views: dict[str, Any]) -> Any:
    """Return a result with other views of all games together."""
    changed = copy.deepcopy(result)
    changed["statistics"]["overall"].update(views=list(views), left_out=[])
    return changed


def test_one_that_is_first_in_every_view_beyond_doubt_is_the_best(cup: Any) -> None:
    """All its ranges of ranks are 1 to 1."""
    sure = view("mean Elo", ("a", 1, 1, 1), ("b", 2, 2, 2))
    told = conclude(with_views(cup.result, sure, sure))
    assert told.sentence == "a is the best bot over all games, in every view."
    assert told.sure
    assert told.reasons[0] == "Mean Elo: a, rank 1 in 95 % of draws."


def test_it_is_said_who_was_not_compared(cup: Any) -> None:
    """The best of few bots may be weaker than others."""
    sure = view("mean Elo", ("a", 1, 1, 1), ("b", 2, 2, 2))
    result = with_views(cup.result, sure)
    result["statistics"]["overall"]["left_out"] = [{"bot": "c", "games": ["kuhn"]}]
    told = conclude(result)
    assert told.sentence == "a is the best of 2 bots that are rated in all games, in every view."
    assert told.reasons[-1] == "c is not rated in all games, and so not compared."


def test_overlapping_ranks_leave_doubt(cup: Any) -> None:
    """It is said who else may be first."""
    views = [
        view("mean Elo", ("a", 1, 1, 2), ("b", 2, 1, 3), ("c", 3, 2, 3)),
        view("Kemeny", ("a", 1, 1, 1), ("b", 2, 2, 2), ("c", 3, 3, 3)),
    ]
    told = conclude(with_views(cup.result, *views))
    assert told.sentence == "a leads over all games, but b may be as good."
    assert not told.sure


def test_views_that_name_others_leave_it_open(cup: Any) -> None:
    """So do those in which several are level."""
    views = [view("x", ("a", 1, 1, 1), ("b", 2, 2, 2)), view("y", ("b", 1, 1, 1), ("a", 2, 2, 2))]
    told = conclude(with_views(cup.result, *views))
    assert told.sentence == "There is no one best bot: it is a or b."
    level = view("Nash averaging", ("b", 1, 1, 2), ("a", 1, 1, 1))
    told = conclude(with_views(cup.result, views[0], level))
    assert told.sentence == "a leads over all games, but b may be as good."
    assert told.reasons[1] == "Nash averaging: b and a, level."


def test_two_bots_are_concluded_from_their_pair(duel: Any) -> None:
    """With the interval and the p-value that the verdict rests on, always the anytime-valid one."""
    game = copy.deepcopy(duel.result["statistics"]["games"][0])
    pair = game["pairs"][0]
    pair.update(blocks=50, p_value=0.001, p_always=0.04, verdict="worse")
    pair["score"] = {"value": 0.61, "low": 0.55, "high": 0.67}
    pair["score_fixed"] = {"value": 0.61, "low": 0.58, "high": 0.64}
    game["p_value_of"] = "sign_flip"
    planned = conclude_game(game)
    assert planned.sentence == "first is better than dice in kuhn."
    assert "Over 50 blocks dice scores 0.610" in planned.reasons[0]
    assert "interval 0.580 to 0.640; anytime-valid 0.550 to 0.670)" in planned.reasons[0]
    assert planned.reasons[1].endswith("p = 0.0010.")
    game["p_value_of"] = "sequence"
    stopped = conclude_game(game)
    assert "interval anytime-valid 0.550 to 0.670)" in stopped.reasons[0]
    assert stopped.reasons[1].endswith("p = 0.040.")
    pair["verdict"] = "open"
    told = conclude_game(game)
    assert told.sentence == "It is open whether dice or first is better in kuhn."
    assert not told.sure


@pytest.mark.parametrize(
    ("verdict", "sentence", "sure"),
    [
        ("better", "dice is better than first in kuhn.", True),
        ("not better", "dice is not better than first in kuhn.", True),
        ("undecided", "It is undecided whether dice is better than first in kuhn.", False),
    ],
)
def test_a_test_speaks_first(duel: Any, verdict: str, sentence: str, sure: bool) -> None:
    """Its verdict comes before that of the ratings."""
    result = copy.deepcopy(duel.result)
    result["test"]["verdict"] = verdict
    told = conclude(result)
    assert (told.sentence, told.sure) == (sentence, sure)
    assert "against 150 normalized Elo" in told.reasons[0]


def test_without_blocks_there_is_no_conclusion(cup: Any) -> None:
    """A match may be left before its first block is finished."""
    result = copy.deepcopy(cup.result)
    for game in result["statistics"]["games"]:
        game["blocks"] = 0
    assert conclude(result).sentence == "There is no result yet: no block is finished."
