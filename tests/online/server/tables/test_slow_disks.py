"""Slow disks: a table waits for its record, and other tables do not wait."""

from pathlib import Path

import pytest
from tests.online.server.tables.conftest import FakeClient, FakeServer
from tests.play.host.conftest import FakeScheduler
from typing_extensions import override

from cardhub.base.errors import RecordError
from cardhub.online.server.tables.storage.disk_syncs import DiskSyncs, OnSynced
from cardhub.online.wire import client_messages as m
from cardhub.play import table_messages as t


class HeldSyncs(DiskSyncs):
    """A disk that is done with a file when a test says so; it is fast until `is_slow` is set."""

    def __init__(self) -> None:
        super().__init__(FakeScheduler())
        self.waits = False
        self.begun: list[tuple[Path, OnSynced]] = []

    @property
    @override
    def is_slow(self) -> bool:
        return self.waits

    @override
    def sync_later(self, path: Path, on_synced: OnSynced) -> None:
        self.begun.append((path, on_synced))

    def end(self, error: RecordError | None = None) -> None:
        """Be done with the first file."""
        self.begun.pop(0)[1](error)


@pytest.fixture
def disk() -> HeldSyncs:
    """Return a disk that is still fast."""
    return HeldSyncs()


@pytest.fixture
def server(tmp_path: Path, disk: HeldSyncs) -> FakeServer:
    """Return a lobby on this disk."""
    return FakeServer(tmp_path / "tables", syncs=disk)


def playing(server: FakeServer) -> tuple[FakeClient, FakeClient]:
    """Return the person to act in a new game of two, and the other one."""
    anna = server.create(seats=2)
    bob = server.seated(anna)
    anna.tell(m.Start())
    first, second = sorted((anna, bob), key=lambda client: not client.table_message.view.choices)
    return first, second


def test_an_action_is_published_only_after_it_is_on_disk(
    server: FakeServer, disk: HeldSyncs
) -> None:
    """Its record is synced once, and then both people see the action."""
    first, second = playing(server)
    views = [client.count(t.TableMessage) for client in (first, second)]
    disk.waits = True
    first.act()
    assert [client.count(t.TableMessage) for client in (first, second)] == views
    assert [path.name for path, _ in disk.begun] == ["game-1.jsonl"]
    disk.end()
    server.wait()
    assert [client.count(t.TableMessage) for client in (first, second)] == [n + 1 for n in views]


def test_messages_wait_for_the_disk_in_their_order(server: FakeServer, disk: HeldSyncs) -> None:
    """A question is answered after the action, and a second action is refused as too late."""
    first, second = playing(server)
    disk.waits = True
    first.act().act()
    second.tell(m.AskTakeback())
    assert not first.count(t.Refused) + second.count(t.Refused)
    disk.end()
    server.wait()
    assert "the table has changed since" in first.refusal
    assert "has not acted yet" in second.refusal


def test_other_tables_go_on_meanwhile(server: FakeServer, disk: HeldSyncs) -> None:
    first, _ = playing(server)
    other, _ = playing(server)
    disk.waits = True
    first.act()
    disk.waits = False
    seen = other.count(t.TableMessage)
    other.act()
    assert other.count(t.TableMessage) == seen + 1


def test_a_sync_that_fails_halts_the_table_and_is_told(server: FakeServer, disk: HeldSyncs) -> None:
    """The table goes on from its record, as after a disk that is full."""
    first, second = playing(server)
    disk.waits = True
    first.act()
    disk.waits = False
    disk.end(RecordError("game-1.jsonl cannot be written: no space left"))
    server.wait()
    assert all("no space left" in client.refusal for client in (first, second))
    person = next(client for client in (first, second) if client.table_message.view.choices)
    person.act()
    assert "no space left" in person.refusal


def test_a_disk_that_becomes_slow_is_noticed(tmp_path: Path) -> None:
    times = iter([0.0, 0.0001, 1.0, 1.02])
    syncs = DiskSyncs(FakeScheduler(), times.__next__)
    with (tmp_path / "game.jsonl").open("wb") as file:
        syncs.sync(file)
        assert not syncs.is_slow
        syncs.sync(file)
        assert syncs.is_slow


def test_threads_hand_on_errors(tmp_path: Path) -> None:
    """A file that was deleted is not created again."""
    clock, path = FakeScheduler(), tmp_path / "game.jsonl"
    errors: list[RecordError | None] = []
    syncs = DiskSyncs(clock)
    path.write_text("{}\n")
    syncs.sync_later(path, errors.append)
    syncs.sync_later(tmp_path / "none.jsonl", errors.append)
    syncs.close()
    assert not errors
    clock.wait()
    missing = f"{tmp_path / 'none.jsonl'} cannot be written: No such file or directory"
    assert sorted(map(str, errors)) == sorted(["None", missing])
    assert not (tmp_path / "none.jsonl").exists()
