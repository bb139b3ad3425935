"""Matches with mixed partners: tables of two bots, and teams of two bots against whole teams."""

import re
from collections.abc import Sequence
from io import StringIO
from itertools import combinations, product
from pathlib import Path
from statistics import mean
from typing import NamedTuple

import pytest
from click.testing import CliRunner
from rich.console import Console
from tests.lab.match.parties.conftest import CUP, GAMES, Play, play_cup

from cardhub.base.errors import MatchFileError
from cardhub.cli.main import cli
from cardhub.cli.match.live_display import LiveState, render
from cardhub.lab.analysis import analyse
from cardhub.lab.analysis.schema import GameStatistics
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.match.blocks import Games
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import RunOptions, replay_log, run
from cardhub.lab.match.task import GameResult
from cardhub.lab.report.report_files import result_in, write_reports
from cardhub.lab.report.tables import partners_caption
from cardhub.plugins.registry import PluginRegistry

pytestmark = pytest.mark.xdist_group("partners")  # the two cups are played once
BOTS = ("dice", "high", "other")
TABLES = "laytogether, players: 3, partners: mixed"
TEAMS = "laypairs, partners: mixed"
BLOCKS = 3


class Cup(NamedTuple):
    """A cup in its folder, with the statistics of its only game."""

    folder: Path
    stats: GameStatistics
    games: list[GameResult]


def cup_of(folder: Path, registry: PluginRegistry, game: str) -> Cup:
    """Play the cup of a game."""
    result, games, _ = play_cup(folder, registry, game, blocks=BLOCKS)
    return Cup(folder, result.statistics.games[0], games)


@pytest.fixture(scope="module")
def tables(registry: PluginRegistry, tmp_path_factory: pytest.TempPathFactory) -> Cup:
    """Return a cup for a common cause."""
    return cup_of(tmp_path_factory.mktemp("tables"), registry, TABLES)


@pytest.fixture(scope="module")
def teams(registry: PluginRegistry, tmp_path_factory: pytest.TempPathFactory) -> Cup:
    """Return a cup of two teams."""
    return cup_of(tmp_path_factory.mktemp("teams"), registry, TEAMS)


def table_scores(games: Sequence[GameResult], *bots: str) -> list[float]:
    """Return the mean score of the tables of these bots, by deal."""
    deals = sorted({game.deal for game in games})
    by_deal = [[g.scores[0] for g in games if g.deal == d and {*g.seats} == {*bots}] for d in deals]
    return [mean(scores) for scores in by_deal]


def team_score(game: GameResult, partners: set[str]) -> float:
    """Return 1 if the team of these bots won, 1/2 for a draw, 0 if it lost."""
    sides = [(0, 2), (1, 3)]
    mine = next(side for side in sides if {game.seats[seat] for seat in side} == partners)
    theirs = next(side for side in sides if side != mine)
    one, other = game.places[mine[0]], game.places[theirs[0]]
    return 0.5 if one == other else float(one < other)


def team_scores(games: Sequence[GameResult], one: str, other: str) -> list[float]:
    """Return the mean over the whole teams of all bots, by deal; 1/2 against the same team."""
    means_by_deal = []
    for deal in sorted({game.deal for game in games}):
        against = []
        for rival in BOTS:
            teams = {frozenset((one, other)), frozenset((rival,))}
            met = [
                game
                for game in games
                if game.deal == deal
                and {frozenset(game.seats[::2]), frozenset(game.seats[1::2])} == teams
            ]
            is_itself = one == other == rival
            against.append(0.5 if is_itself else mean(team_score(g, {one, other}) for g in met))
        means_by_deal.append(mean(against))
    return means_by_deal


def means(stats: GameStatistics) -> dict[tuple[str, str], float | None]:
    """Return the mean scores of all partners."""
    return {row.bots: row.score.value if row.score else None for row in stats.partners}


def test_each_two_bots_of_a_common_cause_share_tables_in_all_seats(tables: Cup) -> None:
    first = [game for game in tables.games if game.deal == 0]
    assert [game.seats for game in first[:3]] == [(bot,) * 3 for bot in BOTS]
    for one, other in combinations(BOTS, 2):
        seatings = {game.seats for game in first if game.bots == (one, other)}
        assert seatings == {*product((one, other), repeat=3)} - {(one,) * 3, (other,) * 3}
    assert len(first) == 3 + 3 * 6
    assert len({game.cards for game in first}) == 1


