"""Lobbies of shards list the tables of all of them."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Event

import msgspec
import pytest
from tests.kit.waiting import wait_until
from tests.online.server.conftest import EchoTables
from typing_extensions import override

from cardhub.base.files import replace_text
from cardhub.online.server import shards
from cardhub.online.server.shards import LISTING, ShardList, ShardTables
from cardhub.online.wire.wire_codec import LobbyState, TableOffer

Make = Callable[[str], "Shard"]


class Listed(EchoTables):
    """Tables of which one is listed."""

    def __init__(self, table: str) -> None:
        super().__init__()
        self.offer = TableOffer(
            table=table, game="kuhn", title="Kuhn poker", stage="open", names=("Anna",), free=1
        )

    @override
    def listed(self) -> LobbyState:
        return LobbyState(games=(), tables=(self.offer,))


class Shard:
    """A shard with one table, named by its letter."""

    def __init__(self, folder: Path, letter: str) -> None:
        self.folder = folder / letter
        self.folder.mkdir()
        self.tables = ShardTables(Listed(f"{letter}1"), self.folder)

    @property
    def listed(self) -> list[str]:
        """The ids in its lobby."""
        return [offer.table for offer in self.tables.listed().tables]


@pytest.fixture
def shard(tmp_path: Path) -> Make:
    """Return a function that makes a shard."""
    return lambda letter: Shard(tmp_path, letter)


async def test_a_lobby_lists_the_own_tables_and_those_of_others(shard: Make) -> None:
    one, other = shard("a"), shard("b")
    one.tables.begin()
    other.tables.begin()
    wait_until(lambda: (one.listed, other.listed) == (["a1", "b1"], ["b1", "a1"]))
    other.tables.close()
    assert one.listed == ["a1"]
    one.tables.close()


def test_a_list_that_is_still_being_written_when_a_shard_ends_does_not_stay(
    shard: Make, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A slow disk writes in a thread; the empty list of the end comes after it."""
    one, ending = shard("a"), shard("b")
    is_writing, may_write = Event(), Event()

    def write_slowly(path: Path, text: str) -> None:
        if "b1" in text:
            is_writing.set()
            assert may_write.wait(60)
        replace_text(path, text)

    monkeypatch.setattr(shards, "replace_text", write_slowly)
    with ThreadPoolExecutor() as threads:
        writes = [threads.submit(ending.tables._write, ending.tables._tables.listed().tables)]
        assert is_writing.wait(60)
        writes.append(threads.submit(ending.tables.close))
        may_write.set()
        for done in writes:
            done.result(60)
        ending.tables._write(ending.tables._tables.listed().tables)
    assert one.listed == ["a1"]


@pytest.mark.parametrize("text", ["", "{}", "[1]", '{"written": 1, "tables": 2}', "\udcff"])
def test_a_damaged_list_is_left_out(shard: Make, text: str) -> None:
    one, other = shard("a"), shard("b")
    (other.folder / LISTING).write_bytes(text.encode("utf-8", "surrogateescape"))
    assert one.listed == ["a1"]


def test_an_old_list_is_left_out(shard: Make, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its shard was killed, so its tables cannot be entered."""
    one, other = shard("a"), shard("b")
    listing = ShardList(written=1000, tables=other.tables.listed().tables)
    (other.folder / LISTING).write_bytes(msgspec.json.encode(listing))
    for now, ids in ((1011, ["a1", "b1"]), (1013, ["a1"])):
        monkeypatch.setattr(shards, "time", lambda now=now: now)
        assert one.listed == ids
