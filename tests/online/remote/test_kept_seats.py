"""Tokens of seats are kept for the next time, readable by their owner alone."""

import sys
from pathlib import Path

import pytest

from cardhub.online.remote.table_address import parse_address
from cardhub.online.remote.table_model import SavedSeats

ADDRESS = parse_address("http://host/t/abc")


def test_the_seat_used_last_comes_back(tmp_path: Path) -> None:
    kept = SavedSeats(tmp_path / "seats", ADDRESS)
    assert kept.token(None) == ""
    kept.save("Anna", "A1")
    kept.save("Bob", "B1")
    again = SavedSeats(tmp_path / "seats", ADDRESS)
    assert [again.token(name) for name in (None, "Anna", "Bob", "Chris")] == ["B1", "A1", "B1", ""]
    again.save("Anna", "A2")
    assert again.token(None) == "A2"


def test_another_table_has_other_seats(tmp_path: Path) -> None:
    SavedSeats(tmp_path, ADDRESS).save("Anna", "A1")
    for other in ("http://host/t/abd", "https://host/t/abc", "http://host:81/t/abc"):
        assert SavedSeats(tmp_path, parse_address(other)).token("Anna") == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_nobody_else_can_read_the_tokens(tmp_path: Path) -> None:
    folder = tmp_path / "seats"
    SavedSeats(folder, ADDRESS).save("Anna", "A1")
    (file,) = folder.iterdir()
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    assert oct(folder.stat().st_mode & 0o777) == "0o700"
    assert "abc" not in file.name


@pytest.mark.parametrize("text", ["", "{", "[]", '{"tokens": 3}', '{"tokens": {"Anna": 3}}'])
def test_a_damaged_file_is_no_seat(tmp_path: Path, text: str) -> None:
    """A seat can be taken again by its link."""
    kept = SavedSeats(tmp_path, ADDRESS)
    kept.save("Anna", "A1")
    (file,) = tmp_path.iterdir()
    file.write_text(text, encoding="utf-8")
    assert kept.token("Anna") == ""
    kept.save("Anna", "A2")
    assert kept.token("Anna") == "A2"
