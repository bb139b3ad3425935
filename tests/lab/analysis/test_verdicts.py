"""One rule for all verdicts of a match: they agree, and errors are as rare as promised."""

import os
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import combinations
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.special import bdtr
from tests.lab.analysis.conftest import match_file

from cardhub.lab.analysis.pairs.pair_result import PairResult
from cardhub.lab.analysis.pairs.partner_totals import PairTotals
from cardhub.lab.analysis.pairs.verdicts import MatchVerdicts, decide, leads_of, sprt_verdict
from cardhub.lab.analysis.schema import DIFFERENT, ComparisonRow
from cardhub.lab.match.match_spec import Match, OverallRules
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.stats import (
    AsymptoticSequence,
    ConfidenceSequence,
    Hypotheses,
    Sprt,
    Verdict,
    sign_flip,
)
from cardhub.plugins.registry import find_plugins

# Simulated matches; set CARDHUB_RUNS=2000 for more precision.
RUNS = int(os.environ.get("CARDHUB_RUNS", "40"))
BLOCKS = 30
SUPPORT = (0.0, 0.25, 0.5, 0.75, 1.0)
CHANCES = (1, 4, 6, 4, 1)
GAMES = "[{game: kuhn, id: x, score: rank}, {game: kuhn, id: y, score: rank}]"
STOP = "stop: {sprt: {a: b, b: a, game: x, nelo: [0, 120]}}"


def cup_of(bots: str, more: str = "", games: str = GAMES) -> Match:
    """Return a match of random bots in these games."""
    with TemporaryDirectory() as folder:
        file = Path(folder) / "cup.yaml"
        file.write_text(match_file(bots, games, BLOCKS, more), "utf-8")
        return read_match(file, PLUGINS)


PLUGINS = find_plugins()
MATCHES = {more: cup_of("abcd", more) for more in ("", STOP)}
PAIRS = list(combinations("abcd", 2))


def result(
    match: Match, pair: tuple[str, str], scores: Sequence[float], *, watched: bool = True
) -> PairResult:
    """Return a pair with these block scores; without `watched` its sequence is empty."""
    contest = match.contests[0]
    level, values = match.rating.level, np.asarray(scores, np.float64)
    sequence = AsymptoticSequence(level) if contest.in_points else ConfidenceSequence(level)
    for score in values.tolist() if watched else ():
        sequence.add(score)
    return PairResult(
        pair=pair,
        totals=PairTotals(contest),
        deals=np.arange(len(values)),
        scores=values,
        plain=values,
        by_places=values,
        margins=values,
        sequence=sequence,
        p_value=sign_flip(values - contest.even, Random(1)) if len(values) else None,
        spread=None,
        is_as_planned=len(values) == match.order.blocks,
        even=contest.even,
        race=None,
    )


def check(match: Match, verdicts: MatchVerdicts) -> None:
    """Fail if a verdict contradicts its interval, its p-value or a range of ranks."""
    even = match.contests[0].even
    for game, decisions in verdicts.decisions.items():
        bots = verdicts.compared(game)
        ranges = verdicts.rank_ranges([game], bots)
        for verdict, evidence in decisions.values():
            if evidence is None or evidence.kind == "test":
                continue
            assert evidence.score is not None
            assert evidence.limit is not None
            is_rejected = evidence.p_value is not None and evidence.p_value <= evidence.limit
            assert is_rejected == (verdict in DIFFERENT)
            low, high = evidence.score.low, evidence.score.high
            if low is not None and high is not None:
                assert {"better": low >= even, "worse": high <= even}.get(
                    verdict, low <= even <= high
                )
        all_wins = verdicts.wins(game)
        for bot in bots:
            wins = sum(better == bot for better, _ in all_wins)
            losses = sum(worse == bot for _, worse in all_wins)
            assert ranges[bot] == (1 + losses, len(bots) - wins)
            assert (wins == len(bots) - 1) == (ranges[bot] == (1, 1))


scores_of_a_pair = st.tuples(
    st.lists(st.sampled_from(SUPPORT), max_size=8),
    st.sampled_from(SUPPORT),
    st.sampled_from([BLOCKS, BLOCKS, BLOCKS, 7, 0]),
)


