"""The chat of a table: short lines that are never part of a record."""

from contextlib import suppress

from cardhub.base.errors import RecordError
from cardhub.base.errors.quoting import UNSAFE
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.online.wire.server_messages import ChatLine, ChatMessage

MOST_KEPT = 100
# A client may write so many lines in so many seconds.
MOST_LINES, PER_SECONDS = 5, 10.0


class Chat:
    """The last lines of the chat, which are numbered from 0."""

    def __init__(self, context: TableContext) -> None:
        self._context = context
        kept = context.services.store.chat(context.file.table)
        self._lines, self._first = list(kept.lines), kept.since
        self._times: dict[str, list[float]] = {}

    @property
    def count(self) -> int:
        """The number of all lines so far."""
        return self._first + len(self._lines)

    def say(self, client: Client, text: str) -> None:
        """Add a line of a client; raises RefusedError."""
        context = self._context
        seat = context.seat_of(client.token)
        if not context.file.has_chat:
            raise RefusedError("the chat is off at this table. fix: ask its owner to switch it on")
        if seat is None and context.file.stage == "playing":
            # Spectators may see cards that players must not hear of.
            raise RefusedError("spectators cannot write while a game runs. fix: wait for its end")
        self._check_rate(client)
        name = "" if seat is None else context.chairs[seat].name
        self._add(ChatLine(seat=seat, name=name, text=_clean(text)))

    def tell(self, client: Client) -> None:
        """Send a client the lines that it does not have."""
        known = min(client.chat, self.count) if client.chat <= self.count else 0
        since = max(known, self._first)
        if self._context.file.has_chat and since < self.count:
            lines = tuple(self._lines[since - self._first :])
            client.visitor.send(ChatMessage(since=since, lines=lines))
        client.chat = self.count

    def _add(self, line: ChatLine) -> None:
        context = self._context
        self._lines.append(line)
        surplus = max(len(self._lines) - MOST_KEPT, 0)
        del self._lines[:surplus]
        self._first += surplus
        context.changed()
        # The line is told all the same: a chat is not worth an error.
        with suppress(RecordError):
            kept = ChatMessage(since=self._first, lines=tuple(self._lines))
            context.services.store.save_chat(context.file.table, kept)

    def _check_rate(self, client: Client) -> None:
        key = client.token or str(id(client.visitor))
        now = self._context.scheduler.now()
        since = now - PER_SECONDS
        recent = {k: [t for t in times if t > since] for k, times in self._times.items()}
        self._times = {k: times for k, times in recent.items() if times}
        times = self._times.get(key, [])
        self._times[key] = times
        if len(times) >= MOST_LINES:
            raise RefusedError("too many lines at once. fix: wait a few seconds")
        times.append(now)


def _clean(text: str) -> str:
    """Return a line of the chat without characters that could not be seen."""
    cleaned = UNSAFE.sub(" ", text).strip()
    if not cleaned:
        raise RefusedError("a line of the chat cannot be empty. fix: write a word")
    return cleaned
