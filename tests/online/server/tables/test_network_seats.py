"""Seats of bots that connect over the network."""

import json

from tests.online.server.bots.test_network_bot import HELLO, Program, action
from tests.online.server.tables.conftest import FakeClient, FakeServer

from cardhub.online.server.bots.network_bot import RETURN_WITHIN, NetworkBot
from cardhub.online.server.tables.served_table import ServedTable
from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s


def link(owner: FakeClient, seat: int) -> str:
    """Return a new token of a seat, for its owner."""
    return owner.tell(m.Reissue(seat=seat)).last(s.Issued).token


def bot_of(table: ServedTable, token: str) -> NetworkBot:
    """Return the bot of a token."""
    bot = table.network_bot(token)
    assert bot is not None
    return bot


def connect(owner: FakeClient, token: str) -> Program:
    """Connect a program that introduces itself."""
    program, bot = Program(), bot_of(owner.served, token)
    bot.connect(program)
    bot.receive(program, HELLO)
    owner.server.wait()
    return program


def answer(owner: FakeClient, token: str, program: Program) -> None:
    """Answer the turn of a program with the first legal action."""
    turn = program.got[-1]
    assert turn["type"] == "turn"
    bot_of(owner.served, token).receive(program, action(turn["legal"][0]["action"]))
    owner.server.wait()


def test_a_bot_over_the_network_plays_at_a_table(server: FakeServer) -> None:
    """It sits down with the token of its seat; all see that it is there, and its turns count."""
    owner = server.create("kuhn", name="", bots=["network", "random"])
    token = link(owner, 0)
    assert not owner.state.seats[0].is_here
    program = connect(owner, token)
    assert owner.state.seats[0].bot == "network"
    assert owner.state.seats[0].is_here
    owner.tell(m.Start())
    while owner.state.stage == "playing":
        answer(owner, token, program)
    assert program.got[-1] == {"type": "over"}
    assert owner.table_message.result is not None


def test_only_the_token_of_such_a_seat_is_a_bots(server: FakeServer) -> None:
    owner = server.create("kuhn", name="Anna", bots=["", "network"])
    old = link(owner, 1)
    program = connect(owner, old)
    new = link(owner, 1)
    assert program.closed
    assert owner.served.network_bot(old) is None
    assert owner.served.network_bot(owner.token) is None
    assert owner.served.network_bot("") is None
    assert owner.served.network_bot(new) is not None


def test_a_bot_that_comes_back_late_is_asked_again(server: FakeServer) -> None:
    """The table had reported a fault to people; it continues without a retry."""
    owner = server.create("kuhn", name="", bots=["network", "random"])
    token = link(owner, 0)
    owner.tell(m.Start())
    server.wait(RETURN_WITHIN)
    assert owner.table_message.status.fault
    program = connect(owner, token)
    assert [message["type"] for message in program.got] == ["hello", "game", "turn"]
    assert not owner.table_message.status.fault


def test_a_bot_comes_back_after_a_restart_of_the_server(server: FakeServer) -> None:
    owner = server.create("kuhn", name="", bots=["network", "random"])
    token = link(owner, 0)
    program = connect(owner, token)
    owner.tell(m.Start())
    before = json.dumps(program.got[-1]["table"])
    server.start()
    again = FakeClient(server, owner.table, owner.token).enter()
    program = connect(again, token)
    assert json.dumps(program.got[-1]["table"]) == before


def test_a_bot_over_the_network_takes_over_in_the_middle_of_a_game_and_gives_back(
    server: FakeServer,
) -> None:
    """It gets the log of the game; it cannot replace a person."""
    owner = server.create("hearts", bots=["", "random", "random", "random"])
    owner.tell(m.Start())
    while not owner.table_message.view.choices:
        server.wait(1)
    owner.tell(m.Replace(seat=1, bot="network"))
    assert owner.state.seats[1].bot == "network"
    token = link(owner, 1)
    while owner.table_message.view.to_act != 1:
        owner.act()
    program = connect(owner, token)
    assert owner.state.seats[1].is_here
    actions = len(owner.log)
    answer(owner, token, program)
    assert len(owner.log) > actions
    while owner.table_message.view.to_act != 1:
        owner.act()
    owner.tell(m.Replace(seat=1, bot="random"))
    assert program.closed
    assert owner.state.seats[1].bot == "random"
    assert owner.table_message.view.to_act != 1
    assert "person" in owner.tell(m.Replace(seat=0, bot="network")).refusal
    server.start()
    again = FakeClient(server, owner.table, owner.token).enter()
    assert again.state.seats[1].bot == "random"
