"""Summaries at tables: who reads them, and how long the others wait."""

from tests.online.server.tables.conftest import FakeClient, FakeServer, finish, started

from cardhub.online.remote.table_texts import readers_text
from cardhub.online.wire import client_messages as m
from cardhub.play import table_commands as c
from cardhub.play import table_messages as t


def play_to_summary(*clients: FakeClient) -> None:
    """Take the first choice of each person until all have a summary to read."""
    while not all(client.table_message.summaries for client in clients):
        for client in clients:
            if client.table_message.view.choices:
                client.act()


def readers(client: FakeClient) -> list[str]:
    """Return the names of the people who read, as a client sees them."""
    return [seat.name for seat in client.state.seats if seat.is_reading]


def at_a_summary(server: FakeServer) -> tuple[FakeClient, FakeClient]:
    """Return two people who have a summary of a game with a bot, which the first has read."""
    anna = server.create("gargon", seats=3)
    bob = server.seated(anna)
    anna.tell(m.Start())
    play_to_summary(anna, bob)
    assert readers(anna) == ["Anna", "Bob"]
    anna.tell(c.PaceCommand(command="read"))
    return anna, bob


def test_all_see_who_still_reads_a_summary(server: FakeServer) -> None:
    anna, bob = at_a_summary(server)
    assert readers(anna) == readers(bob) == ["Bob"]
    bob.tell(c.PaceCommand(command="read"))
    assert readers(anna) == []


def test_the_last_moment_of_a_game_may_be_read_after_its_end(server: FakeServer) -> None:
    """The game ended while a terminal still showed the moment: that is no mistake of anybody."""
    anna, bob = started(server, "kuhn")
    finish(anna, bob)
    before = anna.count(t.Refused)
    anna.tell(c.PaceCommand(command="read"))
    assert anna.count(t.Refused) == before


def test_a_terminal_says_for_whom_the_game_waits(server: FakeServer) -> None:
    anna, bob = at_a_summary(server)
    view, bobs_view = anna.table_message.view, bob.table_message.view
    waiting = "Waiting for Bob to read the end of the round."
    shown = waiting if view.to_act else ""
    assert readers_text(anna.state, view, 0) == shown
    assert readers_text(anna.state, view, len(view.players)) == waiting  # a spectator
    assert readers_text(bob.state, bobs_view, 1) == ""
    bob.tell(c.PaceCommand(command="read"))
    assert readers_text(anna.state, view, len(view.players)) == ""


def test_a_reader_is_waited_for_20_seconds_after_another_person_has_read(
    server: FakeServer,
) -> None:
    anna, bob = at_a_summary(server)
    server.wait(19)
    assert bob.table_message.summaries
    server.wait(2)
    assert not bob.table_message.summaries
    assert readers(anna) == []


def test_a_reader_who_leaves_is_waited_for_only_as_long_as_a_page_takes_to_load(
    server: FakeServer,
) -> None:
    anna, bob = at_a_summary(server)
    bob.leave()
    server.wait(4)
    assert readers(anna) == ["Bob"]
    server.wait(2)
    assert readers(anna) == []


def test_a_reader_who_reloads_the_page_keeps_the_summary(server: FakeServer) -> None:
    anna, bob = at_a_summary(server)
    bob.leave()
    server.wait(2)
    bob = server.visit(anna, bob.token)
    server.wait(10)
    assert bob.table_message.summaries
