"""The queue of messages to a client."""

import pytest

from cardhub.online.server import connection as outbox
from cardhub.online.server.connection import Outbox
from cardhub.online.server.limits import WaitingBytes


def drained(box: Outbox) -> list[bytes]:
    """Take all messages."""
    messages = []
    while (data := box.pop()) is not None:
        messages.append(data)
    return messages


def test_messages_keep_their_order() -> None:
    box = Outbox()
    for data in (b"1", b"2", b"3"):
        assert box.put(data)
    assert drained(box) == [b"1", b"2", b"3"]


def test_a_table_replaces_the_one_that_waits_and_comes_after_all_before_it() -> None:
    """It may need a catalogue that was sent between them."""
    box = Outbox()
    box.put_table(b"old")
    box.put(b"catalogue")
    box.put_table(b"new")
    box.put(b"log")
    assert drained(box) == [b"catalogue", b"new", b"log"]


def test_a_table_that_was_taken_is_not_replaced() -> None:
    box = Outbox()
    box.put_table(b"old")
    assert box.pop() == b"old"
    box.put_table(b"new")
    assert drained(box) == [b"new"]


def test_messages_are_bounded_in_number_and_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables that were replaced do not count."""
    monkeypatch.setattr(outbox, "MOST_MESSAGES", 3)
    monkeypatch.setattr(outbox, "MOST_BYTES", 100)
    box = Outbox()
    assert all(box.put_table(b"x" * 60) for _ in range(10))
    assert box.put(b"x" * 40)
    assert not box.put(b"x")
    assert drained(box) == [b"x" * 60, b"x" * 40]
    assert [box.put(b"") for _ in range(4)] == [True, True, True, False]
    box.clear()
    assert len(box) == 0
    assert box.put(b"x" * 100)


def test_several_messages_are_taken_at_once() -> None:
    """A message that begins within the size is taken whole."""
    box = Outbox()
    for size in (10, 20, 30):
        box.put(b"x" * size)
    assert box.pop_several(11) == [b"x" * 10, b"x" * 20]
    assert box.pop_several(11) == [b"x" * 30]
    assert box.pop_several(11) == []


def test_what_waits_takes_room_of_its_address_until_it_is_taken() -> None:
    """A table that is replaced gives its room back, and so does all that is dropped."""
    room = WaitingBytes(100).room("10.0.0.1")
    box = Outbox(room)
    assert box.put(b"x" * 50)
    assert all(box.put_table(b"x" * 40) for _ in range(5))
    assert not box.put(b"x" * 20)
    assert box.pop() == b"x" * 50
    assert box.put(b"x" * 60)
    assert not room.reserve(1)
    box.clear()
    assert room.reserve(100)
