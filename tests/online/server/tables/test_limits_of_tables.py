"""Limits of tables, tables that fail without an effect on others, games of collections."""

from pathlib import Path
from typing import Any

import pytest
from tests.online.server.tables.conftest import FakeClient, FakeServer, started

from cardhub.base.errors import CardhubError
from cardhub.online.server.table_interface import LoadError
from cardhub.online.server.tables.table_context import TableLimits
from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s
from cardhub.play import table_commands as c
from cardhub.play.workers.bot_messages import NETWORK
from cardhub_gamon import Gamon


@pytest.mark.interpreted("it replaces a method that compiled code calls directly")
def test_an_exception_in_the_code_of_a_game_is_told_at_its_table(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Other tables go on, and so does this one with another action."""
    first, second = started(server)
    other, _ = started(server, "kuhn")
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


def test_a_table_has_room_for_so_many_spectators(server: FakeServer) -> None:
    """People with a seat always get in."""
    server.limits = TableLimits(clients=3, clients_by_token=2)
    server.start()
    anna = server.create("kuhn")
    for _ in range(2):
        server.visit(anna)
    full = server.visit(anna)
    assert "full" in full.closed
    assert not full.is_final
    tabs = [server.visit(anna, anna.token) for _ in range(2)]
    assert [tab.closed for tab in tabs] == ["", ""]
    assert anna.closed.startswith("you have opened this table in too many windows")


def test_many_changes_in_one_turn_of_the_loop_are_one_message(server: FakeServer) -> None:
    """A client gets the last state, not each on the way."""
    anna = server.create("hearts")
    count = anna.count(s.TableState)
    served = anna.served
    for number in range(3):
        served.receive(anna, m.Sit(name="Anna", seat=number + 1))
    server.wait()
    assert anna.count(s.TableState) == count + 1


def test_a_seat_for_a_bot_of_the_network_waits_for_its_program(server: FakeServer) -> None:
    """The owner's token for the seat lets a program in, an older one does not."""
    anna = server.create("kuhn", bots=["", NETWORK])
    assert anna.served.network_bot("") is None
    token = anna.tell(m.Reissue(seat=1)).last(s.Issued).token
    bot = anna.served.network_bot(token)
    assert bot is not None
    assert not anna.state.seats[1].is_here
    anna.tell(m.Start())
    assert anna.state.seats[1].bot == NETWORK
    anna.tell(m.Reissue(seat=1))
    assert anna.served.network_bot(token) is None
    server.start()
    again = FakeClient(server, anna.table, anna.token).enter()
    new = anna.last(s.Issued).token
    assert again.served.network_bot(new) is not None
    assert again.state.stage == "playing"


def test_listed_tables_with_visitors_are_in_the_lobby(server: FakeServer) -> None:
    """The newest first; a private table is not."""
    server.create("kuhn")
    anna = server.create("kuhn", is_listed=True)
    server.wait(1)
    server.create("gamon", name="Eva", is_listed=True)
    tables = server.lobby.listed().tables
    assert [(table.game, table.names, table.free) for table in tables] == [
        ("gamon", ("Eva",), 1),
        ("kuhn", ("Anna",), 1),
    ]
    anna.leave()
    assert [table.game for table in server.lobby.listed().tables] == ["gamon"]
    assert {game.name for game in server.lobby.listed().games} >= {"gamon", "garner", "kuhn"}


OFFERED, OTHER = "openspiel:tic_tac_toe", "openspiel:hex(board_size=3)"


def test_a_client_cannot_make_the_server_build_a_game_of_a_collection(
    server: FakeServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Some take a minute to make, and all tables would wait; parameters can take all memory."""
    asked: list[str] = []
    monkeypatch.setattr(server.registry, "game", asked.append)
    with pytest.raises(CardhubError, match=r"does not offer 'openspiel:.*fix: choose a game"):
        server.create(OTHER)
    assert asked == []


def test_a_game_that_the_host_offers_is_in_the_lobby_and_played(tmp_path: Path) -> None:
    server = FakeServer(tmp_path / "tables", collected=[OFFERED])
    names = [game.name for game in server.lobby.listed().games]
    assert names[0] == "gargon"
    assert names[-1] == OFFERED
    anna = server.create(OFFERED, bots=["", "random"]).tell(m.Start())
    anna.act()
    assert anna.table_message.view.revision > 0
    with pytest.raises(CardhubError, match="does not offer"):
        server.create(OTHER)


def test_a_game_without_levels_has_its_default_bot(tmp_path: Path) -> None:
    """Search needs determinizations, which some card games of OpenSpiel lack; so do hints."""
    server = FakeServer(tmp_path / "tables", collected=["openspiel:spades"])
    anna = server.create("openspiel:spades").tell(m.Start())
    offer = server.lobby.listed().games[-1]
    assert offer.levels == anna.last(s.TableState).levels == ("random",)
    anna.tell(c.AskHint())
    assert any("There are no hints in this game" in str(message) for message in anna.messages)


def test_a_table_waits_until_its_game_is_offered_again(tmp_path: Path) -> None:
    """A host may start the server without the option by mistake."""
    server = FakeServer(tmp_path / "tables", collected=[OFFERED])
    anna = server.create(OFFERED, bots=["", "random"]).tell(m.Start())
    server.collected = []
    server.start()
    with pytest.raises(LoadError, match="does not offer 'openspiel:tic_tac_toe'"):
        server.visit(anna)
    server.collected = [OFFERED]
    server.start()
    assert server.visit(anna, anna.token).table_message.view.choices
