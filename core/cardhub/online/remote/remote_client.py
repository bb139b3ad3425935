"""A client of a table at a server: its state, chat and game, and the seats saved here."""

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
from cardhub.online.remote.remote_link import RemoteLink
from cardhub.online.remote.remote_practice import RemotePractice
from cardhub.online.remote.table_address import TableAddress
from cardhub.online.remote.table_connection import ConnectionListener, TableConnection
from cardhub.online.wire.client_messages import WIRE_VERSION, AnyClientMessage, Enter, Sit
from cardhub.online.wire.server_messages import (
    AnyServerMessage,
    ChatLine,
    ChatMessage,
    PracticeUpdate,
    TableState,
    Welcome,
)
from cardhub.online.wire.wire_codec import WireError
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.table_commands import (
    AskConsequence,
    AskExplain,
    AskPast,
    AskRetry,
    AskWhy,
    PlayForced,
    SetPace,
    TableCommand,
)
from cardhub.play.table_messages import (
    AnswerMessage,
    GameInfo,
    GameMessage,
    HintMessage,
    LogMessage,
    PastView,
    Refused,
    ReviewMessage,
    TableMessage,
)
from cardhub.play.table_model import OnText, TableModel

# The maximum number of lines that are stored.
MOST_CHAT = 1000


class ChatLog:
    """The last lines of a chat; `count` is the number of all lines ever written."""

    def __init__(self) -> None:
        self.lines: list[ChatLine] = []
        self.count = 0

    def add(self, message: ChatMessage) -> None:
        """Add new lines, which replace the present lines from the same number on."""
        # Numbers count all lines from the first one, including lines that were discarded.
        first = self.count - len(self.lines)
        earlier = self.lines[: max(message.since - first, 0)]
        self.lines = [*earlier, *message.lines][-MOST_CHAT:]
        self.count = message.since + len(message.lines)

    def since(self, count: int) -> list[ChatLine]:
        """Return the stored lines after the first `count` lines of the chat."""
        new = min(self.count - count, len(self.lines))
        return self.lines[len(self.lines) - new :] if new > 0 else []


# The maximum size of a file in bytes, and the maximum number of names at one table.
MOST, MOST_NAMES = 10_000, 20


class SavedSeats:
    """A person's tokens at one table by name, in a file; the name used last comes last.

    Only the owner of the file may read it, because the holder of a token controls the seat.
    """

    def __init__(self, folder: Path, address: TableAddress) -> None:
        # An address is not a valid file name on every system, and plain names would reveal who
        # plays where.
        name = sha256(address.page.encode("utf-8")).hexdigest()[:32]
        self._path = folder / f"{name}.json"
        self._page = address.page

    def token(self, name: str | None) -> str:
        """Return the token of a name, or the token used last if it is None; empty if unknown."""
        tokens = self._tokens()
        if name is not None:
            return tokens.get(name, "")
        return next(reversed(tokens.values()), "")

    def save(self, name: str, token: str) -> None:
        """Save the token of a name. Raises OSError if it cannot be written."""
        tokens = self._tokens()
        if tokens and next(reversed(tokens.items())) == (name, token):
            return
        tokens.pop(name, None)
        tokens[name] = token
        latest = dict([*tokens.items()][-MOST_NAMES:])
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = self._path.with_suffix(f".{os.getpid()}.new")
        # Created with its final mode, so that other users can never read it.
        with suppress(FileNotFoundError):
            new.unlink()
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({"table": self._page, "tokens": latest}, file)
        new.replace(self._path)

    def save_or_report(self, name: str, token: str, on_notice: Callable[[str], object]) -> None:
        """Save the token of a name; call `on_notice` with the reason if that fails."""
        try:
            self.save(name, token)
        except OSError as error:
            on_notice(f"Your seat could not be saved for the next visit: {error.strerror}")

    def _tokens(self) -> dict[str, str]:
        try:
            content: Any = json.loads(read_within(self._path, MOST))
        except (OSError, LimitError, ValueError):
            return {}  # missing or damaged; the seat's link still works
        tokens = content.get("tokens") if isinstance(content, dict) else None
        if not isinstance(tokens, dict):
            return {}
        return {str(name): token for name, token in tokens.items() if isinstance(token, str)}


