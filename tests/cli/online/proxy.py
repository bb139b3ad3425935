"""A minimal reverse proxy, which chooses a shard like the documented proxies."""

import re
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from threading import Thread

ROUTE = re.compile(rb"[A-Z]+ /(?:t|ws|bot)/([a-z])")


@contextmanager
def proxy(listening: socket.socket, ports: dict[str, int]) -> Iterator[None]:
    """Pass connections on to the port of a letter during the block, all others in turn."""
    others = cycle(ports.values())

    def accept() -> None:
        with suppress(OSError):
            while True:
                client, _ = listening.accept()
                Thread(target=pass_on, args=(client,), daemon=True).start()

    def pass_on(client: socket.socket) -> None:
        with client, suppress(OSError):
            first = client.recv(65_536)
            match = ROUTE.match(first)
            port = ports[match[1].decode()] if match else next(others)
            with socket.create_connection(("127.0.0.1", port)) as server:
                server.sendall(first)
                back = Thread(target=copy, args=(server, client), daemon=True)
                back.start()
                copy(client, server)
                back.join()

    Thread(target=accept, daemon=True).start()
    try:
        yield
    finally:
        listening.close()


def copy(source: socket.socket, target: socket.socket) -> None:
    """Copy bytes until one side ends."""
    with suppress(OSError):
        while data := source.recv(65_536):
            target.sendall(data)
    for connection in (source, target):
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
