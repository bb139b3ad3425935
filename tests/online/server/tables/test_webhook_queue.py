"""The turns of webhook calls: which one is next, and when, with a clock that tests move."""

from cardhub.online.server.limits import RateLimit
from cardhub.online.server.tables.webhooks import (
    MOST_OF_NETWORK,
    MOST_RUNNING,
    WebhookCall,
    WebhookQueue,
)

OFTEN = RateLimit(1000, 1000)


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.time


def call(network: str, host: str, table: str = "", body: bytes = b"") -> WebhookCall:
    """Return a call of a table to a host, by default of the only table that calls it."""
    return WebhookCall(f"https://{host}/", host, body, table or f"{network} {host}", network)


def begin_all(queue: WebhookQueue) -> list[WebhookCall]:
    """Begin calls until none may begin."""
    begun = list[WebhookCall]()
    while (new := queue.begin()) is not None:
        begun.append(new)
    return begun


def test_slow_webhooks_of_one_network_do_not_delay_the_calls_of_others() -> None:
    """Four slow ones once blocked everybody for forty seconds."""
    queue = WebhookQueue(OFTEN)
    for number in range(20):
        queue.put(call("hog", f"slow{number}.example"))
    assert len(begin_all(queue)) == 2
    honest = call("honest", "fast.example")
    queue.put(honest)
    assert begin_all(queue) == [honest]


def test_many_slow_networks_leave_threads_for_others() -> None:
    """If half of all threads are in use, a network gets one at a time."""
    queue = WebhookQueue(OFTEN)
    for network in range(8):
        for host in range(5):
            queue.put(call(f"hog{network}", f"slow{host}.example"))
    assert len(begin_all(queue)) < MOST_RUNNING
    queue.put(call("honest", "fast.example"))
    assert [new.network for new in begin_all(queue)] == ["honest"]


def test_the_network_that_has_used_least_time_is_next() -> None:
    clock = Clock()
    queue = WebhookQueue(OFTEN, clock)
    for number in range(3):
        queue.put(call("hog", f"slow{number}.example"))
    slow = queue.begin()
    assert slow is not None
    queue.put(call("honest", "fast.example"))
    clock.time += 10
    queue.end(slow)
    order = [queue.begin(), queue.begin()]
    assert [new.network for new in order if new] == ["honest", "hog"]


def test_a_slow_host_does_not_delay_other_hosts_of_its_network() -> None:
    """A server without addresses is one network."""
    queue = WebhookQueue(OFTEN)
    for table in "abc":
        queue.put(call("", "slow.example", table))
    queue.put(call("", "fast.example"))
    assert [new.host for new in begin_all(queue)] == ["slow.example", "fast.example"]


def test_a_network_has_a_rate_of_calls() -> None:
    clock = Clock()
    queue = WebhookQueue(RateLimit(3, 0.5), clock)

    def play(seconds: float) -> int:
        """Ask for eight calls a second, and return how many were made."""
        made = 0
        for _ in range(int(seconds * 8)):
            clock.time += 0.125
            queue.put(call("hog", "victim.example"))
            for new in begin_all(queue):
                queue.end(new)
                made += 1
        return made

    assert play(60) <= 3 + 30
    queue.put(call("honest", "victim.example"))
    assert len(begin_all(queue)) == 1


def test_a_waiting_call_says_when_it_may_begin() -> None:
    clock = Clock()
    queue = WebhookQueue(RateLimit(1, 0.5), clock)
    assert queue.due() == float("inf")
    queue.put(call("a", "one.example"))
    assert queue.due() == 100
    assert len(begin_all(queue)) == 1
    queue.put(call("a", "two.example"))
    assert queue.due() == 102
    clock.time = 102
    assert len(begin_all(queue)) == 1


def test_only_the_last_turn_of_a_table_is_called() -> None:
    """The turns before it are over."""
    queue = WebhookQueue(OFTEN)
    running = call("a", "one.example")
    queue.put(running)
    assert begin_all(queue) == [running]
    for body in (b"Anna", b"Bob", b"Chris"):
        queue.put(call("a", "one.example", body=body))
    queue.end(running)
    assert [new.body for new in begin_all(queue)] == [b"Chris"]


def test_a_failed_call_is_tried_later_unless_its_table_has_called_since() -> None:
    clock = Clock()
    queue = WebhookQueue(OFTEN, clock)
    first, second = call("a", "one.example"), call("a", "two.example")
    queue.put(first)
    queue.put(second)
    for failed in begin_all(queue):
        queue.end(failed)
    queue.put(second._replace(body=b"new"))
    for failed in (first, second):
        queue.retry(failed, 10)
    assert [new.body for new in begin_all(queue)] == [b"new"]
    clock.time += 10
    assert [(new.host, new.failed) for new in begin_all(queue)] == [("one.example", 1)]


def test_the_queue_of_a_network_is_bounded() -> None:
    queue = WebhookQueue(OFTEN)
    put = [queue.put(call("hog", f"{number}.example")) for number in range(MOST_OF_NETWORK + 5)]
    assert put == [True] * MOST_OF_NETWORK + [False] * 5
    assert queue.put(call("honest", "fast.example"))
