"""The summary that `cardhub match` prints at the end, from the result alone."""

from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import replace

from cardhub.cli.match.summary import print_summary
from cardhub.lab.analysis.block_schema import AuditRow
from cardhub.lab.analysis.schema import (
    AllGames,
    BotRow,
    FaultRow,
    GameShare,
    GameStatistics,
    MatchResult,
    PairRow,
    RankedBot,
    Ranking,
    SprtEstimate,
    Statistics,
    Transitivity,
    VerdictEvidence,
)
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.match.run.schedule import SprtState
from cardhub.lab.report.number_format import NO_INTERVALS

AUDIT = AuditRow(blocks=5, other_cards=0, uneven_seats=0, uneven_scores=0, game_ids=())
SPEC: dict[str, Any] = {
    "bots": [],
    "salt": None,
    "fresh": True,
    "sprt": {"alpha": 0.05, "beta": 0.05},
}
TEST = SprtState("x", "y", "kuhn", "logistic", (0, 5), "better", 40, 2.961, (-2.94, 2.94))
ESTIMATE = SprtEstimate("kuhn", ("x", "y"), (0, 39), "x", "y", "better", None, None, None, None, ())


def bot(name: str, elo: OpenEstimate | None, best: int | None, worst: int | None) -> BotRow:
    """Return the row of a bot."""
    return BotRow(
        game="kuhn",
        bot=name,
        deals=(0, 3),
        is_filler=False,
        is_withdrawn=False,
        blocks=4,
        games=8,
        score=0.5,
        points=None,
        points_above_mean=None,
        reached=None,
        elo=elo,
        rank=best,
        best=best,
        worst=worst,
        worst_games=(),
    )


def pair(**more: Any) -> PairRow:
    """Return the row of a pair."""
    usual = PairRow(
        game="kuhn",
        bots=("x", "y"),
        deals=(0, 3),
        a="x",
        b="y",
        blocks=4,
        games=8,
        is_as_planned=True,
        score=OpenEstimate(0.61, 0.4, 0.8),
        elo=None,
        score_fixed=OpenEstimate(0.61, 0.45, 0.75),
        elo_fixed=None,
        nelo_fixed=None,
        los=None,
        p_value=0.25,
        p_is_exact=None,
        p_always=0.5,
        verdict="open",
        evidence=VerdictEvidence("sign_flip", 0.25, 0.1, OpenEstimate(0.61, 0.45, 0.75), None),
        undecided_share=None,
        wins=5,
        draws=0,
        losses=3,
        luck_share=None,
        factor_saved=None,
        margin=None,
        margins=(),
    )
    return replace(usual, **more)


def game(**more: Any) -> GameStatistics:
    """Return the statistics of a game."""
    rows = bot("x", OpenEstimate(120.4, -3.2, None), 1, 2), bot("y", None, None, None)
    usual = GameStatistics(
        game="kuhn",
        name="kuhn",
        players=2,
        scoring="rank",
        unit="points",
        is_common=False,
        target=None,
        blocks=4,
        games=8,
        games_per_block=2,
        left_out=(),
        p_value_of="sign_flip",
        bots=rows,
        pairs=(pair(),),
        crosstable=(),
        joint=(),
        by_places=(),
        partners=(),
        ad_hoc=(),
        seats=(),
        luck_share=None,
        factor_saved=None,
        transitivity=None,
        upsets=(),
        faults=(),
        audit=AUDIT,
        notes=(),
    )
    return replace(usual, **more)


def result(*games: GameStatistics, **more: Any) -> MatchResult:
    """Return a whole result; `overall` and `estimate` are parts of its statistics."""
    overall, estimate = more.pop("overall", None), more.pop("estimate", None)
    statistics = Statistics(0.9, 100, None, "absent", 1, games, overall, None, estimate, ())
    usual = MatchResult(
        cardhub_match=3,
        name="cup",
        spec={"bots": [], "salt": None, "fresh": True},
        spec_sha256="",
        games_sha256="",
        versions={},
        salt=None,
        is_finished=True,
        is_reproducible=True,
        not_reproducible=(),
        blocks=4,
        games=8,
        steps=16,
        counts={},
        withdrawn={},
        test=None,
        stop=None,
        statistics=statistics,
    )
    return replace(usual, **more)


