"""Clocks of people: minutes for a game, seconds for an action, or days for an action."""

from collections.abc import Callable

import pytest
from tests.play.host.conftest import FakeScheduler, Table

from cardhub.base.errors import OptionError
from cardhub.play.host.turns.clock import Clock, TimeControl

Tables = Callable[..., Table]
DAY = 86400


class Timed:
    """A clock for two seats with a fake scheduler, and the seats whose time has run out."""

    def __init__(self, control: str) -> None:
        self.scheduler = FakeScheduler()
        self.expired: list[int] = []
        control_of = TimeControl.parse(control)
        self.clock = Clock(control_of, 2, self.scheduler, self.expired.append)

    def spend(self, seat: int, seconds: float) -> None:
        """Advance the time, then act for a seat."""
        self.clock.run(seat)
        self.scheduler.wait(seconds)
        self.clock.acted(seat)

    @property
    def left(self) -> list[float]:
        """Seconds left by seat."""
        return [self.clock.left(0), self.clock.left(1)]


@pytest.mark.parametrize(
    ("text", "control"),
    [
        ("5+10", (300, 10, False)),
        ("0+30", (0, 30, False)),
        ("90+0", (5400, 0, False)),
        ("30s", (30, 0, True)),
        ("2m", (120, 0, True)),
        ("12h", (12 * 3600, 0, True)),
        (" 3d ", (3 * DAY, 0, True)),
    ],
)
def test_a_clock_is_written_as_people_write_it(text: str, control: tuple[float, ...]) -> None:
    """Minutes and seconds for each action, or a time for each action."""
    assert TimeControl.parse(text) == control


@pytest.mark.parametrize(
    "text",
    ["", "5", "5+", "+5", "-5+1", "0+0", "0s", "5 + 1", "3w", "366d", "٣d", "99999+1", "1e3s"],
)
def test_any_other_text_is_refused(text: str) -> None:
    with pytest.raises(OptionError, match=r'fix: write "5\+10"'):
        TimeControl.parse(text)


def test_each_action_adds_its_seconds() -> None:
    timed = Timed("5+10")
    timed.spend(0, 20)
    assert timed.left == [290, 300]
    timed.spend(1, 100)
    assert timed.left == [290, 210]
    timed.clock.run(0)
    timed.scheduler.wait(90)
    assert timed.left == [200, 210]
    assert timed.clock.running == (0,)


def test_a_time_for_each_action_is_not_saved_up() -> None:
    timed = Timed("30s")
    timed.spend(0, 25)
    timed.spend(0, 25)
    timed.spend(1, 29)
    assert (timed.left, timed.expired) == ([30, 30], [])


def test_the_end_of_a_time_is_told_once() -> None:
    timed = Timed("1+5")
    timed.clock.run(0)
    timed.scheduler.wait(59.9)
    assert timed.expired == []
    timed.scheduler.wait(1000)
    timed.clock.run(0)
    timed.scheduler.wait(1000)
    assert (timed.expired, timed.left) == ([0], [0, 60])
    assert timed.clock.running == ()


def test_after_its_end_a_seat_has_the_seconds_of_each_action() -> None:
    timed = Timed("1+5")
    timed.clock.run(0)
    timed.scheduler.wait(60)
    timed.clock.end_turn()
    timed.clock.run(0)
    assert timed.left == [5, 60]
    timed.scheduler.wait(5)
    assert timed.expired == [0, 0]


def test_a_clock_that_stands_loses_no_time() -> None:
    timed = Timed("1+0")
    timed.clock.run(1)
    timed.scheduler.wait(50)
    timed.clock.run()
    timed.scheduler.wait(1000)
    assert timed.left == [60, 10]
    timed.clock.run(1)
    timed.scheduler.wait(9)
    assert timed.expired == []
    timed.scheduler.wait(1)
    assert timed.expired == [1]


@pytest.mark.parametrize(("control", "left"), [("1+10", 35), ("30s", 5)])
def test_an_undone_action_gains_no_time(control: str, left: float) -> None:
    """Its seconds are gone again, and the time since then counts."""
    timed = Timed(control)
    timed.spend(0, 15)
    timed.clock.run(1)
    timed.scheduler.wait(3)  # the other seat's own time
    timed.clock.undid(0)
    assert timed.clock.left(0) == {"1+10": 45, "30s": 15}[control]
    timed.spend(0, 5)
    timed.clock.run(0)
    timed.scheduler.wait(5)
    timed.clock.undid(0)
    assert timed.clock.left(0) == left
    timed.clock.undid(0)  # no action is left
    assert timed.clock.left(0) == left


def test_a_person_who_acts_and_undoes_again_and_again_runs_out_of_time() -> None:
    timed = Timed("30s")
    for _ in range(100):
        timed.spend(0, 0.5)
        timed.clock.run(0)
        timed.scheduler.wait(0.5)
        timed.clock.undid(0)
        timed.clock.run(0)
        if timed.expired:
            break
    assert timed.expired == [0]


def test_times_are_plain_data_that_outlive_the_server() -> None:
    """The turn goes on with its time; the time between is not counted."""
    timed = Timed("3d")
    timed.clock.run(1)
    timed.scheduler.wait(2 * DAY)
    times = timed.clock.state()
    assert times == ((3 * DAY, DAY), (1,))
    later = Timed("3d")
    later.clock.restore(*times)
    assert later.clock.running == ()
    later.clock.run(1)
    later.scheduler.wait(DAY - 1)
    assert (later.left, later.expired) == ([3 * DAY, 1], [])
    later.scheduler.wait(1)
    assert later.expired == [1]
    with pytest.raises(ValueError, match="times of 1 seats"):
        later.clock.restore((1.0,))


def timed_table(table: Tables, control: str, people: tuple[int, ...]) -> tuple[Table, list[int]]:
    """Return a table with a clock that has begun, and the list of expired seats."""
    at, expired = table(people=people), list[int]()
    at.host.clock = Clock(TimeControl.parse(control), 2, at.clock, expired.append)
    return at.begin(), expired


def test_the_clock_of_a_table_runs_for_the_person_to_act(table: Tables) -> None:
    at, expired = timed_table(table, "1+0", (0, 1))
    clock = at.host.clock
    assert clock is not None
    first = at.referee.seat
    assert clock.running == (first,)
    at.clock.wait(10)
    while at.referee.seat == first:
        at.act(first)
    assert (clock.running, clock.left(first)) == ((1 - first,), 50)
    at.clock.wait(60)
    assert expired == [1 - first]


def test_it_runs_in_a_pause_of_the_bots_and_stands_while_a_bot_is_to_act(table: Tables) -> None:
    at, expired = timed_table(table, "1+0", (0,))
    clock, session = at.host.clock, at.host.model(0)
    assert clock is not None
    session.request("pause")
    at.clock.wait(20)
    session.request("resume")
    assert (clock.running, clock.left(0)) == ((0,), 40)
    while at.referee.seat == 0:
        at.act(0)
    at.clock.wait(1000)
    assert (clock.running, clock.left(0), expired) == ((), 40, [])
    while at.bots.question:
        at.bots.answer()
        at.clock.wait()
    assert (at.referee.seat, clock.running) == (0, (0,))
    at.host.close()
    assert clock.running == ()
