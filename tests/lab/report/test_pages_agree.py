"""Headline, tables, ranks, CSV and terminal output of a match agree for random results."""

import csv
import html
import re
from io import StringIO

import pytest
from tests.lab.report.conftest import Played, play

from cardhub.base.writing import signed
from cardhub.cli.match.summary import print_summary
from cardhub.lab.report.number_format import NO_INTERVALS
from cardhub.lab.report.view.game_view import MARKS
from cardhub.lab.report.view.page import read_page
from cardhub.plugins.registry import PluginRegistry

FILE = """
cardhub_match: 1
salt: none
isolate: no
name: agree
seed: {seed}
bots:
  - {{id: dice, use: random}}
  - {{id: first, use: first}}
  - {{id: steady, use: steady}}
games: {games}
schedule: {{blocks: {blocks}}}
rating: {{bootstrap: 100, level: {level}}}
{more}
"""
BY_PLACES = "[{game: kuhn, score: rank}, {game: leduc, score: rank}]"
IN_CHIPS = "[{game: kuhn}]"
STOP = "stop: {sprt: {a: first, b: dice, game: kuhn, nelo: [0, 100]}}"
ONE = re.compile(r"(\w+) is the best bot in (\w+): it is better than every other bot\.")


@pytest.fixture(
    scope="module",
    params=[
        (BY_PLACES, 1, 0.95, ""),
        (BY_PLACES, 30, 0.95, ""),
        (BY_PLACES, 30, 0.8, STOP),
        (IN_CHIPS, 70, 0.95, ""),
        (IN_CHIPS, 70, 0.95, STOP),
    ],
    ids=["one-block", "planned", "test", "chips", "chips-test"],
)
def played(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    registry: PluginRegistry,
) -> Played:
    """Return a match with its reports: short or long, with a test or without, in chips or not."""
    games, blocks, level, more = request.param
    text = FILE.format(seed=blocks, games=games, blocks=blocks, level=level, more=more)
    return play(tmp_path_factory.mktemp("agree"), text, registry)


def table_after(text: str, heading: str, number: int = 0) -> list[list[str]]:
    """Return the cells of a Markdown table after a heading, the first by default, without heads."""
    body = text.split(f"\n{heading}\n", 1)[1]
    lines = re.findall(r"(?:^\|.*\n)+", body, re.MULTILINE)[number].splitlines()[2:]
    return [[cell.strip() for cell in line.split("|")[1:-1]] for line in lines]


def wins_of(pairs: list[dict[str, object]]) -> set[tuple[object, object]]:
    """Return the pairs of a better and a worse bot."""
    ways = {"better": ("a", "b"), "worse": ("b", "a")}
    decided = [(row, ways[str(row["verdict"])]) for row in pairs if row["verdict"] in ways]
    return {(row[one], row[other]) for row, (one, other) in decided}


def test_ranks_follow_from_the_verdicts_of_their_game(played: Played) -> None:
    rows = list(csv.DictReader(StringIO(played.text("ratings.csv"))))
    for game in played.result["statistics"]["games"]:
        wins = wins_of(game["joint"] or game["pairs"])
        bots = [row["bot"] for row in game["bots"]]
        printed = table_after(played.text("report.md"), f"### Ratings in {game['game']}")
        for bot, cells in zip(bots, printed, strict=True):
            best = 1 + sum((other, bot) in wins for other in bots)
            worst = len(bots) - sum((bot, other) in wins for other in bots)
            (row,) = (r for r in rows if (r["game"], r["bot"]) == (game["game"], bot))
            assert (row["rank_low"], row["rank_high"]) == (str(best), str(worst))
            assert best <= int(row["rank"]) <= worst
            assert cells[:2] == [str(best) if best == worst else f"{best}–{worst}", bot]


def test_every_place_has_the_same_verdicts(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    """Pair table, crosstable, headline, overview and terminal."""
    text, page = played.text("report.md"), html.unescape(played.text("report.html"))
    print_summary(played.typed, played.folder)
    output = " ".join(capsys.readouterr().out.split())
    for game in played.result["statistics"]["games"]:
        name, wins = game["game"], wins_of(game["pairs"])
        cross = table_after(text, f"### Results by pair in {name}")
        bots = [cells[0] for cells in cross]
        marks = {
            (cells[0], bot): c[:1]
            for cells in cross
            for bot, c in zip(bots, cells[1:], strict=True)
        }
        assert {pair for pair, mark in marks.items() if mark == MARKS["better"]} == wins
        pairs = {row["a"] + " – " + row["b"]: row["verdict"] for row in game["pairs"]}
        # The pairs are the second table below that heading.
        printed = table_after(text, f"### Results by pair in {name}", 1)
        assert {cells[0]: cells[1] for cells in printed} == pairs
        ranked = wins_of(game["joint"] or game["pairs"])
        best = [bot for bot in bots if all((bot, o) in ranked for o in bots if o != bot)]
        sentences = [match for match in ONE.finditer(output) if match[2] == name]
        assert [match[1] for match in sentences] == best
        for sentence in sentences:
            assert sentence[0] in text
            assert sentence[0] in page


def test_points_a_game_are_the_same_number_everywhere(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    """Overview, ratings, plot and terminal show a bot's own points; its lead has another head."""
    page = read_page(played.typed, ())
    print_summary(played.typed, played.folder)
    terminal = [line.split() for line in capsys.readouterr().out.splitlines()]
    for game in page.games:
        if game.stats.scoring != "points":
            continue
        (column,) = page.standings.columns
        assert column.unit == "chips a game"
        table = table_after(played.text("report.md"), f"### Ratings in {game.stats.game}")
        by_bot = {cells[1]: cells[2] for cells in table}
        assert len(by_bot) == 3
        dots = {dot.label: dot.estimate.value for dot in game.plot.rows} if game.plot else {}
        assert set(page.standings.faults) == set(by_bot)
        for bot, value in by_bot.items():
            assert column.cells[bot].value.split()[0] == value == signed(dots[bot], 2)
            assert any(line[1:3] == [bot, value] for line in terminal)


def test_values_that_do_not_hold_are_not_printed(played: Played) -> None:
    """A match with a test has no interval or p-value of a fixed number of blocks, and says why."""
    text, page = played.text("report.md"), html.unescape(played.text("report.html"))
    has_test = played.result["test"] is not None
    assert (NO_INTERVALS in text) == (NO_INTERVALS in page) == has_test
    for shown in (text, page):
        assert ("p, fixed" in shown) == (not has_test)
        assert "with intervals" not in shown or not has_test
        assert not re.search(r"\b1 (?:games|blocks|pairs|bots)\b", shown)
        assert "– to –" not in shown
        assert "(–)" not in shown
