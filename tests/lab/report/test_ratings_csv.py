"""The ratings as a table for spreadsheets."""

import csv
from io import StringIO
from typing import Any

from msgspec import convert

from cardhub.lab.analysis.schema import MatchResult
from cardhub.lab.report.report_files import COLUMNS, ratings


def rows(text: str) -> list[dict[str, str]]:
    """Return the rows of a table by the names of their columns."""
    return list(csv.DictReader(StringIO(text)))


def test_there_is_a_row_for_each_bot_of_each_game_and_of_each_view(cup: Any) -> None:
    table = rows(cup.text("ratings.csv"))
    assert tuple(table[0]) == COLUMNS
    games = cup.result["statistics"]["games"]
    overall = cup.result["statistics"]["overall"]
    meant = [(game["game"], "", bot["bot"]) for game in games for bot in game["bots"]]
    meant += [("", view["view"], bot["bot"]) for view in overall["views"] for bot in view["bots"]]
    assert [(row["game"], row["view"], row["bot"]) for row in table] == meant
    bot, row = games[0]["bots"][0], table[0]
    assert float(row["rating"]) == bot["elo"]["value"]
    assert (float(row["low"]), float(row["high"])) == (bot["elo"]["low"], bot["elo"]["high"])
    ranks = (row["rank"], row["rank_low"], row["rank_high"])
    assert ranks == tuple(str(bot[key]) for key in ("rank", "best", "worst"))
    assert float(row["score"]) == bot["score"]
    assert (row["games"], row["blocks"]) == (str(bot["games"]), str(bot["blocks"]))


def test_faults_are_counted_and_games_of_all_games_are_sums(cup: Any) -> None:
    """There is one row for each bot."""
    table = rows(cup.text("ratings.csv"))
    (fault,) = cup.result["statistics"]["games"][0]["faults"]
    counted = {row["bot"]: row["faults"] for row in table if row["game"] == "leduc"}
    assert counted["broken"] == str(fault["count"])
    assert counted["dice"] == "0"
    single = [int(row["games"]) for row in table if row["game"] and row["bot"] == "dice"]
    (total,) = (row for row in table if row["view"] == "kemeny" and row["bot"] == "dice")
    assert int(total["games"]) == sum(single)
    assert total["rating"] == ""


def test_endless_intervals_are_empty(cup: Any) -> None:
    result: Any = cup.result
    bot = result["statistics"]["games"][0]["bots"][0]
    changed = {**bot, "elo": {"value": None, "low": 12.5, "high": None}}
    game = {**result["statistics"]["games"][0], "bots": [changed]}
    statistics = {**result["statistics"], "games": [game], "overall": None}
    changed = {**result, "statistics": statistics}
    (row,) = rows(ratings(convert(changed, MatchResult)))
    assert (row["rating"], row["low"], row["high"]) == ("", "12.5", "")


def test_games_that_all_bots_play_have_rows_of_their_own(cup: Any) -> None:
    statistics = cup.result["statistics"]
    shared = {**statistics["overall"], "games": ["kuhn"]}
    changed = {**cup.result, "statistics": {**statistics, "shared": shared}}
    table = rows(ratings(convert(changed, MatchResult)))
    (row,) = (r for r in table if (r["game"], r["view"], r["bot"]) == ("shared", "mean", "dice"))
    (alone,) = (r for r in table if (r["game"], r["bot"]) == ("kuhn", "dice"))
    assert (row["games"], row["blocks"]) == (alone["games"], alone["blocks"])
    (dice,) = (bot for bot in shared["views"][0]["bots"] if bot["bot"] == "dice")
    assert (row["rank_low"], row["rank_high"]) == (str(dice["best"]), str(dice["worst"]))
