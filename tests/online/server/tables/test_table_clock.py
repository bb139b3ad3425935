"""Clocks of tables: in minutes and by days, with a webhook, over restarts."""

import pytest
from tests.online.server.tables.conftest import FakeServer, notes, started

from cardhub.online.server.table_interface import LobbyError
from cardhub.online.wire import client_messages as m
from cardhub.online.wire.server_messages import ClockState
from cardhub.online.wire.wire_codec import NewTable

DAY = 86_400
HOOK = "https://example.org/turn"


def test_the_time_of_the_person_to_act_runs(server: FakeServer) -> None:
    """All see it with the seat; an action adds the increment."""
    first, second = started(server, "kuhn", clock="1+5")
    server.wait(20)
    first.act()
    clocks = [seat.clock for seat in second.state.seats]
    assert clocks[first.viewer] == ClockState(seconds_left=45, is_running=False)
    assert clocks[second.viewer] == ClockState(seconds_left=60, is_running=True)


def test_a_bot_stands_in_when_the_time_is_over(server: FakeServer) -> None:
    """The record notes it, and the person takes the seat back by a wish or a new connection."""
    first, second = started(server, "gamon", clock="1+5")
    server.wait(61)
    seat = second.state.seats[first.viewer]
    assert (bool(seat.bot), bool(seat.replaced_person)) == (True, True)
    assert notes(server, first)[0]["note"] == "timeout"
    first.tell(m.Replace(seat=first.viewer))
    assert second.state.seats[first.viewer].bot == ""
    assert [line.get("note") for line in notes(server, first)] == ["timeout", None, "back", None]


def test_an_unknown_clock_is_refused(server: FakeServer) -> None:
    with pytest.raises(LobbyError, match="invalid clock 'fast'"):
        server.lobby.create(NewTable(game="kuhn", name="Anna", clock="fast"))
    anna = server.create("kuhn")
    assert "invalid clock" in anna.tell(m.SetUp(clock="fast")).refusal
    assert (
        "the webhook's address is invalid"
        in anna.tell(m.SetUp(webhook="file:///etc/passwd")).refusal
    )


def test_by_days_people_come_and_go(server: FakeServer) -> None:
    first, second = started(server, "gamon", clock="3d", webhook=HOOK)
    names = [seat.name for seat in first.state.seats]
    second.leave()
    while second.viewer != (turn := first.table_message.view.to_act):
        first.act()
    assert turn == second.viewer
    assert server.called == [(HOOK, first.table, "Gamon", names[second.viewer])]
    first.leave()
    server.wait(DAY)
    server.start()
    assert len(server.called) == 1
    back = server.visit(first, second.token)
    clock = back.state.seats[second.viewer].clock
    assert clock is not None
    assert 2 * DAY - 60 < clock.seconds_left <= 2 * DAY
    assert notes(server, first) == []
    while back.table_message.view.choices:
        back.act()
    assert server.called[-1][3] == names[first.viewer]


def test_time_by_days_ends_without_visitors(server: FakeServer) -> None:
    """The table is loaded for it, and a bot stands in; so it is after a restart."""
    first, second = started(server, "gamon", clock="1d")
    for person in (first, second):
        person.leave()
    server.wait(DAY / 2)
    assert first.table not in server.lobby.loaded
    server.start()
    server.wait(DAY / 2 + 100)
    assert "timeout" in [line.get("note") for line in notes(server, first)]
    back = server.visit(first, first.token)
    assert back.state.seats[back.viewer].bot == ""


def test_a_webhook_of_a_person_who_is_here_is_not_called(server: FakeServer) -> None:
    """They see that it is their turn."""
    first, _ = started(server, "kuhn", webhook=HOOK)
    first.act()
    assert server.called == []
