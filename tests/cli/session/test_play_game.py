"""`cardhub play` in plain text: sitting down, typing, leaving."""

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import Result

from cardhub.cli.session.text_table import CLEAR
from cardhub.play.host.saved.preferences import Preferences, save_preferences
from cardhub.play.records.reading import read_record
from cardhub.play.seeds import commitment_to

Run = Callable[..., Result]
ZOE = ("play", "gargon", "--players", "3", "--seat", "Zoe=human", "--seed", "1")


def header(path: Path) -> dict[str, Any]:
    """Return the first line of a record."""
    line: dict[str, Any] = json.loads(path.read_text("utf-8").splitlines()[0])
    return line


def test_a_game_starts_against_bots_with_no_further_question(run: Run, home: Path) -> None:
    """You are Anna in seat 0, the game's own bot takes the other seats of the default number."""
    result = run("play", "gargon", typed="")
    assert result.exit_code == 0
    assert "At the table: Anna, Bob (rule), Chris (rule), David (rule)" in result.stdout
    assert "Your turn, Anna: Lay 1 to 3 cards" in result.stdout
    assert [path.suffix for path in (home / "games").iterdir()] == [".jsonl"]


def test_without_a_game_the_installed_ones_are_named(run: Run) -> None:
    """It is a usage error; no game is chosen by default."""
    result = run("play")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "cardhub play gargon  Gargon: 3 to 5 magicians" in result.stderr


def test_the_seed_is_shown_and_makes_the_same_game(run: Run, tmp_path: Path) -> None:
    """The same seed, players and options give the same record."""
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    words = ("play", "gargon", "--seat", "Zoe=random", "--seed", "42", "--record")
    outputs = [run(*words, path).stdout for path in (one, two)]
    assert outputs[0].startswith("Gargon, seed 42\n")
    assert outputs[0] == outputs[1]
    assert one.read_text("utf-8") == two.read_text("utf-8")


def test_a_seed_of_128_bits_is_drawn_if_none_is_given(run: Run, tmp_path: Path) -> None:
    """It is shown when the game is over, and the game can be dealt again."""
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    words = ("play", "gargon", "--seat", "Zoe=random", "--record")
    drawn, seed = run(*words, one).stderr, header(one)["seed"]
    assert re.fullmatch("[0-9a-f]{32}", seed)
    assert f"Gargon, seed {seed}: {one}\n" in drawn
    run(*words, two, "--seed", seed)
    assert one.read_text("utf-8") == two.read_text("utf-8")


def test_a_drawn_seed_is_secret_until_the_game_is_over(run: Run, tmp_path: Path) -> None:
    """It determines all cards: not shown at the table, when leaving, in replays, in lists."""
    path = tmp_path / "game.jsonl"
    begun = run("play", "gargon", "--players", "3", "--record", path, typed="1\n")
    seed = header(path)["seed"]
    assert f"Gargon, commitment {str(commitment_to(seed))[:12]}\n" in begun.stdout
    replays = [run("replay", path, *words) for words in ((), ("--json",), ("--as", "spectator"))]
    listed = run("resume", "--list", "--json")
    for shown in (begun, *replays, listed):
        assert shown.exit_code == 0
        assert seed not in shown.stdout + shown.stderr


def test_bots_alone_play_a_whole_game(run: Run, record: Path, tmp_path: Path) -> None:
    """A spectator sees public events and the result, but no hidden card."""
    again = run(*ZOE[:-4], "--seat", "Zoe=random", "--seed", "1", "--record", tmp_path / "b.jsonl")
    assert "\nZoe lays " in again.stdout
    assert re.search(r"\nResult: (Zoe|Anna|Bob) wins Gargon by \d+ points\n  1\. ", again.stdout)
    assert read_record(record).is_finished


def test_an_action_is_typed_by_number_or_words(run: Run, tmp_path: Path) -> None:
    """Labels of the list can be typed, or an unambiguous part of one."""
    by_number, by_words = tmp_path / "number.jsonl", tmp_path / "words.jsonl"
    listed = run(*ZOE, "--record", by_number, typed="2\ndone\n").stdout
    name = listed.partition("2. ")[2].split("  ")[0].partition("\n")[0].strip()
    run(*ZOE, "--record", by_words, typed=f"{name.upper()}\nDONE\n")
    assert name.startswith("lay ")
    assert by_number.read_text("utf-8") == by_words.read_text("utf-8")


