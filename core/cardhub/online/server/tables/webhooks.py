"""Webhooks: a POST to an address of the table's owner when a person's turn begins."""

import http.client
import json
import logging
import socket
import ssl
from collections.abc import Callable
from contextlib import suppress
from ipaddress import IPv6Address, ip_address, ip_network
from queue import Empty, Full, Queue
from threading import Thread, Timer
from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from typing_extensions import override

from cardhub.base.errors import CardhubError

LOG = logging.getLogger("cardhub.online.server")
# Seconds for each step of a call, and for a whole one.
STEP_WITHIN, CALL_WITHIN = 5.0, 10.0
# Seconds after which a call that failed is repeated.
RETRY_AFTER = (10.0, 60.0)
WORKERS, MOST_WAITING = 2, 1000
# Networks that lead to addresses of IPv4 from addresses that look public.
TUNNELS = tuple(map(ip_network, ("64:ff9b::/96", "64:ff9b:1::/48", "2002::/16", "2001::/32")))


class WebhookError(CardhubError):
    """An address that cannot be called; the text is for the owner of the table."""


class _Call(NamedTuple):
    """A call: its address, its body, and how often it has failed."""

    address: str
    body: bytes
    failed: int = 0


def check_address(address: str) -> SplitResult:
    """Return the parts of an address; raises WebhookError unless it is one of http or https."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError as error:
        raise WebhookError(f"invalid webhook: {error}. fix: write https://host/path") from error
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.username or port == 0:
        raise WebhookError("invalid webhook. fix: write an address such as https://host/path")
    if not address.isascii() or not address.isprintable() or " " in address:
        raise WebhookError("invalid webhook: only printable ASCII. fix: encode other characters")
    return parts


def is_public(address: str) -> bool:
    """Return whether an address is one of the Internet: not of this machine or its networks."""
    found = ip_address(address.partition("%")[0])
    if isinstance(found, IPv6Address):
        if found.ipv4_mapped is not None:
            return is_public(str(found.ipv4_mapped))
        if found.is_site_local or any(found in network for network in TUNNELS):
            return False
    return found.is_global and not found.is_multicast and not found.is_reserved


class Webhooks:
    """Calls webhooks in threads of its own, which never block the tables.

    `url_of` returns the address of a table. Addresses of this machine and of private networks are
    refused, unless `allows_local`; redirects are not followed.
    """

    def __init__(
        self,
        url_of: Callable[[str], str],
        *,
        allows_local: bool = False,
        retry_after: tuple[float, ...] = RETRY_AFTER,
    ) -> None:
        self._url_of = url_of
        self._allows_local = allows_local
        self._retry_after = retry_after
        self._calls: Queue[_Call] = Queue(MOST_WAITING)
        self._has_threads = False

    def call_person(self, address: str, table: str, title: str, name: str) -> None:
        """Tell a webhook that the turn of a person has begun."""
        body = {"table": table, "title": title, "name": name, "url": self._url_of(table)}
        self._put(_Call(address, json.dumps(body).encode()))

    def _put(self, call: _Call) -> None:
        if not self._has_threads:
            self._has_threads = True
            for _ in range(WORKERS):
                Thread(target=self._work, daemon=True).start()
        try:
            self._calls.put_nowait(call)
        except Full:
            LOG.warning("too many webhooks wait: one is dropped")

    def _work(self) -> None:
        while True:
            try:
                call = self._calls.get(timeout=3600)
            except Empty:
                continue
            try:
                self._call(call)
            except (OSError, http.client.HTTPException, ValueError) as error:
                self._retry(call, error)
            except WebhookError as error:
                LOG.warning("webhook: %s", error)

    def _retry(self, call: _Call, error: Exception) -> None:
        if call.failed >= len(self._retry_after):
            LOG.warning("webhook failed %s times: %s", call.failed + 1, error)
            return
        seconds = self._retry_after[call.failed]
        timer = Timer(seconds, self._put, [call._replace(failed=call.failed + 1)])
        timer.daemon = True
        timer.start()

    def _call(self, call: _Call) -> None:
        parts = check_address(call.address)
        connection = self._connection(parts)
        # A server that answers byte by byte would hold the thread for ever.
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
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        addresses = [str(entry[4][0]) for entry in found]
        # All of them: a name that leads to both kinds is an attempt to get past this check.
        if not self._allows_local and not all(map(is_public, addresses)):
            raise WebhookError(f"the webhook's host {host} is not on the Internet")
        return _PinnedConnection(host, port, addresses[0], is_safe=is_safe)


class _PinnedConnection(http.client.HTTPConnection):
    """A connection to an address that was checked: the name is not looked up a second time."""

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
        """End the connection from another thread."""
        with suppress(OSError, AttributeError):  # it may have ended meanwhile
            self.sock.shutdown(socket.SHUT_RDWR)
