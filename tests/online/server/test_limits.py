"""Limits by address: what counts, for whom, and for how long."""

from contextlib import ExitStack

import pytest

from cardhub.online.server import limits
from cardhub.online.server.limits import (
    LOCAL_LIMITS,
    PUBLIC_LIMITS,
    AddressLimiter,
    ConnectionCounter,
    RateLimit,
    ServerLimits,
    address_key,
    network_key,
)
from cardhub.online.server.server_options import ServerOptions


class Clock:
    """A clock that tests move."""

    def __init__(self) -> None:
        self.time = 100.0

    def __call__(self) -> float:
        """Return the time."""
        return self.time


def test_a_burst_is_allowed_and_then_the_rate() -> None:
    clock = Clock()
    limiter = AddressLimiter(RateLimit(3, 0.5), clock)
    assert [limiter.consume("10.0.0.1") for _ in range(5)] == [True, True, True, False, False]
    clock.time += 2
    assert [limiter.consume("10.0.0.1") for _ in range(2)] == [True, False]
    clock.time += 1000
    assert [limiter.consume("10.0.0.1") for _ in range(4)] == [True, True, True, False]


def test_addresses_are_counted_apart() -> None:
    """A refused event does not count."""
    limiter = AddressLimiter(RateLimit(1, 1), Clock())
    assert limiter.consume("10.0.0.1")
    assert not limiter.consume("10.0.0.1")
    assert limiter.consume("10.0.0.2")


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:1:ffff::2", True),
        ("2001:db8:0:1::1", "2001:db8:0:2::1", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("fe80::1%eth0", "fe80::2%eth1", True),
        ("10.0.0.1", "10.0.0.2", False),
        ("testclient", "testclient", True),
    ],
)
def test_a_household_has_one_address(one: str, other: str, is_same: bool) -> None:
    assert (address_key(one) == address_key(other)) is is_same


def test_the_memory_for_addresses_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MOST_ADDRESSES", 3)
    clock = Clock()
    limiter = AddressLimiter(RateLimit(1, 1), clock)
    limiter.consume("10.0.0.1")
    clock.time += 10
    for last in (2, 3, 4):
        limiter.consume(f"10.0.0.{last}")
    assert [limiter.has_room(f"10.0.0.{last}") for last in (2, 3, 4)] == [False] * 3
    limiter.consume("10.0.0.5")
    assert len(limiter._buckets) == 3


def test_connections_are_limited_for_an_address_and_altogether() -> None:
    """They count only while they are open, and a refused one never."""
    counter = ConnectionCounter(PUBLIC_LIMITS._replace(connections=1, all_connections=2))
    with counter.hold("10.0.0.1") as first, counter.hold("10.0.0.1") as second:
        assert first == ""
        assert "your address has 1 connections" in second
        with counter.hold("10.0.0.2") as third, counter.hold("10.0.0.3") as fourth:
            assert third == ""
            assert "no room for another connection" in fourth
        assert counter.count == 1
    with counter.hold("10.0.0.1") as again:
        assert again == ""
    assert counter.count == 0


def test_a_network_of_ipv6_has_the_connections_of_five_addresses() -> None:
    """A customer of a data centre has 65,536 households."""
    counter = ConnectionCounter(PUBLIC_LIMITS._replace(connections=2))
    with ExitStack() as stack:

        def refusals(prefix: str, number: int) -> list[str]:
            held = [counter.hold(f"{prefix}:{n:x}::1") for n in range(number)]
            return [stack.enter_context(one) for one in held]

        assert [bool(why) for why in refusals("2001:db8:1", 12)] == [False] * 10 + [True] * 2
        assert refusals("2001:db8:2", 1) == [""]
    assert counter.count == 0
    assert not counter._open


@pytest.mark.parametrize(
    ("one", "other", "is_same"),
    [
        ("2001:db8:0:1::1", "2001:db8:0:2::1", True),
        ("2001:db8:0:1::1", "2001:db8:1:1::1", False),
        ("10.0.0.1", "10.0.0.2", False),
        ("::ffff:10.0.0.1", "10.0.0.1", True),
        ("", "", True),
    ],
)
def test_a_network_is_one_customer(one: str, other: str, is_same: bool) -> None:
    """The key of an address has the same network as the address."""
    assert (network_key(one) == network_key(other)) is is_same
    assert network_key(address_key(one)) == network_key(one)


def test_new_tables_of_a_network_have_a_rate() -> None:
    limits = ServerLimits(PUBLIC_LIMITS, Clock())
    addresses = [f"2001:db8:1:{number:x}::1" for number in range(100)]
    assert sum(map(limits.new_tables_of_network.consume, addresses)) == 50


def test_a_school_behind_one_address_has_room_for_its_devices() -> None:
    """The 21st device was once refused. Limits that devices share grow with their number."""
    school = ServerOptions(origins=("https://cards.example.org",), devices=200).limits
    counter = ConnectionCounter(school)
    with ExitStack() as stack:
        held = [stack.enter_context(counter.hold("10.0.0.1")) for _ in range(201)]
    assert held[:200] == [""] * 200
    assert "your address has 200 connections" in held[200]
    assert "ask its host to allow more devices" in held[200]
    assert school.requests == RateLimit(2000, 200)
    assert school.page_connections == 1200
    assert school.new_tables == PUBLIC_LIMITS.new_tables
    few = PUBLIC_LIMITS.for_devices(5)
    assert few == PUBLIC_LIMITS._replace(connections=5)


def test_a_server_that_others_reach_has_limits_for_addresses() -> None:
    assert ServerOptions().limits is LOCAL_LIMITS
    assert ServerOptions(origins=("https://cards.example.org",)).limits == PUBLIC_LIMITS
    assert ServerOptions(is_public=True, origins=("http://10.0.0.1",)).limits == PUBLIC_LIMITS


def test_the_documented_numbers_hold() -> None:
    """Bursts of ten new tables and twenty unknown tokens, and forty connections."""
    clock = Clock()
    limits = ServerLimits(PUBLIC_LIMITS, clock)
    assert sum(limits.new_tables.consume("a") for _ in range(100)) == 10
    assert sum(limits.failed_tokens.consume("a") for _ in range(100)) == 20
    clock.time += 3600
    assert sum(limits.new_tables.consume("a") for _ in range(100)) == 10
    clock.time += 60
    assert sum(limits.failed_tokens.consume("a") for _ in range(100)) == 20
    assert PUBLIC_LIMITS.connections == 40
    limits.received.spend("a", 1_050_000)
    assert limits.received.wait("a") == pytest.approx(1.0)
    assert limits.received.wait("b") == 0
    assert PUBLIC_LIMITS.waiting == 8 * 1024 * 1024