@settings(max_examples=40, deadline=None)
@given(st.lists(scores_of_a_pair, min_size=12, max_size=12), st.sampled_from(["", STOP]))
def test_verdicts_intervals_and_ranks_never_contradict_one_another(
    planned: list[tuple[list[float], float, int]], more: str
) -> None:
    match, rows = MATCHES[more], iter(planned)
    results = {}
    for game in "xy":
        in_game = zip(PAIRS, rows, strict=False)
        results[game] = [
            result(match, pair, [*head, *[usual] * BLOCKS][:blocks])
            for pair, (head, usual, blocks) in in_game
        ]
    verdicts = decide(match, results, "better" if more else None)
    check(match, verdicts)
    is_planned = all(blocks == BLOCKS for _, _, blocks in planned)
    assert verdicts.is_fixed == (is_planned and not more)
    assert verdicts.comparisons == 12 - bool(more)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.integers(-3, 3), min_size=1, max_size=90), st.booleans())
def test_differences_in_points_follow_the_same_rule(values: list[int], is_planned: bool) -> None:
    match = cup_in_points(len(values) if is_planned else 1000)
    scores = [float(value) for value in values]
    check(match, decide(match, {"x": [result(match, ("a", "b"), scores)]}))


@pytest.mark.parametrize(("blocks", "planned"), [(6, 6), (100, 1000)])
@pytest.mark.parametrize("value", [2.0, -2.0])
def test_equal_differences_in_points_have_a_verdict_with_a_bound(
    blocks: int, planned: int, value: float
) -> None:
    match = cup_in_points(planned)
    verdicts = decide(match, {"x": [result(match, ("a", "b"), [value] * blocks)]})
    verdict, evidence = verdicts.of("x", ("a", "b"))
    assert verdict == ("better" if value > 0 else "worse")
    assert evidence is not None
    assert evidence.score is not None
    low, high = evidence.score.low, evidence.score.high
    assert low is not None
    assert high is not None
    assert 0 < min(abs(low), abs(high)) < max(abs(low), abs(high)) == abs(value)
    assert low * high > 0


@cache
def cup_in_points(blocks: int) -> Match:
    """Return a match for chips with such a number of blocks."""
    match = cup_of("ab", games="[{game: kuhn, id: x}]")
    return replace(match, order=replace(match.order, blocks=blocks))


def test_one_family_has_the_pairs_of_all_games() -> None:
    """Six wins of six are enough for one pair, and not for one of twelve."""
    match = cup_of("ab", games="[{game: kuhn, id: x, score: rank}]")
    match = replace(match, order=replace(match.order, blocks=6))
    alone = decide(match, {"x": [result(match, ("a", "b"), [1.0] * 6)]})
    assert alone.of("x", ("a", "b")).verdict == "better"
    many = replace(MATCHES[""], order=match.order)
    among = {
        game: [result(many, pair, [1.0 if pair == ("a", "b") else 0.5] * 6) for pair in PAIRS]
        for game in "xy"
    }
    decision = decide(many, among).of("x", ("a", "b"))
    assert decision.verdict == "open"
    assert decision.evidence is not None
    assert decision.evidence.limit == pytest.approx(0.05 / 12)


def test_the_pair_of_a_test_has_the_verdict_of_the_test_alone() -> None:
    """Read from the side of the bot that comes first in the file; the others form a family."""
    results = {
        game: [result(MATCHES[STOP], pair, [1.0] * BLOCKS) for pair in PAIRS] for game in "xy"
    }
    for outcome, verdict in (("better", "worse"), ("not better", "not worse"), ("x", "open")):
        verdicts = decide(MATCHES[STOP], results, outcome)
        tested = verdicts.of("x", ("a", "b"))
        assert tested.verdict == verdict
        assert tested.evidence is not None
        assert (tested.evidence.kind, tested.evidence.p_value) == ("test", None)
        assert {verdicts.of("y", pair).verdict for pair in PAIRS} == {"better"}
        assert verdicts.of("y", ("a", "b")).evidence.kind == "sequence"  # type: ignore[union-attr]  # it has blocks


@pytest.mark.parametrize(
    ("hypotheses", "outcome", "verdict"),
    [
        ((0, 20), "better", "better"),
        ((0, 20), "not better", "not better"),
        ((-20, 0), "better", "not worse"),
        ((-20, 0), "not better", "worse"),
        ((-10, 10), "undecided", "open"),
    ],
)
def test_a_test_shows_no_more_than_the_hypothesis_it_rejects(
    hypotheses: tuple[float, float], outcome: str, verdict: str
) -> None:
    """A rejected hypothesis decides about 0 Elo only if it includes all of one side."""
    assert sprt_verdict(hypotheses, outcome) == verdict