def test_the_matrix_has_the_mean_scores_of_tables(tables: Cup) -> None:
    expected = {
        (one, other): mean(table_scores(tables.games, one, other))
        for number, one in enumerate(BOTS)
        for other in BOTS[number:]
    }
    assert means(tables.stats) == pytest.approx(expected)
    (row,) = (row for row in tables.stats.partners if row.bots == ("dice", "high"))
    assert (row.blocks, row.games, row.deals) == (BLOCKS, 6 * BLOCKS, (0, BLOCKS - 1))
    assert row.score is not None
    assert row.score.low is not None
    assert row.score.high is not None
    assert row.score.low < expected["dice", "high"] < row.score.high
    reached = [g.scores[0] >= 24 for g in tables.games if g.bots == ("dice", "high")]
    assert row.reached is not None
    assert row.reached.value == pytest.approx(mean(reached))


def test_a_bot_is_compared_with_itself_as_its_partner(tables: Cup) -> None:
    """The mean over its tables with others, minus the mean of its own tables on the same deals."""
    (row,) = (row for row in tables.stats.ad_hoc if row.bot == "high")
    pairs = (("dice", "high"), ("high", "other"))
    with_others = mean(mean(table_scores(tables.games, *pair)) for pair in pairs)
    assert row.blocks == BLOCKS
    assert row.score is not None
    assert row.score.value == pytest.approx(with_others)
    assert row.difference is not None
    own = mean(table_scores(tables.games, "high"))
    assert row.difference.value == pytest.approx(with_others - own)


@pytest.mark.parametrize("game", [TABLES, TEAMS])
def test_ratings_and_verdicts_rest_on_whole_teams(
    tables: Cup, teams: Cup, play: Play, game: str
) -> None:
    """They equal the results without mixed partners, on the same deals."""
    mixed = {TABLES: tables, TEAMS: teams}[game].stats
    result, games, _ = play(game.replace("mixed", "same"), blocks=BLOCKS)
    (same,) = result.statistics.games
    assert (same.partners, same.ad_hoc) == ((), ())
    assert mixed.games > same.games == len(games)
    assert (mixed.pairs, mixed.crosstable, mixed.seats) == (same.pairs, same.crosstable, same.seats)
    ratings = [
        [(row.bot, row.elo, row.points, row.score, row.games, row.rank) for row in stats.bots]
        for stats in (mixed, same)
    ]
    assert ratings[0] == ratings[1]


def test_teams_of_two_bots_meet_the_whole_team_of_each_bot(teams: Cup) -> None:
    first = [game for game in teams.games if game.deal == 0]
    seatings = [game.seats for game in first if game.bots == ("dice", "high", "dice")]
    assert sorted(seatings) == [
        ("dice", "dice", "dice", "high"),
        ("dice", "dice", "high", "dice"),
        ("dice", "high", "dice", "dice"),
        ("high", "dice", "dice", "dice"),
    ]
    assert len(first) == 3 * 2 + 3 * 3 * 4
    assert len({game.cards for game in first}) == 1


def test_partners_are_measured_against_the_same_whole_teams(teams: Cup) -> None:
    """A whole team is even against itself, because all partners have the same opponents."""
    expected = {
        (one, other): mean(team_scores(teams.games, one, other))
        for number, one in enumerate(BOTS)
        for other in BOTS[number:]
    }
    assert means(teams.stats) == pytest.approx(expected)
    (row,) = (row for row in teams.stats.ad_hoc if row.bot == "high")
    assert row.score is not None
    with_others = mean((expected["dice", "high"], expected["high", "other"]))
    assert row.score.value == pytest.approx(with_others)


def test_partners_may_be_measured_by_points(play: Play) -> None:
    """Then by the lead over the other team, 0 against itself."""
    result, games, _ = play(TEAMS + ", score: points", blocks=2)
    leads = {}
    for rival in ("dice", "other"):
        met = [g for g in games if {*g.bots} == {"high", rival} and not g.has_mixed_partners]
        ahead = [g.scores[g.seats.index("high")] - g.scores[g.seats.index(rival)] for g in met]
        leads[rival] = mean(ahead)
    lead = means(result.statistics.games[0])["high", "high"]
    assert lead == pytest.approx(sum(leads.values()) / 3)


