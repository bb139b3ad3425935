"""`cardhub match report` and `cardhub match games`."""

import json
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result
from tests.cli.conftest import ENTRANTS
from tests.kit.waiting import wait_until

from cardhub.cli.main import cli

CUP = """
    cardhub_match: 1
    salt: none
    isolate: no
    name: cup
    seed: 3
    bots:
      - {id: one, use: "raiser:after=1"}
      - {id: two, use: random}
    games:
      - {game: leduc, score: rank}
    schedule: {blocks: 6}
    faults: {max: 100, share: 1}
    rating: {bootstrap: 100}
    workers: 1
"""
NAMES = ("report.html", "report.md", "ratings.csv")
Run = Callable[..., Result]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a match file, and with the match and its reports in `runs/cup`."""
    folder = tmp_path_factory.mktemp("cup")
    file, out = folder / "cup.yaml", folder / "runs" / "cup"
    file.write_text(dedent(CUP), "utf-8")
    words = ("--plugins-dir", str(ENTRANTS), "match", str(file), "--out", str(out), "--quiet")
    assert CliRunner().invoke(cli, words, prog_name="cardhub").output == ""
    return folder


@pytest.fixture
def match(run_match: Run, played: Path) -> Run:
    """Return a function that runs `cardhub match` with some words, after a cup was played."""
    shutil.copytree(played, Path(), dirs_exist_ok=True)
    return run_match


def test_reports_are_there_after_a_run_and_written_again(match: Run) -> None:
    """The same bytes, with their paths on stdout."""
    folder = Path("runs/cup")
    before = {name: (folder / name).read_bytes() for name in NAMES}
    for name in NAMES:
        (folder / name).unlink()
    result = match("report", "runs/cup")
    assert result.exit_code == 0, result.output
    assert result.output.splitlines() == [f"runs/cup/{name}" for name in NAMES]
    assert {name: (folder / name).read_bytes() for name in NAMES} == before


def test_games_get_as_many_pages_as_are_asked_for(match: Run) -> None:
    """`verify` checks them; a changed page is a problem."""
    pages = Path("runs/cup/games")
    assert 5 < len(list(pages.glob("*.html"))) <= 40
    assert match("report", "runs/cup", "--pages", "2").exit_code == 0
    one, _ = sorted(pages.glob("*.html"))
    assert match("verify", "runs/cup").exit_code == 0
    one.write_text("", "utf-8")
    verified = match("verify", "runs/cup")
    assert verified.exit_code == 1
    assert f"{one}: does not agree with result.json" in verified.output
    assert match("report", "runs/cup", "--pages", "none").exit_code == 0
    assert not pages.exists()
    assert "use an integer or none" in match("report", "runs/cup", "--pages", "some").output


def test_a_folder_without_a_match_is_an_error(match: Run) -> None:
    Path("empty").mkdir()
    for command in ("report", "games"):
        result = match(command, "empty")
        assert result.exit_code == 1
        assert "empty/games.jsonl: No such file" in result.stderr
    assert list(Path("empty").iterdir()) == []


def test_games_are_listed_as_they_are_chosen(match: Run) -> None:
    """One line for each, or as JSON without cards and moves."""
    lines = match("games", "runs/cup").output.splitlines()
    assert len(lines) == 12
    facts = json.loads(match("games", "runs/cup", "--deals", "2..3", "--json").output)
    assert [game["id"] for game in facts] == [line.split()[0] for line in lines[4:8]]
    assert {"moves", "cards"}.isdisjoint(facts[0])
    faulty = match("games", "runs/cup", "--faulty", "--game", "leduc", "--bots", "two,one")
    assert faulty.output
    assert all("one: exception after " in line for line in faulty.output.splitlines())
    won = match("games", "runs/cup", "--bots", "two,one", "--margin", "1..99").output
    lost = match("games", "runs/cup", "--bots", "two,one", "--margin=-99..-1").output
    assert set(won.splitlines() + lost.splitlines()) < set(lines)


def test_games_are_written_as_a_table(match: Run) -> None:
    """A row for each seat, of the games that were chosen; no file is overwritten."""
    assert match("games", "runs/cup", "--deals", "2..3", "--table", "seats.csv").output == ""
    head, *rows = Path("seats.csv").read_text("utf-8").splitlines()
    assert head == "id,game,options,deal,end,steps,seat,bot,score,place,is_absent,fault"
    assert len(rows) == 8
    assert {row.split(",")[3] for row in rows} == {"2", "3"}
    again = match("games", "runs/cup", "--table", "seats.csv")
    assert "seats.csv exists already" in again.output


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("--table", "seats.xlsx"), "seats.xlsx must end in .csv or .parquet"),
        (("--table", "seats.csv", "--json"), "--table and --json are mutually exclusive"),
        (("--game", "ledoc"), "the match has no game 'ledoc'. Did you mean 'leduc'?"),
        (("--bots", "one,tow"), "the match has no bot 'tow'. Did you mean 'two'?"),
        (("--margin", "3"), "--margin needs two bots"),
        (("--deals", "many"), "invalid range 'many': use an integer or 3..9"),
        (("--deals", "9..3"), "reversed range '9..3': low must not exceed high"),
    ],
)
def test_wrong_choices_are_told(match: Run, words: tuple[str, ...], said: str) -> None:
    result = match("games", "runs/cup", *words)
    assert result.exit_code == 2
    assert said in result.stderr


def test_a_match_that_was_left_before_its_first_game_has_none(
    match: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    def leave(*arguments: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("cardhub.cli.match.run_match.run_match", leave)
    result = match("cup.yaml", "--out", "new", "--quiet")
    assert result.exit_code == 130
    assert "Interrupted: new has the games so far." in result.stderr
    assert not Path("new").exists()


def test_a_match_that_was_interrupted_has_its_reports(tmp_path: Path) -> None:
    text = dedent(CUP).replace("blocks: 6", "blocks: 100000").replace("raiser:after=1", "slow")
    (tmp_path / "cup.yaml").write_text(text, "utf-8")
    words = ("match", "cup.yaml", "--pages", "2")
    command = [sys.executable, "-m", "cardhub", "--plugins-dir", str(ENTRANTS), *words]
    with subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        log = tmp_path / "runs" / "cup" / "games.jsonl"

        def has_games() -> bool:
            assert process.poll() is None
            return log.exists() and log.read_bytes().count(b"\n") > 2

        wait_until(has_games)
        process.send_signal(signal.SIGINT)
        try:
            _, said = process.communicate(timeout=60)
        finally:
            process.kill()
    assert process.returncode == 130
    assert "Interrupted: runs/cup has the games so far." in said
    assert "UNFINISHED" in (log.parent / "report.md").read_text("utf-8")