def test_asked_about_each_game_a_bot_is_better_that_is_better_in_each() -> None:
    """An assumed loss counts as a loss if the two bots met in another game."""
    match = replace(MATCHES[""], overall=OverallRules("each"))
    results = {
        "x": [result(match, pair, [1.0] * BLOCKS) for pair in PAIRS],
        "y": [result(match, pair, [float("c" not in pair)] * BLOCKS) for pair in PAIRS],
    }
    verdicts = decide(match, results)
    assert verdicts.rank_ranges(["x"], "abcd") == {
        "a": (1, 1),
        "b": (2, 2),
        "c": (3, 3),
        "d": (4, 4),
    }
    # In y a and c are even by their mean results, and so are b and d.
    both = verdicts.rank_ranges(["x", "y"], "abcd")
    assert both == {"a": (1, 2), "b": (2, 4), "c": (1, 3), "d": (3, 4)}
    lost = verdicts.rank_ranges(["x", "y"], "abcd", {("y", "c")})
    assert lost["c"] == (3, 3)


def test_by_default_the_mean_score_over_games_decides() -> None:
    """A lead in one game makes up for a smaller loss in the other; no game alone decides."""
    match = MATCHES[""]
    shares = {"x": 0.75, "y": 0.5}
    results = {
        game: [
            result(match, pair, [share if pair[0] == "a" else 0.5] * 20 + [0.5] * (BLOCKS - 20))
            for pair in PAIRS
        ]
        for game, share in shares.items()
    }
    verdicts = decide(match, results)
    assert verdicts.rank_ranges(["x", "y"], "abcd")["a"] == (1, 1)
    (rows,) = verdicts.overall.values()
    row = rows[0]
    assert (row.a, row.b, row.blocks, row.verdict) == ("a", "b", BLOCKS, "better")
    assert row.evidence is not None
    assert row.evidence.score is not None
    lead = row.evidence.score.value
    assert lead is not None
    assert lead == pytest.approx((0.25 * 20 / BLOCKS) / 2)
    first, *others = leads_of(rows)
    assert (first.bot, first.rank, first.best, first.worst) == ("a", 1, 1, 1)
    assert first.lead == pytest.approx(0.75 * lead)
    assert sum(other.lead for other in others) == pytest.approx(-first.lead)
    assert {(other.best, other.worst) for other in others} == {(2, 4)}
    asked = decide(replace(match, overall=OverallRules("each")), results)
    assert asked.overall == {}
    assert asked.rank_ranges(["x", "y"], "abcd")["a"] == (1, 4)


def rate_is_at_most(errors: int, share: float = 0.05) -> bool:
    """Return whether this number of errors in RUNS matches is likely at an error rate."""
    return not errors or bool(bdtr(errors - 1, RUNS, share) < 0.999)


def random_results(match: Match, rng: Random, blocks: int = BLOCKS) -> dict[str, list[PairResult]]:
    """Return results of even bots in all games."""
    pairs = list(combinations([entrant.id for entrant in match.entrants], 2))
    return {
        contest.id: [
            result(match, pair, rng.choices(SUPPORT, CHANCES, k=blocks), watched=False)
            for pair in pairs
        ]
        for contest in match.contests
    }


def has_win(rows: Iterable[ComparisonRow], limit: float | None = None) -> bool:
    """Return whether a bot is better than another, or its p-value is at most an own limit."""
    if limit is None:
        return any(row.verdict in DIFFERENT for row in rows)
    p_values = [row.evidence.p_value for row in rows if row.evidence]
    return any(p_value is not None and p_value <= limit for p_value in p_values)


def test_among_even_bots_a_comparison_through_opponents_or_over_games_is_rarely_wrong() -> None:
    """The families through opponents and over games; without a correction many matches are."""
    rng, match = Random(21), MATCHES[""]
    joint = overall = plain = 0
    for _ in range(RUNS):
        verdicts = decide(match, random_results(match, rng))
        rows = [row for rows in verdicts.joint.values() for row in rows]
        joint += has_win(rows)
        overall += has_win(row for rows in verdicts.overall.values() for row in rows)
        plain += has_win(rows, 0.05)
    assert rate_is_at_most(joint), f"{joint} of {RUNS} matches"
    assert rate_is_at_most(overall), f"{overall} of {RUNS} matches"
    assert not rate_is_at_most(plain), f"{plain} of {RUNS} matches without a correction"


