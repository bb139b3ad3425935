"""Fair shares of what tables have in common: bots, places, the chat."""

import pytest
from tests.online.server.tables.conftest import FakeClient, FakeServer

from cardhub.online.wire import client_messages as m
from cardhub.online.wire.wire_codec import NewTable


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
