"""Faults and limits: one table's trouble is no other's."""

from typing import Any

import pytest
from tests.online.server.tables.conftest import FakeClient, House
from tests.online.server.tables.test_course import started

from cardhub.online.server.tables.storage.table_limits import TableLimits
from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s
from cardhub.play.workers.lineup import NETWORK
from cardhub_gamon import Gamon


@pytest.mark.interpreted("it replaces a method that compiled code calls directly")
def test_an_exception_in_the_code_of_a_game_is_told_at_its_table(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other tables go on, and so does this one with another action."""
    first, second = started(house)
    other, _ = started(house, "kuhn")
    real = Gamon.apply

    def broken(*_: Any) -> None:
        raise ZeroDivisionError("planted")

    monkeypatch.setattr(Gamon, "apply", broken)
    first.act()
    assert "the code of this game failed" in first.refusal
    assert "planted" not in first.refusal
    other.act()
    monkeypatch.setattr(Gamon, "apply", real)
    before = len(second.log)
    first.act()
    assert len(second.log) > before


def test_a_table_has_room_for_so_many_spectators(house: House) -> None:
    """People with a seat always get in."""
    house.limits = TableLimits(clients=3, clients_by_token=2)
    house.start()
    anna = house.create("kuhn")
    for _ in range(2):
        house.visit(anna)
    full = house.visit(anna)
    assert "full" in full.closed
    assert not full.is_final
    tabs = [house.visit(anna, anna.token) for _ in range(2)]
    assert [tab.closed for tab in tabs] == ["", ""]
    assert anna.closed.startswith("you have opened this table in too many windows")


def test_many_changes_in_one_turn_of_the_loop_are_one_message(house: House) -> None:
    """A client gets the last state, not each on the way."""
    anna = house.create("hearts")
    count = anna.count(s.TableState)
    served = anna.served
    for number in range(3):
        served.receive(anna, m.Sit(name="Anna", seat=number + 1))
    house.wait()
    assert anna.count(s.TableState) == count + 1


def test_a_seat_for_a_bot_of_the_network_waits_for_its_program(house: House) -> None:
    """The owner's token for the seat lets a program in, an older one does not."""
    anna = house.create("kuhn", bots=["", NETWORK])
    assert anna.served.network_bot("") is None
    token = anna.tell(m.Reissue(seat=1)).last(s.Issued).token
    bot = anna.served.network_bot(token)
    assert bot is not None
    assert not anna.state.seats[1].is_here
    anna.tell(m.Start())
    assert anna.state.seats[1].bot == NETWORK
    anna.tell(m.Reissue(seat=1))
    assert anna.served.network_bot(token) is None
    house.start()
    again = FakeClient(house, anna.table, anna.token).enter()
    new = anna.last(s.Issued).token
    assert again.served.network_bot(new) is not None
    assert again.state.stage == "playing"


def test_listed_tables_with_visitors_are_in_the_lobby(house: House) -> None:
    """The newest first; a private table is not."""
    house.create("kuhn")
    anna = house.create("kuhn", is_listed=True)
    house.wait(1)
    house.create("gamon", name="Eva", is_listed=True)
    tables = house.lobby.listed().tables
    assert [(table.game, table.names, table.free) for table in tables] == [
        ("gamon", ("Eva",), 1),
        ("kuhn", ("Anna",), 1),
    ]
    anna.leave()
    assert [table.game for table in house.lobby.listed().tables] == ["gamon"]
    assert {game.name for game in house.lobby.listed().games} >= {"gamon", "garner", "kuhn"}
