"""Clients of a real table that try to use turns, views, names and replays of others."""

import json
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from tests.kit.waiting import PATIENCE, wait_until
from tests.online.server.conftest import heard, say
from websockets.sync.client import ClientConnection, connect

from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.server_resources import ResourceOptions, open_tables
from cardhub.online.server.web.serving import listen, table_server
from cardhub.plugins.registry import find_plugins

HTML = "<img src=x onerror=a>"


@pytest.fixture(scope="module")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Serve real tables in a thread; return the address."""
    folder: Path = tmp_path_factory.mktemp("tables")
    options = ServerOptions(port=0)
    with (
        open_tables(find_plugins(), ResourceOptions(folder, workers=1)) as tables,
        listen(options) as listening,
    ):
        server = table_server(tables, options, listening)
        thread = Thread(target=server.run)
        thread.start()
        wait_until(lambda: server.started)
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        server.end()
        thread.join(PATIENCE)
        assert not thread.is_alive()


class Guest:
    """A client at a table, with the last message of each type."""

    def __init__(self, client: ClientConnection, token: str = "") -> None:
        self.client = client
        self.last: dict[str, dict[str, Any]] = {}
        say(client, type="enter", version=2, token=token)
        self.wait_for("state")

    def wait_for(self, kind: str, **values: object) -> dict[str, Any]:
        """Take messages until one of a type has these values."""
        while True:
            message = heard(self.client)
            self.last[message["type"]] = message
            if message["type"] == kind and values.items() <= message.items():
                return message

    def refused(self, **message: object) -> str:
        """Send a message that is refused; return the reason."""
        say(self.client, **message)
        return str(self.wait_for("refused")["why"])


@pytest.fixture
def table(origin: str) -> Iterator[tuple[str, Guest, Guest, Guest]]:
    """Return the path of a table of Kuhn poker in play, its two people and a spectator."""
    body = json.dumps({"game": "kuhn", "name": "Anna"}).encode()
    headers = {"Content-Type": "application/json", "Origin": origin}
    with urlopen(Request(f"{origin}/tables", body, headers)) as answer:
        made = json.load(answer)
    address = f"{origin.replace('http', 'ws')}/ws/{made['table']}"
    with ExitStack() as stack:
        clients = [stack.enter_context(connect(address)) for _ in range(3)]
        anna = Guest(clients[0], made["token"])
        bob = Guest(clients[1])
        say(bob.client, type="sit", name="Bob", seat=1)
        anna.wait_for("state", stage="open")
        say(anna.client, type="start")
        for guest in (anna, bob):
            guest.wait_for("table")
        yield f"{origin}/t/{made['table']}", anna, bob, Guest(clients[2])


def test_nobody_acts_for_another_seat_or_at_an_old_revision(
    table: tuple[str, Guest, Guest, Guest],
) -> None:
    _, anna, bob, spectator = table
    view = anna.last["table"]["view"]
    action = {"type": "act", "action": view["choices"][0]["action"], "rev": view["revision"]}
    assert bob.refused(**action)
    assert spectator.refused(**action)
    assert anna.refused(**{**action, "rev": view["revision"] + 1})
    assert anna.refused(**{**action, "action": 2**40})
    say(anna.client, **action)
    assert anna.wait_for("table")["view"]["revision"] > view["revision"]
    assert anna.refused(**action)


def test_a_spectator_changes_nothing(table: tuple[str, Guest, Guest, Guest]) -> None:
    _, _, bob, spectator = table
    for kind in ("undo", "hint", "takeback"):
        assert spectator.refused(type=kind)
    wishes: list[dict[str, object]] = [
        {"type": "start"},
        {"type": "set_up", "has_helps": False},
        {"type": "replace", "seat": 0, "bot": "random"},
        {"type": "pace", "command": "pause"},
        {"type": "reissue", "seat": 0},
    ]
    for message in wishes:
        assert spectator.refused(**message)
        assert bob.refused(**message)


def test_a_message_has_no_card_that_its_reader_has_not_seen(
    table: tuple[str, Guest, Guest, Guest],
) -> None:
    """Each person sees one of the three cards, spectators none before the end."""
    _, anna, bob, spectator = table
    spectator.wait_for("table")
    seen = [faces(guest.last["table"]["view"]) for guest in (anna, bob, spectator)]
    assert [len(cards) for cards in seen] == [1, 1, 0]
    assert seen[0] != seen[1]


def faces(value: object) -> set[int]:
    """Return all faces of cards in a view."""
    if isinstance(value, dict):
        own = {value["face"]} if "token" in value and value.get("face") is not None else set()
        return own.union(*map(faces, value.values()))
    return set().union(*map(faces, value)) if isinstance(value, list) else set()


def test_a_replay_is_served_only_when_its_game_is_over(
    table: tuple[str, Guest, Guest, Guest],
) -> None:
    """The seed would show the card that was never turned up, so it stays a commitment."""
    path, anna, bob, _ = table
    with pytest.raises(HTTPError, match="404"):
        urlopen(f"{path}/replay/1.html")
    word, commitment = anna.last["table"]["seed"].split()
    assert word == "commitment"
    while not any("result" in guest.last["table"] for guest in (anna, bob)):
        guest = anna if anna.last["table"]["view"]["choices"] else bob
        view = guest.last["table"]["view"]
        action = view["choices"][0]["action"]
        say(guest.client, type="act", action=action, rev=view["revision"])
        for client in (anna, bob):
            client.wait_for("table")
    assert anna.last["table"]["seed"].split() == ["commitment", commitment]
    with urlopen(f"{path}/replay/1.html") as page:
        policy = page.headers["Content-Security-Policy"]
        text = page.read().decode()
    assert "frame-ancestors 'none'" in policy
    assert "script-src 'sha256-" in text


def test_markup_in_names_and_chat_is_text(table: tuple[str, Guest, Guest, Guest]) -> None:
    """It crosses as a JSON string alone; no page of the server has it."""
    path, anna, _, spectator = table
    say(anna.client, type="say", text=HTML)
    lines = spectator.wait_for("chat")["lines"]
    assert lines[-1]["text"] == HTML
    with urlopen(path) as page:
        assert HTML not in page.read().decode()
