"""Files are read within limits, synced files are on disk, and records and logs are locked."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from cardhub.base.errors import RecordError
from cardhub.base.files import (
    LimitError,
    numbered_paths,
    open_file,
    read_lines,
    read_within,
    reserve,
    sync_folder,
    write_unused,
)


def test_a_line_beyond_the_limit_is_refused_before_it_is_read(tmp_path: Path) -> None:
    """The lines before it are read; a file of gigabytes without a line end is refused."""
    path = tmp_path / "log"
    path.write_bytes(b"one\n")
    os.truncate(path, 1 << 40)  # sparse: a terabyte of zeros
    lines = read_lines(path, longest=100)
    assert next(lines) == b"one\n"
    with pytest.raises(LimitError, match="the line is longer than 100 bytes") as error:
        next(lines)
    assert error.value.line == 2


def test_a_file_beyond_the_limit_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"0123456789\n" * 10)
    assert len(list(read_lines(path, most=110))) == 10
    with pytest.raises(LimitError, match="the file is longer than 109 bytes"):
        list(read_lines(path, most=109))
    assert len(read_within(path, 110)) == 110
    with pytest.raises(LimitError, match="the file is longer than 109 bytes"):
        read_within(path, 109)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="pipes have names on POSIX systems only")
def test_nothing_is_waited_for(tmp_path: Path) -> None:
    """A named pipe would block until another process writes to it."""
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(OSError, match="not a regular file"):
        open_file(tmp_path / "pipe")
    with pytest.raises(IsADirectoryError):
        open_file(tmp_path)


def test_a_folder_can_be_synced(tmp_path: Path) -> None:
    sync_folder(tmp_path)
    sync_folder(tmp_path / "none")
    assert list(tmp_path.iterdir()) == []


HOLDER = """\
import sys, time
from pathlib import Path
from cardhub.base.files import reserve
with reserve(Path(sys.argv[1]), ""):
    print("locked", flush=True)
    time.sleep(60)
"""


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Write a record in a new folder."""
    path = tmp_path / "game.jsonl"
    path.write_text("{}\n")
    return path


def test_a_locked_file_is_refused_under_all_its_names(record: Path) -> None:
    """A symbolic link names the same file."""
    link = record.with_name("link.jsonl")
    link.symlink_to(record)
    for path in (record, link):
        with (
            reserve(record, "busy"),
            pytest.raises(RecordError, match=r"jsonl: busy"),
            reserve(path, "busy"),
        ):
            pytest.fail("the lock was acquired twice")


def test_the_lock_file_is_hidden_and_removed_with_the_lock(record: Path) -> None:
    """The folder has only the record afterwards, unchanged."""
    with reserve(record, "busy"):
        beside = {path.name for path in record.parent.iterdir()} - {record.name}
        assert all(name.startswith(".") for name in beside)
    assert list(record.parent.iterdir()) == [record]
    assert record.read_text() == "{}\n"


def test_files_can_be_written_while_they_are_locked(record: Path) -> None:
    with reserve(record, "busy"), record.open("a") as file:
        file.write("[]\n")
    assert record.read_text() == "{}\n[]\n"


def test_a_killed_process_releases_its_lock(record: Path) -> None:
    """The lock file that it left is reused, then removed."""
    command = [sys.executable, "-c", HOLDER, str(record)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == b"locked\n"
        with pytest.raises(RecordError, match="busy"), reserve(record, "busy"):
            pytest.fail("the lock was acquired twice")
        holder.send_signal(signal.SIGKILL)
        holder.wait()
    with reserve(record, "busy"):
        pass
    assert list(record.parent.iterdir()) == [record]


def test_a_file_that_cannot_be_locked_is_used_without(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unsupported(*_: object, **__: object) -> None:
        raise OSError

    monkeypatch.setattr("filelock.FileLock.acquire", unsupported)
    with reserve(record, "busy"), reserve(record, "busy"):
        assert list(record.parent.iterdir()) == [record]


def test_a_missing_file_cannot_be_locked(tmp_path: Path) -> None:
    with (
        pytest.raises(RecordError, match=r"none.jsonl cannot be read"),
        reserve(tmp_path / "none.jsonl", "busy"),
    ):
        pytest.fail("there is nothing to lock")
    assert not list(tmp_path.iterdir())


def test_a_text_goes_into_the_first_file_that_can_be_created(tmp_path: Path) -> None:
    for number in range(3):
        write_unused(numbered_paths(tmp_path, "result", ".txt"), str(number))
    texts = {path.name: path.read_text() for path in tmp_path.iterdir()}
    assert texts == {"result.txt": "0", "result_2.txt": "1", "result_3.txt": "2"}


def test_a_text_that_cannot_be_written_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(path: Path, text: str) -> None:
        raise OSError("disk full")

    monkeypatch.setattr("cardhub.base.files.replace_text", fail)
    with pytest.raises(OSError, match="disk full"):
        write_unused(numbered_paths(tmp_path, "result", ".txt"), "text")
    assert list(tmp_path.iterdir()) == []
