"""Whole matches: bots that are withdrawn or play only some games, all games together, the test."""

import tracemalloc
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from re import sub
from typing import Any

import pytest

from cardhub.base.errors import MatchError
from cardhub.lab.analysis import analyse
from cardhub.lab.analysis.accumulate import accumulate
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.task import GameTask

Data = dict[str, Any]
Analysed = Callable[..., Data]
Cup = Callable[..., str]

BOTH = "[{game: kuhn, score: rank}, {game: leduc, score: rank}]"
TABLE = "[{game: gargon, players: 3}]"
SOME = """
    cardhub_match: 1
    name: cup
    seed: 5
    bots:
      - {id: a, use: random}
      - {id: b, use: random}
      - {id: c, use: random, plays: [kuhn]}
    games: [{game: kuhn, score: rank}, {game: leduc, score: rank}]
    schedule: {blocks: 8}
    rating: {bootstrap: 100, anchor: {b: 100}, missing: MISSING, overall: [kemeny, mean]}
"""


def by_name(task: GameTask) -> list[int]:
    """Return scores by which a is better than b, and so on; but not on every third deal."""
    up = -1 if task.deal % 3 else 1
    return [up * ord(seat.bot) for seat in task.seats]


def of_b(task: GameTask) -> list[int]:
    """Return the seats of b, which is always at fault."""
    return [n for n, seat in enumerate(task.seats) if seat.bot == "b" and not seat.is_absent]


def views(overall: Data) -> dict[str, list[str]]:
    """Return the bots of each view over all games, best first."""
    return {view["view"]: [row["bot"] for row in view["bots"]] for view in overall["views"]}


def test_a_bot_that_is_withdrawn_keeps_what_it_has_lost(analysed: Analysed, cup: Cup) -> None:
    (game,) = analysed(cup("abc", blocks=9, more="faults: {max: 2}"), by_name, of_b)["games"]
    rows = {row["bot"]: row for row in game["bots"]}
    assert [row["is_withdrawn"] for row in (rows["a"], rows["b"], rows["c"])] == [
        False,
        True,
        False,
    ]
    assert rows["b"]["score"] == 0
    (left_out,) = game["left_out"]
    assert left_out["bots"] == ["b", "c"]
    assert (left_out["deals"], left_out["games"], left_out["why"]) == ([0, 0], 1, "withdrawn")
    (fault,) = game["faults"]
    assert (fault["bot"], fault["fault"], fault["count"]) == ("b", "illegal", 3)
    assert len(fault["game_ids"]) == 3
    blocks = {(row["a"], row["b"]): row["blocks"] for row in game["pairs"]}
    assert blocks == {("a", "b"): 1, ("a", "c"): 9, ("b", "c"): 0}
    assert game["p_value_of"] == "sign_flip"


def of_d(task: GameTask) -> list[int]:
    """Return the seats of d, which is at fault on every fifth deal."""
    faulty = task.deal % 5 == 4
    return [n for n, seat in enumerate(task.seats) if seat.bot == "d" and faulty]


def test_a_faulty_bot_of_four_changes_no_result_of_the_pairs_without_it(
    analysed: Analysed, cup: Cup
) -> None:
    """The others have played every planned block: the bot is listed apart, without a verdict."""
    rules = "faults: {max: 5}"
    (game,) = analysed(cup("abcd", blocks=30, more=rules), by_name, of_d)["games"]
    (alone,) = analysed(cup("abc", blocks=30, more=rules), by_name, of_d)["games"]
    pairs = {row["a"] + row["b"]: row for row in game["pairs"]}
    assert 0 < pairs["ad"]["blocks"] < 30
    assert alone["pairs"] == [pairs["ab"], pairs["ac"], pairs["bc"]]
    assert all(row["evidence"]["kind"] == "sign_flip" for row in alone["pairs"])
    rated = ("bot", "elo", "rank", "best", "worst", "is_withdrawn")
    *others, last = [{key: row[key] for key in rated} for row in game["bots"]]
    assert others == [{key: row[key] for key in rated} for row in alone["bots"]]
    assert [row["elo"]["low"] is None for row in others] == [False] * 3
    assert list(last.values()) == ["d", None, None, None, None, True]
    assert [(pairs[pair]["verdict"], pairs[pair]["evidence"]) for pair in ("ad", "bd", "cd")] == [
        ("open", None)
    ] * 3
    assert game["transitivity"]["nash"] == alone["transitivity"]["nash"]
    assert game["notes"] == ["d was withdrawn: it has neither a rank nor verdicts."]
    (cell,) = (row for row in game["crosstable"] if row["bot"] + row["against"] == "ad")
    assert (cell["score"], cell["low"], cell["high"]) == (pairs["ad"]["score"]["value"], None, None)


