"""Memory of ended games: a server must not need a full collection, which stops all tables."""

import gc
import weakref
from collections.abc import Iterator

import pytest
from tests.online.server.tables.conftest import FakeClient, FakeServer, finish

from cardhub.online.wire import client_messages as m


@pytest.fixture
def uncollected() -> Iterator[None]:
    """Turn the garbage collector off, so only reference counts free objects."""
    gc.collect()
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize(("game", "bots"), [("kuhn", ["", ""]), ("gamon", ["", "random"])])
@pytest.mark.usefixtures("uncollected")
def test_an_ended_game_is_freed_when_the_next_one_begins(
    server: FakeServer, game: str, bots: list[str]
) -> None:
    """Its host, with the events and views of all people and the result."""
    anna = server.create(game, bots=bots)
    people = [anna] if any(bots) else [anna, server.seated(anna)]
    anna.tell(m.Start())
    ended = weakref.ref(anna.served.context.host)
    finish(*people)
    rematch(people)
    assert anna.served.context.host is not ended()
    server.wait(200)  # timers of the ended game
    assert ended() is None


def rematch(people: list[FakeClient]) -> None:
    """Begin the next game."""
    for person in people:
        person.tell(m.Rematch())
    assert people[0].state.number == 2


def test_a_closed_game_can_be_left_and_closed_again(server: FakeServer) -> None:
    """A front end may read it while its last screen closes."""
    anna = server.create("garner")
    server.seated(anna)
    anna.tell(m.Start())
    host = anna.served.context.host
    assert host is not None
    model = host.model(anna.viewer)
    unsubscribe = host.subscribe(lambda: None)
    host.close()
    model.outdate()
    assert model.view().revision == host.revision
    assert not model.status().is_waiting
    unsubscribe()
    host.close()
