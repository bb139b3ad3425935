"""Messages of a client. Each is one JSON object, and `type` is the name of the message.

Besides the commands of a game in play (`play.table_commands`), they are about the table and its
people. A refusal carries the `id` of the refused message, or 0 if the message has none.
"""

from typing import Annotated

import msgspec

from cardhub.model.table.settings import Value
from cardhub.play.table_commands import ClientMessage, Id, PracticeCommand, TableCommand

# The version of the wire protocol. A server refuses clients that speak another version.
WIRE_VERSION = 2
# The largest size of a message in bytes, and the longest texts in characters.
LARGEST_MESSAGE = 4096
LONGEST_CHAT = 300
LONGEST_NAME = 400

Token = Annotated[str, msgspec.Meta(max_length=64)]
Name = Annotated[str, msgspec.Meta(max_length=LONGEST_NAME)]
Spec = Annotated[str, msgspec.Meta(max_length=200)]
Seat = Annotated[int, msgspec.Meta(ge=0, lt=100)]


class Enter(ClientMessage, frozen=True, kw_only=True, tag="enter"):
    """The first message of a connection.

    `token`: the token of a seat or of a spectator, empty for a new client. `last_step`: the last
    step whose log lines the client has in the game `number`, or 0 for none. `chat`: the number of
    chat lines that the client has.
    """

    version: int
    token: Token = ""
    last_step: Id = 0
    number: Id = 0
    chat: Id = 0


class Sit(ClientMessage, frozen=True, kw_only=True, tag="sit"):
    """Request to sit down under a name.

    `seat`: the seat, or None for any free seat. In a running game only a seat that is open can be
    taken, if all people with a seat agree. A person who has lost the link may ask for the own seat
    on a new device in the same way, while nobody is connected as its person.
    """

    name: Name
    seat: Seat | None = None


class Stand(ClientMessage, frozen=True, kw_only=True, tag="stand"):
    """Request to give up the client's seat permanently.

    In a running game a bot of the table's level takes the seat.
    """


class TableSettings(ClientMessage, frozen=True, kw_only=True):
    """What the owner of a table may set; None leaves the present value, or the default.

    `bots`: the bot or level of every seat, "" for a seat that waits for a person.
    """

    options: dict[Annotated[str, msgspec.Meta(max_length=60)], Value] | None = None
    seats: Seat | None = None
    bots: Annotated[list[Spec], msgspec.Meta(max_length=100)] | None = None
    is_listed: bool | None = None
    has_chat: bool | None = None
    has_helps: bool | None = None
    shows_spectators: bool | None = None
    clock: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    webhook: Annotated[str, msgspec.Meta(max_length=400)] | None = None


class SetUp(TableSettings, frozen=True, kw_only=True, tag="set_up"):
    """The owner's request to change the table before a game starts.

    `order`: for each seat of the new order, the number of the present seat.
    """

    order: Annotated[list[Seat], msgspec.Meta(max_length=100)] | None = None


class Start(ClientMessage, frozen=True, kw_only=True, tag="start"):
    """The owner's request to start the game. Bots take all free seats."""


class AskTakeback(ClientMessage, frozen=True, kw_only=True, tag="takeback"):
    """Request for the other people's consent to undo the person's last action."""

    id: Id = 0


class AnswerTakeback(ClientMessage, frozen=True, kw_only=True, tag="agree"):
    """The person's answer to another person's takeback request.

    `request`: the number of the request that the person has read, or 0 for the pending one.
    """

    agrees: bool
    request: Id = 0


class AnswerNewcomer(ClientMessage, frozen=True, kw_only=True, tag="admit"):
    """The person's answer to a visitor, by name, who asks for a seat in the running game."""

    name: Name
    agrees: bool


class Replace(ClientMessage, frozen=True, kw_only=True, tag="replace"):
    """Request to seat a bot or level, or to free the seat.

    `bot`: a bot or level, or "" to return the seat to its person, or to offer it to any person if
    the seat has none. The owner and the seat's person may send it; so may every seated player once
    `can_replace` is set.
    """

    seat: Seat
    bot: Spec = ""


class Reissue(ClientMessage, frozen=True, kw_only=True, tag="reissue"):
    """Request for a new token of a seat, which invalidates the old token.

    The seat's person may send it, and the owner unless a game is running.
    """

    seat: Seat


class Rematch(ClientMessage, frozen=True, kw_only=True, tag="rematch"):
    """The person's consent to another game with the same people, each moved by one seat.

    The game starts when all people have agreed; with `without_absent`, when all people have who
    are connected. Bots then play for the others until they return.
    """

    without_absent: bool = False


class Say(ClientMessage, frozen=True, kw_only=True, tag="say"):
    """A line for the chat. The chat is never part of the record."""

    text: Annotated[str, msgspec.Meta(max_length=LONGEST_CHAT)]
    id: Id = 0


class Ping(ClientMessage, frozen=True, kw_only=True, tag="ping"):
    """Request for a `pong`, because browsers do not expose the heartbeats of WebSockets."""


class BeginPractice(ClientMessage, frozen=True, kw_only=True, tag="begin_practice"):
    """Request to take a decision of the review again, named by its step, and to play on with bots.

    The server answers with `practice` messages until the practice ends. A person has one practice
    table at a time.
    """

    id: Id
    step: Id


class InPractice(ClientMessage, frozen=True, kw_only=True, tag="in_practice"):
    """A command at the practice table."""

    command: PracticeCommand


class EndPractice(ClientMessage, frozen=True, kw_only=True, tag="end_practice"):
    """Close the practice table."""


AnyClientMessage = (
    Enter
    | Sit
    | Stand
    | SetUp
    | Start
    | TableCommand
    | AskTakeback
    | AnswerTakeback
    | AnswerNewcomer
    | Replace
    | Reissue
    | Rematch
    | Say
    | BeginPractice
    | InPractice
    | EndPractice
    | Ping
)
