"""Coming to a table: the client with its connection, kept seat, and the page of a finished game."""

import asyncio
from pathlib import Path
from random import Random
from threading import Thread
from urllib.error import URLError
from urllib.request import urlopen

from cardhub.base.errors import RemoteError
from cardhub.base.files import replace_text, unused_path
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_connection import Patience, TableConnection
from cardhub.online.remote.table_model import JoinedTable, SavedSeats
from cardhub.play.host.saved.saves import home
from cardhub.play.host.scheduler import Scheduler

# The most bytes of a page with a replay, and the seconds to wait for it.
MOST_PAGE, PAGE_PATIENCE = 50_000_000, 30


def open_table(
    address: TableAddress,
    scheduler: Scheduler,
    *,
    name: str | None = None,
    seat: int | None = None,
    patience: Patience | None = None,
) -> JoinedTable:
    """Return the client of a table; run its `connection` in a loop to connect it.

    The token of the address is used, or else that which this computer has kept for the name.
    """
    kept = SavedSeats(home() / "seats", address)
    client = JoinedTable(scheduler, kept, token=address.token, name=name, seat=seat)
    client.connection = TableConnection(address, client, Random(), patience)
    return client


def connect_in_thread(client: JoinedTable) -> Thread:
    """Run a client's connection in a thread with a loop of its own, until it is closed."""
    connection = client.connection
    assert connection is not None
    thread = Thread(target=lambda: asyncio.run(connection.run()), daemon=True)
    thread.start()
    return thread


def save_replay_page(address: TableAddress, number: int, folder: Path) -> Path:
    """Write the replay of a finished game into a new file of a folder; return its path.

    Raises RemoteError if the page cannot be had or written. It blocks: call it in a thread.
    """
    try:
        # The address is http or https: it was parsed by `parse_address`.
        with urlopen(address.replay(number), timeout=PAGE_PATIENCE) as answer:
            page = answer.read(MOST_PAGE + 1)
    except (URLError, OSError, ValueError) as error:
        raise RemoteError(f"no replay of game {number} can be had: {error}") from error
    if len(page) > MOST_PAGE:
        raise RemoteError(f"the replay of game {number} is too long")
    path = unused_path(folder, f"replay-{address.table}-{number}", ".html")
    try:
        replace_text(path, page.decode("utf-8", "replace"))
    except OSError as error:
        raise RemoteError(f"{path} cannot be written: {error.strerror}") from error
    return path
