"""The chat of a table as a client has heard it."""

from cardhub.online.wire.server_messages import ChatLine, ChatMessage

# The most lines that are kept.
MOST_CHAT = 1000


class ChatLog:
    """The last lines of a chat; `count` is the number of all lines so far."""

    def __init__(self) -> None:
        self.lines: list[ChatLine] = []
        self.count = 0

    def add(self, message: ChatMessage) -> None:
        """Take new lines, which replace those from the same number on."""
        # Numbers count all lines from the first one, also those that are not kept any more.
        first = self.count - len(self.lines)
        kept = self.lines[: max(message.since - first, 0)]
        self.lines = [*kept, *message.lines][-MOST_CHAT:]
        self.count = message.since + len(message.lines)

    def since(self, count: int) -> list[ChatLine]:
        """Return the kept lines after the first `count` ones."""
        new = min(self.count - count, len(self.lines))
        return self.lines[len(self.lines) - new :] if new > 0 else []
