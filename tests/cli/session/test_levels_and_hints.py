"""`--level`, `--hint`, and the word `hint` at a plain table."""

import json
import signal
from collections.abc import Callable
from pathlib import Path
from threading import Event, current_thread, main_thread
from typing import Any

import pytest
from click.testing import Result
from tests.cli.conftest import SAMPLES, THINKERS
from tests.cli.test_root import completed

from cardhub.cli.exit_codes import INTERRUPTED
from cardhub.play.records.reading import read_record
from cardhub.plugins.bot_index import LEVELS, USUAL

Run = Callable[..., Result]
ZOE = ("play", "gargon", "--players", "3", "--seat", "Zoe=human", "--seed", "1")


def lines(path: Path) -> list[dict[str, Any]]:
    """Return the lines of a record after the first."""
    return [line for _, line in read_record(path).lines]


def test_a_level_seats_all_bots_that_have_no_seat_of_their_own(run: Run, tmp_path: Path) -> None:
    """Players given with --seat keep their kind; the record has the level."""
    path = tmp_path / "game.jsonl"
    words = ("play", "gargon", "--seat", "Zoe=human", "--seat", "Max=random", "--level", "easy")
    shown = run(*words, "--record", path, typed="quit\n").stdout
    assert "At the table: Zoe, Max (random), Anna (easy), Bob (easy)" in shown
    kinds = [player.kind for player in read_record(path).header.players]
    assert kinds == ["human", "random", "easy", "easy"]


def test_a_seat_can_have_a_level(run: Run, tmp_path: Path) -> None:
    """A level can be used for any bot; such a game is played, left and resumed."""
    path = tmp_path / "game.jsonl"
    words = ("--players", "3", "--seat", "Zoe=human", "--seat", "Bob=easy", "--seed", "1")
    left = run("play", "gargon", *words, "--record", path, typed="1\n1\n1\nquit\n")
    assert left.exit_code == 0, left.stderr
    resumed = run("resume", path, typed="1\n" * 300)
    assert resumed.exit_code == 0, resumed.stderr
    assert read_record(path).is_finished


