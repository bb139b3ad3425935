"""Messages that wait for a client to take them, bounded in number and bytes."""

from cardhub.online.server.limits import OutboxRoom

# A view has up to 10 kB, the log of a long game some 500 kB, and drawings of cards 200 kB: room for
# a client that connects again or pauses, not for one that does not read.
MOST_MESSAGES = 500
MOST_BYTES = 2 * 1024 * 1024


class Outbox:
    """Messages in order, of which a newer `table` message replaces the one that still waits.

    `room` is shared by all clients of an address.
    """

    def __init__(self, room: OutboxRoom | None = None) -> None:
        self._waiting: dict[int, bytes] = {}
        self._next = 0
        self._table: int | None = None
        self._bytes = 0
        self._room = room

    def __len__(self) -> int:
        """Return the number of messages."""
        return len(self._waiting)

    def put(self, data: bytes) -> bool:
        """Add a message; False if there is no room for it."""
        size = len(data)
        if len(self._waiting) >= MOST_MESSAGES or self._bytes + size > MOST_BYTES:
            return False
        if self._room is not None and not self._room.take(size):
            return False
        self._waiting[self._next] = data
        self._next += 1
        self._bytes += size
        return True

    def put_table(self, data: bytes) -> bool:
        """Add a `table` message and drop one that waits; False if there is no room for it."""
        # At the end, not in its place: it may need messages that came between, as a catalogue.
        if self._table is not None:
            self._free(len(self._waiting.pop(self._table, b"")))
        self._table = self._next
        return self.put(data)

    def take(self) -> bytes | None:
        """Remove and return the oldest message; None if there is none."""
        if not self._waiting:
            return None
        number = next(iter(self._waiting))
        data = self._waiting.pop(number)
        self._free(len(data))
        return data

    def take_several(self, size: int) -> list[bytes]:
        """Remove and return the oldest messages that begin within a number of bytes."""
        taken: list[bytes] = []
        while size > 0 and (data := self.take()) is not None:
            taken.append(data)
            size -= len(data)
        return taken

    def clear(self) -> None:
        """Drop all messages."""
        self._waiting.clear()
        self._free(self._bytes)

    def _free(self, size: int) -> None:
        self._bytes -= size
        if self._room is not None and size:
            self._room.give_back(size)
