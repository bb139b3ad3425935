"""Tables that nobody visits expire, whatever their stage: they are archived with their games."""

import errno
from collections.abc import Callable, Collection
from pathlib import Path
from shutil import copytree
from unittest.mock import patch

import msgspec
import pytest
from tests.kit.full_disks import full_disk
from tests.online.server.tables.conftest import FakeClient, FakeServer, finish, started

from cardhub.online.server.table_interface import LoadError, LobbyError, UnknownTableError
from cardhub.online.server.tables.lobby import SWEEP_EVERY
from cardhub.online.server.tables.storage.table_store import ARCHIVE
from cardhub.online.server.tables.table_context import TableLimits
from cardhub.online.server.tables.table_places import EXPIRES_AFTER, SWEPT_TOGETHER
from cardhub.online.wire import client_messages as m
from cardhub.online.wire.wire_codec import NewTable

DAY = 86_400
LIMITS = TableLimits(unvisited=30 * DAY, unstarted=3 * DAY)


@pytest.fixture
def server(tmp_path: Path) -> FakeServer:
    """Return a server with short limits that has run long enough for tables to expire."""
    server = FakeServer(tmp_path / "tables", LIMITS)
    server.wait(EXPIRES_AFTER)
    return server


def pass_days(server: FakeServer, days: float) -> None:
    """Let days pass in which nobody visits, then a few sweeps."""
    server.clock_offset += days * DAY
    server.wait(5 * SWEEP_EVERY)


def stored(server: FakeServer) -> set[str]:
    """Return the ids of the tables that have a place."""
    return {path.name for path in server.folder.iterdir() if path.is_dir()} - {ARCHIVE, "editions"}


def archived(server: FakeServer) -> set[str]:
    """Return the ids of the tables in the archive."""
    return {path.name for path in (server.folder / ARCHIVE).glob("*")}


def leave_running(server: FakeServer, **given: str) -> FakeClient:
    """Return the owner of a table whose game is in progress, after everybody has left."""
    both = started(server, "gamon", **given)
    for client in both:
        client.leave()
    return both[0]


def leave_finished(server: FakeServer) -> FakeClient:
    """Return a player of a table whose game is over, after everybody has left."""
    both = started(server, "kuhn")
    finish(*both)
    for client in both:
        client.leave()
    return both[0]


def test_a_running_table_that_nobody_visits_is_archived(server: FakeServer) -> None:
    anna = leave_running(server)
    pass_days(server, 29)
    assert stored(server) == {anna.table}
    pass_days(server, 2)
    assert (stored(server), archived(server)) == (set(), {anna.table})
    assert anna.table not in server.lobby.loaded


def test_a_finished_table_that_nobody_visits_is_archived(server: FakeServer) -> None:
    anna = leave_finished(server)
    pass_days(server, 31)
    assert (stored(server), archived(server)) == (set(), {anna.table})


def test_a_table_without_a_game_is_deleted_sooner(server: FakeServer) -> None:
    server.create("kuhn").leave()
    running = leave_running(server)
    pass_days(server, 4)
    assert (stored(server), archived(server)) == ({running.table}, set())


def test_a_visit_brings_an_archived_table_back(server: FakeServer) -> None:
    """Its game goes on from the last action, and the next visit is needed only in 30 days."""
    first, second = started(server, "gamon")
    first.act()
    view = second.table_message.view
    for client in (first, second):
        client.leave()
    pass_days(server, 31)
    server.start()
    back = server.visit(second, second.token)
    assert back.table_message.view == view
    assert (stored(server), archived(server)) == ({back.table}, set())
    both = (back, server.visit(first, first.token))
    next(client for client in both if client.table_message.view.choices).act()
    for client in both:
        client.leave()
    server.wait(EXPIRES_AFTER)
    pass_days(server, 29)
    assert stored(server) == {back.table}


def test_a_visit_to_a_replay_brings_an_archived_table_back(server: FakeServer) -> None:
    anna = leave_finished(server)
    pass_days(server, 31)
    replay = server.lobby.replay(anna.table, 1)
    assert replay is not None
    assert replay.record.is_file()
    assert stored(server) == {anna.table}


