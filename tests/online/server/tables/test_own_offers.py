"""The entry of a table in the lobby for its own people, whether the owner lists it or not."""

import pytest
from tests.online.server.tables.conftest import FakeServer, started
from tests.online.server.tables.test_expiry import pass_days

from cardhub.online.server.table_interface import UnknownTableError


def test_a_seated_person_sees_an_unlisted_table_and_whose_turn_it_is(server: FakeServer) -> None:
    first, second = started(server)
    offers = [server.lobby.own_offer(client.table, client.token) for client in (first, second)]
    assert [offer and offer.is_turn for offer in offers] == [True, False]
    assert {offer.names for offer in offers if offer} == {("Anna", "Bob")}
    assert server.lobby.listed().tables == ()


def test_a_table_that_is_not_in_memory_knows_whose_clock_runs(server: FakeServer) -> None:
    first, second = started(server, clock="3d")
    for client in (first, second):
        client.leave()
    pass_days(server, 1)
    assert first.table not in server.lobby.loaded
    offers = [server.lobby.own_offer(client.table, client.token) for client in (first, second)]
    assert [offer and offer.is_turn for offer in offers] == [True, False]
    assert [offer and offer.stage for offer in offers] == ["playing", "playing"]
    assert first.table not in server.lobby.loaded


def test_a_table_that_is_not_in_memory_knows_all_whose_clocks_run(server: FakeServer) -> None:
    anna, bob = started(server, "goofspiel", clock="3d")
    for client in (anna, bob):
        client.leave()
    pass_days(server, 1)
    assert anna.table not in server.lobby.loaded
    offers = [server.lobby.own_offer(client.table, client.token) for client in (anna, bob)]
    assert [offer and offer.is_turn for offer in offers] == [True, True]


def test_others_learn_nothing(server: FakeServer) -> None:
    anna = server.create()
    assert server.lobby.own_offer(anna.table, "") is None
    assert server.lobby.own_offer(anna.table, "wrong") is None
    with pytest.raises(UnknownTableError):
        server.lobby.own_offer("nosuch", anna.token)
