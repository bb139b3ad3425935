"""Clocks of tables: in minutes and by days, with a webhook, over restarts."""

import pytest
from tests.online.server.tables.conftest import House
from tests.online.server.tables.test_course import notes, started

from cardhub.online.server.table_interface import LobbyError
from cardhub.online.wire import client_messages as m
from cardhub.online.wire.server_messages import ClockState
from cardhub.online.wire.wire_codec import NewTable

DAY = 86_400
HOOK = "https://example.org/turn"


def test_the_time_of_the_person_to_act_runs(house: House) -> None:
    """All see it with the seat; an action adds the increment."""
    first, second = started(house, "kuhn", clock="1+5")
    house.wait(20)
    first.act()
    clocks = [seat.clock for seat in second.state.seats]
    assert clocks[first.viewer] == ClockState(seconds_left=45, is_running=False)
    assert clocks[second.viewer] == ClockState(seconds_left=60, is_running=True)


def test_a_bot_stands_in_when_the_time_is_over(house: House) -> None:
    """The record notes it, and the person takes the seat back by a wish or a new connection."""
    first, second = started(house, "gamon", clock="1+5")
    house.wait(61)
    seat = second.state.seats[first.viewer]
    assert (bool(seat.bot), bool(seat.replaced_person)) == (True, True)
    assert notes(house, first)[0]["note"] == "timeout"
    first.tell(m.Replace(seat=first.viewer))
    assert second.state.seats[first.viewer].bot == ""
    assert [line.get("note") for line in notes(house, first)] == ["timeout", None, "back", None]


def test_an_unknown_clock_is_refused(house: House) -> None:
    with pytest.raises(LobbyError, match="invalid clock 'fast'"):
        house.lobby.create(NewTable(game="kuhn", name="Anna", clock="fast"))
    anna = house.create("kuhn")
    assert "invalid clock" in anna.tell(m.SetUp(clock="fast")).refusal
    assert (
        "the webhook's address is invalid"
        in anna.tell(m.SetUp(webhook="file:///etc/passwd")).refusal
    )


def test_by_days_people_come_and_go(house: House) -> None:
    first, second = started(house, "gamon", clock="3d", webhook=HOOK)
    names = [seat.name for seat in first.state.seats]
    second.leave()
    while second.viewer != (turn := first.table_message.view.to_act):
        first.act()
    assert turn == second.viewer
    assert house.called == [(HOOK, first.table, "Gamon", names[second.viewer])]
    first.leave()
    house.wait(DAY)
    house.start()
    assert len(house.called) == 1
    back = house.visit(first, second.token)
    clock = back.state.seats[second.viewer].clock
    assert clock is not None
    assert 2 * DAY - 60 < clock.seconds_left <= 2 * DAY
    assert notes(house, first) == []
    while back.table_message.view.choices:
        back.act()
    assert house.called[-1][3] == names[first.viewer]


def test_time_by_days_ends_without_visitors(house: House) -> None:
    """The table is loaded for it, and a bot stands in; so it is after a restart."""
    first, second = started(house, "gamon", clock="1d")
    for person in (first, second):
        person.leave()
    house.wait(DAY / 2)
    assert first.table not in house.lobby.loaded
    house.start()
    house.wait(DAY / 2 + 100)
    assert "timeout" in [line.get("note") for line in notes(house, first)]
    back = house.visit(first, first.token)
    assert back.state.seats[back.viewer].bot == ""


def test_a_webhook_of_a_person_who_is_here_is_not_called(house: House) -> None:
    """They see that it is their turn."""
    first, _ = started(house, "kuhn", webhook=HOOK)
    first.act()
    assert house.called == []
