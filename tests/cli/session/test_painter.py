"""Sentences about a game in plain text use the same characters as the table."""

from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import Result

from cardhub.cli.session.painter import Painter
from cardhub.view.text import ASCII, UNICODE
from cardhub.view.view import CardCatalogue, LogLine

CLOVERS = CardCatalogue(faces=(), backs=(), ascii={"☘": "Clover "})
Run = Callable[..., Result]


def test_a_game_has_its_own_suits_in_ascii_in_every_line(
    capsys: pytest.CaptureFixture[str],
) -> None:
    line = LogLine(step=1, seat=0, kind="action", text="Bob plays ☘5")
    Painter(ASCII).for_game(CLOVERS).print_log([line])
    Painter(ASCII).for_game(CLOVERS).say("Follow ☘")
    Painter(UNICODE).for_game(CLOVERS).say("Follow ☘")
    assert capsys.readouterr().out.splitlines() == [
        "Bob plays Clover 5",
        "Follow Clover ",
        "Follow ☘",
    ]


def test_a_terminal_gets_sentences_wrapped_between_words(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    Painter(UNICODE).say("Bob takes two coins from the prize")
    monkeypatch.setattr("sys.stdout.isatty", lambda: True)
    Painter(UNICODE).say("Bob takes two coins from the prize")
    assert capsys.readouterr().out.splitlines() == [
        "Bob takes two coins from the prize",
        "Bob takes two coins",
        "from the prize",
    ]


def test_tables_and_replays_print_with_the_suits_of_their_game(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ascii_texts = {"Deal": "Handing out", "bids": "offers"}
    monkeypatch.setattr(Painter, "for_game", lambda self, _: Painter(ASCII.with_suits(ascii_texts)))
    record = tmp_path / "game.jsonl"
    seats = [word for name in "ABCD" for word in ("--seat", f"{name}=random")]
    played = run("play", "spades", "--plain", *seats, "--record", str(record))
    assert "A offers" in played.stdout
    assert "Handing out 1" in run("replay", str(record)).stdout
