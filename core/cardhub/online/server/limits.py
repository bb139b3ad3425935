"""Limits of each address: messages, bytes, connections, new tables and failed tokens."""

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from ipaddress import IPv6Address, ip_address
from math import ceil
from time import monotonic
from typing import NamedTuple

Now = Callable[[], float]
# The maximum number of addresses in a limiter; addresses with a full bucket are evicted first.
MOST_ADDRESSES = 10_000
# A household owns all IPv6 addresses with the same first 64 bits, a customer of a data centre often
# all with the same first 48 bits.
HOUSEHOLD_BITS, NETWORK_BITS = 64, 48


class RateLimit(NamedTuple):
    """A token bucket: its size, and the number of tokens that it gains a second."""

    burst: float
    per_second: float

    def scaled(self, share: float) -> "RateLimit":
        """Return the limit for `share` times as much."""
        return RateLimit(self.burst * share, self.per_second * share)


# A person clicks a few times a second; `explain` follows the pointer, and a page asks a few
# questions when it opens.
MESSAGES = RateLimit(40, 20)


# The number of devices behind one address that the limits are made for: a school class.
DEVICES = 40
# A network, in IPv6 many addresses, may have as much as this number of addresses.
ADDRESSES_OF_NETWORK = 5


class LimitSet(NamedTuple):
    """The limits of a server. An address is one IPv4 address or one IPv6 /64.

    `connections`: WebSockets of one address, which a family or a class may share; a network, in
    IPv6 a /48, may have as many as several addresses.
    """

    connections: int = DEVICES
    all_connections: int = 4000
    # A burst of ten, then ten an hour.
    new_tables: RateLimit = RateLimit(10, 10 / 3600)
    # This limit prevents load. Guessing a token of 192 bits is hopeless without it.
    failed_tokens: RateLimit = RateLimit(20, 20 / 60)
    # Requests for pages and JSON. A page takes ten, and a class opens it at the same time.
    requests: RateLimit = RateLimit(400, 40)
    # New WebSockets: after a restart a whole household reconnects in the same second.
    new_sockets: RateLimit = RateLimit(100, 5)
    # Images and replays, which cost 10 to 300 ms each.
    drawings: RateLimit = RateLimit(20, 0.5)
    # Open connections other than WebSockets; a browser has six.
    page_connections: int = 240
    # Lines of the chat at all tables.
    chat: RateLimit = RateLimit(20, 1)
    # Calls of webhooks, by the network of the table's maker.
    webhooks: RateLimit = RateLimit(20, 0.5)
    # Processor seconds for messages, because no address may use up the processor.
    work: RateLimit = RateLimit(2, 0.2)
    # Received bytes of WebSockets. A person sends a few hundred a minute, a pointer on cards up to
    # 2,000 a second.
    received: RateLimit = RateLimit(1_000_000, 50_000)
    # Unsent bytes in the memory of the server.
    waiting: int = 8 * 1024 * 1024

    def for_devices(self, devices: int) -> "LimitSet":
        """Return the limits for so many devices at an address.

        What people at an address share grows with their number, but not the new tables and the
        failed tokens. It never falls below the default, because one device may use all of it.
        """
        share = max(devices / self.connections, 1)
        return self._replace(
            connections=devices,
            page_connections=ceil(self.page_connections * share),
            waiting=ceil(self.waiting * share),
            requests=self.requests.scaled(share),
            new_sockets=self.new_sockets.scaled(share),
            drawings=self.drawings.scaled(share),
            chat=self.chat.scaled(share),
            webhooks=self.webhooks.scaled(share),
            work=self.work.scaled(share),
            received=self.received.scaled(share),
        )


PUBLIC_LIMITS = LimitSet()
# All clients on the same machine share one address.
LOCAL_LIMITS = LimitSet(
    connections=4000,
    new_tables=RateLimit(1000, 100),
    failed_tokens=RateLimit(1000, 100),
    requests=RateLimit(10_000, 10_000),
    new_sockets=RateLimit(10_000, 10_000),
    drawings=RateLimit(1000, 100),
    chat=RateLimit(1000, 100),
    webhooks=RateLimit(1000, 100),
    page_connections=1000,
    work=RateLimit(100, 100),
    received=RateLimit(100_000_000, 100_000_000),
    waiting=512 * 1024 * 1024,
)


class TokenBucket:
    """A token bucket: `consume` succeeds while the rate is below the limit."""

    __slots__ = ("_filled", "_left", "_rate")

    def __init__(self, rate: RateLimit, now: float) -> None:
        self._rate = rate
        self._left = rate.burst
        self._filled = now

    def consume(self, now: float) -> bool:
        """Count an event and return True; return False if it would exceed the limit."""
        if not self.has_room(now):
            return False
        self._left -= 1
        return True

    def has_room(self, now: float) -> bool:
        """Return whether an event would be allowed."""
        self._fill(now)
        return self._left >= 1

    def is_full(self, now: float) -> bool:
        """Return whether the bucket has recovered from all events."""
        self._fill(now)
        return self._left >= self._rate.burst

    def spend(self, amount: float, now: float) -> None:
        """Count an amount that has been used already, even if it exceeds the limit."""
        self._fill(now)
        self._left -= amount

    def wait(self, now: float, amount: float = 1) -> float:
        """Return the number of seconds until `amount` is allowed."""
        self._fill(now)
        return max((amount - self._left) / self._rate.per_second, 0)

    def _fill(self, now: float) -> None:
        gained = (now - self._filled) * self._rate.per_second
        self._left = min(self._left + gained, self._rate.burst)
        self._filled = now


