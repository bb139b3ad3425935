"""Upsets: games that a bot lost to one that is clearly weaker."""

from collections.abc import Callable
from typing import Any

from cardhub.lab.match.task import GameTask

Analysed = Callable[..., dict[str, Any]]
STRENGTHS = {"strong": 8, "middle": 4, "weak": 0}


def scores(task: GameTask) -> list[int]:
    """Return scores by which every fifth deal turns the order of strength around."""
    found = [STRENGTHS[seat.bot] for seat in task.seats]
    return [-score for score in found] if task.deal % 5 == 4 else found


def test_upsets_are_the_games_that_the_weaker_bot_won(
    analysed: Analysed, cup: Callable[..., str]
) -> None:
    """The greatest difference of ratings first; of equal margins the first game of the log."""
    (game,) = analysed(cup(STRENGTHS, blocks=60), scores)["games"]
    found = game["upsets"]
    assert len(found) == 5
    assert (found[0]["winner"], found[0]["loser"], found[0]["margin"]) == ("weak", "strong", 8)
    differences = [upset["difference"] for upset in found]
    assert differences == sorted(differences, reverse=True)
    ratings = {row["bot"]: row["elo"]["value"] for row in game["bots"]}
    for upset in found:
        assert upset["difference"] == ratings[upset["loser"]] - ratings[upset["winner"]] > 0
    assert len({upset["game_id"] for upset in found}) == 5


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
