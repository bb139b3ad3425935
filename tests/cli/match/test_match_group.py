"""`cardhub match` and its commands."""

import json
import re
import sys
from collections.abc import Callable
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner, Result

from cardhub.cli.main import cli

Play = Callable[..., Result]
Copy = Callable[[str], None]

CUP = """
    cardhub_match: 1
    salt: none
    name: small-cup
    seed: 3
    bots:
      - {id: one, use: first}
      - {id: two, use: random}
    games:
      - {game: leduc, score: rank}
    schedule: {blocks: 4}
    faults: {max: 3}
    isolate: no
    workers: 1
    rating: {bootstrap: 100}
"""


@pytest.fixture
def play(run_match: Play) -> Play:
    """Return a function that writes a match file and runs `cardhub match` with some words."""

    def run(*words: str, text: str = CUP, **others: str) -> Result:
        Path("cup.yaml").write_text(dedent(text).lstrip("\n"), "utf-8")
        return run_match(*words, **others)

    return run


def ids() -> list[str]:
    """Return the ids of all games of the match in runs/small-cup."""
    lines = Path("runs/small-cup/games.jsonl").read_text("utf-8").splitlines()[1:]
    return [json.loads(line)["id"] for line in lines]


def test_a_match_is_played_and_reported(play: Play) -> None:
    result = play("cup.yaml")
    assert result.exit_code == 0, result.output
    rating = r"^ *\S+ +one +[−+]?\d+ +\S+ to \S+ +0\.\d+ +8 +0$"
    assert re.search(rating, result.output, re.MULTILINE)
    text = " ".join(result.output.split())
    score = r" two scores 0\.\d+ \(95 % interval 0\.\d+ to \d\.\d+\) against one\. "
    assert re.search(score, text)
    assert re.search(r" by chance with p [<=] 0\.\d+\. ", text)
    end = "8 games in 4 blocks: runs/small-cup\nReport: runs/small-cup/report.html\n"
    assert result.output.endswith(end)
    assert len(ids()) == 8
    assert play("cup.yaml", "--out", "there", "--quiet").output == ""
    assert Path("there/games.jsonl").exists()


def test_the_options_may_come_first_and_run_may_be_said(play: Play) -> None:
    first = json.loads(play("--json", "cup.yaml").output)
    second = json.loads(play("run", "cup.yaml", "--json").output)
    assert first == second
    assert first["games"] == 8


@pytest.mark.parametrize(
    ("a", "b", "blocks", "code", "verdict"),
    [
        ("two", "one", 400, 0, "Verdict: two is better than one in leduc."),
        ("one", "two", 400, 1, "Verdict: one is not 80 normalized Elo better than two in leduc."),
        ("one", "two", 2, 2, "Not settled: It is undecided whether one is better than two in "),
    ],
)
def test_the_exit_code_is_the_verdict(
    play: Play, a: str, b: str, blocks: int, code: int, verdict: str
) -> None:
    text = CUP.replace("blocks: 4", f"blocks: {blocks}")
    result = play(
        "cup.yaml", text=text + f"    stop: {{sprt: {{a: {a}, b: {b}, nelo: [0, 80]}}}}\n"
    )
    assert result.exit_code == code, result.output
    assert result.output.startswith(verdict)


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("none.yaml",), "there is no file 'none.yaml'"),
        (("cup.yaml", "--sandbo"), "No such option '--sandbo'. Did you mean '--sandbox'?"),
        (("cup.yaml", "--workers", "0"), "Invalid value for '--workers'"),
        (("run",), "Missing argument 'FILE | GAME[,GAME]... BOT BOT...'"),
        ((), "Usage: "),
        (("reprot",), "No such command 'reprot'. (Did you mean"),
    ],
)
def test_usage_errors_are_no_verdict(play: Play, words: tuple[str, ...], said: str) -> None:
    """The exit code is 4, because 2 means an undecided test. No games or files result."""
    result = play(*words)
    assert result.exit_code == 4
    assert not Path("runs").exists()
    assert said in result.stderr


