"""Choices at the same time at a table of a server: any order, other minds, absences, restarts."""

from typing import Any

import msgspec
from tests.online.server.tables.conftest import FakeClient, FakeServer, finish, started

from cardhub.online.wire import client_messages as m
from cardhub.online.wire import server_messages as s
from cardhub.play import table_commands as c
from cardhub.play import table_messages as t

GAME: dict[str, Any] = {"options": {"cards": 4}}


def seated(server: FakeServer, **given: Any) -> tuple[FakeClient, FakeClient]:
    """Return Anna and Bob at a game of Goofspiel."""
    first, second = started(server, "goofspiel", **GAME, **given)
    return (first, second) if first.viewer == 0 else (second, first)


def rounds(client: FakeClient) -> int:
    """Return the number of rounds in the log."""
    return sum("The bids" in line.text for line in client.log)


def badges(client: FakeClient) -> list[tuple[str, ...]]:
    """Return what the table says of each player."""
    return [player.badges for player in client.table_message.view.players]


def test_two_visitors_play_a_game_in_either_order_and_change_their_mind(
    server: FakeServer,
) -> None:
    anna, bob = seated(server)
    for number in range(3):
        early, late = (anna, bob) if number % 2 else (bob, anna)
        early.act()
        early.act(-1)
        assert (rounds(anna), rounds(bob)) == (number, number)
        assert badges(late)[early.viewer] == ("has chosen",)
        early.tell(c.Undo())
        assert badges(late) == [(), ()]
        early.act(0)
        late.act(-1)
        assert (rounds(anna), rounds(bob)) == (number + 1, number + 1)
    finish(anna, bob)
    assert anna.table_message.result is not None


def heard(server: FakeServer, tokens: tuple[str, str], table: FakeClient, choice: int) -> list[Any]:
    """Return what Bob and a spectator get while Anna chooses, in a round after a restart."""
    server.start()
    anna, bob = (server.visit(table, token) for token in tokens)
    others = [bob, server.visit(table)]
    before = [len(other.messages) for other in others]
    anna.act(choice)
    server.wait(3)
    assert anna.table_message.view.choices[choice].is_chosen
    return [
        msgspec.json.encode(message)
        for other, number in zip(others, before, strict=True)
        for message in other.messages[number:]
    ]


def test_choices_that_differ_give_equal_messages_to_all_others(server: FakeServer) -> None:
    anna, bob = seated(server)
    tokens = anna.token, bob.token
    usual = heard(server, tokens, anna, 0)
    assert usual
    for choice in (1, 2, 3):
        assert heard(server, tokens, anna, choice) == usual


def test_others_get_no_table_when_a_person_thinks_again(server: FakeServer) -> None:
    anna, bob = seated(server)
    anna.act()
    count = bob.count(t.TableMessage)
    anna.act(1)
    anna.act(2)
    assert bob.count(t.TableMessage) == count
    assert [x.is_chosen for x in anna.table_message.view.choices] == [False, False, True, False]


def test_a_person_who_leaves_after_choosing_does_not_hold_the_others_up(
    server: FakeServer,
) -> None:
    anna, bob = seated(server)
    bob.act()
    bob.leave()
    anna.act()
    assert rounds(anna) == 1
    anna.act()
    server.wait(130)
    anna.tell(m.Replace(seat=1, bot="random"))
    assert rounds(anna) == 2
    finish(anna)
    assert anna.table_message.result is not None


def test_after_a_restart_all_choose_again(server: FakeServer) -> None:
    anna, bob = seated(server, clock="5+10")
    for client in (anna, bob, bob):
        client.act()
    tokens = anna.token, bob.token
    server.start()
    anna, bob = (server.visit(anna, token) for token in tokens)
    assert badges(anna) == [(), ()]
    assert [x.view.to_act for x in (anna.table_message, bob.table_message)] == [0, 1]
    finish(anna, bob)
    assert anna.table_message.result is not None


def test_the_clock_of_each_person_runs_until_the_choice(server: FakeServer) -> None:
    anna, bob = seated(server, clock="5+10")
    assert [seat.clock and seat.clock.is_running for seat in anna.state.seats] == [True, True]
    server.wait(10)
    bob.act()
    server.wait(10)
    clocks = [seat.clock for seat in anna.tell(c.AskPast(id=1, step=0)).state.seats]
    assert [clock and clock.is_running for clock in clocks] == [True, False]
    server.wait(280)
    seats = anna.last(s.TableState).seats
    assert (bool(seats[0].bot), bool(seats[1].bot)) == (True, False)


def test_a_round_is_taken_back_if_the_other_agrees(server: FakeServer) -> None:
    anna, bob = seated(server)
    for client in (anna, bob, bob):
        client.act()
    anna.tell(m.AskTakeback())
    bob.tell(m.AnswerTakeback(agrees=True))
    assert badges(anna) == [(), ()]
    assert len(anna.table_message.view.choices) == 4
    assert any("takes back 2 actions" in line.text for line in anna.log)
    finish(anna, bob)


def test_each_absent_person_is_called_once_in_a_round(server: FakeServer) -> None:
    anna, bob = seated(server, webhook="https://example.org/hook")
    bob.act()
    bob.leave()
    assert server.called == []
    for _ in range(2):
        anna.act()
    assert [call[3] for call in server.called] == ["Bob"]
    bob = server.visit(anna, bob.token)
    for _ in range(2):
        bob.act()
    bob.leave()
    anna.act()
    assert [call[3] for call in server.called] == ["Bob", "Bob"]
