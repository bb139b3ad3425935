"""Clients at tables of a real server: seats, turns, chat, restarts."""

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from tests.kit.table_server import LiveServer, live_server
from tests.kit.waiting import PATIENCE

from cardhub.online.remote.remote_client import TRYING_AGAIN, RemoteClient, SavedSeats
from cardhub.online.remote.table_address import TableAddress, parse_address
from cardhub.online.remote.table_client import connect_in_thread, open_table, save_replay_page
from cardhub.online.remote.table_connection import Patience
from cardhub.online.wire.client_messages import Rematch, Say, SetUp, Sit, Start
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.table_model import TableModel

QUICK = Patience(PATIENCE, PATIENCE, PATIENCE, shortest=0.02, longest=0.1, closing=0.2)


class People:
    """Clients in the thread of a test, which runs their callbacks while it waits."""

    def __init__(self, homes: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.scheduler = BlockingScheduler()
        self._homes = homes
        self._monkeypatch = monkeypatch
        self._joined: list[RemoteClient] = []

    def join(
        self, address: TableAddress, name: str | None = None, computer: str = ""
    ) -> RemoteClient:
        """Connect a client of a computer, by default one's own; wait until it knows the table."""
        home = self._homes / (computer or f"of {name}")
        self._monkeypatch.setenv("CARDHUB_HOME", str(home))
        client = open_table(address, self.scheduler, name=name, patience=QUICK)
        connect_in_thread(client)
        self._joined.append(client)
        self.until(lambda: client.state is not None or client.failure is not None)
        return client

    def until(self, holds: Callable[[], object]) -> None:
        """Run callbacks until a condition holds; fails after some seconds."""
        late: list[bool] = []
        timer = self.scheduler.call_later(PATIENCE, lambda: late.append(True))
        self.scheduler.run_until(lambda: bool(late or holds()))
        timer.cancel()
        assert not late, "it did not come in time"

    def play(self, client: RemoteClient) -> None:
        """Take the first choice, and wait for the next view."""
        session = client.model
        assert session is not None
        self.until(lambda: session.view().choices)
        view = session.view()
        session.act(view.choices[0].action, view.revision, pytest.fail)
        self.until(lambda: session.view().revision != view.revision)

    def leave(self) -> None:
        """End all connections."""
        for client in self._joined:
            client.leave()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveServer]:
    """Return a server that all tests of the module share."""
    with live_server(tmp_path_factory.mktemp("tables")) as server:
        yield server