class AddressLimiter:
    """A token bucket for each address, or with `network_key` as `key_of` for each network."""

    def __init__(
        self,
        rate: RateLimit,
        now: Now = monotonic,
        key_of: Callable[[str], str] | None = None,
    ) -> None:
        self._rate = rate
        self._now = now
        self._key_of = key_of or address_key
        self._buckets: dict[str, TokenBucket] = {}

    def consume(self, address: str) -> bool:
        """Count an event of an address; return False if it would exceed the limit."""
        return self._bucket(address).consume(self._now())

    def has_room(self, address: str) -> bool:
        """Return whether an event of an address would be allowed."""
        return self._bucket(address).has_room(self._now())

    def spend(self, address: str, amount: float) -> None:
        """Count an amount that an address has used already, even if it exceeds the limit."""
        self._bucket(address).spend(amount, self._now())

    def wait(self, address: str, amount: float = 0) -> float:
        """Return the number of seconds until an address may use another `amount`."""
        return self._bucket(address).wait(self._now(), amount)

    def _bucket(self, address: str) -> TokenBucket:
        key = self._key_of(address)
        if key not in self._buckets:
            if len(self._buckets) >= MOST_ADDRESSES:
                self._evict()
            self._buckets[key] = TokenBucket(self._rate, self._now())
        return self._buckets[key]

    def _evict(self) -> None:
        now = self._now()
        self._buckets = {k: b for k, b in self._buckets.items() if not b.is_full(now)}
        # Evict the oldest addresses, because memory must stay bounded under attack.
        while len(self._buckets) >= MOST_ADDRESSES:
            del self._buckets[next(iter(self._buckets))]


class ConnectionCounter:
    """Counts the open connections of each address and network, and of all addresses."""

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
        """Count a connection during the block; yield the reason for a refusal, or an empty text."""
        key, network = address_key(address), network_key(address)
        if self._all >= self._limits.all_connections:
            yield "this server has no room for another connection. fix: try again later"
            return
        most = {network: self._limits.connections * ADDRESSES_OF_NETWORK}
        most[key] = self._limits.connections  # an IPv4 address is a network of one address
        if any(self._open[name] >= number for name, number in most.items()):
            yield (
                f"your address has {self._open[key]} connections. fix: close other tabs of this "
                "server, or ask its host to allow more devices at an address"
            )
            return
        self._open.update(most.keys())
        self._all += 1
        try:
            yield ""
        finally:
            self._all -= 1
            self._open.subtract(most.keys())
            for name in most:
                if not self._open[name]:
                    del self._open[name]


class WaitingBytes:
    """Counts the unsent bytes of each address."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._waiting: Counter[str] = Counter()

    def room(self, address: str) -> "OutboxRoom":
        """Return the budget that all clients of an address share."""
        return OutboxRoom(self._waiting, address_key(address), self._most)


class OutboxRoom:
    """The budget of unsent bytes for the clients of one address."""

    def __init__(self, waiting: Counter[str], key: str, most: int) -> None:
        self._waiting, self._key, self._most = waiting, key, most

    def reserve(self, size: int) -> bool:
        """Reserve `size` bytes and return True; return False if they exceed the budget."""
        waiting = self._waiting[self._key] + size
        if waiting > self._most:
            return False
        self._waiting[self._key] = waiting
        return True

    def release(self, size: int) -> None:
        """Release `size` reserved bytes."""
        self._waiting[self._key] -= size
        if not self._waiting[self._key]:
            del self._waiting[self._key]


class ServerLimits:
    """The limits of a server, with their current counts."""

    def __init__(self, limits: LimitSet, now: Now = monotonic) -> None:
        self.connections = ConnectionCounter(limits)
        self.new_tables = AddressLimiter(limits.new_tables, now)
        of_network = limits.new_tables.scaled(ADDRESSES_OF_NETWORK)
        self.new_tables_of_network = AddressLimiter(of_network, now, network_key)
        self.failed_tokens = AddressLimiter(limits.failed_tokens, now)
        self.requests = AddressLimiter(limits.requests, now)
        self.new_sockets = AddressLimiter(limits.new_sockets, now)
        self.drawings = AddressLimiter(limits.drawings, now)
        self.chat = AddressLimiter(limits.chat, now)
        self.work = AddressLimiter(limits.work, now)
        self.received = AddressLimiter(limits.received, now)
        self.waiting = WaitingBytes(limits.waiting)


# Cached, because each message needs it several times.
@lru_cache(maxsize=MOST_ADDRESSES)
def address_key(address: str) -> str:
    """Return the key of an address in limits: for IPv6 the first 64 bits."""
    try:
        parsed = ip_address(address.partition("%")[0])
    except ValueError:
        return address
    if not isinstance(parsed, IPv6Address):
        return str(parsed)
    if parsed.ipv4_mapped:
        return str(parsed.ipv4_mapped)
    return f"{int(parsed) >> HOUSEHOLD_BITS:x}/64"


@lru_cache(maxsize=MOST_ADDRESSES)
def network_key(address: str) -> str:
    """Return the key of the network of an address or of its key: for IPv6 the first 48 bits."""
    household, _, bits = address_key(address).partition("/")
    return f"{int(household, 16) >> HOUSEHOLD_BITS - NETWORK_BITS:x}/48" if bits else household
