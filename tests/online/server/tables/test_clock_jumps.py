"""The system's time set back or forward: by hand, by its battery, or by the network."""

from tests.online.server.tables.conftest import FakeClient, FakeServer, started

from cardhub.online.wire import client_messages as m

DAY = 86_400


def left(client: FakeClient, seat: int) -> float:
    """Return the time of a seat."""
    clock = client.state.seats[seat].clock
    assert clock is not None
    return clock.seconds_left


def jump(server: FakeServer, seconds: float) -> None:
    """Set the system's time, which a restarted server reads."""
    server.clock_offset += seconds


def test_a_restart_after_the_time_was_set_back_takes_no_time(
    server: FakeServer,
) -> None:
    first, second = started(server, "gamon", clock="3d")
    server.wait(DAY)
    for person in (first, second):
        person.leave()
    server.wait(200)
    jump(server, -10 * DAY)
    server.start()
    seat = first.viewer
    back = server.visit(first, first.token)
    assert 2 * DAY - 300 <= left(back, seat) <= 3 * DAY
    back.act()
    assert back.state.stage == "playing"


def test_a_restart_after_the_time_was_set_forward_leaves_minutes(server: FakeServer) -> None:
    """The person to act has five minutes for any value of the system's time."""
    first, second = started(server, "gamon", clock="3d")
    for person in (first, second):
        person.leave()
    server.wait(200)
    jump(server, 1000 * DAY)
    server.start()
    back = server.visit(first, first.token)
    assert 200 <= left(back, first.viewer) <= 300
    server.wait(250)
    assert back.act().state.seats[first.viewer].bot == ""


def test_clocks_do_not_follow_the_time_of_the_system(server: FakeServer) -> None:
    """While a game is in memory its clock counts seconds that have passed."""
    first, second = started(server, "kuhn", clock="1+5")
    for seconds in (1000 * DAY, -2000 * DAY):
        jump(server, seconds)
        server.wait(10)
        assert first.state.seats[first.viewer].bot == ""
    first.act()
    assert left(second, first.viewer) == 45
    assert left(second, second.viewer) == 60


def test_tables_with_visitors_outlive_a_jump(server: FakeServer) -> None:
    anna, bob = server.create("kuhn"), server.create("kuhn")
    bob.tell(m.Start())
    jump(server, 1000 * DAY)
    server.wait(60)
    assert anna.tell(m.Start()).state.stage == "playing"
    assert bob.act().state.stage in ("playing", "over")
    assert not anna.closed
