"""An overloaded server: inactive people get fewer updates, but all lines of the log."""

import pytest
from tests.online.server.tables.conftest import FakeClient, FakeServer

from cardhub.online.server.tables.broadcasting.game_feeds import BUSY, PATIENCE
from cardhub.online.wire import client_messages as m
from cardhub.play import table_messages as t


@pytest.fixture
def people(server: FakeServer) -> list[FakeClient]:
    """Return four people by seat, whose game has begun."""
    anna = server.create("gargon", seats=4)
    others = [server.seated(anna, name) for name in ("Bob", "Chris", "David")]
    anna.tell(m.Start())
    return sorted([anna, *others], key=lambda person: person.viewer)


def views(people: list[FakeClient]) -> list[int]:
    """Return the number of views that each has got."""
    return [person.count(t.TableMessage) for person in people]


def acting(people: list[FakeClient]) -> FakeClient:
    """Return the person to act."""
    return next(person for person in people if person.table_message.view.choices)


def act_twice(people: list[FakeClient]) -> set[int]:
    """Let two actions be taken; return the seats that acted, or are to act then."""
    first = acting(people).act()
    second = acting(people).act()
    return {person.viewer for person in (first, second, acting(people))}


def test_all_are_told_of_every_step_by_a_server_with_little_to_do(
    people: list[FakeClient],
) -> None:
    """Each action brings each of them a view."""
    before = views(people)
    act_twice(people)
    assert views(people) == [number + 2 for number in before]


def test_who_need_not_act_waits_while_the_server_is_behind(
    server: FakeServer, people: list[FakeClient]
) -> None:
    """The person who acted and the person to act get updates without delay."""
    server.clock.slowness = 2 * BUSY
    before = views(people)
    updated = act_twice(people)
    waiting = {0, 1, 2, 3} - updated
    assert waiting
    assert [views(people)[seat] for seat in waiting] == [before[seat] for seat in waiting]
    server.wait(PATIENCE)
    assert [views(people)[seat] - before[seat] for seat in waiting] == [1] * len(waiting)
    last = [person.table_message.view.revision for person in people]
    assert len(set(last)) == 1


def test_nobody_misses_a_line_of_the_log(server: FakeServer, people: list[FakeClient]) -> None:
    """Who waited has the lines of all steps, as someone has who connects afterwards."""
    server.clock.slowness = 2 * BUSY
    for _ in range(6):
        acting(people).act()
    server.wait(PATIENCE)
    for person in people:
        fresh = server.visit(person, person.token)
        assert [(line.step, line.text) for line in person.log] == [
            (line.step, line.text) for line in fresh.log
        ]


def test_a_person_who_enters_a_busy_table_sees_it_at_once(
    server: FakeServer, people: list[FakeClient]
) -> None:
    server.clock.slowness = 2 * BUSY
    acting(people).act()
    for person in people:
        assert server.visit(person, person.token).count(t.TableMessage) == 1
