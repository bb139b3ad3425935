"""Limits for messages, bytes, connections, new tables and failed tokens, by address."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from time import monotonic
from typing import NamedTuple

Now = Callable[[], float]
# Addresses that are remembered at most; those that have used up nothing are forgotten first.
MOST_ADDRESSES = 10_000
# The first 64 bits of an IPv6 address: a household has all addresses that begin with them.
HOUSEHOLD_BITS = 64


class RateLimit(NamedTuple):
    """A number of events at once, and the mean number of events a second."""

    burst: float
    per_second: float


# A person clicks a few times a second; `explain` follows the pointer, and a page asks a few
# questions when it opens.
MESSAGES = RateLimit(40, 20)


class LimitSet(NamedTuple):
    """The limits of a server; those for each address hold for one IPv4 address or one IPv6 /64.

    `connections` counts WebSockets: a family or a class may share an address.
    """

    connections: int = 20
    all_connections: int = 4000
    # Ten at once, and ten an hour.
    new_tables: RateLimit = RateLimit(10, 10 / 3600)
    # A token has 192 bits, so this is against load and not against guessing.
    failed_tokens: RateLimit = RateLimit(20, 20 / 60)
    # Requests for pages and JSON.
    requests: RateLimit = RateLimit(200, 20)
    # New WebSockets: all of a household come back at once after a restart.
    visits: RateLimit = RateLimit(100, 5)
    # Images and replays, which cost 10 to 300 ms each.
    drawings: RateLimit = RateLimit(20, 0.5)
    # Open connections that are no WebSockets; a browser has six.
    page_connections: int = 120
    # Seconds of the processor for messages: so no address can use it up.
    work: RateLimit = RateLimit(2, 0.2)
    # Bytes of WebSockets; a person sends some hundred a minute, a pointer at rest on cards 2,000 a
    # second.
    received: RateLimit = RateLimit(1_000_000, 50_000)
    # Bytes that wait for clients in the memory of the server.
    waiting: int = 8 * 1024 * 1024


PUBLIC_LIMITS = LimitSet()
# On one machine all clients have one address.
LOCAL_LIMITS = LimitSet(
    connections=4000,
    new_tables=RateLimit(1000, 100),
    failed_tokens=RateLimit(1000, 100),
    requests=RateLimit(10_000, 10_000),
    visits=RateLimit(10_000, 10_000),
    drawings=RateLimit(1000, 100),
    page_connections=1000,
    work=RateLimit(100, 100),
    received=RateLimit(100_000_000, 100_000_000),
    waiting=512 * 1024 * 1024,
)


class TokenBucket:
    """A rate: `take` succeeds while it is kept."""

    __slots__ = ("_filled", "_left", "_rate")

    def __init__(self, rate: RateLimit, now: float) -> None:
        self._rate = rate
        self._left = rate.burst
        self._filled = now

    def take(self, now: float) -> bool:
        """Count an event; False if it is one too many, which is not counted."""
        if not self.has_room(now):
            return False
        self._left -= 1
        return True

    def has_room(self, now: float) -> bool:
        """Return whether an event would be allowed."""
        self._fill(now)
        return self._left >= 1

    def is_full(self, now: float) -> bool:
        """Return whether no event counts any more."""
        self._fill(now)
        return self._left >= self._rate.burst

    def spend(self, amount: float, now: float) -> None:
        """Count an amount that has been used already, even if it exceeds the room."""
        self._fill(now)
        self._left -= amount

    def wait(self, now: float, amount: float = 1) -> float:
        """Return the number of seconds until an event of an amount is allowed."""
        self._fill(now)
        return max((amount - self._left) / self._rate.per_second, 0)

    def _fill(self, now: float) -> None:
        gained = (now - self._filled) * self._rate.per_second
        self._left = min(self._left + gained, self._rate.burst)
        self._filled = now


class AddressLimiter:
    """A rate for each address."""

    def __init__(self, rate: RateLimit, now: Now = monotonic) -> None:
        self._rate = rate
        self._now = now
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, address: str) -> bool:
        """Count an event of an address; False if it is one too many."""
        return self._bucket(address).take(self._now())

    def has_room(self, address: str) -> bool:
        """Return whether an event of an address would be allowed."""
        return self._bucket(address).has_room(self._now())

    def spend(self, address: str, amount: float) -> None:
        """Count an amount that an address has used already, even if it exceeds its room."""
        self._bucket(address).spend(amount, self._now())

    def wait(self, address: str) -> float:
        """Return the number of seconds until an address has paid for what it has used."""
        return self._bucket(address).wait(self._now(), 0)

    def _bucket(self, address: str) -> TokenBucket:
        key = address_key(address)
        if key not in self._buckets:
            if len(self._buckets) >= MOST_ADDRESSES:
                self._forget()
            self._buckets[key] = TokenBucket(self._rate, self._now())
        return self._buckets[key]

    def _forget(self) -> None:
        now = self._now()
        self._buckets = {k: b for k, b in self._buckets.items() if not b.is_full(now)}
        # The oldest addresses go, so that memory stays bounded under attack.
        while len(self._buckets) >= MOST_ADDRESSES:
            del self._buckets[next(iter(self._buckets))]


class ConnectionCounter:
    """The number of open connections, of each address and of all."""

    def __init__(self, limits: LimitSet) -> None:
        self._limits = limits
        self._open: Counter[str] = Counter()
        self._all = 0

    @property
    def count(self) -> int:
        """The number of all open connections."""
        return self._all

    @contextmanager
    def hold(self, address: str) -> Iterator[str]:
        """Count a connection during the block; gives why it is refused, empty if it is not."""
        key = address_key(address)
        if self._all >= self._limits.all_connections:
            yield "the server has as many connections as it takes. fix: try again later"
            return
        if self._open[key] >= self._limits.connections:
            most = self._limits.connections
            yield f"your address has {most} connections. fix: close other tabs of this server"
            return
        self._open[key] += 1
        self._all += 1
        try:
            yield ""
        finally:
            self._all -= 1
            self._open[key] -= 1
            if not self._open[key]:
                del self._open[key]


class WaitingBytes:
    """The bytes that wait for the clients of each address."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: Counter[str] = Counter()

    def room(self, address: str) -> "OutboxRoom":
        """Return the room that all clients of an address share."""
        return OutboxRoom(self._waiting, address_key(address), self._most)


