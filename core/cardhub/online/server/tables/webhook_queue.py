"""The webhook calls that wait: fair turns of networks and of hosts, without threads and sockets."""

from math import inf
from time import monotonic
from typing import NamedTuple

from cardhub.online.server.limits import AddressLimiter, Now, RateLimit
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