def test_the_others_go_on_without_a_withdrawn_bot(play: Play) -> None:
    """Their means with others cover the remaining bots."""
    result, games, _ = play(TABLES, blocks=BLOCKS, most_faults=2, high="failing")
    assert list(result.withdrawn) == ["high"]
    assert games[-1].bots == ("dice", "other")
    assert not any("high" in game.seats for game in games if game.deal > 0)
    (row,) = (row for row in result.statistics.games[0].ad_hoc if row.bot == "dice")
    assert row.blocks == BLOCKS
    assert row.score is not None
    assert row.score.value == pytest.approx(mean(table_scores(games, "dice", "other")))


def test_a_test_ends_the_match_by_tables_of_one_bot(play: Play) -> None:
    stop = "stop: {sprt: {a: high, b: dice, nelo: [0, 400]}}"
    mixed, games, _ = play(TABLES, stop, blocks=20)
    assert mixed.test is not None
    assert mixed.test.verdict == "better"
    assert mixed.test.blocks == games[-1].deal + 1 < 20
    assert games[-1].bots == ("high",)


def test_partners_have_anytime_valid_intervals_where_results_decide_the_end(
    tmp_path: Path, registry: PluginRegistry
) -> None:
    stop = "stop: {sprt: {a: high, b: dice, nelo: [0, 1]}}"
    statistics: list[GameStatistics] = []
    for name, more in (("planned", ""), ("stopped", stop)):
        (tmp_path / name).mkdir()
        game = f"{TEAMS}, score: rank"
        result, *_ = play_cup(tmp_path / name, registry, game, more, blocks=4)
        statistics += result.statistics.games
    planned, stopped = statistics
    for one, other in zip(planned.partners, stopped.partners, strict=True):
        assert one.score
        assert other.score
        assert one.score.value == pytest.approx(other.score.value)
        assert width(other.score) > width(one.score) > 0
    for fixed, always in zip(planned.ad_hoc, stopped.ad_hoc, strict=True):
        assert fixed.difference
        assert always.difference
        assert fixed.difference.value == pytest.approx(always.difference.value)
        assert width(always.difference) > width(fixed.difference) > 0
    assert partners_caption(planned).endswith("for a number of blocks that was fixed in advance")
    assert partners_caption(stopped).endswith("with its anytime-valid interval")


def width(estimate: OpenEstimate) -> float:
    """Return the width of a bounded interval."""
    assert estimate.low is not None
    assert estimate.high is not None
    return estimate.high - estimate.low


@pytest.mark.parametrize(("game", "own"), [(TABLES, 2), (TEAMS, 0)])
def test_in_a_gauntlet_one_of_two_partners_is_a_challenger(play: Play, game: str, own: int) -> None:
    """Whole teams that do not meet all others lack that result."""
    result, games, folder = play(game, blocks=2, mode="gauntlet")
    (stats,) = result.statistics.games
    mixed = {game.bots[:2] for game in games if game.has_mixed_partners}
    assert mixed == {("dice", "high"), ("dice", "other")}
    rows = {row.bots: row for row in stats.partners}
    assert rows.keys() == mixed | {(bot, bot) for bot in BOTS}
    assert [rows[bot, bot].blocks for bot in BOTS] == [2, own, own]
    assert (rows["high", "high"].score is None) == (own == 0)
    (row,) = (row for row in stats.ad_hoc if row.bot == "high")
    assert row.blocks == 2
    assert (row.difference is None) == (own == 0)
    assert "| high " in (folder / "report.md").read_text("utf-8")


def test_a_match_without_a_finished_block_has_empty_tables(
    tables: Cup, tmp_path: Path, registry: PluginRegistry
) -> None:
    """Reports can be asked for at any time."""
    header = (tables.folder / "games.jsonl").read_bytes().splitlines(keepends=True)[0]
    (tmp_path / "games.jsonl").write_bytes(header)
    result = result_in(tmp_path, registry)
    write_reports(tmp_path, result)
    (stats,) = result.statistics.games
    assert {(row.blocks, row.score) for row in stats.partners} == {(0, None)}
    assert {(row.blocks, row.score) for row in stats.ad_hoc} == {(0, None)}
    assert len((tmp_path / "partners.csv").read_text("utf-8").splitlines()) == 1 + 6


