"""Lines typed at a table of a server, and the moments at which piped ones may be read."""

import sys
from collections import deque
from collections.abc import Mapping
from functools import partial
from threading import Thread
from typing import Literal

from cardhub.play.host.scheduler import Scheduler, Timer

# Debounce in seconds: messages that belong together, such as a view and its log, arrive within
# this time.
SETTLE = 0.05
# Seconds that a line of a pipe waits for the answer to the previous line.
ANSWER_WITHIN = 1.0

# The messages of the server: `arriving` if more of them may belong together, `complete` if they can
# be printed, and `printed` if no message is waiting.
News = Literal["printed", "arriving", "complete"]
NEWS: Mapping[tuple[News, Literal["change", "settled", "shown"]], News] = {
    ("printed", "change"): "arriving",
    ("complete", "change"): "arriving",
    ("arriving", "settled"): "complete",
    ("complete", "shown"): "printed",
}
# The reason why the next line waits, besides the messages: the answer to a command, the answer to a
# request for a game, or the requested game itself.
Wait = Literal["nothing", "answer", "request", "game"]
Event = Literal["line", "command", "request", "settled", "late", "refused", "opened"]
WAITS: Mapping[tuple[Wait, Event], Wait] = {
    ("nothing", "command"): "answer",
    ("nothing", "request"): "request",
    ("answer", "request"): "request",
    ("answer", "settled"): "nothing",
    ("answer", "late"): "nothing",
    ("request", "line"): "answer",
    ("request", "settled"): "game",
    ("request", "late"): "game",
    ("request", "refused"): "nothing",
    ("request", "opened"): "nothing",
    ("game", "line"): "nothing",
    ("game", "refused"): "nothing",
    ("game", "opened"): "nothing",
}


class LineReader:
    """A queue of lines from stdin, which another thread fills. Use it in the scheduler's thread."""

    def __init__(self, scheduler: Scheduler) -> None:
        self._scheduler = scheduler
        self._lines: deque[str] = deque()
        self.is_over = False

    def begin(self) -> None:
        """Start to read until the end of stdin or of the process."""
        Thread(target=self._read, daemon=True).start()

    def __bool__(self) -> bool:
        return bool(self._lines)

    def pop(self) -> str:
        """Remove and return the oldest line."""
        return self._lines.popleft()

    def _read(self) -> None:
        for line in sys.stdin:
            text = line.strip()
            self._scheduler.call_soon(partial(self._lines.append, text))
        self._scheduler.call_soon(self._end)

    def _end(self) -> None:
        self.is_over = True


class LineGate:
    """Lets a piped line pass after the answer to the line before has arrived and been printed.

    `news` and `wait` change only as NEWS and WAITS say; other events leave them as they are.
    """

    def __init__(self, scheduler: Scheduler) -> None:
        self.news: News = "printed"
        self.wait: Wait = "nothing"
        self._scheduler = scheduler
        self._timer: Timer | None = None

    @property
    def is_quiet(self) -> bool:
        """Whether all messages are printed, and no answer is awaited."""
        return self.news == "printed" and not self.is_asking

    @property
    def is_asking(self) -> bool:
        """Whether the answer to a command is awaited."""
        return self.wait in ("answer", "request")

    def on_change(self) -> None:
        """Handle a message of the server: wait for the messages that belong to it."""
        before, self.news = self.news, NEWS.get((self.news, "change"), self.news)
        if before != self.news:
            self._scheduler.call_later(SETTLE, self._on_settled)

    def on_shown(self) -> None:
        """Handle that the messages are printed."""
        self.news = NEWS.get((self.news, "shown"), self.news)

    def on_line(self) -> None:
        """Handle that a line is read: the person waits for no game."""
        self._change_wait("line")

    def on_command(self, *, asks_for_game: bool) -> None:
        """Handle that a command was sent; `asks_for_game`: a game has to begin before the next."""
        self._change_wait("request" if asks_for_game else "command")
        self._stop_timer()
        self._timer = self._scheduler.call_later(ANSWER_WITHIN, self._on_late)

    def on_refusal(self) -> None:
        """Handle a refusal of the server."""
        self._change_wait("refused")

    def on_game(self) -> None:
        """Handle that a game has begun."""
        self._change_wait("opened")

    def _on_settled(self) -> None:
        self.news = NEWS.get((self.news, "settled"), self.news)
        self._change_wait("settled")

    def _on_late(self) -> None:
        self._change_wait("late")

    def _change_wait(self, event: Event) -> None:
        self.wait = WAITS.get((self.wait, event), self.wait)
        if not self.is_asking:
            self._stop_timer()

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