def test_a_game_has_the_levels_that_it_declares(run: Run, tmp_path: Path) -> None:
    sample = SAMPLES / "higher.py"
    source, line = sample.read_text("utf-8"), "    state_type = Table\n"
    for levels, code, text in (
        ('{"hard": "random"}', 0, "Result:"),
        ('{"hard": "ruel"}', 2, "level 'hard' of 'higher' is 'ruel': unknown bot 'ruel'"),
    ):
        (tmp_path / "higher.py").write_text(
            source.replace(line, f"{line}    levels = {levels}\n"), "utf-8"
        )
        words = ("play", "higher", "--seat", "Zoe=random", "--level", "hard")
        result = run("--plugins-dir", tmp_path, *words)
        assert result.exit_code == code, result.output
        assert text in result.output


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--level", "hrad"), "'hrad' is not one of 'beginner', 'easy', 'medium', 'hard'"),
        (("--seat", "Bob=hrad"), "unknown bot 'hrad'. Did you mean 'hard'?"),
        (("--hint", "ruel"), "--hint ruel: unknown bot 'ruel'. Did you mean 'rule'?"),
        (("--hint", "random:3"), "it has no options, so '3' is not allowed"),
    ],
)
def test_a_slip_in_a_level_or_hint_is_a_usage_error(
    run: Run, home: Path, words: tuple[str, ...], why: str
) -> None:
    result = run("play", "gargon", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert why in " ".join(result.stderr.split())
    assert not home.exists()


@pytest.mark.parametrize(
    ("game", "bot", "why"),
    [
        ("spades", "expert", "spades ships no network. fix: cardhub train spades, and net:FILE"),
        ("gamon", "trained", "gamon ships no network for 2 players, coins=50,"),
    ],
)
def test_a_bot_is_refused_at_a_table_without_its_network(
    run: Run, game: str, bot: str, why: str
) -> None:
    options = ("--set", "coins=50") if game == "gamon" else ()
    result = run("play", game, "--plain", "--seat", "Zoe=human", "--seat", f"Bob={bot}", *options)
    assert result.exit_code > 0
    assert why in " ".join(result.stderr.split())


def test_shells_complete_levels_and_bots_for_hints() -> None:
    assert completed("play", "gargon", "--level", incomplete="") == [*LEVELS]
    assert completed("play", "gargon", "--seat", incomplete="Bob=ha") == ["Bob=hard", "Bob=hasty"]
    assert completed("play", "gargon", "--hint", incomplete="r") == ["random", "rule"]
    assert "hard" in completed("play", "gargon", "--hint", incomplete="")


def test_a_hint_is_a_word_at_the_plain_table(run: Run, tmp_path: Path) -> None:
    """It shows the best actions in words, and the game waits for the same decision."""
    path = tmp_path / "game.jsonl"
    shown = run(*ZOE, "--hint", "ismcts:40", "--record", path, typed="hint\n1\n").stdout
    output = shown.partition("Zoe> hint\n")[2].partition("Zoe>")[0].splitlines()
    assert output[:2] == ["Zoe asks for a hint", "Hint by the ismcts:40 bot:"]
    numbered = [line for line in output if line[:1].isdigit()]
    assert [line[:7] for line in numbered] == ["1. Lay ", "2. Lay ", "3. Lay "]
    assert "%" not in "".join(output)
    assert lines(path)[0] == {"seat": 0, "hint": "ismcts:40"}
    assert "action" in lines(path)[1]


def test_the_numbers_behind_a_hint_are_a_word_at_the_plain_table(run: Run) -> None:
    shown = run(*ZOE, "--hint", "ismcts:40", typed="numbers\nhint\nnumbers\n").stdout
    assert "No hint has been given yet." in shown.partition("Zoe> hint")[0]
    output = shown.rpartition("Zoe> numbers\n")[2].splitlines()
    assert output[0] == "Ratings by the ismcts:40 bot (0 % is lost, 100 % is won):"
    assert output[1].startswith("1. lay ")
    assert output[1].endswith(" %")


def test_the_best_bot_gives_hints_by_default(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The adviser, quick for once."""
    monkeypatch.setitem(USUAL, "adviser", {"ismcts": "ismcts:10"})
    path = tmp_path / "game.jsonl"
    shown = run(*ZOE, "--record", path, typed="hint\n").stdout
    assert "Hint by the adviser bot" in shown
    assert lines(path) == [{"seat": 0, "hint": "adviser"}]


def test_a_resumed_game_gives_hints(run: Run, left: Path) -> None:
    shown = run("resume", left, "--hint", "rule", typed="hint\n1\n").stdout
    assert "Hint by the rule bot:\n1. " in shown
    assert {"seat": 0, "hint": "rule"} in lines(left)
    assert run("resume", left, typed="1\n" * 300).exit_code == 0
    assert json.loads(run("replay", left, "--json").stdout)["finished"]


def test_the_same_hint_is_given_every_time(run: Run) -> None:
    """The seed of its bot follows from the game's seed and the number of actions."""
    shown = run(*ZOE, "--hint", "ismcts:30", typed="hint\nhint\n").stdout
    first, second = (part.partition("\nZoe> ")[0] for part in shown.split("Hint by ")[1:])
    assert first == second


def test_a_hint_does_not_change_what_bots_do(run: Run, tmp_path: Path) -> None:
    """The hint does not change the random numbers of the bots."""
    plain, hinted = tmp_path / "plain.jsonl", tmp_path / "hinted.jsonl"
    run(*ZOE, "--record", plain, typed="1\n" * 300)
    run(*ZOE, "--hint", "rule", "--record", hinted, typed="hint\n1\n" * 300)
    assert [x for x in lines(hinted) if "hint" not in x] == lines(plain)


def test_a_hint_that_fails_is_reported_and_not_marked(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The person sees the reason, and the game continues."""
    trouble, path = tmp_path / "trouble", tmp_path / "game.jsonl"
    trouble.touch()
    monkeypatch.setenv("CARDHUB_TEST_FAIL", str(trouble))
    words = ("--plugins-dir", THINKERS, *ZOE, "--hint", "failing:5", "--record", path)
    result = run(*words, typed="hint\n1\n")
    assert result.exit_code == 0
    assert "No hint: failing:5 failed. ValueError: no idea [/what]" in result.stdout
    assert [list(line) for line in lines(path)] == [["seat", "action"]]


def test_a_hint_can_be_interrupted(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C leaves as it does anywhere else."""
    wait = Event.wait

    def interrupted(event: Event, timeout: float | None = None) -> bool:
        # Threads that start wait without a limit. A signal, because KeyboardInterrupt without one
        # would be the bot's own exception.
        if timeout is None or current_thread() is not main_thread():
            return wait(event, timeout)
        signal.raise_signal(signal.SIGINT)
        return True

    monkeypatch.setattr(Event, "wait", interrupted)
    words = ("--plugins-dir", THINKERS, *ZOE, "--hint", "ponder:60000")
    result = run(*words, typed="hint\n1\n")
    assert result.exit_code == INTERRUPTED
    assert "Continue with: cardhub resume" in result.stderr


def test_help_names_the_word(run: Run) -> None:
    """Who does not know it finds it there."""
    assert "hint          ask a bot what it would do" in run(*ZOE, typed="help\n").stdout