def test_a_wrong_match_file_is_told_line_by_line(play: Play) -> None:
    result = play("cup.yaml", text=CUP.replace("leduc", "leduk").replace("seed: 3", "seed: x"))
    assert result.exit_code == 4
    assert result.stderr.splitlines()[0] == "Error: cup.yaml:4:7: seed must be an integer, not 'x'"
    assert "cup.yaml:9:12: unknown game 'leduk'. Did you mean 'leduc'?" in result.stderr


def test_another_match_in_the_folder_is_an_error(play: Play, copy_match: Copy) -> None:
    """The log of the other match is unchanged."""
    copy_match(CUP)
    before = ids()
    result = play("cup.yaml", text=CUP.replace("seed: 3", "seed: 4"))
    assert result.exit_code == 4
    assert "runs/small-cup holds another match (see seed)" in result.stderr
    assert ids() == before


def test_a_mistyped_command_is_no_file(play: Play) -> None:
    result = play("verfy", "runs/small-cup")
    assert "No such command 'verfy'. Did you mean 'verify'?" in result.stderr
    assert result.exit_code != 0


def test_a_program_that_cannot_play_is_found_before_the_first_game(play: Play) -> None:
    """Exit code 3, as for all bots at fault; no folder is made."""
    use = f'"cmd:{sys.executable} -c pass"'
    result = play("cup.yaml", text=CUP.replace("use: random", f"use: {use}"))
    assert result.exit_code == 3
    assert "ended with exit code 0" in result.stderr
    assert not Path("runs").exists()


def test_a_match_is_verified(play: Play, copy_match: Copy) -> None:
    """Exit code 1 and the position of each problem."""
    copy_match(CUP)
    result = play("verify", "runs/small-cup", "--rerun", "100%")
    assert result.output == "Nothing wrong was found in 8 games, 8 played again.\n"
    log = Path("runs/small-cup/games.jsonl")
    log.write_text(log.read_text().replace('"steps":', '"steps":1', 1))
    result = play("verify", "runs/small-cup")
    assert result.exit_code == 1
    assert "games.jsonl:2: game " in result.output
    facts = json.loads(play("verify", "runs/small-cup", "--json").output)
    assert (facts["is_fine"], facts["games"]) == (False, 8)
    assert play("verify", "runs/small-cup", "--rerun", "many").exit_code == 2


def test_a_game_is_shown_or_written(play: Play, copy_match: Copy) -> None:
    """As `cardhub replay` shows it, who opens the record, too."""
    copy_match(CUP)
    shown = play("show", "runs/small-cup", ids()[2][:8])
    assert shown.exit_code == 0, shown.output
    assert "Leduc poker: one (first), two (random); as seen by spectator" in shown.stdout
    written = play("show", "runs/small-cup", ids()[2], "--record", "game.jsonl")
    assert (written.stdout, written.exit_code) == ("", 0)
    kept = Path(f"runs/small-cup/records/{ids()[2]}.jsonl")
    assert Path("game.jsonl").read_bytes() == kept.read_bytes()
    again = play("show", "runs/small-cup", ids()[2], "--record", "game.jsonl")
    assert "game.jsonl exists already" in again.stderr
    replay = CliRunner().invoke(cli, ["replay", "game.jsonl", "--as", "two"])
    assert replay.exit_code == 0


def test_the_page_of_a_game_is_written(play: Play, copy_match: Copy) -> None:
    """The page in the folder of the match is overwritten, but another file is not."""
    copy_match(CUP)
    game = ids()[2]
    kept = Path(f"runs/small-cup/games/{game}.html")
    for _ in range(2):
        written = play("show", "runs/small-cup", game[:8], "--html")
        assert (written.stdout, written.exit_code) == ("", 0)
        assert str(kept) in written.stderr
    assert play("show", "runs/small-cup", game, "--html", "game.html").exit_code == 0
    # Reports and their pages are as before.
    assert play("verify", "runs/small-cup").exit_code == 0
    again = play("show", "runs/small-cup", game, "--html", "game.html")
    assert "game.html exists already" in again.stderr
    both = play("show", "runs/small-cup", game, "--html", "--record", "game.jsonl")
    assert both.exit_code == 2
    assert "--html and --record are mutually exclusive" in both.stderr
    one = play("show", "runs/small-cup", game, "--html", "--as", "two")
    assert "the page of a match's game is for all viewers" in one.stderr


