"""Connect to a table with the saved seat, and download replay pages."""

import asyncio
from pathlib import Path
from random import Random
from threading import Thread
from urllib.error import URLError
from urllib.request import urlopen

from cardhub.base.errors import RemoteError
from cardhub.base.files import numbered_paths, write_unused
from cardhub.online.remote.remote_client import NoSavedSeats, RemoteClient, SavedSeats
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_connection import Patience, TableConnection
from cardhub.play.host.saved.saves import home
from cardhub.play.host.scheduler import Scheduler

# The maximum size of a replay page in bytes, and the timeout of its download in seconds.
MOST_PAGE, PAGE_PATIENCE = 50_000_000, 30


def open_table(
    address: TableAddress,
    scheduler: Scheduler,
    *,
    name: str | None = None,
    seat: int | None = None,
    patience: Patience | None = None,
    saves: bool = True,
) -> RemoteClient:
    """Return the client of a table; run its `connection` in a loop to connect it.

    The client uses the token of the address. If the address has none, it uses the token that this
    computer has saved for the name; without `saves` it neither reads nor saves one.
    """
    saved_seats = SavedSeats(home() / "seats", address) if saves else NoSavedSeats()
    client = RemoteClient(scheduler, saved_seats, token=address.token, name=name, seat=seat)
    client.connection = TableConnection(address, client, Random(), patience)
    return client


def connect_in_thread(client: RemoteClient) -> Thread:
    """Run a client's connection in a thread with its event loop until it is closed."""
    connection = client.connection
    assert connection is not None
    thread = Thread(target=lambda: asyncio.run(connection.run()), daemon=True)
    thread.start()
    return thread


def save_replay_page(address: TableAddress, number: int, folder: Path) -> Path:
    """Download the replay of a finished game into a new file in a folder; return its path.

    Raises RemoteError if the page cannot be downloaded or written. The call blocks, so make it in a
    thread.
    """
    try:
        # The address is http or https, because `parse_address` made it.
        with urlopen(address.replay(number), timeout=PAGE_PATIENCE) as answer:
            page = answer.read(MOST_PAGE + 1)
    except (URLError, OSError, ValueError) as error:
        raise RemoteError(f"cannot download the replay of game {number}: {error}") from error
    if len(page) > MOST_PAGE:
        raise RemoteError(f"the replay of game {number} is too long")
    paths = numbered_paths(folder, f"replay-{address.table}-{number}", ".html")
    try:
        return write_unused(paths, page.decode("utf-8", "replace"))
    except OSError as error:
        message = f"the replay cannot be written in {folder}: {error.strerror}"
        raise RemoteError(message) from error
