"""Messages of a server. Each is one JSON object, and `type` is the name of the message.

Besides the messages about a game in play (`play.table_messages`), they are about the table and its
people.
"""

from collections.abc import Mapping
from typing import Literal

import msgspec

from cardhub.model.table.settings import Value
from cardhub.online.wire.client_messages import WIRE_VERSION
from cardhub.play.table_messages import GameInfo, GameMessage, ServerMessage

# `open`: people take seats. `playing`: a game is running. `over`: the result is final, and a
# rematch may follow.
Stage = Literal["open", "playing", "over"]


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
    `is_reading`: bots wait until the person has read a summary.
    """

    name: str = ""
    bot: str = ""
    is_here: bool = False
    replaced_person: str = ""
    clock: ClockState | None = None
    wants_rematch: bool = False
    is_open: bool = False
    can_replace: bool = False
    is_reading: bool = False


class OptionState(msgspec.Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """An option of the game: its value, its choices or its range, and a sentence of help."""

    name: str
    value: Value
    help: str = ""
    choices: tuple[Value, ...] = ()
    least: int | None = None
    most: int | None = None


class TakebackState(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A pending takeback request; `missing` lists the seats that have not agreed yet.

    `request`: its number, which the answers carry, so that none is taken for the next request.
    """

    seat: int
    missing: tuple[int, ...]
    request: int = 0


class NewcomerState(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A visitor's request for a seat in the running game; `missing` as for a takeback.

    `is_return`: the visitor asks for the seat of a person who is away, and claims to be that person
    on another device.
    """

    seat: int
    name: str
    missing: tuple[int, ...]
    is_return: bool = False


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
    newcomer: NewcomerState | None = None
    scores: Mapping[str, int] = {}
    replay: str = ""
    is_lesson: bool = False


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


class PracticeUpdate(ServerMessage, frozen=True, kw_only=True, tag="practice"):
    """A message of the practice table; None: the practice has ended.

    `verdict`: a comment on the choice of the person at the decision.
    """

    message: GameMessage | None
    verdict: str = ""


AnyServerMessage = (
    Welcome
    | GameInfo
    | TableState
    | GameMessage
    | Issued
    | ChatMessage
    | PracticeUpdate
    | Pong
    | Closed
)