def lines(capsys: pytest.CaptureFixture[str], match_result: MatchResult) -> list[str]:
    """Return the printed lines, with single spaces."""
    print_summary(match_result, Path("runs/cup"))
    return [" ".join(line.split()) for line in capsys.readouterr().out.splitlines()]


def prose(capsys: pytest.CaptureFixture[str], match_result: MatchResult) -> str:
    """Return the printed text on one line."""
    return " ".join(lines(capsys, match_result))


def test_the_verdict_comes_first_and_ratings_with_intervals_follow(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert lines(capsys, result(game())) == [
        "Not settled: It is open whether x or y is better in kuhn.",
        "- Over 4 blocks x scores 0.610 (90 % interval 0.450 to 0.750) against y.",
        "- Equally strong bots would differ this much by chance with p = 0.250.",
        "",
        "kuhn: 8 games in 4 blocks, intervals at 90 %",
        "Rank Bot Elo Interval Score Games Faults",
        "1–2 x +120 −3 to +∞ 0.500 8 0",
        "– y – – 0.500 8 0",
        "Anytime-valid, even if you chose when to stop: 0.400 to 0.800.",
        "",
        "8 games in 4 blocks: runs/cup",
    ]


def test_the_better_one_comes_first(capsys: pytest.CaptureFixture[str]) -> None:
    """Independent of the order in the file."""
    estimate = OpenEstimate(0.1, 0.05, 0.2)
    evidence = VerdictEvidence("sign_flip", 0.01, 0.1, estimate, None)
    worse = pair(score=estimate, evidence=evidence, verdict="worse")
    printed = prose(capsys, result(game(pairs=(worse,))))
    assert printed.startswith("Verdict: y is better than x in kuhn.")
    assert "y scores 0.900 (90 % interval 0.800 to 0.950) against x." in printed
    assert "with p = 0.010." in printed
    assert "Anytime-valid, even if you chose when to stop: 0.800 to 0.950." in printed


def test_a_match_that_stopped_early_has_anytime_valid_numbers_only(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The verdict of such a match rests on them alone."""
    evidence = VerdictEvidence("sequence", 0.05, 0.1, OpenEstimate(0.61, 0.55, 0.8), None)
    stopped = pair(is_as_planned=False, verdict="better", evidence=evidence)
    printed = prose(capsys, result(game(pairs=(stopped,), p_value_of="sequence")))
    assert printed.startswith("Verdict: x is better than y in kuhn.")
    assert "x scores 0.610 (anytime-valid, 90 % interval 0.550 to 0.800) against y." in printed
    assert "with p = 0.050." in printed
    assert NO_INTERVALS in printed
    assert "watched" not in printed


def test_what_a_table_cannot_say_follows_it(capsys: pytest.CaptureFixture[str]) -> None:
    kinds = ("illegal", 2), ("timeout", 1)
    faults = tuple(FaultRow("kuhn", "x", kind, count, ("0123",)) for kind, count in kinds)
    cycle = Transitivity(None, None, 1, (("rock", "scissors", "paper"),), (), 0, (), (), True)
    audit = replace(AUDIT, uneven_seats=3, game_ids=("0123",))
    pairs = (pair(),) * 3
    odd = game(faults=faults, transitivity=cycle, audit=audit, notes=("Odd.",), pairs=pairs)
    printed = lines(capsys, result(odd, withdrawn={"x": 7}))
    assert "1–2 x +120 −3 to +∞ 0.500 8 3" in printed
    assert "x was at fault: illegal, 2 times." in printed
    assert "x was at fault: timeout, 1 time." in printed
    assert "Not transitive: rock beats scissors beats paper beats rock." in printed
    assert "Game 0123 belongs to the first uneven block." in printed
    assert "Odd." in printed
    printed_text = " ".join(printed)
    assert "in 3 blocks a bot did not sit everywhere equally often" in printed_text
    assert (
        "x was withdrawn after 7 games, because it was at fault too often: illegal, 2 times; "
        "timeout, 1 time." in printed_text
    )
    assert "nytime-valid" not in printed_text


def test_a_race_says_how_far_it_is(capsys: pytest.CaptureFixture[str]) -> None:
    """Pairs too close to matter are settled, too."""
    raced = tuple(pair(verdict=verdict) for verdict in ("better", "equal", "open"))
    assert "2 of 3 pairs that met are settled;" in prose(capsys, result(game(pairs=raced)))


def test_a_warning_that_the_results_may_be_wrong_is_in_capitals(
    capsys: pytest.CaptureFixture[str],
) -> None:
    printed = prose(capsys, result(game(), is_finished=False, stop="Both are equal"))
    assert printed.startswith("So far: ")
    assert "UNFINISHED: The match is unfinished" in printed
    assert "Ended early: Both are equal." in printed


def test_a_verdict_comes_with_an_estimate_that_allows_for_the_stop(
    capsys: pytest.CaptureFixture[str],
) -> None:
    known = replace(ESTIMATE, elo=OpenEstimate(30.2, 4, 61))
    printed = prose(capsys, result(game(), test=TEST, spec=SPEC, estimate=known))
    assert printed.startswith("Verdict: x is better than y in kuhn. - The test of 0 against 5 ")
    assert "stands at 2.96 (bounds −2.94 to 2.94) after 40 blocks." in printed
    assert "Strength, allowing for the stop: +30 Elo (+4 to +61)." in printed
    printed = prose(capsys, result(game(), test=TEST, spec=SPEC, estimate=ESTIMATE))
    assert "Strength" not in printed


def test_a_verdict_says_why_it_comes_without_an_estimate(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """A bound after a test without a loss; otherwise the anytime-valid interval."""
    printed = ""
    for always in (OpenEstimate(400, 80, None), OpenEstimate(400, 290, 640)):
        known = replace(ESTIMATE, elo=None, elo_always=always, elo_note="All alike.")
        printed += prose(capsys, result(game(), test=TEST, spec=SPEC, estimate=known))
    assert "Anytime-valid strength: above +80 Elo. - All alike." in printed
    assert "Anytime-valid strength: +290 to +640 Elo. - All alike." in printed


def test_all_games_are_ranked_in_three_views(capsys: pytest.CaptureFixture[str]) -> None:
    """Side by side, with the mixture of games and the disagreements."""
    rows = (
        RankedBot("x", OpenEstimate(50, 1, 99), 1, 1, 1),
        RankedBot("y", OpenEstimate(0, 0, 0), 2, 2, 2),
    )
    orders = RankedBot("y", None, 1, 1, 2), RankedBot("x", None, 1, 1, 2)
    views = Ranking("nash", "Nash averaging", rows), Ranking("kemeny", "Kemeny", orders)
    mixture = tuple(
        GameShare(name, OpenEstimate(share, 0, 1)) for name, share in (("a", 1), ("b", 0))
    )
    overall = AllGames(
        games=("a", "b"),
        question="each",
        pairs=(),
        leads=(),
        views=views,
        game_mixture=mixture,
        bot_mixture=(),
        gap=0,
        lottery=(),
        contradictions=None,
        bound=None,
        equals=None,
        is_anchored=False,
        left_out=(),
        assumed=(),
        disagreements=("They differ.",),
    )
    printed = lines(capsys, result(game(), overall=overall))
    assert printed[4:11] == [
        "All games: a and b",
        "Bot Nash averaging Kemeny",
        "x 1 (ranks 1), +50 (+1 to +99) 1 (ranks 1–2)",
        "y 2 (ranks 2), 0 1 (ranks 1–2)",
        "They differ.",
        "Weights of games in Nash averaging: a 100 % (0 % to 100 %), b 0 % (0 % to",
        "100 %).",
    ]