def test_a_wrong_input_is_explained_and_asked_again(run: Run) -> None:
    """Input is not corrected; the error lists the legal or the matching actions."""
    result = run(*ZOE, typed="dance\n99\nlay\n1\n")
    assert result.stdout.count("is not one of the choices") == 2
    assert "'dance' is not one of the choices. Choices: lay " in result.stdout.replace(
        "Did you mean ", ""
    )
    assert "'lay' could be lay " in result.stdout
    assert "Zoe lays " in result.stdout


def test_an_illegal_action_is_refused_with_the_rule(run: Run) -> None:
    """The game gives the reason; the legal actions are listed if the text is not an action."""
    result = run(*ZOE, typed="done\npass 1+0\nfight red\n")
    assert "'done' is not possible: lay at least one card first." in result.stdout
    assert "'pass left' is not possible: the starting player may not pass." in result.stdout
    assert "'fight red' is not possible: the battles begin when all players have" in result.stdout


def test_an_action_can_be_taken_back_until_a_face_is_learned(run: Run) -> None:
    """`undo` says why if it is not possible."""
    result = run(*ZOE, typed="undo\n1\nundo\n")
    assert "You have not acted yet" in result.stdout
    assert "Zoe takes back the last action" in result.stdout


@pytest.mark.parametrize(
    ("word", "sentence"),
    [
        ("help", "undo          take your last action back"),
        ("?", "undo          take your last action back"),
        ("", "undo          take your last action back"),
        ("rules", "# Gargon"),
        ("rules", "- `zero_tie_draw`: off. Both owners draw"),
        ("log", "Zoe lays W0"),
        ("log", "Zoe lays no more cards"),
    ],
)
def test_help_rules_and_the_log_are_at_hand(run: Run, word: str, sentence: str) -> None:
    before = run(*ZOE, typed="1\ndone\n").stdout
    after = run(*ZOE, typed=f"1\ndone\n{word}\n").stdout
    assert after.count(sentence) == before.count(sentence) + 1


def test_the_table_can_be_shown_again(run: Run) -> None:
    assert run(*ZOE, typed="table\n").stdout.count("Your turn, Zoe") == 2


@pytest.mark.parametrize("typed", ["1\nquit\n", "1\nq\n", "1\n"])
def test_leaving_saves_the_game_and_says_how_to_go_on(run: Run, home: Path, typed: str) -> None:
    """The end of input leaves like `quit`; notices go to stderr."""
    result = run(*ZOE, typed=typed)
    path = next((home / "games").iterdir())
    assert result.exit_code == 0
    assert f"Continue with: cardhub resume {path}" in result.stderr
    assert "resume" not in result.stdout
    assert not read_record(path).is_finished


def test_several_people_pass_the_terminal_on_behind_a_curtain(run: Run) -> None:
    """Cards are shown only after their player has confirmed the handover."""
    words = ("play", "gargon", "--players", "3", "--seat", "Zoe=human", "--seat", "Max=human")
    shown = run(*words, "--seed", "1", typed="\n1\ndone\n\n").stdout
    start, zoe, max_ = shown.split("press Enter.")
    assert "Your turn" not in start
    assert "Your turn, Zoe" in zoe
    assert zoe.endswith("\n" * 50 + "Pass the terminal to Max. Max, ")
    laid = zoe.partition("Zoe lays ")[2].partition("\n")[0]
    assert laid in zoe.partition("Zoe> ")[0]
    assert laid not in max_
    assert "Zoe lays a " in max_
    assert "Your turn, Max" in max_


