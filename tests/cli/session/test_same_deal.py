"""`cardhub play --same-deal`: the deal of a finished game with the seats moved on."""

from collections.abc import Callable
from pathlib import Path

from click.testing import Result

from cardhub.play.records.reading import read_record
from cardhub.play.seating import Player

Run = Callable[..., Result]
GAME = ("play", "kuhn", "--seat", "Anna=random", "--seat", "Bob=random")


def test_every_player_gets_the_cards_of_the_seat_after_theirs(run: Run, tmp_path: Path) -> None:
    """Deal, options and seed are the same; what the others made of the cards can be compared."""
    one, two = tmp_path / "one.jsonl", tmp_path / "two.jsonl"
    run(*GAME, "--seed", "7", "--record", one)
    assert run("play", "--same-deal", one, "--record", two).exit_code == 0
    before, after = read_record(one).header, read_record(two).header
    assert after.players == (Player("Bob", "random"), Player("Anna", "random"))
    assert (after.seed, after.deal, after.options) == (before.seed, before.deal, before.options)


def test_the_game_is_named_by_its_number_in_the_list_of_replays(run: Run, home: Path) -> None:
    """1 is the game played last; a drawn seed is taken over, too."""
    run(*GAME)
    assert run("play", "--same-deal", "1").exit_code == 0
    records = [read_record(path) for path in (home / "games").iterdir()]
    assert len({record.header.seed for record in records}) == 1
    assert {record.header.players[0].name for record in records} == {"Anna", "Bob"}


def test_a_game_that_is_not_over_keeps_its_deal_secret(run: Run) -> None:
    """Otherwise its cards could be looked up in the second game."""
    run("play", "gargon", "--players", "3", typed="quit\n")
    result = run("play", "--same-deal", "1")
    assert result.exit_code == 2
    assert "is not over: its deal is still secret" in result.stderr


def test_the_record_decides_players_options_and_seed(run: Run) -> None:
    """An additional option would be ignored, so it is an error."""
    run(*GAME)
    for words in (("kuhn",), ("--players", "2"), ("--seed", "1"), ("--level", "easy")):
        result = run("play", *words, "--same-deal", "1")
        assert result.exit_code == 2
        assert "mutually exclusive" in result.stderr


def test_a_record_from_elsewhere_starts_no_program(run: Run, tmp_path: Path) -> None:
    record = tmp_path / "foreign.jsonl"
    run(*GAME, "--record", record)
    text = record.read_text("utf-8").replace('"random"', '"cmd:touch stolen"', 1)
    record.write_text(text, "utf-8")
    result = run("play", "--same-deal", record)
    assert result.exit_code == 2
    assert "would start a program or load a file: touch stolen" in result.stderr
