"""The chat of a table. Its lines are not part of a record."""

from contextlib import suppress

from cardhub.base.errors import RecordError
from cardhub.base.errors.quoting import UNSAFE
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.online.wire.server_messages import ChatLine, ChatMessage

# The numbers of saved lines of people with a seat, and of spectators.
MOST_OF_PEOPLE, MOST_OF_SPECTATORS = 100, 25
# The rate limit of a client: the number of lines in a number of seconds.
MOST_LINES, PER_SECONDS = 5, 10.0


class Chat:
    """The last lines of people with a seat, and of spectators; lines are numbered from 0.

    Lines of spectators replace lines of spectators only. A client that lacks one of these gets all
    lines again, because the lines before it have other numbers since.
    """

    def __init__(self, context: TableContext) -> None:
        self._context = context
        saved = context.services.store.chat(context.file.table)
        self._lines, self._first = list(saved.lines), saved.since
        # An earlier process may have changed the numbers of all lines.
        self._renumbered = self.count
        self._times: dict[str, list[float]] = {}

    @property
    def count(self) -> int:
        """The number of all lines since the table was made."""
        return self._first + len(self._lines)

    def say(self, client: Client, text: str) -> None:
        """Add a client's line; raises RefusedError."""
        context = self._context
        seat = context.file.seat_of(client.token)
        if not context.file.has_chat:
            raise RefusedError("the chat is off at this table. fix: ask its owner to switch it on")
        if seat is None and context.stage == "playing":
            # Spectators may see cards that players must not know.
            raise RefusedError("spectators cannot write during a game. fix: wait for its end")
        self._check_rate(client)
        name = "" if seat is None else context.chairs[seat].name
        self._add(ChatLine(seat=seat, name=name, text=_clean(text)))

    def send(self, client: Client) -> None:
        """Send a client the lines that it does not have."""
        received = client.chat if client.chat <= self.count else 0
        if 0 < received < self._renumbered and self._context.file.has_chat:
            client.channel.send(ChatMessage(since=0, lines=()))
            received = 0
        since = max(received, self._first)
        if self._context.file.has_chat and since < self.count:
            lines = tuple(self._lines[since - self._first :])
            client.channel.send(ChatMessage(since=since, lines=lines))
        client.chat = self.count

    def _add(self, line: ChatLine) -> None:
        context = self._context
        self._lines.append(line)
        is_spectators = line.seat is None
        group = [n for n, other in enumerate(self._lines) if (other.seat is None) == is_spectators]
        if len(group) > (MOST_OF_SPECTATORS if is_spectators else MOST_OF_PEOPLE):
            self._drop(group[0])
        context.changed()
        # A line that cannot be saved is still sent.
        with suppress(RecordError):
            lines = ChatMessage(since=self._first, lines=tuple(self._lines))
            context.services.store.save_chat(context.file.table, lines)

    def _drop(self, index: int) -> None:
        if index:
            self._renumbered = max(self._renumbered, self._first + index + 1)
        del self._lines[index]
        self._first += 1

    def _check_rate(self, client: Client) -> None:
        # Spectators of a network share a rate, because each could come back as somebody else.
        key = client.token or client.channel.network or str(id(client.channel))
        now = self._context.scheduler.now()
        since = now - PER_SECONDS
        recent = {k: [t for t in times if t > since] for k, times in self._times.items()}
        self._times = {k: times for k, times in recent.items() if times}
        times = self._times.get(key, [])
        self._times[key] = times
        if len(times) >= MOST_LINES:
            raise RefusedError("you have sent too many lines. fix: wait a few seconds")
        times.append(now)


def _clean(text: str) -> str:
    """Return a line of the chat without invisible or control characters."""
    cleaned = UNSAFE.sub(" ", text).strip()
    if not cleaned:
        raise RefusedError("a line of the chat cannot be empty. fix: write a word")
    return cleaned
