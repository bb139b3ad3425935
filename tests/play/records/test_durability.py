"""Decisions of people are synced to disk before the game continues."""

import os
from pathlib import Path

import pytest

from cardhub.base.errors import RecordError
from cardhub.play.fault_report import read_reproduction
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.seating import HUMAN, Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins


def sizes_on_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the size of a file whenever it is synced."""
    found: list[int] = []
    real = os.fsync

    def sync(number: int) -> None:
        real(number)
        if path.exists() and os.fstat(number).st_ino == path.stat().st_ino:
            found.append(path.stat().st_size)

    monkeypatch.setattr(os, "fsync", sync)
    return found


def test_every_line_that_concerns_a_person_is_synced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The deal, their actions, and the actions of bots before their next turn."""
    path = tmp_path / "game.jsonl"
    synced = sizes_on_disk(path, monkeypatch)
    game = find_plugins().game("gargon")
    players = [Player("Anna", HUMAN), Player("Bob", "random"), Player("Chris", "random")]
    referee = set_up(game, players, {}, 1)
    record_to(referee, path)
    referee.proceed()
    written = 0
    for _ in range(30):
        if referee.seat == 0:
            assert synced[-1] == path.stat().st_size
        was = referee.seat
        referee.apply(referee.observe(was).legal()[0])
        written += 1
        if was == 0 or referee.seat == 0:
            assert synced[-1] == path.stat().st_size
    assert len(synced) < written + 2  # bots among themselves need not wait for the disk


def test_a_record_with_an_endless_line_is_refused_unread(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    path.write_bytes(b"{}\n")
    os.truncate(path, 1 << 40)
    with pytest.raises(RecordError, match=r"game\.jsonl:2: the line is longer than 1,000,000"):
        read_record(path)
    with pytest.raises(RecordError, match="the file is longer than"):
        read_reproduction(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have names on POSIX systems only")
def test_a_save_that_is_a_pipe_is_an_error(tmp_path: Path) -> None:
    """The path of a pipe is refused, not read."""
    os.mkfifo(tmp_path / "game.jsonl")
    with pytest.raises(RecordError, match="cannot be read: it is not a regular file"):
        read_record(tmp_path / "game.jsonl")
