"""Webhooks: HTTP POST requests to an address of the table's owner when a turn begins.

The calls that wait take fair turns of networks and of hosts.
"""

import http.client
import json
import logging
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from math import inf
from threading import Condition, Thread, Timer
from time import monotonic
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from typing_extensions import override

from cardhub.base.errors import CardhubError
from cardhub.base.writing import amount
from cardhub.online.server.limits import PUBLIC_LIMITS, AddressLimiter, Now, RateLimit
from cardhub.online.server.repeated_log import RepeatedLog
from cardhub.play.workers.pool.fair_shares import FairShares

# Calls at the same time, and the maximum number of waiting calls of a network and altogether.
MOST_RUNNING = 16
MOST_OF_NETWORK, MOST_WAITING = 100, 1000


class WebhookCall(NamedTuple):
    """A call of a webhook: its URL and host, its body, the table, and the network of its maker.

    `failed`: the number of failures; `begins_at`: the earliest time of the next attempt.
    """

    url: str
    host: str
    body: bytes
    table: str
    network: str
    failed: int = 0
    begins_at: float = 0.0

    @property
    def lane(self) -> str:
        """The key of all calls of a network to a host; there is one at a time."""
        return f"{self.network} {self.host}"


class WebhookQueue:
    """Calls in fair turns: the network next whose calls have taken the least time, then the host.

    A network has at most two calls at the same time, or one if half of all are in use, and one for
    a host. `rate` limits the calls of each network. A new call of a table replaces one that still
    waits, because its turn is over. The empty network, of a server without addresses, is limited by
    hosts only.
    """

    def __init__(self, rate: RateLimit, now: Now = monotonic) -> None:
        self._rate = AddressLimiter(rate, now)
        self._now = now
        self._waiting: list[WebhookCall] = []
        self._running: dict[WebhookCall, float] = {}
        self._networks, self._lanes = FairShares(), FairShares()

    def put(self, call: WebhookCall) -> bool:
        """Add a call; return False if too many are waiting."""
        waiting = [other for other in self._waiting if not _is_same_turn(other, call)]
        count = sum(other.network == call.network for other in waiting)
        if len(waiting) >= MOST_WAITING or (call.network and count >= MOST_OF_NETWORK):
            return False
        self._waiting = [*waiting, call]
        return True

    def retry(self, call: WebhookCall, seconds: float) -> None:
        """Add a failed call again after some seconds, unless its table has called since."""
        if not any(_is_same_turn(other, call) for other in self._waiting):
            begins_at = self._now() + seconds
            self.put(call._replace(failed=call.failed + 1, begins_at=begins_at))

    def begin(self) -> WebhookCall | None:
        """Remove and return the next call, or return None if no call may begin."""
        now = self._now()
        ready = [call for call in self._waiting if self._begins_at(call, now) <= now]
        if not ready:
            return None
        call = min(ready, key=self._account_of)
        self._waiting.remove(call)
        self._running[call] = now
        self._networks.begin(call.network, 1)
        self._lanes.begin(call.lane, 1)
        if call.network:
            self._rate.consume(call.network)
        return call

    def end(self, call: WebhookCall) -> None:
        """Count the time of a call that has been answered or has failed."""
        seconds = self._now() - self._running.pop(call)
        self._networks.end(call.network, 1, seconds)
        self._lanes.end(call.lane, 1, seconds)

    def due(self) -> float:
        """Return when the next call may begin, or infinity if that depends on running calls."""
        now = self._now()
        return min((self._begins_at(call, now) for call in self._waiting), default=inf)

    def _begins_at(self, call: WebhookCall, now: float) -> float:
        count = sum(other.network == call.network for other in self._running)
        most = 2 if len(self._running) < MOST_RUNNING // 2 else 1
        is_busy = any(other.lane == call.lane for other in self._running)
        if is_busy or len(self._running) >= MOST_RUNNING or (call.network and count >= most):
            return inf
        wait = self._rate.wait(call.network, 1) if call.network else 0.0
        return max(call.begins_at, now + wait)

    def _account_of(self, call: WebhookCall) -> tuple[float, float]:
        return self._networks.account(call.network), self._lanes.account(call.lane)


def _is_same_turn(call: WebhookCall, other: WebhookCall) -> bool:
    return (call.table, call.url) == (other.table, other.url)


LOG = logging.getLogger("cardhub.online.server")
# Timeouts in seconds: for each network operation, and for a whole call.
STEP_WITHIN, CALL_WITHIN = 5.0, 10.0
# Delays in seconds before the retries of a failed call.
RETRY_AFTER = (10.0, 60.0)
# IPv6 networks that tunnel to IPv4 addresses, although they look public.
TUNNELS = tuple(map(ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))


class WebhookError(CardhubError):
    """The webhook cannot be called; the owner of the table sees the text."""


