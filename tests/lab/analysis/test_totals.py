"""Totals of a contest: scores by seat, and upsets, which a bot lost to a clearly weaker one."""

from collections.abc import Callable
from fractions import Fraction
from typing import Any

from cardhub.lab.analysis.totals import has_even_scores
from cardhub.lab.match.seat_scores import seat_scores
from cardhub.lab.match.task import GameTask

Analysed = Callable[..., dict[str, Any]]
STRENGTHS = {"strong": 8, "middle": 4, "weak": 0}


def test_scores_by_rank_have_the_mean_one_half() -> None:
    assert seat_scores((1, 2, 2), "rank") == (Fraction(1), Fraction(1, 4), Fraction(1, 4))
    assert all(map(has_even_scores, ((1, 2), (1, 1), (1, 2, 2), (1, 1, 3))))
    assert not has_even_scores((1, 3))


def scores(task: GameTask) -> list[int]:
    """Return scores by which every fifth deal turns the order of strength around."""
    strengths = [STRENGTHS[seat.bot] for seat in task.seats]
    return [-score for score in strengths] if task.deal % 5 == 4 else strengths


def test_upsets_are_the_games_that_the_weaker_bot_won(
    analysed: Analysed, cup: Callable[..., str]
) -> None:
    """The greatest difference of ratings first; of equal margins the first game of the log."""
    (game,) = analysed(cup(STRENGTHS, blocks=60), scores)["games"]
    upsets = game["upsets"]
    assert len(upsets) == 5
    assert (upsets[0]["winner"], upsets[0]["loser"], upsets[0]["margin"]) == ("weak", "strong", 8)
    differences = [upset["difference"] for upset in upsets]
    assert differences == sorted(differences, reverse=True)
    ratings = {row["bot"]: row["elo"]["value"] for row in game["bots"]}
    for upset in upsets:
        assert upset["difference"] == ratings[upset["loser"]] - ratings[upset["winner"]] > 0
    assert len({upset["game_id"] for upset in upsets}) == 5


def test_bots_that_may_be_equal_have_no_upsets(analysed: Analysed, cup: Callable[..., str]) -> None:
    """Their verdict is open: either may be the better one."""

    def even(task: GameTask) -> list[int]:
        return [(task.deal % 2) * (seat.bot == "a") for seat in task.seats]

    (game,) = analysed(cup("ab", blocks=4), even)["games"]
    assert [cell["verdict"] for cell in game["crosstable"]] == ["open", "open"]
    assert game["upsets"] == []


def test_a_bot_that_never_lost_has_no_upsets(analysed: Analysed, cup: Callable[..., str]) -> None:
    """However clearly it is the better one."""

    def always(task: GameTask) -> list[int]:
        return [int(seat.bot == "a") for seat in task.seats]

    (game,) = analysed(cup("ab", blocks=30), always)["games"]
    assert game["crosstable"][0]["verdict"] == "better"
    assert game["upsets"] == []
