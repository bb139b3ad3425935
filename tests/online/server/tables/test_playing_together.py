"""People and bots at one table: from the first client to the result."""

from tests.online.server.tables.conftest import FakeClient, House

from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s


def finish(*clients: FakeClient) -> None:
    """Let people take first choices until the game is over."""
    for _ in range(2000):
        if clients[0].state.stage == "over":
            return
        for client in clients:
            if client.table_message.summaries:
                client.tell(m.PaceCommand(command="read"))
            if client.table_message.view.choices:
                client.act()
    raise AssertionError("the game does not end")


def test_a_visitor_sees_the_table_before_the_game(house: House) -> None:
    """The state tells who sits where, and what the game offers."""
    anna = house.create("hearts")
    bob = house.visit(anna)
    assert (bob.viewer, bob.state.stage, bob.state.title) == (4, "open", "Hearts")
    assert [seat.name for seat in bob.state.seats] == ["Anna", "", "", ""]
    assert bob.state.owner == 0
    assert bob.last(s.GameInfo).catalogue.faces


def test_a_person_who_sits_down_gets_a_token(house: House) -> None:
    anna = house.create()
    bob = house.seated(anna)
    again = house.visit(anna, bob.token)
    assert bob.viewer == again.viewer == 1
    assert [seat.name for seat in anna.state.seats] == ["Anna", "Bob"]


def test_two_people_play_a_game_to_its_end(house: House) -> None:
    """Each sees the own choices, and both get the result."""
    anna = house.create("gamon", seats=2)
    bob = house.seated(anna)
    anna.tell(m.Start())
    finish(anna, bob)
    assert anna.table_message.result is not None
    assert bob.table_message.view.is_over
    assert anna.table_message.result.path == ""


def test_bots_take_free_seats_at_the_start(house: House) -> None:
    """They play at the level that was chosen, or the default one."""
    anna = house.create("pig", seats=3, bots=["", "random", ""])
    anna.tell(m.Start())
    assert [bool(seat.bot) for seat in anna.state.seats] == [False, True, True]
    assert anna.state.seats[1].bot == "random"
    finish(anna)
    assert anna.table_message.result is not None