def test_an_archived_table_waits_for_a_place(tmp_path: Path) -> None:
    server = FakeServer(tmp_path / "tables", TableLimits(tables=1))
    server.wait(EXPIRES_AFTER)
    anna = leave_running(server)
    pass_days(server, 91)
    other = server.create("kuhn")
    with pytest.raises(LoadError, match=r"no place for it. Its games are not lost. fix: "):
        server.visit(anna, anna.token)
    with pytest.raises(LoadError, match="no place for it"):
        server.lobby.replay(anna.table, 1)
    assert archived(server) == {anna.table}
    other.leave()
    pass_days(server, 4)
    assert server.visit(anna, anna.token).table_message.view


def test_archived_tables_come_back_within_the_share_of_their_makers(tmp_path: Path) -> None:
    """Else a network that has waited could fill a server at once."""
    server = FakeServer(tmp_path / "tables", TableLimits(tables_by_address=1))
    server.wait(EXPIRES_AFTER)
    clients = []
    for _ in range(2):
        made = server.lobby.create(NewTable(game="kuhn", name="Anna"), "192.0.2.1")
        anna = FakeClient(server, made.table, made.token).enter()
        anna.tell(m.SetUp(bots=["", "random"])).tell(m.Start()).leave()
        pass_days(server, 91)
        clients.append(anna)
    server.visit(clients[0], clients[0].token)
    with pytest.raises(LoadError, match="no place for it"):
        server.visit(clients[1], clients[1].token)


def test_the_archive_is_for_the_user_of_the_server_only(server: FakeServer) -> None:
    anna = leave_running(server)
    pass_days(server, 31)
    folders = [server.folder / ARCHIVE, server.folder / ARCHIVE / anna.table]
    assert [folder.stat().st_mode & 0o777 for folder in folders] == [0o700, 0o700]


def test_a_host_restores_a_table_by_hand(server: FakeServer) -> None:
    anna = leave_running(server)
    pass_days(server, 31)
    (server.folder / ARCHIVE / anna.table).rename(server.folder / anna.table)
    server.start()
    assert server.visit(anna, anna.token).table_message.view


def test_a_copy_in_the_archive_is_kept(server: FakeServer) -> None:
    """A host has copied the folder back instead of moving it."""
    anna = leave_running(server)
    pass_days(server, 31)
    copytree(server.folder / ARCHIVE / anna.table, server.folder / anna.table)
    server.start()
    server.visit(anna).leave()
    server.wait(EXPIRES_AFTER)
    pass_days(server, 31)
    assert archived(server) == {anna.table, f"{anna.table}_2"}


@pytest.mark.parametrize("name", ["", "..", ".", "archive", "../tables/archive", "a" * 20])
def test_only_ids_of_tables_reach_the_archive(server: FakeServer, name: str) -> None:
    """A client may send any text as the id."""
    leave_running(server)
    pass_days(server, 31)
    (server.folder / ARCHIVE / "table.json").write_text("{}")
    with pytest.raises(UnknownTableError):
        server.lobby.find(name)


def rename_unless(blocked: Collection[str]) -> Callable[[Path, Path], Path]:
    """Return `Path.rename` for a disk that does not let some folders go."""
    rename = Path.rename

    def call(path: Path, target: Path) -> Path:
        if path.name in blocked:
            raise PermissionError(errno.EACCES, "Permission denied")
        return rename(path, target)

    return call


