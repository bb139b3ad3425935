"""Fair shares of what tables have in common: bots, places, the chat."""

from contextlib import suppress
from itertools import cycle, islice
from pathlib import Path

import pytest
from tests.online.server.tables.conftest import FakeClient, FakeServer

from cardhub.online.server.table_interface import LobbyError
from cardhub.online.server.tables.table_context import TableLimits
from cardhub.online.wire import client_messages as m
from cardhub.online.wire.wire_codec import NewTable
from cardhub.play import table_messages as t


def table_of(server: FakeServer, address: str) -> FakeClient:
    """Return the owner, with a seat, of a new table that an address has made."""
    made = server.lobby.create(NewTable(game="gamon", name="Anna"), address)
    return FakeClient(server, made.table, made.token).enter()


@pytest.mark.parametrize(
    ("address", "network"),
    [("10.0.0.1", "10.0.0.1"), ("20010db800000001/64", "20010db80000/48"), ("", "")],
)
def test_bots_of_a_table_count_for_the_network_of_its_maker(
    server: FakeServer, address: str, network: str
) -> None:
    assert table_of(server, address).served.context.share.network == network


def test_people_count_for_the_share_of_a_table_while_they_are_present(server: FakeServer) -> None:
    """Spectators do not count."""
    anna = table_of(server, "10.0.0.1")
    share = anna.served.context.share
    bob, watcher = server.seated(anna), server.visit(anna)
    assert share.people == 2
    bob.leave()
    watcher.leave()
    anna.tell(m.Say(text="hello"))
    assert share.people == 1


def test_spectators_push_out_lines_of_spectators_only(server: FakeServer) -> None:
    """Lines of people with a seat stay, however many networks write."""
    anna = table_of(server, "10.0.0.1")
    anna.tell(m.Say(text="welcome"))
    for number in range(130):
        watcher = server.visit(anna)
        watcher.network = f"10.0.1.{number}"
        watcher.tell(m.Say(text=f"line {number}"))
        watcher.leave()
    texts = [line.text for line in server.visit(anna).chat]
    assert texts == ["welcome", *(f"line {number}" for number in range(105, 130))]


def test_spectators_of_a_network_share_a_rate(server: FakeServer) -> None:
    """They could come back again and again."""
    anna = table_of(server, "10.0.0.1")
    refused = 0
    for number in range(12):
        watcher = server.visit(anna)
        watcher.network = "10.0.1.1"
        refused += watcher.tell(m.Say(text=f"line {number}")).count(t.Refused)
        watcher.leave()
        server.wait(0.1)
    assert refused == 7
    assert not anna.tell(m.Say(text="hello")).count(t.Refused)
    server.wait(10)
    assert not server.visit(anna).tell(m.Say(text="later")).count(t.Refused)


@pytest.mark.parametrize("is_restarted", [False, True])
def test_a_client_that_lacks_dropped_lines_gets_every_line_once(
    server: FakeServer, is_restarted: bool
) -> None:
    """The numbers of the lines before a dropped one change."""
    anna = table_of(server, "10.0.0.1")
    for text in ("one", "two", "three"):
        anna.tell(m.Say(text=text))
    reader = server.visit(anna)
    reader.leave()
    for number in range(40):
        watcher = server.visit(anna)
        watcher.network = f"10.0.1.{number}"
        watcher.tell(m.Say(text=f"line {number}"))
        watcher.leave()
    if is_restarted:
        server.start()
    reader.enter(chat=3)
    expected = ["one", "two", "three", *(f"line {number}" for number in range(15, 40))]
    assert [line.text for line in reader.chat] == expected


def fill(server: FakeServer, *addresses: str) -> int:
    """Make tables of addresses in turn, up to a hundred; return how many the server allowed."""
    made = 0
    with suppress(LobbyError):
        for address in islice(cycle(addresses), 100):
            server.lobby.create(NewTable(game="kuhn", name="A"), address)
            made += 1
    return made


def test_the_last_places_are_for_networks_with_few_tables(tmp_path: Path) -> None:
    """Six networks do not fill a server, and a network of IPv6 is one of them."""
    server = FakeServer(tmp_path / "tables", TableLimits(tables=60))
    assert [fill(server, f"10.0.0.{number}") for number in range(6)] == [30, 3, 3, 3, 2, 2]
    assert fill(server, "20010db800000001/64") == 2
    assert fill(server, "20010db800000002/64") == 0
    with pytest.raises(LobbyError, match=r"has made 2 tables, .* fix: use one"):
        server.lobby.create(NewTable(game="kuhn", name="A"), "20010db800000003/64")
    assert fill(server, "10.0.1.1") == 2


def test_a_network_has_at_most_the_tables_of_five_addresses(tmp_path: Path) -> None:
    server = FakeServer(tmp_path / "tables", TableLimits(tables=1000, tables_by_address=2))
    addresses = [f"20010db80000{number:04x}/64" for number in range(6)]
    assert fill(server, *addresses) == 10
    assert fill(server, "20010db90000/64") == 2