def test_through_opponents_more_pairs_are_settled_than_by_their_own_games() -> None:
    """Bots in an order, each ahead of the next by a little, with all opponents in common."""
    rng, match = Random(22), cup_of("abcdefgh", games="[{game: kuhn, id: x, score: rank}]")
    chances = {
        number: (1, 4 - number / 2, 6, 4 + number / 2, 1 + number / 4) for number in range(8)
    }
    bots = [entrant.id for entrant in match.entrants]
    results = {
        "x": [
            result(
                match,
                (bots[one], bots[other]),
                rng.choices(SUPPORT, chances[other - one], k=BLOCKS),
                watched=False,
            )
            for one, other in combinations(range(8), 2)
        ]
    }
    verdicts = decide(match, results)
    own = {
        pair for pair, decision in verdicts.decisions["x"].items() if decision.verdict in DIFFERENT
    }
    joint = verdicts.wins("x")
    assert len(joint) > 1.5 * len(own)
    assert all(better < worse for better, worse in joint)
    assert verdicts.rank_ranges(["x"], bots)["a"][0] == 1


def test_the_game_of_a_test_and_a_race_have_no_comparisons_through_opponents() -> None:
    """In a test only the verdict of the test counts; a race plays other deals with each pair."""
    rng = Random(23)
    tested = decide(MATCHES[STOP], random_results(MATCHES[STOP], rng), "undecided")
    assert tested.joint["x"] == ()
    assert len(tested.joint["y"]) == len(PAIRS)
    kinds = {row.evidence.kind for row in tested.joint["y"] if row.evidence}
    assert kinds == {"sequence"}
    race = replace(MATCHES[""], order=replace(MATCHES[""].order, mode="racing"))
    raced = decide(race, random_results(race, rng))
    assert not any(raced.joint.values())


def test_an_unfinished_match_compares_the_deals_that_all_pairs_played() -> None:
    rng, match = Random(24), MATCHES[""]
    results = random_results(match, rng)
    results["x"][0] = result(match, PAIRS[0], results["x"][0].scores[:11].tolist())
    verdicts = decide(match, results)
    assert {row.blocks for row in verdicts.joint["x"]} == {11}
    assert {row.evidence.kind for row in verdicts.joint["x"] if row.evidence} == {"sequence"}
    assert {row.blocks for row in verdicts.joint["y"]} == {BLOCKS}
    (rows,) = verdicts.overall.values()
    assert {row.blocks for row in rows} == {11}
    results["x"][0] = result(match, PAIRS[0], [])
    empty = decide(match, results).joint["x"]
    assert len(empty) == len(PAIRS)
    assert verdicts.rank_ranges(["x"], "abcd")["a"] is not None


def even_match(more: str, rng: Random) -> set[tuple[str, tuple[str, str]]]:
    """Return the games and pairs of a match of even bots in which one is said to be better."""
    match = MATCHES[more]
    results = {
        game: [
            result(match, pair, rng.choices(SUPPORT, CHANCES, k=BLOCKS), watched=bool(more))
            for pair in PAIRS
        ]
        for game in "xy"
    }
    outcome = sprt_outcome(results["x"][0].scores.tolist()) if more else None
    verdicts = decide(match, results, outcome)
    check(match, verdicts)
    return {
        (game, pair)
        for game, decisions in verdicts.decisions.items()
        for pair, decision in decisions.items()
        if decision.verdict in DIFFERENT
    }


def sprt_outcome(scores: Sequence[float]) -> str:
    """Return the outcome of the test of b against a, given the block scores of a."""
    sprt = Sprt(Hypotheses(0, 120), SUPPORT)
    for score in scores:
        if sprt.add(1 - score) is not Verdict.UNDECIDED:
            break
    return sprt.verdict.value


def test_among_even_bots_a_verdict_on_any_of_many_pairs_is_rare() -> None:
    rng = Random(20)
    wrong = sum(bool(even_match("", rng)) for _ in range(RUNS))
    assert rate_is_at_most(wrong), f"{wrong} of {RUNS} matches"


def test_among_even_bots_a_test_and_the_other_pairs_have_an_error_rate_each() -> None:
    """The pair of the test has only the verdict of the test, and therefore its error rate."""
    rng = Random(20)
    matches = [even_match(STOP, rng) for _ in range(RUNS)]
    by_test = sum(("x", ("a", "b")) in wrong for wrong in matches)
    others = sum(bool(wrong - {("x", ("a", "b"))}) for wrong in matches)
    assert rate_is_at_most(by_test), f"{by_test} of {RUNS} tests"
    assert rate_is_at_most(others), f"{others} of {RUNS} matches"