@pytest.fixture
def people(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[People]:
    """Return people whose seats are kept for this test alone."""
    group = People(tmp_path, monkeypatch)
    yield group
    group.leave()


def model_of(client: RemoteClient) -> TableModel:
    """Return the session of a client whose game has begun."""
    assert client.model is not None
    return client.model


def is_next(session: TableModel, revision: int) -> bool:
    """Return whether a session's view has changed since a revision."""
    return session.view().revision != revision


def started(
    people: People, server: LiveServer, game: str = "gamon"
) -> tuple[RemoteClient, RemoteClient, TableAddress]:
    """Return Olga and Bert at a table whose game has begun, and its address."""
    address = server.create(game, bots=["", ""])
    olga = people.join(address, computer="Olga's")
    bert = people.join(parse_address(address.page), "Bert")
    people.until(lambda: bert.is_seated)
    olga.send(Start())
    people.until(lambda: olga.model and bert.model)
    return olga, bert, address


def test_a_name_takes_a_free_seat(people: People, server: LiveServer) -> None:
    """The owner has one by the link; without a name one watches."""
    address = server.create("gamon", bots=["", ""])
    olga = people.join(address, computer="Olga's")
    guest = people.join(parse_address(address.page))
    assert (olga.name, olga.is_owner) == ("Olga", True)
    assert (guest.is_seated, guest.is_owner) == (False, False)
    guest.send(Sit(name="Bert"))
    people.until(lambda: guest.name == "Bert")
    olga.send(SetUp(options={"coins": 12}))
    people.until(lambda: guest.state and guest.state.options[0].value == 12)


def test_each_person_sees_their_own_cards(people: People, server: LiveServer) -> None:
    olga, bert, _ = started(people, server)
    people.play(olga if model_of(olga).view().choices else bert)
    people.until(lambda: len(model_of(olga).log()) == len(model_of(bert).log()) > 0)
    assert (model_of(olga).viewer, model_of(bert).viewer) == (0, 1)
    assert model_of(olga).rules() == model_of(bert).rules()


def test_the_same_command_leads_back_to_the_same_seat(people: People, server: LiveServer) -> None:
    _, bert, address = started(people, server)
    bert.leave()
    again = people.join(parse_address(address.page), computer="of Bert")
    assert again.name == "Bert"
    by_name = people.join(parse_address(address.page), "Bert")
    assert by_name.name == "Bert"


def test_a_refusal_is_told(people: People, server: LiveServer) -> None:
    address = server.create("gamon", bots=["", ""])
    people.join(address, computer="Olga's")
    notices: list[str] = []
    guest = people.join(parse_address(address.page))
    guest.on_notice = notices.append
    guest.send(Start())
    people.until(lambda: notices)
    assert "owner" in notices[0]


def test_a_name_without_a_free_seat_watches(people: People, server: LiveServer) -> None:
    address = server.create("kuhn", bots=["", "easy"])
    people.join(address).send(Start())
    for name in ("Zoe", "Max", "Ute"):
        people.until(partial(_watches, people.join(parse_address(address.page), name)))


def _watches(client: RemoteClient) -> bool:
    return client.model is not None and not client.is_sitting_down


def test_chat_reaches_all(people: People, server: LiveServer) -> None:
    address = server.create("gamon", bots=["", ""])
    olga = people.join(address, computer="Olga's")
    olga.send(Say(text="hello"))
    people.until(lambda: olga.chat.count == 1)
    guest = people.join(parse_address(address.page))
    people.until(lambda: guest.chat.count == 1)
    assert [(line.name, line.text) for line in guest.chat.lines] == [("Olga", "hello")]


def test_a_table_that_is_not_there_ends_the_client(people: People, server: LiveServer) -> None:
    for text in (f"{server.origin}/t/nosuchtable", f"{server.origin}/games/t/abc"):
        client = people.join(parse_address(text))
        people.until(partial(getattr, client, "failure"))
        assert "fix: " in str(client.failure)
    address = server.create("gamon")
    client = people.join(address._replace(token="wrong"))
    people.until(lambda: client.failure)
    assert "fix: " in str(client.failure)


def test_a_server_that_does_not_answer_ends_the_client(people: People) -> None:
    client = people.join(parse_address("http://127.0.0.1:9/t/abc"))
    people.until(lambda: client.failure)
    assert "`cardhub serve`" in str(client.failure)


def test_after_a_restart_of_the_server_all_are_back(people: People, tmp_path: Path) -> None:
    with live_server(tmp_path / "tables") as server:
        olga, bert, _ = started(people, server)
        people.play(olga if model_of(olga).view().choices else bert)
        people.until(lambda: model_of(olga).log())
        before = model_of(olga).view(), list(model_of(olga).log())
        server.stop()
        people.until(lambda: olga.banner == bert.banner == TRYING_AGAIN)
        server.start()
        people.until(lambda: not olga.banner and not bert.banner)
        people.until(lambda: model_of(olga).view().players)
        assert (olga.name, bert.name) == ("Olga", "Bert")
        assert model_of(olga).view().areas == before[0].areas
        assert [line.text for line in model_of(olga).log()] == [line.text for line in before[1]]
        people.play(olga if model_of(olga).view().choices else bert)


def test_a_finished_game_has_a_result_a_page_and_a_rematch(
    people: People, server: LiveServer, tmp_path: Path
) -> None:
    """Each one seat further in the next game."""
    olga, bert, address = started(people, server, "kuhn")
    sessions = [model_of(guest) for guest in (olga, bert)]
    while not sessions[0].view().is_over:
        people.until(lambda: any(s.view().choices or s.view().is_over for s in sessions))
        for session in sessions:
            view = session.view()
            if view.choices:
                session.act(view.choices[0].action, view.revision, pytest.fail)
                people.until(partial(is_next, session, view.revision))
    people.until(lambda: sessions[0].result())
    path = save_replay_page(address, 1, tmp_path)
    assert "</html>" in path.read_text(encoding="utf-8")
    for client in (olga, bert):
        client.send(Rematch())
    people.until(lambda: (olga.viewer, bert.viewer) == (1, 0))
    people.until(lambda: olga.model and olga.model is not sessions[0])


ADDRESS = parse_address("http://host/t/abc")


def test_the_seat_used_last_comes_back(tmp_path: Path) -> None:
    seats = SavedSeats(tmp_path / "seats", ADDRESS)
    assert seats.token(None) == ""
    seats.save("Anna", "A1")
    seats.save("Bob", "B1")
    again = SavedSeats(tmp_path / "seats", ADDRESS)
    assert [again.token(name) for name in (None, "Anna", "Bob", "Chris")] == ["B1", "A1", "B1", ""]
    again.save("Anna", "A2")
    assert again.token(None) == "A2"


def test_another_table_has_other_seats(tmp_path: Path) -> None:
    SavedSeats(tmp_path, ADDRESS).save("Anna", "A1")
    for other in ("http://host/t/abd", "https://host/t/abc", "http://host:81/t/abc"):
        assert SavedSeats(tmp_path, parse_address(other)).token("Anna") == ""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such modes")
def test_nobody_else_can_read_the_tokens(tmp_path: Path) -> None:
    folder = tmp_path / "seats"
    SavedSeats(folder, ADDRESS).save("Anna", "A1")
    (file,) = folder.iterdir()
    assert oct(file.stat().st_mode & 0o777) == "0o600"
    assert oct(folder.stat().st_mode & 0o777) == "0o700"
    assert "abc" not in file.name


@pytest.mark.parametrize("text", ["", "{", "[]", '{"tokens": 3}', '{"tokens": {"Anna": 3}}'])
def test_a_damaged_file_gives_no_seat(tmp_path: Path, text: str) -> None:
    """A seat can be taken again by its link."""
    seats = SavedSeats(tmp_path, ADDRESS)
    seats.save("Anna", "A1")
    (file,) = tmp_path.iterdir()
    file.write_text(text, encoding="utf-8")
    assert seats.token("Anna") == ""
    seats.save("Anna", "A2")
    assert seats.token("Anna") == "A2"
