"""A table of a server as its client knows it: made of the server's messages, and told by it."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from hashlib import sha256
from pathlib import Path
from typing import Any

from typing_extensions import override

from cardhub.base.errors import RemoteError
from cardhub.base.files import LimitError, read_within
from cardhub.online.remote.remote_session import RemoteSession
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_connection import ConnectionListener, TableConnection
from cardhub.online.wire.client_messages import WIRE_VERSION, AnyClientMessage, Enter, Sit
from cardhub.online.wire.server_messages import (
    AnswerMessage,
    AnyServerMessage,
    ChatLine,
    ChatMessage,
    GameInfo,
    HintMessage,
    LogMessage,
    PastView,
    Refused,
    TableMessage,
    TableState,
    Welcome,
)
from cardhub.online.wire.wire_codec import WireError
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.session import OnReply

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


# The most bytes of a file, and the most names at one table.
MOST, MOST_NAMES = 10_000, 20


class SavedSeats:
    """A file for each table: the tokens by name of the person, the one used last at the end.

    Files are readable by their owner alone: a token is the seat.
    """

    def __init__(self, folder: Path, address: TableAddress) -> None:
        # An address is no file name everywhere, and a folder of them would tell who plays where.
        name = sha256(address.page.encode("utf-8")).hexdigest()[:32]
        self._path = folder / f"{name}.json"
        self._page = address.page

    def token(self, name: str | None) -> str:
        """Return the token of a name, or without one that used last; empty if there is none."""
        tokens = self._tokens()
        if name is not None:
            return tokens.get(name, "")
        return next(reversed(tokens.values()), "")

    def keep(self, name: str, token: str) -> None:
        """Keep the token of a name; raises OSError if it cannot be written."""
        tokens = self._tokens()
        if tokens and next(reversed(tokens.items())) == (name, token):
            return
        tokens.pop(name, None)
        tokens[name] = token
        kept = dict([*tokens.items()][-MOST_NAMES:])
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = self._path.with_suffix(f".{os.getpid()}.new")
        # Never readable by others, not even for a moment: created with its mode.
        with suppress(FileNotFoundError):
            new.unlink()
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({"table": self._page, "tokens": kept}, file)
        new.replace(self._path)

    def save_or_report(self, name: str, token: str, told: Callable[[str], object]) -> None:
        """Keep the token of a name, or tell why it is not kept."""
        try:
            self.keep(name, token)
        except OSError as error:
            told(f"The seat is not kept for another time: {error.strerror}")

    def _tokens(self) -> dict[str, str]:
        try:
            found: Any = json.loads(read_within(self._path, MOST))
        except (OSError, LimitError, ValueError):
            return {}  # none yet, or damaged: a seat can be taken again by its link
        tokens = found.get("tokens") if isinstance(found, dict) else None
        if not isinstance(tokens, dict):
            return {}
        return {str(name): token for name, token in tokens.items() if isinstance(token, str)}


TRYING_AGAIN = "Connection lost, trying again…"
# The most messages that wait to be taken, and the most seats.
MOST_WAITING, MOST_SEATS = 5000, 100


class JoinedTable(ConnectionListener):
    """The state of a table, its chat, and the session of the own viewer while a game lasts.

    All is changed in the thread of the scheduler. With a `name` the client sits down once it comes
    to the table without a seat. `told` gets refusals and notices that answer no question.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        kept: SavedSeats,
        *,
        token: str = "",
        name: str | None = None,
        seat: int | None = None,
    ) -> None:
        self.scheduler = scheduler
        self.told: OnReply = lambda text: None
        self.welcome: Welcome | None = None
        self.state: TableState | None = None
        self.game: GameInfo | None = None
        self.session: RemoteSession | None = None
        self.chat = ChatLog()
        self.is_connected = False
        # The reason for which the connection has ended for good.
        self.failure: RemoteError | None = None
        self.connection: TableConnection | None = None
        self._kept = kept
        # Of the own seat, empty for a spectator; who has it plays there.
        self.token = token or kept.token(name)
        self._wish: Sit | None = None if name is None else Sit(name=name, seat=seat)
        self._has_asked = False  # for a seat
        self._early_log: LogMessage | None = None
        self._listeners: list[Callable[[], None]] = []
        self._waiting = 0

    @property
    def seats(self) -> int:
        """The number of seats, 0 before the server has told it."""
        return 0 if self.state is None else len(self.state.seats)

    @property
    def viewer(self) -> int:
        """The own seat, or the number of seats for a spectator; -1 before it is known."""
        return -1 if self.welcome is None else self.welcome.viewer

    @property
    def is_seated(self) -> bool:
        """Whether this client has a seat."""
        return 0 <= self.viewer < self.seats

    @property
    def is_sitting_down(self) -> bool:
        """Whether this client waits for the seat that it was made for."""
        return self._wish is not None and not self.name

    @property
    def is_owner(self) -> bool:
        """Whether this client may change the table."""
        return self.welcome is not None and self.welcome.is_owner

    @property
    def name(self) -> str:
        """The name at the own seat, empty without one."""
        return self.state.seats[self.viewer].name if self.state and self.is_seated else ""

    @property
    def banner(self) -> str:
        """The notice about a lost connection, empty while there is one."""
        is_disconnected = self.welcome is not None and not self.is_connected
        return TRYING_AGAIN if is_disconnected and self.failure is None else ""

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after every change; return the callback that ends this."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def send(self, message: AnyClientMessage, key: str = "") -> None:
        """Send a message, instead of one with the same key that has not left yet."""
        if self.connection is not None and self.is_connected:
            self.connection.send(message, key)

    def leave(self) -> None:
        """End the connection; the seat stays."""
        if self.connection is not None:
            self.connection.close()

    @override
    def greeting(self) -> Enter:
        session = self.session
        return Enter(
            version=WIRE_VERSION,
            token=self.token,
            last_step=0 if session is None else session.heard(),
            chat=self.chat.count,
        )

    @override
    def connected(self) -> None:
        self.scheduler.call_soon(self._begin)

    @override
    def hear(self, message: AnyServerMessage) -> None:
        if self._waiting >= MOST_WAITING:
            raise WireError("more messages than can be shown")
        self._waiting += 1
        self.scheduler.call_soon(partial(self._take, message))

    @override
    def lost(self, why: str) -> None:
        self.scheduler.call_soon(self._lose)

    @override
    def ended(self, error: RemoteError) -> None:
        self.scheduler.call_soon(partial(self._end, error))

    def _begin(self) -> None:
        self.is_connected, self._has_asked = True, False
        if self.session is not None:
            self.session.connect_again()
        self._tell_all()

    def _lose(self) -> None:
        self.is_connected = False
        self._tell_all()

    def _end(self, error: RemoteError) -> None:
        self.is_connected, self.failure = False, error
        self._tell_all()

    def _take(self, message: AnyServerMessage) -> None:
        self._waiting -= 1
        if self.failure is not None:
            return
        try:
            self._understand(message)
        except WireError as error:
            self.leave()
            self._end(RemoteError(f"the server sent an invalid message: {error}"))
            return
        self._tell_all()

    def _understand(self, message: AnyServerMessage) -> None:
        match message:
            case Welcome():
                self._greet(message)
            case GameInfo():
                self._change_game(message)
            case TableState():
                self._change_state(message)
            case TableMessage():
                self._show(message)
            case ChatMessage():
                self.chat.add(message)
            case Refused() if self.session is None or self.is_sitting_down:
                # The only message so far may be the wish for a seat.
                self._wish = None
                self.told(message.why)
            case LogMessage() if self.session is None:
                self._early_log = message
            case _ if self.session is not None:
                _pass_on(message, self.session)

    def _greet(self, message: Welcome) -> None:
        if message.version != WIRE_VERSION:
            raise WireError(f"it speaks version {message.version}, this client {WIRE_VERSION}")
        if message.viewer != self.viewer:
            self.session = None
        self.welcome = message
        self.token = message.token or self.token
        self._keep()

    def _change_game(self, message: GameInfo) -> None:
        if self.game is not None and self.game.number != message.number:
            self.session = None
        self.game = message
        if self.session is not None:
            self.session.change_game(message)

    def _change_state(self, message: TableState) -> None:
        if not 1 <= len(message.seats) <= MOST_SEATS:
            raise WireError(f"a table with {len(message.seats)} seats")
        self.state = message
        if not self.is_seated and self._wish is not None and not self._has_asked:
            self._has_asked = True
            self.send(self._wish)
        self._keep()

    def _show(self, message: TableMessage) -> None:
        if self.session is not None:
            self.session.show(message)
            return
        if self.game is None:
            raise WireError("a table before its game")
        self.session = RemoteSession(self.game, message, self.send, self.scheduler.now)
        self.session.notice = lambda text: self.told(text)
        log, self._early_log = self._early_log, None
        if log is not None:
            self.session.add_log(log)

    def _keep(self) -> None:
        """Keep the token of the own seat under its name, once both are known."""
        if self.is_seated and self.token:
            self._kept.save_or_report(self.name, self.token, self.told)

    def _tell_all(self) -> None:
        for listener in tuple(self._listeners):
            listener()


def _pass_on(message: AnyServerMessage, session: RemoteSession) -> None:
    match message:
        case LogMessage():
            session.add_log(message)
        case AnswerMessage():
            session.answer(message)
        case PastView():
            session.show_past(message)
        case HintMessage():
            session.show_hint(message)
        case Refused():
            session.refuse(message.why, message.id)
