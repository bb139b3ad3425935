"""Matches from Python: `run_match`, `read_match` and what a `Match` says."""

import json
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from cardhub.base.errors import MatchError, MatchFileError
from cardhub.cli.main import cli
from cardhub.lab import GameResult, Match, Timing, Watcher, read_match, run_match

FILE = """\
cardhub_match: 1
name: dice
seed: 1
bots: [{id: rule, use: rule}, {id: dice, use: random}]
games: [{game: kuhn}]
schedule: {blocks: 4}
"""
LAST = """
from cardhub import BotEntry, hookimpl

class Last:
    def __init__(self, rng):
        self.rng = rng
    def choose(self, observation):
        return observation.legal()[-1]

@hookimpl
def register_bots():
    return [BotEntry("last", "takes the last action", Last)]
"""
SPEC: dict[str, Any] = {
    "name": "dice",
    "seed": 1,
    "bots": [{"id": "cautious", "use": "cfr:10"}, {"id": "dice", "use": "random"}],
    "games": [{"game": "kuhn"}],
    "schedule": {"blocks": 4},
}
TWO_GAMES = SPEC | {
    "games": [{"game": "kuhn"}, {"game": "pig"}],
    "bots": [{"id": "one", "use": "random"}, {"id": "two", "use": "random"}],
}


class Counter(Watcher):
    """Counts games."""

    def __init__(self) -> None:
        self.games = 0

    def game(self, result: GameResult, timing: Timing | None) -> None:
        """Count a game."""
        self.games += 1


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Match:
    """Return a finished match."""
    return run_match(SPEC, tmp_path_factory.mktemp("played"))


def test_a_match_says_what_result_json_says(played: Match) -> None:
    result = json.loads((played.folder / "result.json").read_text("utf-8"))
    (game,) = result["statistics"]["games"]
    assert played.is_finished
    assert played.name == "dice"
    assert [row.bot for row in played.ratings()] == [row["bot"] for row in game["bots"]]
    assert played.standings() == {row["bot"]: row["score"] for row in game["bots"]}
    assert [pair.verdict for pair in played.pairs()] == [pair["verdict"] for pair in game["pairs"]]


def test_games_come_from_the_log_in_order(played: Match) -> None:
    games = list(played.games)
    assert len(games) == played.result.games == 8
    assert {seat for game in games for seat in game.seats} == {"cautious", "dice"}


def test_seats_are_rows_of_the_games(played: Match) -> None:
    """In the order of the games, with all that a table needs."""
    rows = played.seats()
    assert [(row.id, row.seat, row.bot, row.score, row.place) for row in rows] == [
        (game.id, seat, game.seats[seat], game.scores[seat], game.places[seat])
        for game in played.games
        for seat in range(len(game.seats))
    ]
    assert {row.fault for row in rows} == {None}


def test_a_match_prints_its_ratings(played: Match) -> None:
    head, *rows = str(played).splitlines()
    assert head == "kuhn: 8 games in 4 blocks"
    assert [row.split()[1] for row in rows] == list(played.standings())


@pytest.mark.parametrize(
    ("game", "row"),
    [
        ({"game": "kuhn"}, r"1–2  \w+  [+−]\d\.\d\d ± \d\.\d\d chips a game"),
        ({"game": "pig"}, r"\d(–\d)?  \w+  [−+]?\d+ Elo +.*"),
        ({"game": "four_piles", "rules": {"highest": 39}}, r"1–2  \w+  \d+\.\d\d.* of 38 cards.*"),
    ],
)
def test_a_rating_is_printed_as_the_game_counts(
    game: dict[str, Any], row: str, tmp_path: Path
) -> None:
    match = run_match(TWO_GAMES | {"games": [game]}, tmp_path / "match")
    _, first, second = str(match).splitlines()
    assert re.fullmatch(row, first), first
    assert re.fullmatch(row, second), second


def test_a_match_is_read_from_its_folder(played: Match) -> None:
    again = read_match(str(played.folder))
    assert again.result == played.result
    assert again.review() is None


def test_the_report_is_written_on_request(played: Match) -> None:
    page = played.write_report(pages=0)
    assert page == played.folder / "report.html"
    assert page.exists()


def test_a_folder_without_a_match_is_an_error(tmp_path: Path) -> None:
    with pytest.raises(MatchError, match=r"games\.jsonl"):
        read_match(tmp_path)


def test_a_file_plays_the_match_of_the_command_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("dice.yaml").write_text(FILE.replace("rule, use: rule", "x, use: random"), "utf-8")
    match = run_match("dice.yaml")
    assert match.folder == Path("runs/dice")
    command = ["match", "dice.yaml", "--out", "other", "--workers", "1", "--quiet", "--pages", "0"]
    assert CliRunner().invoke(cli, command).exit_code == 0
    for name in ("games.jsonl", "result.json"):
        assert (match.folder / name).read_bytes() == Path("other", name).read_bytes()


def test_executor_and_workers_do_not_change_the_result(played: Match, tmp_path: Path) -> None:
    counter = Counter()
    match = run_match(SPEC, tmp_path / "threads", workers=2, executor=_threads, watcher=counter)
    assert counter.games == match.result.games
    assert match.result == played.result


def _threads() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(2)


def test_a_match_goes_on_where_it_stopped(played: Match, tmp_path: Path) -> None:
    folder = tmp_path / "longer"
    run_match(SPEC | {"schedule": {"blocks": 2}}, folder)
    assert run_match(SPEC, folder).result == played.result


def test_bots_of_a_plugins_directory_take_part(tmp_path: Path) -> None:
    (tmp_path / "plugins").mkdir()
    (tmp_path / "plugins" / "last.py").write_text(LAST, "utf-8")
    bots = [{"id": "last", "use": "last"}, {"id": "dice", "use": "random"}]
    spec = SPEC | {"bots": bots, "isolate": "no", "salt": "none"}
    match = run_match(spec, tmp_path / "last", plugins=[tmp_path / "plugins"])
    assert set(match.standings()) == {"last", "dice"}
    with pytest.raises(MatchFileError, match="unknown bot 'last'"):
        run_match(spec, tmp_path / "none")


def test_figures_of_several_games_are_kept_apart(tmp_path: Path) -> None:
    match = run_match(TWO_GAMES, tmp_path / "two")
    assert [row.game for row in match.ratings()] == ["kuhn", "kuhn", "pig", "pig"]
    assert {row.game for row in match.ratings("pig")} == {"pig"}
    assert list(match.standings("kuhn")) == [row.bot for row in match.ratings("kuhn")]
    with pytest.raises(MatchError, match=r"fix: standings\('kuhn'\)"):
        match.standings()
    with pytest.raises(MatchError, match=r"no game 'chess'\. Games: kuhn, pig"):
        match.ratings("chess")


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        ({"games": [{"game": "kuh"}]}, "Did you mean 'kuhn'"),
        ({"block": 3}, "unknown key 'block'. Did you mean 'blocks'"),
        ({"bots": ()}, "bots"),
    ],
)
def test_a_wrong_match_lists_its_problems_and_leaves_no_folder(
    change: dict[str, Any], problem: str, tmp_path: Path
) -> None:
    with pytest.raises(MatchFileError, match=problem):
        run_match(SPEC | change, tmp_path / "none")
    assert not (tmp_path / "none").exists()
