"""Matches of games for points, in teams and for a common cause, played and verified."""

from pathlib import Path
from typing import Any

import pytest
from tests.lab.match.parties.conftest import CUP, Play

from cardhub.base.errors import MatchFileError
from cardhub.base.writing import percent
from cardhub.cli.match.summary import print_summary
from cardhub.lab.analysis.schema import MatchResult
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.plugins.registry import PluginRegistry


def rows(result: MatchResult) -> dict[str, Any]:
    """Return the rows of the bots of the only game."""
    return {row.bot: row for row in result.statistics.games[0].bots}


def test_the_fewest_points_are_best_where_the_lowest_wins(play: Play) -> None:
    """Points are negated; who lays high cards loses pence."""
    result, games, _ = play("laypoints")
    (game,) = result.statistics.games
    assert (game.scoring, game.unit, game.is_common) == ("points", "pence", False)
    by_bot = rows(result)
    assert by_bot["high"].rank == 3
    mean = -sum(g.scores[g.seats.index("high")] for g in games if "high" in g.seats)
    assert by_bot["high"].score == pytest.approx(mean / by_bot["high"].games)


def test_a_team_is_one_bot_and_counts_as_one_player(play: Play) -> None:
    """Blocks mirror over the teams: each bot has the seats 0 and 2 once, and 1 and 3 once."""
    result, games, _ = play("laypairs")
    assert {game.seats for game in games[:2]} == {("dice", "high") * 2, ("high", "dice") * 2}
    (stats,) = result.statistics.games
    assert (stats.scoring, stats.games_per_block) == ("win", 2)
    best = stats.bots[0]
    assert (best.bot, best.rank, best.games) == ("high", 1, 2 * 2 * 12)
    assert stats.audit.uneven_seats == stats.audit.uneven_scores == 0
    (pair,) = (row for row in stats.pairs if row.bots == ("dice", "high"))
    met = [game for game in games if {*game.seats} == {"dice", "high"}]
    places = [(g.places[g.seats.index("dice")], g.places[g.seats.index("high")]) for g in met]
    # A win of a team is one win, not two.
    won = [1.0 if one < other else 0.5 if one == other else 0.0 for one, other in places]
    assert pair.games == len(won) == 24
    assert (pair.wins, pair.draws, pair.losses) == (won.count(1), won.count(0.5), won.count(0))
    assert sum(bar.games for bar in pair.margins) == 24
    worst = [loss.game_id for row in stats.bots for loss in row.worst_games]
    assert len(set(worst)) == len(worst)
    assert pair.score is not None
    assert pair.score.value == pytest.approx(sum(won) / 24)


def test_partners_win_and_lose_by_the_score_of_their_team(play: Play) -> None:
    result, games, _ = play("laypairs, score: points")
    by_bot = rows(result)
    gained = [g.scores[g.seats.index("high")] for g in games if "high" in g.seats]
    assert by_bot["high"].score == pytest.approx(sum(gained) / len(gained))


def test_each_bot_plays_a_common_cause_with_itself_on_the_same_deals(play: Play) -> None:
    """One table for each bot and deal."""
    _, games, _ = play("laytogether, players: 3")
    assert [game.seats for game in games[:3]] == [("dice",) * 3, ("high",) * 3, ("other",) * 3]
    assert len(games) == 3 * 12
    assert len({game.cards for game in games[:3]}) == 1


def test_a_common_cause_can_be_played_alone(play: Play) -> None:
    """A bot alone has no opponents, but a target."""
    result, games, _ = play("laytogether, players: 1")
    assert [game.seats for game in games[:3]] == [("dice",), ("high",), ("other",)]
    assert [row.games for row in rows(result).values()] == [12, 12, 12]


def test_bots_of_a_common_cause_are_compared_by_their_tables(play: Play) -> None:
    """Mean scores, shares of tables at the target, and differences on the same deal."""
    result, games, _ = play("laytogether, players: 3")
    (stats,) = result.statistics.games
    assert (stats.is_common, stats.target, stats.scoring) == (True, 24, "points")
    scores = {bot: [g.scores[0] for g in games if g.seats[0] == bot] for bot in ("dice", "high")}
    high = rows(result)["high"]
    assert (high.rank, high.elo) == (1, None)
    assert high.points.value == pytest.approx(sum(scores["high"]) / 12)
    assert high.points.low < high.points.value < high.points.high
    assert high.reached.value == pytest.approx(sum(s >= 24 for s in scores["high"]) / 12)
    (pair,) = (row for row in stats.pairs if row.bots == ("dice", "high"))
    ahead = [one - other for one, other in zip(scores["dice"], scores["high"], strict=True)]
    assert pair.score_fixed is not None
    assert pair.score_fixed.value == pytest.approx(sum(ahead) / 12)
    assert (pair.blocks, pair.verdict) == (12, "worse")
    assert stats.seats == ()
    assert stats.transitivity is None


def test_reports_of_a_common_cause_speak_of_tables(
    play: Play, capsys: pytest.CaptureFixture[str]
) -> None:
    result, _, folder = play("laytogether, players: 3")
    high = rows(result)["high"]
    for name in ("report.html", "report.md"):
        text = (folder / name).read_text("utf-8")
        assert f"{high.points.value:.2f} ± " in text
        assert " of 24 points" in text
        assert "Elo by places" not in text
    print_summary(result, folder)
    shown = capsys.readouterr().out
    assert " of 24 points" in shown
    assert percent(high.reached.value) in shown


def test_a_test_ends_a_match_for_a_common_cause(play: Play) -> None:
    stop = "stop: {sprt: {a: high, b: dice, nelo: [0, 400]}}"
    result, games, _ = play("laytogether, players: 3", stop)
    assert result.test is not None
    assert result.test.verdict == "better"
    assert result.test.blocks == games[-1].deal + 1
    test = result.statistics.test
    assert test is not None
    assert test.score_always is not None
    assert test.course[-1].blocks == result.test.blocks


def test_a_fault_is_played_on_at_random_for_the_common_score(play: Play) -> None:
    """The table keeps the score that it gets so."""
    result, games, _ = play("laytogether, players: 3", high="failing")
    (stats,) = result.statistics.games
    assert {game.end for game in games} == {"over"}
    assert sum(bool(game.faults) for game in games) == 12
    assert [row.bot for row in stats.faults] == ["high"]


@pytest.mark.parametrize(
    ("game", "more", "expected"),
    [
        ("laytogether, score: rank", "", "all players of Lay together share one score: use points"),
        ("laytogether, fill: mirror", "", "fill is for games with more than two players or teams"),
        ("laypairs, fill: mirror", "", "fill is for games with more than two players or teams"),
        ("laytogether", "mode: racing, ", "`mode: racing` has no pairs of opponents"),
    ],
)
def test_parts_of_a_match_file_that_need_rivals_are_rejected(
    tmp_path: Path, registry: PluginRegistry, game: str, more: str, expected: str
) -> None:
    """Where all seats share one score, or two teams fill the table."""
    text = CUP.replace("GAME", game).replace("{blocks", "{" + more + "blocks")
    (tmp_path / "cup.yaml").write_text(text, "utf-8")
    with pytest.raises(MatchFileError, match=r"cup\.yaml") as caught:
        read_match(tmp_path / "cup.yaml", registry)
    assert expected in str(caught.value)
