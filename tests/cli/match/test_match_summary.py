"""What `cardhub match` prints at the end, from the result alone."""

from typing import Any

import pytest

from cardhub.cli.match.summary import tell

AUDIT = {"blocks": 5, "other_cards": 0, "uneven_seats": 0, "uneven_points": 0, "game_ids": []}


def estimate(value: float | None, low: float | None, high: float | None) -> dict[str, Any]:
    """Return an estimate as it stands in a result."""
    return {"value": value, "low": low, "high": high}


def bot(name: str, elo: dict[str, Any] | None, best: int | None, worst: int | None) -> Any:
    """Return the row of a bot."""
    return {"bot": name, "elo": elo, "best": best, "worst": worst, "games": 8, "points": 0.5}


def pair(**more: Any) -> dict[str, Any]:
    """Return the row of a pair."""
    score = estimate(0.61, 0.4, 0.8)
    return {"a": "x", "b": "y", "blocks": 4, "score": score, "verdict": "open", "race": None} | more


def game(**more: Any) -> dict[str, Any]:
    """Return the section of a game."""
    rows = [bot("x", estimate(120.4, -3.2, None), 1, 2), bot("y", None, None, None)]
    usual = {"game": "kuhn", "games": 8, "blocks": 4, "bots": rows, "pairs": [pair()]}
    return usual | {"faults": [], "ladder": None, "audit": AUDIT, "notes": []} | more


def result(*games: dict[str, Any], **more: Any) -> dict[str, Any]:
    """Return a whole result."""
    statistics = {"games": games, "level": 0.9, "overall": None, "test": None, "notes": []}
    usual = {"games": 8, "blocks": 4, "withdrawn": {}, "test": None}
    return usual | {"statistics": statistics | more.pop("statistics", {})} | more


def lines(capsys: pytest.CaptureFixture[str], told: dict[str, Any]) -> list[str]:
    """Return what is printed, line by line, with single spaces."""
    tell(told, "runs/cup")
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def test_ratings_come_with_interval_and_rank_range(capsys: pytest.CaptureFixture[str]) -> None:
    """And two bots alone with their score, which may be looked at whenever one likes."""
    assert lines(capsys, result(game())) == [
        "kuhn: 8 games in 4 blocks; Elo with its interval at 90%",
        "bot Elo from to rank games points faults",
        "x 120 -3 ∞ 1-2 8 0.500",
        "y unrated 8 0.500",
        "x scores 0.610 (0.400 to 0.800 whenever one stops) against y: "
        "the blocks leave open who is better.",
        "",
        "8 games in 4 blocks: runs/cup",
    ]


def test_the_better_one_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Whichever stands first in the file."""
    worse = pair(score=estimate(0.1, 0.05, 0.2), verdict="worse")
    told = lines(capsys, result(game(pairs=[worse])))
    assert "y scores 0.900 (0.800 to 0.950 whenever one stops) against x: y is better." in told


def test_what_a_table_cannot_say_follows_it(capsys: pytest.CaptureFixture[str]) -> None:
    """Faults, cycles, blocks that are not what they should be, and notes."""
    faults = [
        {"bot": "x", "fault": "illegal", "count": 2},
        {"bot": "x", "fault": "timeout", "count": 1},
    ]
    circle = {"certified_cycles": [["rock", "scissors", "paper"]]}
    audit = AUDIT | {"uneven_seats": 3, "game_ids": ["0123"]}
    odd = game(faults=faults, ladder=circle, audit=audit, notes=["Odd."], pairs=[pair()] * 3)
    told = lines(capsys, result(odd, withdrawn={"x": 7}))
    assert "x 120 -3 ∞ 1-2 8 0.500 2 illegal, 1 timeout" in told
    assert "No ladder: rock beats scissors beats paper beats rock." in told
    assert "Wrong in 3 blocks: uneven seats (see game 0123)." in told
    assert "Odd." in told
    assert "x was withdrawn after 7 games: it was at fault too often." in told
    assert not any("whenever one stops" in line for line in told)


def test_a_race_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Pairs too close to matter are settled, too."""
    raced = [pair(race=race) for race in ("better", "equal", "open")]
    assert "2 of 3 pairs are settled." in lines(capsys, result(game(pairs=raced)))


def test_a_verdict_comes_with_an_estimate_that_allows_for_the_stop(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Unless there is none yet."""
    test = {"a": "x", "b": "y", "game": "kuhn", "verdict": "better", "blocks": 40, "llr": 2.961}
    start = "x against y in kuhn: better after 40 blocks, LLR 2.96"
    known = {"test": {"elo": estimate(30.2, 4, 61), "elo_note": None}}
    told = lines(capsys, result(game(), test=test, statistics=known))
    assert f"{start}; Elo 30 (4 to 61), allowing for the stop." in told
    known = {"test": {"elo": None, "elo_note": None}}
    told = lines(capsys, result(game(), test=test, statistics=known))
    assert f"{start}." in told


def test_a_verdict_says_why_it_comes_without_an_estimate(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A bound after a test that was won throughout; else whichever interval holds."""
    test = {"a": "x", "b": "y", "game": "kuhn", "verdict": "better", "blocks": 38, "llr": 2.961}
    start, told = "x against y in kuhn: better after 38 blocks, LLR 2.96; Elo", []
    for elo in (estimate(None, 442.3, None), estimate(None, 290, 640), None):
        known = {"elo": elo, "elo_always": estimate(400, 80, None), "elo_note": "All alike."}
        told += lines(capsys, result(game(), test=test, statistics={"test": known}))
    assert f"{start} above +442, allowing for the stop. All alike." in told
    assert f"{start} +290 to +640, allowing for the stop. All alike." in told
    assert f"{start} above +80 whenever one stops. All alike." in told


def test_all_games_are_told_in_three_views(capsys: pytest.CaptureFixture[str]) -> None:
    """Side by side, with the mixture of games and what the views disagree about."""
    rows = [bot("x", estimate(50, 1, 99), 1, 1), bot("y", estimate(0, 0, 0), 2, 2)]
    orders = [bot("y", None, 1, 2), bot("x", None, 1, 2)]
    views = [
        {"view": "nash", "title": "Nash averaging", "bots": rows},
        {"view": "kemeny", "title": "Kemeny", "bots": orders},
    ]
    mixture = [
        {"game": name, "share": estimate(share, 0, 1)} for name, share in (("a", 1), ("b", 0))
    ]
    overall = {"views": views, "game_mixture": mixture, "disagreements": ["They differ."]}
    told = lines(capsys, result(game(), statistics={"overall": overall}))
    assert told[6:] == [
        "All games, by Nash averaging, Kemeny",
        "bot nash rank kemeny rank",
        "x 50 1 1-2",
        "y 0 2 1-2",
        "Nash averaging looks at 100% a.",
        "They differ.",
        "",
        "8 games in 4 blocks: runs/cup",
    ]
