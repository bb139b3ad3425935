"""Attacks on seats: tokens of other tables, two people for one seat, consent that is not theirs."""

from tests.online.server.tables.conftest import FakeClient, FakeServer, started

from cardhub.online.wire import client_messages as m
from cardhub.play import table_commands as c
from cardhub.play import table_messages as t


def test_a_token_opens_its_own_table_only(server: FakeServer) -> None:
    anna, other = server.create(), server.create("kuhn")
    thief = FakeClient(server, other.table, anna.token).enter()
    assert (thief.closed != "", thief.is_final) == (True, True)
    assert other.served.network_bot(anna.token) is None
    assert FakeClient(server, anna.table, anna.token).enter().viewer == 0


def test_two_people_who_want_one_seat_do_not_both_get_it(server: FakeServer) -> None:
    """The second one gets a refusal, and no card of the seat."""
    anna = server.create("kuhn")
    bob, mallory = server.visit(anna), server.visit(anna)
    bob.served.receive(bob, m.Sit(name="Bob", seat=1))
    bob.served.receive(mallory, m.Sit(name="Mallory", seat=1))
    server.wait()
    assert (bob.viewer, mallory.viewer) == (1, 2)
    assert "not free" in mallory.refusal
    assert not mallory.token


def test_an_action_counts_once_also_if_it_is_sent_again_later(server: FakeServer) -> None:
    anna = server.create("garner", bots=["", "random"])
    anna.tell(m.Start())
    while not anna.table_message.can_take_back:
        anna.act()
    view = anna.table_message.view
    sent = c.Act(action=view.choices[0].action, rev=view.revision)
    anna.served.receive(anna, sent)
    anna.served.receive(anna, sent)
    server.wait()
    assert anna.count(t.Refused) == 1
    anna.tell(m.AskTakeback())
    server.start()
    anna = server.visit(anna, anna.token)
    assert anna.table_message.view.revision > sent.rev
    before = len(anna.log)
    assert anna.tell(sent).refusal
    assert len(anna.log) == before


def test_nobody_agrees_to_a_takeback_for_others(server: FakeServer) -> None:
    first, second = started(server, "garner")
    watcher = server.visit(first)
    while not first.table_message.can_take_back:
        for person in (first, second):
            if person.table_message.view.choices:
                person.act()
                break
    first.tell(m.AskTakeback())
    shown = len(first.log)
    for other in (first, watcher):
        assert other.tell(m.AnswerTakeback(agrees=True)).count(t.Refused)
    assert len(first.log) == shown
    server.wait(61)
    assert "did not answer" in first.refusal
    assert len(first.log) == shown


def test_an_old_token_sees_and_does_nothing_any_more(server: FakeServer) -> None:
    anna = server.create("kuhn")
    bob = server.seated(anna)
    thief = server.visit(anna, bob.token)
    old = bob.token
    anna.tell(m.Start())
    bob.tell(m.Reissue(seat=1))
    heard = len(thief.messages)
    assert thief.closed
    anna.act()
    thief.tell(m.Say(text="hello"))
    assert len(thief.messages) == heard
    assert server.visit(anna, old).closed
    assert bob.table_message.view.choices
