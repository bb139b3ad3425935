"""A server of real tables in a thread, which tests stop and start again."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Thread
from typing import Any
from urllib.request import Request, urlopen

from tests.kit.waiting import PATIENCE, wait_until

from cardhub.online.remote.table_address import TableAddress, parse_address
from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.tables.lobby import Lobby
from cardhub.online.server.web.serving import TableServer, listen, table_server
from cardhub.play.host.opening import Opener
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.plugins.registry import find_plugins


class LiveServer:
    """A server on a free port; its bots act in its thread without delay."""

    def __init__(self, folder: Path, *, has_assistants: bool = False) -> None:
        self.folder = folder
        self._has_assistants = has_assistants
        self._server: TableServer | None = None
        self._thread: Thread | None = None
        self.port = 0

    @property
    def origin(self) -> str:
        """The address of the server."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Serve the tables of the folder, on the same port as before."""
        options = ServerOptions(port=self.port, has_assistants=self._has_assistants)
        opener = Opener(find_plugins(), LoopScheduler(), pace=0, is_inline=True)
        listening = listen(options)
        self.port = listening.getsockname()[1]
        server = self._server = table_server(Lobby(self.folder, opener), options, listening)
        self._thread = Thread(target=server.run)
        self._thread.start()
        wait_until(lambda: server.started)

    def stop(self) -> None:
        """End the server; all clients lose their connections."""
        if self._server is not None and self._thread is not None:
            self._server.should_exit = True
            self._thread.join(PATIENCE)
            assert not self._thread.is_alive()
            self._server = None

    def create(self, game: str, name: str = "Olga", **settings: Any) -> TableAddress:
        """Make a table; return its address with the seat of its owner."""
        body = json.dumps({"game": game, "name": name, **settings}).encode()
        headers = {"Origin": self.origin, "Content-Type": "application/json"}
        with urlopen(Request(f"{self.origin}/tables", body, headers)) as answer:  # http
            made = json.load(answer)
        return parse_address(f"{self.origin}/t/{made['table']}#seat={made['token']}")


@contextmanager
def live_server(folder: Path, *, has_assistants: bool = False) -> Iterator[LiveServer]:
    """Run a server during a block."""
    server = LiveServer(folder, has_assistants=has_assistants)
    server.start()
    try:
        yield server
    finally:
        server.stop()


def link(address: TableAddress) -> str:
    """Return the link to a seat, as people paste it."""
    return f"{address.page}#seat={address.token}" if address.token else address.page
