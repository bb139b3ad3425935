"""The folder of tables: private, and locked for one server."""

import logging
import os
import shutil
import stat
from pathlib import Path

import pytest
from tests.online.server.tables.conftest import REGISTRY

from cardhub.base.errors import RecordError
from cardhub.online.server.server_resources import ResourceOptions, open_tables
from cardhub.online.server.tables.storage.table_store import TableStore
from cardhub.online.wire.wire_codec import NewTable

needs_modes = pytest.mark.skipif(os.name == "nt", reason="Windows has no modes of files")


def mode(path: Path) -> int:
    """Return the mode of a file."""
    return stat.S_IMODE(path.stat().st_mode)


def make_table(folder: Path) -> Path:
    """Make a table with a server that ends again; return the folder of the table."""
    with open_tables(REGISTRY, ResourceOptions(folder, workers=1)) as tables:
        return folder / tables.create(NewTable(game="kuhn", name="Anna")).table


@needs_modes
def test_only_the_user_of_the_server_may_open_its_folders_and_files(tmp_path: Path) -> None:
    mask = os.umask(0o022)
    try:
        table = make_table(tmp_path / "new" / "tables")
        assert {mode(path) for path in (table.parent, table)} == {0o700}
        assert {mode(path) for path in table.iterdir()} == {0o600}
        # Only files of the server are private.
        (tmp_path / "other").touch()
        assert mode(tmp_path / "other") == 0o644
    finally:
        os.umask(mask)


@needs_modes
def test_folders_of_earlier_versions_become_private(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The folder itself belongs to the host, who gets a warning."""
    table = make_table(tmp_path / "tables")
    for path in (table, table.parent):
        path.chmod(0o755)
    with caplog.at_level(logging.WARNING):
        make_table(table.parent)
    TableStore(table.parent).open()
    assert (mode(table), mode(table.parent)) == (0o700, 0o755)
    assert "other users of this machine may open" in caplog.text
    assert f"fix: chmod 700 {table.parent}" in caplog.text


def test_one_server_at_a_time_has_a_folder(tmp_path: Path) -> None:
    options = ResourceOptions(tmp_path, workers=1)
    with (
        open_tables(REGISTRY, options),
        pytest.raises(RecordError, match="another server uses this folder"),
        open_tables(REGISTRY, options),
    ):
        pass


def test_a_server_of_a_copied_folder_does_not_lock_the_original(tmp_path: Path) -> None:
    """A snapshot with hard links shares all files with the original, also the lock's."""
    original, copy = tmp_path / "original", tmp_path / "copy"
    with open_tables(REGISTRY, ResourceOptions(original, workers=1)):
        shutil.copytree(original, copy, copy_function=os.link)
        assert len(list(copy.iterdir())) == 1
    # A server that was killed leaves its lock file.
    [lock] = copy.iterdir()
    os.link(lock, original / lock.name)
    with (
        open_tables(REGISTRY, ResourceOptions(copy, workers=1)),
        open_tables(REGISTRY, ResourceOptions(original, workers=1)),
    ):
        pass
