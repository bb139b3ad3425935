"""Serve the application with uvicorn until a signal; then notify the clients and end."""

import asyncio
import gc
import signal
import socket
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from ipaddress import ip_network
from threading import current_thread, main_thread
from types import FrameType

from typing_extensions import override
from uvicorn import Config, Server

from cardhub.online.server.server_options import ServerError, ServerOptions
from cardhub.online.server.table_interface import Tables
from cardhub.online.server.web.uvicorn_protocols import (
    AbortableWebSocket,
    PageConnections,
    limited_http,
)
from cardhub.online.server.web.web_app import build_app
from cardhub.online.wire.client_messages import LARGEST_MESSAGE

SIGNALS = [getattr(signal, n) for n in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, n)]
# Seconds; a client that does not answer a ping within their sum is closed.
PING_EVERY, PONG_WITHIN = 20.0, 20.0
# Seconds for clients to read the last messages when the server ends.
END_WITHIN = 3.0
# Read larger messages than are allowed, because then the client gets a reason for the refusal.
LARGEST_READ = 4 * LARGEST_MESSAGE
# The queue of new connections, because all clients reconnect after a restart.
BACKLOG = 2048
# Connections for pages, in addition to the clients' WebSockets.
PAGE_CONNECTIONS = 1000
LOCAL_ADDRESS = "127.0.0.1"
# Thresholds of the garbage collector. Finished games are freed by reference counts, so a collection
# finds very little, but it visits most objects of all tables, even if few of them are new.
COLLECT_AFTER = (100_000, 5, 8)


class TableServer(Server):
    """Uvicorn's server. At its end it notifies all clients; a second signal ends it immediately."""

    def __init__(self, config: Config, tables: Tables, listening: socket.socket) -> None:
        super().__init__(config)
        self._tables = tables
        self._socket = listening

    @override
    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        self._tables.begin()
        await super().startup([self._socket])

    @override
    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        self._tables.close()
        # A connection ends after its client has read the last message.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._until_idle(), END_WITHIN)
        await super().shutdown([self._socket])

    def end(self) -> None:
        """End the server like a signal does; safe from any thread."""
        self.should_exit = True

    @override
    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True

    @override
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # Uvicorn would raise the signal again at the end, but here a signal is the normal end.
        if current_thread() is not main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    async def _until_idle(self) -> None:
        while self.server_state.tasks and not self.force_exit:
            await asyncio.sleep(0.02)


def serve(
    tables: Tables,
    options: ServerOptions,
    started: Callable[[str], None],
    watch: Callable[[Callable[[], None]], None] = lambda end: None,
) -> None:
    """Serve tables until a signal, or until the callback is called that `watch` receives.

    `started` is called with the address to open. Raises ServerError if the port cannot be used.
    """
    allow_many_files()
    # Exclude modules, games and card files from collections, because they are never freed.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)
    with listen(options) as listening:
        port = listening.getsockname()[1]
        server = table_server(tables, options, listening)
        watch(server.end)
        started(options.origins[0] if options.origins else f"http://localhost:{port}")
        server.run()


def allow_many_files() -> None:
    """Raise the limit of open files to the maximum that the system allows."""
    if sys.platform == "win32":  # it has no such limit
        return
    import resource

    with suppress(ValueError, OSError):
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def table_server(tables: Tables, options: ServerOptions, listening: socket.socket) -> TableServer:
    """Return a server for a listening socket."""
    proxies = with_mapped(options.proxies)
    config = Config(
        build_app(tables, options),
        http=limited_http(PageConnections(options.limits.page_connections, proxies)),
        ws=AbortableWebSocket,
        ws_max_size=LARGEST_READ,
        ws_ping_interval=PING_EVERY,
        ws_ping_timeout=PONG_WITHIN,
        # Compression would reduce a view of 5 kB to 1 kB, but takes 60 to 90 µs for each client,
        # as long as the rest of the work for this client, and 40 kB of memory.
        ws_per_message_deflate=False,
        lifespan="on" if options.has_assistants else "off",
        log_config=None,
        access_log=False,  # addresses are not logged
        server_header=False,
        proxy_headers=bool(options.proxies),
        forwarded_allow_ips=proxies,
        limit_concurrency=options.limits.all_connections + PAGE_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    return TableServer(config, tables, listening)


def with_mapped(networks: Sequence[str]) -> list[str]:
    """Return the networks, and for IPv4 also their mapped IPv6 form, which dual sockets report."""
    parsed = [ip_network(network) for network in networks]
    mapped = [
        f"::ffff:{network.network_address}/{96 + network.prefixlen}"
        for network in parsed
        if network.version == 4
    ]
    return [*map(str, parsed), *mapped]


def listen(options: ServerOptions) -> socket.socket:
    """Return a listening socket, on all interfaces if it is public; raises ServerError."""
    address = ("" if options.is_public else LOCAL_ADDRESS, options.port)
    is_dual = options.is_public and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if is_dual else socket.AF_INET
    try:
        return socket.create_server(address, family=family, backlog=BACKLOG, dualstack_ipv6=is_dual)
    except OSError as error:
        why = f"port {options.port} cannot be used: {error.strerror}"
        raise ServerError(f"{why}. fix: choose another port with --port") from error