def test_a_fault_is_seen_again(play: Play) -> None:
    """Exit code 3, and 0 with a bot that is not at fault there."""
    result = play("cup.yaml", text=CUP.replace("use: first", "use: raiser"))
    assert "was at fault: exception, 4 times." in result.output
    assert "one was withdrawn after 4 games, because it was at fault too often" in result.output
    again = play("repro", "runs/small-cup", ids()[0])
    assert again.exit_code == 3
    assert "Now (exception), in decision 1" in again.output
    mended = play("repro", "runs/small-cup", ids()[0], "--bot", "random")
    assert mended.exit_code == 0
    assert play("repro", "runs/small-cup", ids()[0], "--seat", "7").exit_code == 1


def test_help_lists_the_exit_codes(play: Play) -> None:
    assert "Usage: cardhub match GAMES BOT BOT... [OPTIONS] | FILE" in play("-h").output
    help_text = play("run", "--help").output
    assert "1    with a test: the first bot is not better" in help_text
    assert "4    anything else: a usage error, an invalid match file, a damaged log," in help_text


def test_a_match_with_a_third_party_bot_says_that_its_deals_are_drawn_and_how_to_repeat_it(
    play: Play,
) -> None:
    """The start, the summary and both reports say it; the command gives the same bytes."""
    text = CUP.replace("    salt: none\n", "")
    first = play("cup.yaml", text=text)
    assert "another run of cup.yaml has other deals" in first.stderr
    (command,) = [line for line in first.stdout.splitlines() if line.startswith("cardhub match")]
    for name in ("report.md", "report.html"):
        report = Path("runs/small-cup", name).read_text("utf-8")
        assert "Drawn deals" in report
        assert command.replace("cup.yaml", "FILE") in report
    program, group, *words = command.replace("FOLDER", "again").split()
    assert (program, group) == ("cardhub", "match")
    assert play(*words, text=text).exit_code == first.exit_code
    for name in ("games.jsonl", "result.json"):
        assert Path("runs/small-cup", name).read_bytes() == Path("again", name).read_bytes()
    page = Path("runs/small-cup/report.html").read_text("utf-8")
    assert "Programs and third-party bots ran without a sandbox.</p>" in page
    over = play("cup.yaml", text=text)
    assert "has other deals" not in over.stderr  # nothing is played any more


def test_the_key_of_the_operator_comes_where_no_bot_reads_it(play: Play) -> None:
    """Its secret is another one each time; a file is for bots that come with cardhub."""
    Path("key").write_text("c0de" * 16 + "\n", "utf-8")
    text = CUP.replace("    salt: none\n", "")
    refused = play("cup.yaml", "--key", "key", text=text)
    assert refused.exit_code == 4
    assert "without a sandbox can read the key in key" in refused.stderr
    assert play("cup.yaml", "--key", "-", "--quiet", text=text, input="c0de" * 16).exit_code == 0
    own = text.replace("use: first", "use: random")
    drawn = play("cup.yaml", "--key", "key", "--salt", "drawn", "--out", "own", text=own)
    assert drawn.exit_code == 0, drawn.output
    assert "is for matches with a drawn secret" in play("cup.yaml", "--key", "key", text=own).stderr


def test_a_secret_can_be_asked_for_and_given_again(play: Play) -> None:
    """It overrides the file; the log has the same bytes, and invalid values are refused."""
    assert play("cup.yaml", "--quiet", "--salt", "drawn").exit_code == 0
    result = json.loads(Path("runs/small-cup/result.json").read_bytes())
    revealed = result["salt"]["revealed"]
    assert play("cup.yaml", "--quiet", "--salt", revealed, "--out", "again").exit_code == 0
    same = [Path(folder, "games.jsonl").read_bytes() for folder in ("runs/small-cup", "again")]
    assert same[0] == same[1]
    assert play("verify", "again", "--rerun", "100%").exit_code == 0
    refused = play("cup.yaml", "--salt", "pepper")
    assert refused.exit_code == 4
    assert "'pepper' is not 'none', 'drawn' or 64 hexadecimal digits" in refused.stderr
