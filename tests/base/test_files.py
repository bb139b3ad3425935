"""Files are read within limits, and synced files are on disk."""

import os
from pathlib import Path

import pytest

from cardhub.base.files import LimitError, open_file, read_lines, read_within, sync_folder


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