class OutboxRoom:
    """The room for bytes that wait for the clients of one address."""

    def __init__(self, waiting: Counter[str], key: str, most: int) -> None:
        self._waiting, self._key, self._most = waiting, key, most

    def take(self, size: int) -> bool:
        """Take room for some bytes; False if there is not so much."""
        waiting = self._waiting[self._key] + size
        if waiting > self._most:
            return False
        self._waiting[self._key] = waiting
        return True

    def give_back(self, size: int) -> None:
        """Free the room of some bytes."""
        self._waiting[self._key] -= size
        if not self._waiting[self._key]:
            del self._waiting[self._key]


class ServerLimits:
    """The limits of a server, with all that has been counted."""

    def __init__(self, limits: LimitSet, now: Now = monotonic) -> None:
        self.connections = ConnectionCounter(limits)
        self.new_tables = AddressLimiter(limits.new_tables, now)
        self.failed_tokens = AddressLimiter(limits.failed_tokens, now)
        self.requests = AddressLimiter(limits.requests, now)
        self.visits = AddressLimiter(limits.visits, now)
        self.drawings = AddressLimiter(limits.drawings, now)
        self.work = AddressLimiter(limits.work, now)
        self.received = AddressLimiter(limits.received, now)
        self.waiting = WaitingBytes(limits.waiting)


# Asked several times for each message.
@lru_cache(maxsize=MOST_ADDRESSES)
def address_key(address: str) -> str:
    """Return what stands for an address in limits: of an IPv6 address its first 64 bits."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{int(parsed) >> HOUSEHOLD_BITS:x}/64"