def test_an_interrupted_match_goes_on_to_the_same_bytes(
    teams: Cup, tmp_path: Path, registry: PluginRegistry
) -> None:
    """Its log is cut within a deal, and several games are played ahead."""
    names = ("games.jsonl", "result.json")
    before = [(teams.folder / name).read_bytes() for name in names]
    lines = before[0].splitlines(keepends=True)
    (tmp_path / "games.jsonl").write_bytes(b"".join(lines[:20]) + lines[20][:30])
    options = RunOptions(ahead=5, analyse=analyse)
    run(read_match(teams.folder / "cup.yaml", registry), registry, tmp_path, options)
    assert [(tmp_path / name).read_bytes() for name in names] == before


def test_reports_show_partners_with_links_to_their_games(teams: Cup) -> None:
    """The matrix, the means with others, a table for spreadsheets."""
    value = means(teams.stats)["dice", "high"]
    assert value is not None
    for name in ("report.html", "report.md"):
        text = (teams.folder / name).read_text("utf-8")
        assert f"{value:.3f} ± " in text
        assert "Above its own" in text
    best_first = [row.bot for row in teams.stats.bots]
    section = (teams.folder / "report.md").read_text("utf-8").partition("### Partners")[2]
    assert best_first[0] == "high"
    assert sorted(BOTS, key=section.index) == best_first
    page = (teams.folder / "report.html").read_text("utf-8")
    assert re.search(r'<a href="#games-\d+" aria-label="dice with high: ', page)
    assert "cardhub match games . --game laypairs --bots dice,high --partners mixed" in page
    table = (teams.folder / "partners.csv").read_text("utf-8").splitlines()
    assert table[0].startswith("game,bot,partner,score,low,high")
    assert len(table) == 1 + 6


def test_games_are_listed_by_partners(teams: Cup) -> None:
    command = ["match", "games", str(teams.folder), "--bots", "high,other", "--partners", "mixed"]
    result = CliRunner().invoke(cli, ["--plugins-dir", str(GAMES), *command])
    games = {game.id: game for game in teams.games}
    listed = [games[line.split()[0]] for line in result.output.splitlines()]
    assert {game.bots for game in listed} == {("high", "other", bot) for bot in BOTS}
    assert len(listed) == 3 * 4 * BLOCKS


@pytest.mark.parametrize("game", [TABLES, TEAMS])
def test_the_live_table_has_own_partners_and_others_apart(
    tables: Cup, teams: Cup, registry: PluginRegistry, game: str
) -> None:
    cup = {TABLES: tables, TEAMS: teams}[game]
    match = read_match(cup.folder / "cup.yaml", registry)
    live = LiveState(match)
    live.begin(replay_log(match, Games(match, registry.directories), cup.folder, live))
    (scores,) = live.scores.values()
    assert scores.blocks == scores.all_blocks == cup.stats.blocks
    score = {row.bot: row.score for row in cup.stats.bots}
    for row in cup.stats.ad_hoc:
        assert scores.mean(row.bot) == pytest.approx(score[row.bot])
        assert row.score is not None
        assert scores.mean_with_others(row.bot) == pytest.approx(row.score.value)
    console = Console(file=StringIO(), width=80, height=24)
    with console.capture() as captured:
        console.print(render(live, console.size))
    assert re.search(r"high with others +[+\d.]+", captured.get())


@pytest.mark.parametrize(
    ("game", "mode", "expected"),
    [
        ("laypoints, partners: mixed", "", "every player of Lay for points plays alone"),
        ("laypoints, partners: same", "", "every player of Lay for points plays alone"),
        ("four_piles, players: 1, partners: mixed", "", "every player of Four piles plays alone"),
        ("laypairs, partners: mixed", "mode: racing, ", "chooses pairs of whole teams"),
        ("laypairs, partners: both", "", "partners must be one of 'same', 'mixed'"),
        ("laytriples, players: 6, partners: mixed", "", "teams of 2, 2 and 2 players"),
    ],
)
def test_partners_are_rejected_where_they_have_no_meaning(
    tmp_path: Path, registry: PluginRegistry, game: str, mode: str, expected: str
) -> None:
    text = CUP.replace("GAME", game).replace("{blocks", "{" + mode + "blocks")
    (tmp_path / "cup.yaml").write_text(text, "utf-8")
    with pytest.raises(MatchFileError, match=r"cup\.yaml:11:\d+: ") as caught:
        read_match(tmp_path / "cup.yaml", registry)
    assert expected in str(caught.value)