def test_substitutes_at_a_table_count_for_no_bot(analysed: Analysed, cup: Cup) -> None:
    """The others play on, and are rated by the order among themselves."""
    (game,) = analysed(cup("abc", TABLE, 9, "faults: {max: 3}"), by_name, of_b)["games"]
    blocks = {(row["a"], row["b"]): row["blocks"] for row in game["pairs"]}
    assert blocks == {("a", "b"): 0, ("a", "c"): 9, ("b", "c"): 0}
    rows = {row["bot"]: row for row in game["bots"]}
    assert (rows["b"]["elo"], rows["b"]["games"], rows["b"]["rank"]) == (None, 0, None)
    assert rows["a"]["games"] == rows["c"]["games"] == 54
    assert {row["blocks"] for row in game["seats"]} == {0}
    assert game["notes"][0] == "b was withdrawn: it has neither a rank nor verdicts."
    assert [row["bot"] for row in game["bots"]][-1] == "b"
    (pair,) = (row for row in game["pairs"] if row["blocks"])
    assert pair["margin"] is not None


def test_a_game_that_a_bot_does_not_play_is_absent(analysed: Analysed) -> None:
    """Then it has no place among the bots that play all games."""
    statistics = analysed(SOME.replace("MISSING", "absent"), by_name)
    overall = statistics["overall"]
    assert overall["left_out"] == [{"bot": "c", "games": ["leduc"]}]
    assert overall["assumed"] == []
    assert views(overall) == {"kemeny": ["a", "b"], "mean": ["a", "b"]}
    assert overall["is_anchored"]
    assert statistics["anchor"] == {"bot": "b", "elo": 100}
    (mean,) = (view for view in overall["views"] if view["view"] == "mean")
    assert mean["bots"][1]["elo"] == {"value": 0, "low": 0, "high": 0}


def test_a_game_that_a_bot_does_not_play_may_be_a_loss(analysed: Analysed) -> None:
    """It counts as 400 Elo below the last bot of the game, in every draw."""
    statistics = analysed(SOME.replace("MISSING", "loss"), by_name)
    overall = statistics["overall"]
    assert overall["assumed"] == [{"bot": "c", "games": ["leduc"]}]
    assert overall["left_out"] == []
    assert views(overall) == {"kemeny": ["a", "b", "c"], "mean": ["a", "b", "c"]}
    kuhn, leduc = ({row["bot"]: row["elo"] for row in g["bots"]} for g in statistics["games"])
    assert "c" not in leduc
    (mean,) = (view for view in overall["views"] if view["view"] == "mean")
    elo = {row["bot"]: row["elo"]["value"] for row in mean["bots"]}
    last = min(row["value"] for row in leduc.values())
    assert elo["c"] == pytest.approx((kuhn["c"]["value"] - 100 + last - 400 - 100) / 2)


def test_views_that_differ_say_so(analysed: Analysed, cup: Cup) -> None:
    """A bot that wins by far in one game but loses two games is best by the mean only."""
    games = BOTH.replace("[", "[{game: kuhn, id: other, score: rank}, ")

    def scores(task: GameTask) -> list[int]:
        is_best = task.deal % 20 != 0 if task.contest == "leduc" else task.deal % 20 < 8
        return [int((seat.bot == "a") == is_best) for seat in task.seats]

    overall = analysed(cup("ab", games, blocks=40), scores)["overall"]
    bots = views(overall)
    assert (bots["mean"], bots["kemeny"]) == (["a", "b"], ["b", "a"])
    (sentence,) = overall["disagreements"]
    assert sentence.startswith("a is above b by mean Elo, but below by Kemeny")
    mixture = {row["game"]: row["share"]["value"] for row in overall["game_mixture"]}
    assert mixture["kuhn"] == pytest.approx(mixture["other"], abs=0.01)
    assert 0 < mixture["leduc"] < mixture["kuhn"]
    assert overall["contradictions"] == 1


def test_ranks_are_ranges_where_the_blocks_leave_them_open(analysed: Analysed, cup: Cup) -> None:
    numbers = iter(range(10**6))

    def scores(task: GameTask) -> list[int]:
        return [hash((next(numbers) * 7919) % 1013) % 5 for _ in task.seats]

    (game,) = analysed(cup("abcd", blocks=12), scores)["games"]
    for better, worse in pairwise(game["bots"]):
        assert better["rank"] <= worse["rank"]
        assert better["best"] <= better["rank"] <= better["worst"]
    assert game["bots"][0]["worst"] > 1