def test_nothing_can_be_scrolled_back_to_behind_a_curtain(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = ("play", "gargon", "--players", "3", "--seat", "Zoe=human", "--seat", "Max=human")
    assert "\x1b" not in run(*words, typed="\n1\ndone\n\n").stdout
    monkeypatch.setattr("cardhub.cli.session.text_table.can_clear", lambda: True)
    shown = run(*words, typed="\n1\ndone\n\n").stdout
    assert shown.count(f"{CLEAR}Pass the terminal to ") == 2


def test_a_terminal_without_unicode_gets_plain_characters_on_the_screen(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The table on the screen chooses its characters as the plain one does."""
    chosen: list[str] = []

    def run_table(host: Any, **how: Any) -> int:
        chosen.append(how["glyphs"])
        return 0

    monkeypatch.setattr("cardhub.cli.session.front_end.run_table", run_table)
    monkeypatch.setattr("cardhub.cli.session.front_end.is_terminal", lambda: True)
    monkeypatch.setattr("cardhub.cli.session.front_end.check_glyphs", lambda _: "ascii")
    monkeypatch.setenv("TERM", "xterm")
    assert run(*ZOE).exit_code == 0
    assert chosen == ["ascii"]


def test_the_names_of_the_cards_of_others_are_never_printed(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    shown = run(*ZOE, "--record", path, typed="").stdout
    deal = header(path)["deal"]
    others = set(deal[10:]) - set(deal[:10])
    words = set(shown.replace("[", " ").replace("]", " ").replace(",", " ").split())
    assert words & others == set()
    assert set(deal[:10]) <= words


@pytest.mark.parametrize(
    ("words", "why"),
    [
        (("--players", "9"), "Gargon is for 3 to 5 players, not for 9"),
        (("--players", "3", *(f"--seat=P{n}=human" for n in range(4))), "4 players for 3 seats"),
        (("--seat", "Bob"), "'Bob' is not NAME=KIND"),
        (("--seat", "Bob=rul"), "unknown bot 'rul'. Did you mean 'rule'?"),
        (("--seat", "Bob=rule", "--seat", "bob=rule"), "two players are called 'bob'"),
        (("--set", "open_winings=1"), "Did you mean 'open_winnings'?"),
        (("--set", "start=7"), "option start cannot be '7'"),
        (("--set", "start"), "'start' is not KEY=VALUE"),
        (("--seed", "x"), "invalid seed 'x': use a whole number or 32 hexadecimal digits"),
    ],
)
def test_a_table_that_cannot_be_is_a_usage_error(
    run: Run, home: Path, words: tuple[str, ...], why: str
) -> None:
    """Exit code 2, the reason on stderr, no record."""
    result = run("play", "gargon", *words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert why in result.stderr
    assert not home.exists()


def test_a_record_is_never_overwritten(run: Run, left: Path) -> None:
    before = left.read_bytes()
    result = run(*ZOE, "--record", left, typed="1\n")
    assert result.exit_code == 2
    assert "exists already; a record is never overwritten" in result.stderr
    assert left.read_bytes() == before


def test_two_games_in_one_second_are_two_files(run: Run, home: Path) -> None:
    for _ in range(2):
        run(*ZOE, typed="")
    assert len(list((home / "games").iterdir())) == 2


def test_a_place_that_cannot_be_written_is_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """The error says how to choose another place."""
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "file"))
    result = run(*ZOE, typed="")
    assert result.exit_code == 1
    assert "Name a file with --record" in result.stderr


@pytest.mark.parametrize(
    ("bot", "why"),
    [
        ("cheat", "the bot Bob (cheat) answered with an illegal action"),
        ("fool", "the bot Bob (fool) raised an exception"),
    ],
)
def test_a_bot_that_misbehaves_is_named(run: Run, home: Path, bot: str, why: str) -> None:
    """Exit code 3; the game is saved up to there."""
    result = run("play", "higher", "--seat", f"Bob={bot}", samples=True)
    assert result.exit_code == 3
    assert why in result.stderr
    assert "cardhub resume" in result.stderr
    assert len(list((home / "games").glob("*.jsonl"))) == 1


def test_options_and_seats_stand_in_the_record(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    words = ("--seat", "Zoe=random", "--set", "open_winnings=yes", "--set", "start=2")
    run("play", "gargon", *words, "--record", path)
    read = header(path)
    assert read["players"][:2] == [
        {"name": "Zoe", "kind": "random"},
        {"name": "Anna", "kind": "rule"},
    ]
    assert read["options"] == {"open_winnings": True, "zero_tie_draw": False, "start": 2}


def test_plain_characters_are_enough(run: Run) -> None:
    """--ascii leaves out every character a plain terminal may lack."""
    assert not run(*ZOE, typed="1\n").stdout.isascii()
    assert run(*ZOE, "--ascii", typed="1\n").stdout.isascii()


def test_at_a_terminal_the_table_opens_on_the_screen(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The program's exit code is the screen's; --plain, a pipe or a dumb terminal prevent it."""
    opened: list[tuple[Any, ...]] = []

    def run_table(host: Any, **how: Any) -> int:
        opened.append((host.seed_text, host.path, host.turns.pace, how["glyphs"]))
        return 143

    monkeypatch.setattr("cardhub.cli.session.front_end.run_table", run_table)
    monkeypatch.setattr("cardhub.cli.session.front_end.is_terminal", lambda: True)
    monkeypatch.setenv("TERM", "xterm")
    assert run(*ZOE, "--pace", "0", "--hint", "rule").exit_code == 143
    path = next((home / "games").iterdir())
    assert opened == [("seed 1", path, 0.0, "auto")]
    assert run(*ZOE, "--plain", typed="").exit_code == 0
    monkeypatch.setenv("TERM", "dumb")
    assert run(*ZOE, typed="").exit_code == 0
    assert len(opened) == 1


def test_interruption_says_how_to_go_on(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    """Ctrl-C leaves with 130, the game saved."""

    def interrupt(_prompt: str) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("builtins.input", interrupt)
    result = run(*ZOE)
    assert result.exit_code == 130
    assert "Continue with: cardhub resume" in result.stderr


def test_the_examples_of_the_help_can_be_typed_as_they_stand(run: Run) -> None:
    """Each of them starts a game; with faster bots here."""
    lines = run("play", "--help").stdout.partition("Examples:\n")[2].splitlines()
    examples = [line.replace("hard", "easy").split()[1:] for line in lines if line.strip()]
    assert len(examples) == 3
    for words in examples:
        done = run(*words, typed="")
        assert (done.exit_code, "At the table: " in done.stdout) == (0, True), done.stderr


def test_a_name_in_any_script_is_recorded_and_read_again(run: Run, tmp_path: Path) -> None:
    """A name may be an emoji family, whose joiners are invisible."""
    path = tmp_path / "game.jsonl"
    words = ("play", "gargon", "--seat", "👩‍👩‍👧=random", "--seat", "नमस्ते=random", "--seed", "1")
    assert run(*words, "--record", path).exit_code == 0
    replayed = run("replay", path, "--as", "👩‍👩‍👧")
    assert replayed.exit_code == 0
    assert "👩‍👩‍👧 (random)" in replayed.stdout


def names(home: Path) -> list[str]:
    """Return the names of the players of the only saved game."""
    [path] = (home / "games").iterdir()
    return [player.name for player in read_record(path).header.players]


def test_names_come_from_the_settings(run: Run, home: Path) -> None:
    """A name of bots that looks like the person's is passed over; NAMES fill the rest."""
    save_preferences(Preferences(name="Zoë", bot_names=("zoë", "Max")), home / "settings.toml")
    assert run("play", "gargon", "--players", "4", typed="").exit_code == 0
    assert names(home) == ["Zoë", "Max", "Anna", "Bob"]


def test_seats_that_are_assigned_keep_their_names(run: Run, home: Path) -> None:
    save_preferences(Preferences(name="Zoë"), home / "settings.toml")
    run("play", "gamon", "--seat", "Eva=human", typed="")
    assert names(home)[0] == "Eva"


def test_ascii_can_be_set_for_all_games(run: Run, home: Path) -> None:
    """A setting has the effect of --ascii."""
    save_preferences(Preferences(glyphs="ascii"), home / "settings.toml")
    assert run("play", "garner", "--seed", "1", typed="").stdout.isascii()


@pytest.mark.parametrize("text", ["pace = -1\n", "unknown = 1\n"])
def test_a_mistake_in_the_settings_is_told_with_its_line(run: Run, home: Path, text: str) -> None:
    home.mkdir()
    (home / "settings.toml").write_text(text)
    result = run("play", "gamon", typed="")
    assert result.exit_code == 2
    assert f"{home / 'settings.toml'}:1: " in result.stderr
    assert "fix: " in result.stderr
    assert not (home / "games").exists()


def test_the_end_of_a_plain_game_names_the_command_for_the_costliest_moves(
    run: Run, tmp_path: Path
) -> None:
    path = tmp_path / "game.jsonl"
    shown = run("play", "kuhn", "--seat", "Zoe=human", "--record", path, typed="1\n" * 9).stdout
    assert f"Your costliest moves: cardhub replay {path} --as Zoe --analyse " in shown


def test_two_people_play_a_game_of_choices_at_the_same_time(run: Run, tmp_path: Path) -> None:
    """Each bids the first card of three rounds; the record has the bids in the order of seats."""
    path = tmp_path / "game.jsonl"
    words = ("play", "goofspiel", "--seat", "Eva=human", "--seat", "Max=human", "--set", "cards=3")
    shown = run(*words, "--record", path, typed="\n1\n" * 6).stdout
    assert "Eva, has chosen" in shown
    assert "The game is over" in shown
    lines = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    seats = [line["seat"] for line in lines if "action" in line and line["seat"] != "chance"]
    assert seats == [0, 1] * 3
