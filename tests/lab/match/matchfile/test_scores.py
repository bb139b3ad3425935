"""The score of a game in a match file: by rank, by winning, or by points."""

from collections.abc import Callable
from pathlib import Path

import pytest

from cardhub.base.errors import MatchFileError
from cardhub.lab.match.blocks import limits_of
from cardhub.lab.match.match_spec import Match, identity_of, match_of, spec_of
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.plugins.registry import PluginRegistry

ReadMatch = Callable[..., Match]
CUP = """
    cardhub_match: 1
    name: cup
    seed: 7
    bots: [{id: a, use: random}, {id: b, use: random}]
    games: [{game: kuhn, score: rank}]
"""
GAMES = "[{game: kuhn}, {game: gamon}, {game: hearts}, {game: hearts, id: low, score: points}]"


def test_the_score_follows_from_the_goal_of_the_game(match: ReadMatch) -> None:
    """Points where chips are at stake, winning where one player wins; the file has the last word.

    The record of a match has the unit, and whether the lowest score wins, only where they count.
    """
    contests = {contest.id: contest for contest in match(CUP, games=GAMES).contests}
    assert (contests["kuhn"].score, contests["kuhn"].unit) == ("points", "chips")
    assert contests["gamon"].score == contests["hearts"].score == "win"
    assert (contests["low"].score, contests["low"].lowest_wins) == ("points", True)
    assert not contests["hearts"].lowest_wins


def test_half_points_are_named(match: ReadMatch) -> None:
    """Scores of Garner count halves where a suit may count half; figures of a match are scores."""
    games = (
        "[{game: garner, score: points, rules: {layout: c}}, {game: garner, id: b, score: points}]"
    )
    halves, whole = match(CUP, games=games).contests
    assert (halves.unit, whole.unit) == ("½ suits", "suits")


def test_the_record_of_a_match_says_how_it_was_scored(match: ReadMatch) -> None:
    """A match scored by places has the same identity as before there were points."""
    by_places = identity_of(match(CUP))["games"][0]
    assert by_places["score"] == "rank"
    assert not {"unit", "lowest_wins"} & {*by_places}
    cup = match(CUP, games=GAMES)
    assert match_of(spec_of(cup)).contests == cup.contests
    assert spec_of(cup)["games"][0]["unit"] == "chips"


def test_a_game_for_points_is_played_on_after_a_fault(match: ReadMatch) -> None:
    text = CUP + "    faults: {two_player: loss, substitute: first}\n"
    cup = match(text, games=GAMES)
    by_points, by_winning = (limits_of(cup, contest) for contest in cup.contests[:2])
    assert (by_points.policy, by_points.substitute) == ("substitute", "random")
    assert (by_winning.policy, by_winning.substitute) == ("loss", "first")


@pytest.mark.parametrize(
    ("games", "stop", "expected"),
    [
        (
            "[{game: kuhn, score: point}]",
            "",
            "5:29: score must be one of 'rank', 'win', 'points', not 'point'. Did you mean",
        ),
        (
            "[{game: kuhn}]",
            "elo: [0, 5]",
            "6:32: kuhn is scored by points, which have no logistic Elo: use nelo or points",
        ),
        (
            "[{game: kuhn, score: win}]",
            "points: [0, 5]",
            "6:35: kuhn is scored by win: use nelo, or set `score: points` for it",
        ),
        (
            "[{game: kuhn}]",
            "nelo: [0, 5], points: [0, 5]",
            "6:41: points and nelo are mutually exclusive",
        ),
    ],
)
def test_scores_that_do_not_fit_are_told_with_their_place(
    file: Callable[[str], Path], registry: PluginRegistry, games: str, stop: str, expected: str
) -> None:
    text = CUP.replace("[{game: kuhn, score: rank}]", games)
    text += f"    stop: {{sprt: {{a: a, b: b, {stop}}}}}\n" if stop else ""
    with pytest.raises(MatchFileError) as caught:
        read_match(file(text), registry)
    assert expected in str(caught.value)