def test_worst_games_lead_to_the_log(analysed: Analysed, cup: Cup, tmp_path: Path) -> None:
    """The five that were lost by most, the worst first."""

    def scores(task: GameTask) -> list[int]:
        return [0 if seat.bot == "b" else task.deal % 7 for seat in task.seats]

    (game,) = analysed(cup("ab", blocks=20), scores)["games"]
    (row,) = (row for row in game["bots"] if row["bot"] == "b")
    assert [loss["margin"] for loss in row["worst_games"]] == [6, 6, 6, 6, 5]
    log = (tmp_path / "games.jsonl").read_text("utf-8")
    assert all(f'"id":"{loss["game_id"]}"' in log for loss in row["worst_games"])
    assert {loss["place"] for loss in row["worst_games"]} == {2}
    (best,) = (row for row in game["bots"] if row["bot"] == "a")
    assert best["worst_games"] == []


def test_a_test_that_stopped_is_no_naive_estimate(analysed: Analysed, cup: Cup) -> None:
    """The estimate allows for the stop, and the pair is not as planned."""
    stop = "stop: {sprt: {a: b, b: a, nelo: [0, 60]}}"

    def scores(task: GameTask) -> list[int]:
        return [int((seat.bot == "b") == (task.deal % 4 > 0)) for seat in task.seats]

    statistics = analysed(cup("ab", blocks=400, more=stop), scores)
    test, (game,) = statistics["test"], statistics["games"]
    (pair,) = game["pairs"]
    assert (test["a"], test["b"], test["verdict"]) == ("b", "a", "better")
    assert test["deals"] == pair["deals"] == [0, pair["blocks"] - 1]
    assert 0 < test["elo"]["value"] < -pair["elo"]["value"]
    assert not pair["is_as_planned"]
    assert pair["blocks"] < 100
    assert test["elo_note"] is None
    assert test["elo_always"]["low"] < test["elo"]["value"] < test["elo_always"]["high"]


def test_a_test_of_few_blocks_gives_an_interval_and_says_why(analysed: Analysed, cup: Cup) -> None:
    """Won throughout, it gives an anytime-valid bound: no estimate would be unbiased."""
    stop = "stop: {sprt: {a: b, b: a, nelo: [0, 60]}}"

    def scores(task: GameTask) -> list[int]:
        return [int(seat.bot == "b") for seat in task.seats]

    test = analysed(cup("ab", blocks=400, more=stop), scores)["test"]
    assert test["verdict"] == "better"
    assert test["elo"] is None
    assert test["elo_always"]["low"] > 0
    assert test["elo_always"]["high"] is None
    assert "only the anytime-valid interval" in test["elo_note"]


def test_blocks_that_are_not_what_they_should_be_are_counted(
    analysed: Analysed, cup: Cup, tmp_path: Path
) -> None:
    """The audit lists their ids: blocks with different deals, places whose points do not add up."""
    statistics = analysed(cup("abc", TABLE, blocks=3), by_name)
    right = {"blocks": 3, "other_cards": 0, "uneven_seats": 0, "uneven_scores": 0, "game_ids": []}
    assert statistics["games"][0]["audit"] == right
    path = tmp_path / "games.jsonl"
    lines = path.read_text("utf-8").splitlines()
    second_block = 1 + (len(lines) - 1) // 3
    lines[2] = lines[2].replace("deal 0", "deal 9")
    lines[second_block] = sub(r'"places":\[[\d,]+\]', '"places":[1,1,2]', lines[second_block])
    path.write_text("\n".join(lines) + "\n", "utf-8")
    audit = analyse(match_in(tmp_path), tmp_path).games[0].audit
    assert (audit.other_cards, audit.uneven_scores, audit.uneven_seats) == (1, 1, 0)
    assert len(audit.game_ids) == 2


@pytest.mark.parametrize("key", ["seats", "bots"])
def test_games_of_another_match_are_refused(
    analysed: Analysed, cup: Cup, tmp_path: Path, key: str
) -> None:
    """A log that was tampered with gives an error with its line, not a traceback."""
    analysed(cup("ab", blocks=1), by_name)
    path = tmp_path / "games.jsonl"
    path.write_text(path.read_text("utf-8").replace(f'"{key}":["a"', f'"{key}":["z"'), "utf-8")
    with pytest.raises(
        MatchError, match=r"jsonl:\d: game \w+ does not belong to this match\nfix: "
    ):
        analyse(match_in(tmp_path), tmp_path)


def by_deal(task: GameTask) -> list[int]:
    """Return scores that vary with the deal and the seat."""
    return [(int(task.seed, 16) >> 2 * seat) % 7 for seat in range(len(task.seats))]


def test_a_block_leaves_a_few_numbers(analysed: Analysed, cup: Cup, tmp_path: Path) -> None:
    kept = {}
    for blocks in (100, 1500):
        analysed(cup("ab", blocks=blocks), by_deal)
        match = match_in(tmp_path)
        tracemalloc.start()
        log = accumulate(match, tmp_path)
        kept[blocks] = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        assert log.contests["kuhn"].blocks == blocks
    current, peak = ((kept[1500][n] - kept[100][n]) / 1400 for n in (0, 1))
    assert current < 200, "bytes a block"
    assert peak < 400, "bytes a block"
