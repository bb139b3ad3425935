"""Records on disk: decisions are synced before the game continues; unwritable records stop it."""

import os
from pathlib import Path

import pytest
from tests.kit.full_disks import full_disk

from cardhub.base.errors import RecordError
from cardhub.play.fault_report import read_reproduction
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import as_record, record_to
from cardhub.play.records.replaying import resume
from cardhub.play.seating import HUMAN, Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from cardhub_gargon import Gargon

from ..conftest import PLAYERS


def sizes_on_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return a list that gets the size of a file whenever it is synced."""
    lengths: list[int] = []
    real = os.fsync

    def sync(number: int) -> None:
        real(number)
        if path.exists() and os.fstat(number).st_ino == path.stat().st_ino:
            lengths.append(path.stat().st_size)

    monkeypatch.setattr(os, "fsync", sync)
    return lengths


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


def block(path: Path) -> None:
    """Replace a file by a folder, which makes it unwritable."""
    path.unlink(missing_ok=True)
    path.mkdir()


def test_an_action_that_cannot_be_recorded_is_an_error_that_names_the_file(tmp_path: Path) -> None:
    """Bad input never costs data, and no fault of the system ends in a traceback."""
    path = tmp_path / "game.jsonl"
    referee = set_up(Gargon(), PLAYERS, {}, seed=1)
    record_to(referee, path)
    referee.proceed()
    block(path)
    with pytest.raises(RecordError, match=r"game\.jsonl cannot be written: "):
        referee.apply(referee.observe(0).legal()[0])


def test_a_record_that_cannot_be_written_on_is_not_resumed(recorded: Path) -> None:
    """The error is raised before the next action."""
    recorded.write_bytes(b"".join(recorded.read_bytes().splitlines(keepends=True)[:9]))
    record = read_record(recorded)
    block(recorded)
    with pytest.raises(RecordError, match=r"game\.jsonl cannot be written: "):
        resume(Gargon(), record)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no full disk to try it with")
def test_a_record_that_could_not_be_begun_is_removed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file without a whole header would only be in the way of `resume`."""
    path = tmp_path / "game.jsonl"
    opened = Path.open

    def run_full(self: Path, mode: str = "r", **kind: str) -> object:
        return opened(Path("/dev/full") if mode == "ab" else self, mode, **kind)  # type: ignore[call-overload]  # passed on as it came

    monkeypatch.setattr(Path, "open", run_full)
    with pytest.raises(RecordError, match=r"game\.jsonl cannot be written: No space left"):
        record_to(set_up(Gargon(), PLAYERS, {}, seed=1), path)
    assert not path.exists()


def test_a_record_ends_at_its_first_line_that_could_not_be_written(tmp_path: Path) -> None:
    """A later line would be joined to the incomplete one, or follow a gap."""
    path = tmp_path / "game.jsonl"
    game = find_plugins().game("gargon")
    referee = set_up(game, [Player(name, HUMAN) for name in ("Anna", "Bob", "Chris")], {}, 1)
    record_to(referee, path)
    referee.proceed()
    whole = path.read_bytes()
    with full_disk(free=len(whole) + 5), pytest.raises(RecordError):
        referee.note(0, "left")
    assert len(path.read_bytes()) == len(whole) + 5
    with pytest.raises(RecordError):
        referee.note(0, "back")
    again = resume(game, read_record(path))
    again.note(1, "left")
    assert path.read_bytes() == as_record(again).encode()
    assert len(path.read_bytes().splitlines()) == len(whole.splitlines()) + 1
