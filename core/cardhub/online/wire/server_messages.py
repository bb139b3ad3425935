"""Messages of a server, each one JSON object; `type` is the name of the message."""

from collections.abc import Mapping
from typing import Literal

import msgspec

from cardhub.model.table.settings import Value
from cardhub.online.wire.client_messages import WIRE_VERSION
from cardhub.play.advice import RatedAction
from cardhub.play.session import TableStatus
from cardhub.view.result_view import ResultView
from cardhub.view.view import CardCatalogue, LogLine, SummaryView, View

# `open`: seats are taken; `playing`; `over`: the result stands, a rematch may follow.
Stage = Literal["open", "playing", "over"]


# No message is part of a cycle, so the collector of garbage need not look at any.
class ServerMessage(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A message of a server."""


class Welcome(ServerMessage, frozen=True, kw_only=True, tag="welcome"):
    """The answer to `enter`, and again after each change of the own seat.

    `viewer` is the own seat, or the number of seats for a spectator; `token` a new token to keep,
    empty if the client's stays valid.
    """

    version: int = WIRE_VERSION
    table: str
    viewer: int
    is_owner: bool
    token: str = ""


class GameInfo(ServerMessage, frozen=True, kw_only=True, tag="game"):
    """The game of the table: sent before its first `table`, and after a change of options."""

    game: str
    title: str
    number: int
    catalogue: CardCatalogue
    rules: str
    levels: tuple[str, ...]


class ClockState(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The clock of a seat: seconds left, and whether it runs now."""

    seconds_left: float
    is_running: bool


class SeatState(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """A seat, free without name and bot; `bot` is a level or a spec.

    `is_here`: a client of its person is connected. `stood_in` is the name of the person whom a bot
    replaces for now. `is_open`: anybody may sit down here while the game runs, instead of the bot.
    `can_replace`: the person has been away so long that anybody with a seat may let a bot play.
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
    """An option of the game: its value, its choices or its range, and a sentence on it."""

    name: str
    value: Value
    help: str = ""
    choices: tuple[Value, ...] = ()
    least: int | None = None
    most: int | None = None


class TakebackState(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A takeback that a seat asks for; `missing` are the seats that have not agreed yet."""

    seat: int
    missing: tuple[int, ...]


class TableState(ServerMessage, frozen=True, kw_only=True, tag="state"):
    """All about a table but the game in progress; the same for all clients.

    `owner` is the seat of the owner, None if they only watch. `scores` has for each player's name
    the number of games won so far at this table.
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
    """The whole view of the client's viewer, with all that depends on it.

    A slow client may miss some, never the last one. `is_forced`: own turns with one legal action
    are played at once.
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
    """All lines of the log from the step `since` on, which replace those that the client has.

    `since` is 0 for the whole log. Lines are joined, so the last ones may change.
    """

    since: int
    lines: tuple[LogLine, ...]


class HintMessage(ServerMessage, frozen=True, kw_only=True, tag="hint"):
    """A hint, or in `why_none` why there is none."""

    bot: str = ""
    rows: tuple[RatedAction, ...] = ()
    why: str = ""
    why_none: str = ""


class AnswerMessage(ServerMessage, frozen=True, kw_only=True, tag="answer"):
    """The answer to `explain`, `why` or `consequence`."""

    id: int
    text: str


class PastView(ServerMessage, frozen=True, kw_only=True, tag="past"):
    """The view after a past step, None if there was none."""

    id: int
    view: View | None


class Refused(ServerMessage, frozen=True, kw_only=True, tag="refused"):
    """Why a message had no effect: what is wrong, then `fix: …`. `id` is that of the message."""

    why: str
    id: int = 0


class Issued(ServerMessage, frozen=True, kw_only=True, tag="issued"):
    """A new token of a seat, for the link to it."""

    seat: int
    token: str


class ChatLine(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A line of the chat; `seat` is None for spectators."""

    seat: int | None
    name: str
    text: str


class ChatMessage(ServerMessage, frozen=True, kw_only=True, tag="chat"):
    """Lines of the chat from number `since` on."""

    since: int
    lines: tuple[ChatLine, ...]


class Pong(ServerMessage, frozen=True, kw_only=True, tag="pong"):
    """The answer to `ping`."""


class Closed(ServerMessage, frozen=True, kw_only=True, tag="closed"):
    """The last message of a connection; with `is_final` a client does not connect again."""

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