def test_a_table_that_cannot_be_archived_does_not_block_others(
    server: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    tables = [leave_running(server).table for _ in range(2 * SWEPT_TOGETHER)]
    blocked = tables[:SWEPT_TOGETHER]
    with patch.object(Path, "rename", autospec=True, side_effect=rename_unless(blocked)):
        pass_days(server, 31)
        pass_days(server, 1)
    assert stored(server) == {*blocked}
    assert caplog.text.count("keeps its place") == len(blocked)


def test_an_archived_table_that_cannot_be_read_is_refused_with_a_reason(
    server: FakeServer, caplog: pytest.LogCaptureFixture
) -> None:
    anna = leave_running(server)
    pass_days(server, 31)
    (server.folder / ARCHIVE / anna.table / "table.json").write_text("{")
    with pytest.raises(LoadError, match=r"cannot be brought back.*fix: tell the host"):
        server.visit(anna)
    assert f"table {anna.table} cannot leave the archive" in caplog.text
    assert archived(server) == {anna.table}


def test_a_visit_by_anybody_keeps_a_table(server: FakeServer) -> None:
    """It is in the file of the table, so a restart does not forget it."""
    anna = leave_running(server)
    pass_days(server, 29)
    server.visit(anna).leave()
    server.start()
    server.wait(EXPIRES_AFTER)
    pass_days(server, 29)
    assert stored(server) == {anna.table}
    pass_days(server, 2)
    assert stored(server) == set()


def test_a_visit_to_a_replay_keeps_a_table(server: FakeServer) -> None:
    anna = leave_finished(server)
    pass_days(server, 29)
    assert server.lobby.replay(anna.table, 1) is not None
    pass_days(server, 29)
    assert stored(server) == {anna.table}


def test_a_table_with_a_visitor_is_kept(server: FakeServer) -> None:
    anna = server.create("kuhn")
    pass_days(server, 100)
    assert stored(server) == {anna.table}
    anna.tell(m.SetUp(bots=["", "random"])).tell(m.Start())
    assert anna.state.stage == "playing"


def test_a_visitor_of_many_days_is_a_visit_until_the_end(server: FakeServer) -> None:
    """The connection may have lasted for longer than tables are kept."""
    anna, bob = started(server, "gamon")
    bob.leave()
    pass_days(server, 100)
    anna.leave()
    pass_days(server, 29)
    assert stored(server) == {anna.table}


def test_the_time_of_a_turn_is_added(server: FakeServer) -> None:
    """People of a game by days come back within it; a start of the server is no visit."""
    anna = leave_running(server, clock="40d")
    pass_days(server, 69)
    assert stored(server) == {anna.table}
    server.start()
    server.wait(EXPIRES_AFTER)
    pass_days(server, 2)
    assert stored(server) == set()


def test_no_table_expires_if_the_host_says_so(tmp_path: Path) -> None:
    server = FakeServer(tmp_path / "tables", TableLimits(unvisited=0, unstarted=0))
    server.wait(EXPIRES_AFTER)
    tables = {leave_running(server).table, server.create("kuhn").table}
    for table in tables:
        for client in list(server.lobby.find(table).context.clients):
            server.lobby.find(table).leave(client)
    pass_days(server, 4000)
    assert stored(server) == tables


def test_tables_of_earlier_versions_count_from_the_first_start(server: FakeServer) -> None:
    """A start dates only some of them, because each needs the disk."""
    tables = {leave_running(server).table for _ in range(SWEPT_TOGETHER + 1)}
    store = server.lobby._services.store
    server.wait(200)
    for table in tables:
        store.save(msgspec.structs.replace(store.files[table], visited=0))
    server.clock_offset += 200 * DAY
    server.start()
    files = server.lobby._services.store.files
    assert sum(not file.visited for file in files.values()) == 1
    server.wait(EXPIRES_AFTER)
    pass_days(server, 29)
    assert stored(server) == tables
    pass_days(server, 2)
    assert stored(server) == set()


def test_a_wrong_date_at_a_start_deletes_nothing(server: FakeServer) -> None:
    anna = leave_running(server)
    server.clock_offset += 10_000 * DAY
    server.start()
    server.wait(EXPIRES_AFTER / 2)
    server.clock_offset -= 10_000 * DAY
    server.wait(EXPIRES_AFTER)
    assert stored(server) == {anna.table}


def test_a_visit_on_a_full_disk_is_a_visit(server: FakeServer) -> None:
    anna = leave_running(server)
    pass_days(server, 29)
    with full_disk():
        back = server.visit(anna, anna.token)
        assert back.table_message.view
    pass_days(server, 2)
    assert stored(server) == {anna.table}


def test_tables_that_expire_make_room_for_others(tmp_path: Path) -> None:
    server = FakeServer(tmp_path / "tables", TableLimits(tables=2))
    server.wait(EXPIRES_AFTER)
    for _ in range(2):
        leave_running(server)
    with pytest.raises(LobbyError, match="no room"):
        server.lobby.create(NewTable(game="kuhn", name="Bob"))
    pass_days(server, 91)
    assert server.lobby.create(NewTable(game="kuhn", name="Bob")).table


def test_the_lobby_knows_an_archived_table_for_its_people(server: FakeServer) -> None:
    anna = leave_finished(server)
    pass_days(server, 31)
    offer = server.lobby.own_offer(anna.table, anna.token)
    assert offer is not None
    assert (offer.stage, offer.title) == ("over", "Kuhn poker")
    assert archived(server) == {anna.table}
