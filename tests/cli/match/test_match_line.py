"""`cardhub match` with games and bots instead of a match file."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
import yaml
from click.testing import Result

Play = Callable[..., Result]

LINE = ("kuhn", "first", "random", "--pages", "none")
FOLDER = Path("runs/kuhn-first-random")
FILE = FOLDER / "match.yaml"


@pytest.fixture
def play(run_match: Play) -> Play:
    """Return a function that runs `cardhub match` in this process, without isolated bots."""

    def run(*words: str) -> Result:
        return run_match(*words, "--isolate", "no", "--salt", "none", "--workers", "1")

    return run


def blocks_and_games() -> tuple[int, int]:
    """Return the numbers of blocks and games in the result of the match."""
    result = json.loads((FOLDER / "result.json").read_text("utf-8"))
    return result["blocks"], result["games"]


def test_a_line_plays_a_match_and_writes_its_file(play: Play) -> None:
    result = play(*LINE, "--blocks", "3")
    assert result.exit_code == 0, result.output
    assert f"Match file: {FILE} (seed 0, 3 blocks)" in result.stderr
    text = FILE.read_text("utf-8")
    assert yaml.safe_load(text) == {
        "cardhub_match": 1,
        "name": "kuhn-first-random",
        "seed": 0,
        "games": ["kuhn"],
        "bots": [{"id": "first", "use": "first"}, {"id": "random", "use": "random"}],
        "blocks": 3,
    }
    assert text.startswith("# cardhub match kuhn first random --blocks 3 --seed 0")
    assert blocks_and_games() == (3, 6)


def test_the_file_of_a_line_is_the_same_match(play: Play) -> None:
    play(*LINE, "--blocks", "2")
    log = (FOLDER / "games.jsonl").read_bytes()
    result = play(str(FILE))
    assert result.exit_code == 0, result.output
    assert (FOLDER / "games.jsonl").read_bytes() == log


def test_the_same_line_continues_and_more_blocks_make_the_match_longer(play: Play) -> None:
    play(*LINE, "--blocks", "2")
    log = (FOLDER / "games.jsonl").read_bytes()
    again = play(*LINE)
    assert again.exit_code == 0, again.output
    assert (FOLDER / "games.jsonl").read_bytes() == log
    assert play(*LINE, "--blocks", "4").exit_code == 0
    assert blocks_and_games() == (4, 8)
    assert "blocks: 4" in FILE.read_text("utf-8")


def test_a_line_can_take_luck_out_of_the_scores(play: Play) -> None:
    result = play(*LINE, "--blocks", "2", "--less-luck")
    assert result.exit_code == 0, result.output
    file = Path("runs/kuhn-first-random-less-luck/match.yaml")
    assert yaml.safe_load(file.read_text("utf-8"))["variance"] == "aivat"
    assert "first against random: " in result.stdout
    refused = play(str(file), "--less-luck")
    assert "write variance: aivat into" in refused.stderr


def test_another_seed_has_a_folder_of_its_own(play: Play) -> None:
    result = play(*LINE, "--blocks", "1", "--seed", "7")
    assert result.exit_code == 0, result.output
    assert Path("runs/kuhn-first-random-seed-7/result.json").exists()
    assert not FOLDER.exists()


def test_another_folder_is_written_into_the_file(play: Play) -> None:
    assert play(*LINE, "--blocks", "1", "--out", "there").exit_code == 0
    log = Path("there/games.jsonl").read_bytes()
    assert play("there/match.yaml").exit_code == 0
    assert Path("there/games.jsonl").read_bytes() == log
    assert not Path("runs").exists()


def test_another_line_does_not_play_in_the_folder(play: Play) -> None:
    play(*LINE, "--blocks", "1")
    result = play("leduc", "first", "random", "--out", str(FOLDER))
    assert result.exit_code == 4
    assert f"{FILE} is another match. fix: cardhub match ./{FILE} to continue it" in result.stderr
    assert blocks_and_games() == (1, 2)


def test_a_line_does_not_play_in_the_folder_of_a_file_elsewhere(play: Play) -> None:
    FOLDER.mkdir(parents=True)
    (FOLDER / "games.jsonl").touch()
    result = play(*LINE)
    assert result.exit_code == 4
    assert f"{FOLDER} has another match. fix: --out FOLDER" in result.stderr
    assert not FILE.exists()


def test_an_edited_file_is_played_and_not_overwritten(play: Play) -> None:
    play(*LINE, "--blocks", "1")
    edited = FILE.read_text("utf-8") + "rating: {bootstrap: 100}\n"
    FILE.write_text(edited, "utf-8")
    assert play(*LINE).exit_code == 0
    result = play(*LINE, "--blocks", "2")
    assert result.exit_code == 4
    assert f"{FILE} was edited. fix: change its number of blocks there" in result.stderr
    assert FILE.read_text("utf-8") == edited


@pytest.mark.parametrize(
    ("words", "message"),
    [
        ("kuhn", "a match needs two bots. fix: cardhub match kuhn "),
        ("kuhn first", "a match needs two bots. fix: cardhub match kuhn first random"),
        ("kuhn first,random", "not by commas. fix: cardhub match kuhn first random"),
        ("kuhm first random", "unknown game 'kuhm'. Did you mean 'kuhn'?"),
        ("kuhn,ledc first random", "unknown game 'ledc'. Did you mean 'leduc'?"),
        ("kuhn first randm", "unknown bot 'randm'. Did you mean 'random'?"),
        ("kuhn first ismcts:iteration=3", "unknown option 'iteration'. Did you mean 'iterations'?"),
        ("gamom rule random", "unknown game 'gamom'. Did you mean 'gamon'?"),
        ("here first random", "'here' is a folder. fix: cardhub match ./here/match.yaml"),
        ("cup.yaml first", "'cup.yaml' is a match file, so 'first"),
        ("cup.yaml --blocks 3", "fix: write blocks: N into cup.yaml"),
    ],
)
def test_mistakes_are_named_with_a_fix_and_leave_no_files(
    play: Play, words: str, message: str
) -> None:
    Path("here").mkdir(exist_ok=True)
    result = play(*words.split())
    assert result.exit_code == 4
    assert message in result.stderr
    assert not Path("runs").exists()
