"""Messages of a server. Each is one JSON object, and `type` is the name of the message."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from cardhub.model.table.settings import Value
from cardhub.online.wire.client_messages import WIRE_VERSION
from cardhub.play.advice import RatedAction
from cardhub.play.session import TableStatus
from cardhub.view.result_view import ResultView
from cardhub.view.view import CardCatalogue, LogLine, SummaryView, View

# `open`: people take seats. `playing`: a game is running. `over`: the result is final, and a
# rematch may follow.
Stage = Literal["open", "playing", "over"]


# Messages never form reference cycles, so the garbage collector can skip them.
class ServerMessage(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """The base of all messages of a server."""


class Welcome(ServerMessage, frozen=True, kw_only=True, tag="welcome"):
    """The answer to `enter`, sent again after each change of the client's seat.

    `viewer`: the client's seat, or the number of seats for a spectator. `token`: a new token for
    the client to store, or empty if its present token stays valid.
    """

    version: int = WIRE_VERSION
    table: str
    viewer: int
    is_owner: bool
    token: str = ""


class GameInfo(ServerMessage, frozen=True, kw_only=True, tag="game"):
    """The game of the table, sent before its first `table` and after a change of options."""

    game: str
    title: str
    number: int
    catalogue: CardCatalogue
    rules: str
    levels: tuple[str, ...]


class ClockState(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The clock of a seat: the remaining seconds, and whether the clock is running."""

    seconds_left: float
    is_running: bool


class SeatState(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A seat, which is free if it has neither a name nor a bot.

    `bot`: a level or a spec. `is_here`: a client of the seat's person is connected.
    `replaced_person`: the name of the person whom the bot replaces temporarily. `is_open`: any
    person may take the seat from the bot during the game. `can_replace`: the person is absent
    for two minutes or more, so every seated player may replace the person by a bot.
    """

    name: str = ""
    bot: str = ""
    is_here: bool = False
    replaced_person: str = ""
    clock: ClockState | None = None
    wants_rematch: bool = False
    is_open: bool = False
    can_replace: bool = False


class OptionState(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """An option of the game: its value, its choices or its range, and a sentence of help."""

    name: str
    value: Value
    help: str = ""
    choices: tuple[Value, ...] = ()
    least: int | None = None
    most: int | None = None


class TakebackState(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A pending takeback request; `missing` lists the seats that have not agreed yet."""

    seat: int
    missing: tuple[int, ...]


class TableState(ServerMessage, frozen=True, kw_only=True, tag="state"):
    """Everything about a table except the running game; all clients get the same message.

    `owner`: the seat of the owner, or None if the owner only watches. `scores`: the number of games
    won so far at this table by player name.
    """

    table: str
    stage: Stage
    game: str
    title: str
    number: int
    seats: tuple[SeatState, ...]
    fewest: int
    most: int
    owner: int | None
    options: tuple[OptionState, ...]
    levels: tuple[str, ...]
    is_listed: bool
    has_chat: bool
    has_helps: bool
    shows_spectators: bool
    clock: str = ""
    has_webhook: bool = False
    spectators: int = 0
    takeback: TakebackState | None = None
    scores: Mapping[str, int] = {}
    replay: str = ""


class TableMessage(ServerMessage, frozen=True, kw_only=True, tag="table"):
    """The complete view of the client's viewer, with everything that depends on it.

    The server may skip some of these messages for a slow client, but never the latest one.
    `is_forced`: the server plays the person's turns with a single legal action automatically.
    """

    view: View
    status: TableStatus
    why_no_undo: str = ""
    can_take_back: bool = False
    is_forced: bool = False
    summaries: tuple[SummaryView, ...] = ()
    unseen: tuple[str, ...] = ()
    result: ResultView | None = None
    seed: str = ""


class LogMessage(ServerMessage, frozen=True, kw_only=True, tag="log"):
    """The lines of the log from step `since` on, which replace the client's lines from there.

    `since` is 0 for the whole log. Lines are joined, so the last ones may change.
    """

    since: int
    lines: tuple[LogLine, ...]


class HintMessage(ServerMessage, frozen=True, kw_only=True, tag="hint"):
    """A hint, or the reason in `why_none` why no hint is available."""

    bot: str = ""
    rows: tuple[RatedAction, ...] = ()
    why: str = ""
    why_none: str = ""


class AnswerMessage(ServerMessage, frozen=True, kw_only=True, tag="answer"):
    """The answer to `explain`, `why` or `consequence`."""

    id: int
    text: str


class PastView(ServerMessage, frozen=True, kw_only=True, tag="past"):
    """The view after a past step, or None if the step does not exist."""

    id: int
    view: View | None


class Refused(ServerMessage, frozen=True, kw_only=True, tag="refused"):
    """Why a message had no effect: the problem, then `fix: …`.

    `id`: the id of the refused message.
    """

    why: str
    id: int = 0


class Issued(ServerMessage, frozen=True, kw_only=True, tag="issued"):
    """A new token of a seat, for the link to it."""

    seat: int
    token: str


class ChatLine(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A line of the chat; `seat` is None for a spectator."""

    seat: int | None
    name: str
    text: str


class ChatMessage(ServerMessage, frozen=True, kw_only=True, tag="chat"):
    """The lines of the chat from line number `since` on."""

    since: int
    lines: tuple[ChatLine, ...]


class Pong(ServerMessage, frozen=True, kw_only=True, tag="pong"):
    """The answer to `ping`."""


class Closed(ServerMessage, frozen=True, kw_only=True, tag="closed"):
    """The last message of a connection. If `is_final`, the client must not reconnect."""

    why: str
    is_final: bool = True


AnyServerMessage = (
    Welcome
    | GameInfo
    | TableState
    | TableMessage
    | LogMessage
    | HintMessage
    | AnswerMessage
    | PastView
    | Refused
    | Issued
    | ChatMessage
    | Pong
    | Closed
)