class NoSavedSeats:
    """Stores no token, for seats that are not of a person at this computer."""

    def token(self, name: str | None) -> str:
        """Return an empty token."""
        return ""

    def save_or_report(self, name: str, token: str, on_notice: Callable[[str], object]) -> None:
        """Save no token."""


# Commands of which only the latest unsent one matters, by the keys of their places in the queue.
KEYS: dict[type[TableCommand], str] = {
    AskConsequence: "consequence",
    AskExplain: "explain",
    AskPast: "past",
    AskRetry: "retry",
    AskWhy: "why",
    PlayForced: "forced",
    SetPace: "pace",
}
TRYING_AGAIN = "Connection lost, trying again…"
# The maximum number of unhandled messages, and the maximum number of seats.
MOST_WAITING, MOST_SEATS = 5000, 100


class RemoteClient(ConnectionListener):
    """A client of a table: its state, its chat, and the model of the running game.

    All changes happen in the scheduler's thread. With a `name` the client asks for a seat as soon
    as it is at the table without one. `on_notice` is called with refusals and notices not tied to a
    request.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        saved_seats: SavedSeats | NoSavedSeats,
        *,
        token: str = "",
        name: str | None = None,
        seat: int | None = None,
    ) -> None:
        self.scheduler = scheduler
        self.on_notice: OnText = lambda text: None
        self.welcome: Welcome | None = None
        self.state: TableState | None = None
        self.game: GameInfo | None = None
        self.model: TableModel | None = None
        self._link: RemoteLink | None = None
        self.practice = RemotePractice(self.send, scheduler.now, lambda text: self.on_notice(text))
        self.chat = ChatLog()
        self.is_connected = False
        # The reason why the connection has ended permanently.
        self.failure: RemoteError | None = None
        self.connection: TableConnection | None = None
        self._saved_seats = saved_seats
        # The token of the client's seat, empty for a spectator. Its holder controls the seat.
        self.token = token or saved_seats.token(name)
        self._seat_request: Sit | None = None if name is None else Sit(name=name, seat=seat)
        self._is_request_sent = False  # whether `_seat_request` was sent over this connection
        self._early_log: LogMessage | None = None
        self._listeners: list[Callable[[], None]] = []
        self._unhandled = 0

    @property
    def seats(self) -> int:
        """The number of seats, or 0 before the server has sent it."""
        return 0 if self.state is None else len(self.state.seats)

    @property
    def viewer(self) -> int:
        """The client's seat, the number of seats for a spectator, or -1 before `welcome`."""
        return -1 if self.welcome is None else self.welcome.viewer

    @property
    def is_seated(self) -> bool:
        """Whether this client has a seat."""
        return 0 <= self.viewer < self.seats

    @property
    def is_sitting_down(self) -> bool:
        """Whether this client waits for the server to seat it, or to ask the seated people."""
        return self._wants_seat and not self._is_asked_about

    @property
    def _wants_seat(self) -> bool:
        return self._seat_request is not None and not self.name

    @property
    def _is_asked_about(self) -> bool:
        """Whether the seated people, who may be away for days, are asked about this client."""
        newcomer = None if self.state is None else self.state.newcomer
        request = self._seat_request
        return newcomer is not None and request is not None and newcomer.name == request.name

    @property
    def is_owner(self) -> bool:
        """Whether this client may change the table."""
        return self.welcome is not None and self.welcome.is_owner

    @property
    def name(self) -> str:
        """The name at the client's seat, or empty without a seat."""
        return self.state.seats[self.viewer].name if self.state and self.is_seated else ""

    @property
    def banner(self) -> str:
        """The notice about a lost connection, or empty if the client is connected."""
        is_disconnected = self.welcome is not None and not self.is_connected
        return TRYING_AGAIN if is_disconnected and self.failure is None else ""

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after every change; return a function that ends the subscription."""
        self._listeners.append(listener)
        return lambda: self._listeners.remove(listener)

    def send(self, message: AnyClientMessage, key: str = "") -> None:
        """Send a message, which replaces an unsent message with the same key."""
        if self.connection is not None and self.is_connected:
            self.connection.send(message, key)

    def leave(self) -> None:
        """End the connection; the person keeps the seat."""
        if self.connection is not None:
            self.connection.close()

    @override
    def greeting(self) -> Enter:
        return Enter(
            version=WIRE_VERSION,
            token=self.token,
            last_step=0 if self._link is None else self._link.last_step(),
            chat=self.chat.count,
        )

    @override
    def on_connected(self) -> None:
        self.scheduler.call_soon(self._begin)

    @override
    def on_message(self, message: AnyServerMessage) -> None:
        if self._unhandled >= MOST_WAITING:
            raise WireError("too many messages at the same time")
        self._unhandled += 1
        self.scheduler.call_soon(partial(self._receive, message))

    @override
    def on_lost(self, why: str) -> None:
        self.scheduler.call_soon(self._lose)

    @override
    def on_ended(self, error: RemoteError) -> None:
        self.scheduler.call_soon(partial(self._end, error))

    def _begin(self) -> None:
        self.is_connected, self._is_request_sent = True, False
        self.practice.close()  # the server ended it with the connection
        if self.model is not None:
            self.model.connect_again()
        self._notify()

    def _lose(self) -> None:
        self.is_connected = False
        self._notify()

    def _end(self, error: RemoteError) -> None:
        self.is_connected, self.failure = False, error
        self._notify()

    def _receive(self, message: AnyServerMessage) -> None:
        self._unhandled -= 1
        if self.failure is not None:
            return
        try:
            self._handle(message)
        except WireError as error:
            self.leave()
            self._end(RemoteError(f"the server sent an invalid message: {error}"))
            return
        self._notify()

    def _handle(self, message: AnyServerMessage) -> None:
        match message:
            case Welcome():
                self._greet(message)
            case GameInfo():
                self._change_game(message)
            case TableState():
                self._change_state(message)
            case ChatMessage() | PracticeUpdate():
                self._add(message)
            case Refused() if self.model is None or self._wants_seat:
                # The client may have sent only its seat request so far.
                self._seat_request = None
                self.on_notice(message.why)
            case TableMessage() if self._link is None:
                self._open_game(message)
            case LogMessage() if self._link is None:
                self._early_log = message
            case TableMessage() | LogMessage() | AnswerMessage() | PastView():
                self._pass_on(message)
            case HintMessage() | ReviewMessage() | Refused():
                self._pass_on(message)

    def _add(self, message: ChatMessage | PracticeUpdate) -> None:
        """Adopt a message from beside the game."""
        if isinstance(message, ChatMessage):
            self.chat.add(message)
        else:
            self.practice.receive(message, self.game)

    def _greet(self, message: Welcome) -> None:
        if message.version != WIRE_VERSION:
            raise WireError(
                f"it uses protocol version {message.version}, and this client uses {WIRE_VERSION}"
            )
        if message.viewer != self.viewer:
            self._close_game()
        self.welcome = message
        self.token = message.token or self.token
        self._save_seat()

    def _change_game(self, message: GameInfo) -> None:
        if self.game is not None and self.game.number != message.number:
            self._close_game()
        self.game = message
        if self._link is not None:
            self._link.change_game(message)

    def _change_state(self, message: TableState) -> None:
        if not 1 <= len(message.seats) <= MOST_SEATS:
            raise WireError(f"a table with {len(message.seats)} seats")
        self.state = message
        if not self.is_seated and self._seat_request is not None and not self._is_request_sent:
            self._is_request_sent = True
            self.send(self._seat_request)
        self._save_seat()

    def _open_game(self, message: TableMessage) -> None:
        if self.game is None:
            raise WireError("a table before its game")
        self._link = RemoteLink(self.game, message, self._send_command, self.scheduler.now)
        self.model = TableModel(self._link)
        self.model.on_notice = lambda text: self.on_notice(text)
        log, self._early_log = self._early_log, None
        if log is not None:
            self._link.receive(log)

    def _close_game(self) -> None:
        self.model = self._link = None
        self.practice.close()

    def _pass_on(self, message: GameMessage) -> None:
        if self._link is not None and self.model is not None:
            self._link.receive(message)
            self.model.outdate()

    def _send_command(self, command: TableCommand) -> None:
        self.send(command, KEYS.get(type(command), ""))

    def _save_seat(self) -> None:
        """Save the token of the client's seat under its name, once both are known."""
        if self.is_seated and self.token:
            self._saved_seats.save_or_report(self.name, self.token, self.on_notice)

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            listener()
