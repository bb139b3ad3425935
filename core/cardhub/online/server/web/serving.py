"""Serve the application with uvicorn, until a signal ends it in order."""

import asyncio
import gc
import signal
import socket
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
# Seconds: a client that does not answer for their sum is closed.
PING_EVERY, PONG_WITHIN = 20.0, 20.0
# Seconds for clients to take the last messages when the server ends.
END_WITHIN = 3.0
# Somewhat larger messages are read, so that the client is told why they are refused.
LARGEST_READ = 4 * LARGEST_MESSAGE
# Connections that wait to be accepted: all clients come back at once after a restart.
BACKLOG = 2048
# Connections for pages, beside those of clients.
PAGE_CONNECTIONS = 1000
LOCAL_ADDRESS = "127.0.0.1"
# Objects that there are more of before a collection, and younger collections before one of older
# objects. Ended games are freed without one, so collections find next to nothing; and as objects of
# all tables come and go, each looks at most of what the tables have, however few are new.
COLLECT_AFTER = (100_000, 5, 8)


class TableServer(Server):
    """Uvicorn's server; it tells all clients that it ends, and a second signal ends it at once.

    `started_at` gets the port once connections are accepted.
    """

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
        # Connections end by themselves once their clients have taken the last message.
        with suppress(TimeoutError):
            await asyncio.wait_for(self._until_idle(), END_WITHIN)
        await super().shutdown([self._socket])

    def end(self) -> None:
        """End in order, as after a signal; safe from any thread."""
        self.should_exit = True

    @override
    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        self.force_exit = self.should_exit
        self.should_exit = True

    @override
    @contextmanager
    def capture_signals(self) -> Iterator[None]:
        # Uvicorn would raise the signal again at the end; here a signal is the usual end.
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
    """Serve tables until a signal, or until a callback that `watch` gets is called.

    `started` gets the address to open. Raises ServerError if the port cannot be used.
    """
    allow_many_files()
    _collect_rarely()
    with listen(options) as listening:
        port = listening.getsockname()[1]
        server = table_server(tables, options, listening)
        watch(server.end)
        started(options.origins[0] if options.origins else f"http://localhost:{port}")
        server.run()


def _collect_rarely() -> None:
    # Modules, games and card files stay to the end: no collection need look at them.
    gc.collect()
    gc.freeze()
    gc.set_threshold(*COLLECT_AFTER)


def allow_many_files() -> None:
    """Let this process open as many connections as the system allows it."""
    with suppress(ImportError, ValueError, OSError):  # Windows has no such limit
        import resource

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
        # A view of 5 kB would become 1 kB for 60 to 90 µs, for each client again and not once for a
        # viewer: as much time as all else that is done for it, and 40 kB of memory.
        ws_per_message_deflate=False,
        lifespan="off",
        log_config=None,
        access_log=False,  # addresses are not kept
        server_header=False,
        proxy_headers=bool(options.proxies),
        forwarded_allow_ips=proxies,
        limit_concurrency=options.limits.all_connections + PAGE_CONNECTIONS,
        timeout_graceful_shutdown=1,
    )
    return TableServer(config, tables, listening)


def with_mapped(networks: Sequence[str]) -> list[str]:
    """Return networks, those of IPv4 also as sockets for both kinds of addresses name them."""
    parsed = [ip_network(network) for network in networks]
    mapped = [
        f"::ffff:{network.network_address}/{96 + network.prefixlen}"
        for network in parsed
        if network.version == 4
    ]
    return [*map(str, parsed), *mapped]


def listen(options: ServerOptions) -> socket.socket:
    """Return a socket that listens: on all interfaces if it is public; raises ServerError."""
    address = ("" if options.is_public else LOCAL_ADDRESS, options.port)
    is_dual = options.is_public and socket.has_dualstack_ipv6()
    family = socket.AF_INET6 if is_dual else socket.AF_INET
    try:
        return socket.create_server(address, family=family, backlog=BACKLOG, dualstack_ipv6=is_dual)
    except OSError as error:
        why = f"port {options.port} cannot be used: {error.strerror}"
        raise ServerError(f"{why}. fix: choose another one with --port") from error