def check_address(address: str) -> SplitResult:
    """Return the parts of an http or https address; raises WebhookError for others."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise WebhookError(
            f"invalid webhook address: {error}. fix: write https://host/path"
        ) from error
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or port == 0:
        raise WebhookError("the webhook's address is invalid. fix: write https://host/path")
    if not address.isascii() or not address.isprintable() or " " in address:
        raise WebhookError("a webhook's address is printable ASCII. fix: encode other characters")
    return parts


def is_public(address: str) -> bool:
    """Return whether an address is public, not one of this machine or its networks."""
    parsed = ip_address(address.partition("%")[0])
    if isinstance(parsed, IPv6Address):
        if parsed.ipv4_mapped is not None:
            return is_public(str(parsed.ipv4_mapped))
        if parsed.is_site_local or any(parsed in network for network in TUNNELS):
            return False
    return parsed.is_global and not parsed.is_multicast and not parsed.is_reserved


class Webhooks:
    """Calls webhooks in separate threads, without blocking the tables.

    `url_of` returns the address of a table. `allows_local`: also call addresses of this machine and
    of private networks. `rate`: the calls of a network. Redirects are not followed. A failure is
    logged with the table and the host, and its repetitions once a minute.
    """

    def __init__(
        self,
        url_of: Callable[[str], str],
        *,
        allows_local: bool = False,
        retry_after: tuple[float, ...] = RETRY_AFTER,
        rate: RateLimit = PUBLIC_LIMITS.webhooks,
    ) -> None:
        self._url_of = url_of
        self._allows_local = allows_local
        self._retry_after = retry_after
        self._problems = RepeatedLog(LOG)
        self._changed = Condition()
        self._queue = WebhookQueue(rate)
        self._threads = self._idle = 0

    def call_person(
        self, address: str, table: str, title: str, name: str, network: str = ""
    ) -> None:
        """Queue the call of a webhook when a person's turn begins."""
        body = {"table": table, "title": title, "name": name, "url": self._url_of(table)}
        host = urlsplit(address).hostname or ""
        call = WebhookCall(address, host, json.dumps(body).encode(), table, network)
        with self._changed:
            if not self._queue.put(call):
                self._warn(call, "too many calls are waiting, so one was dropped")
            # A thread may wait for a call that begins later.
            if not self._idle and self._threads < MOST_RUNNING:
                self._threads += 1
                Thread(target=self._work, daemon=True).start()
            self._changed.notify()

    def _work(self) -> None:
        while True:
            call = self._next()
            error = self._error_of(call)
            with self._changed:
                self._queue.end(call)
                if error is not None:
                    self._handle(call, error)
                # The end of this call may allow several others.
                self._changed.notify_all()

    def _next(self) -> WebhookCall:
        """Wait for the next call, and return it."""
        with self._changed:
            while (call := self._queue.begin()) is None:
                due = self._queue.due()
                self._idle += 1
                self._changed.wait(None if due == inf else max(due - monotonic(), 0))
                self._idle -= 1
            return call

    def _error_of(self, call: WebhookCall) -> Exception | None:
        """Make a call, and return why it has failed, or None."""
        try:
            self._call(call)
        except (OSError, http.client.HTTPException, ValueError, WebhookError) as error:
            return error
        return None

    def _handle(self, call: WebhookCall, error: Exception) -> None:
        """Log a failed call, or repeat it later."""
        if isinstance(error, WebhookError):
            self._warn(call, str(error))
        elif call.failed < len(self._retry_after):
            self._queue.retry(call, self._retry_after[call.failed])
        else:
            self._warn(call, f"no success after {amount(call.failed + 1, 'attempt')}: {error}")

    def _warn(self, call: WebhookCall, why: str) -> None:
        text = f"the webhook of table {call.table} at {call.host} failed: {why}"
        self._problems.warn(("webhook", call.table, call.host), text)

    def _call(self, call: WebhookCall) -> None:
        parts = check_address(call.url)
        connection = self._connection(parts)
        # A server that responds byte by byte would block the thread forever.
        stop = Timer(CALL_WITHIN, connection.abort)
        stop.daemon = True
        stop.start()
        try:
            path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
            headers = {"Content-Type": "application/json", "User-Agent": "cardhub"}
            connection.request("POST", path, call.body, headers)
            status = connection.getresponse().status
        finally:
            stop.cancel()
            connection.close()
        if status >= 500:
            raise ValueError(f"the server answered {status}")

    def _connection(self, parts: SplitResult) -> "_PinnedConnection":
        host, is_safe = parts.hostname or "", parts.scheme == "https"
        port = parts.port or (443 if is_safe else 80)
        entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(entry[4][0]) for entry in entries]
        # Check all addresses: a name with public and private ones is an attack on this check.
        if not self._allows_local and not all(map(is_public, addresses)):
            raise WebhookError(f"the webhook's host {host} is not on the public Internet")
        return _PinnedConnection(host, port, addresses[0], is_safe=is_safe)


class _PinnedConnection(http.client.HTTPConnection):
    """A connection to a checked address, without a second lookup of the name."""

    def __init__(self, host: str, port: int, address: str, *, is_safe: bool) -> None:
        super().__init__(host, port, timeout=STEP_WITHIN)
        self._address = address
        self._is_safe = is_safe
        if is_safe:
            self.default_port = 443

    @override
    def connect(self) -> None:
        plain = socket.create_connection((self._address, self.port), STEP_WITHIN)
        context = ssl.create_default_context() if self._is_safe else None
        self.sock = context.wrap_socket(plain, server_hostname=self.host) if context else plain

    def abort(self) -> None:
        """Close the connection from another thread."""
        with suppress(OSError, AttributeError):  # it may have closed already
            self.sock.shutdown(socket.SHUT_RDWR)
