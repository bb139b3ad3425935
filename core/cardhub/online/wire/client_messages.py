"""Messages of a client. Each is one JSON object, and `type` is the name of the message.

The answers to `explain`, `why`, `consequence` and `past` carry the `id` of the question. A refusal
carries the `id` of the refused message, or 0 if the message has none. An action names the revision
of the view that the client chose it from; the server refuses actions for an older revision.
"""

from typing import Annotated, Literal

import msgspec

from cardhub.model.table.settings import Value
from cardhub.view.view import Spot

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
Id = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]
Action = Annotated[int, msgspec.Meta(ge=0, lt=2**53)]


class ClientMessage(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The base of all messages of a client."""


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
    taken.
    """

    name: Name
    seat: Seat | None = None


class Stand(ClientMessage, frozen=True, kw_only=True, tag="stand"):
    """Request to give up the client's seat permanently.

    In a running game a bot of the table's level takes the seat.
    """


class SetUp(ClientMessage, frozen=True, kw_only=True, tag="set_up"):
    """The owner's request to change the table before a game starts; None leaves a value unchanged.

    `bots`: the bot or level of every seat, "" for a seat that waits for a person. `order`: for each
    seat of the new order, the number of the present seat.
    """

    options: dict[Annotated[str, msgspec.Meta(max_length=60)], Value] | None = None
    seats: Seat | None = None
    bots: Annotated[list[Spec], msgspec.Meta(max_length=100)] | None = None
    order: Annotated[list[Seat], msgspec.Meta(max_length=100)] | None = None
    is_listed: bool | None = None
    has_chat: bool | None = None
    has_helps: bool | None = None
    shows_spectators: bool | None = None
    clock: Annotated[str, msgspec.Meta(max_length=40)] | None = None
    webhook: Annotated[str, msgspec.Meta(max_length=400)] | None = None


class Start(ClientMessage, frozen=True, kw_only=True, tag="start"):
    """The owner's request to start the game. Bots take all free seats."""


class Act(ClientMessage, frozen=True, kw_only=True, tag="act"):
    """An action that the client chose at a revision of the view."""

    action: Action
    rev: Id
    id: Id = 0


class Undo(ClientMessage, frozen=True, kw_only=True, tag="undo"):
    """Request to undo the person's last action if no other person has to agree."""

    id: Id = 0


class AskTakeback(ClientMessage, frozen=True, kw_only=True, tag="takeback"):
    """Request for the other people's consent to undo the person's last action."""

    id: Id = 0


class AnswerTakeback(ClientMessage, frozen=True, kw_only=True, tag="agree"):
    """The person's answer to another person's takeback request."""

    agrees: bool


class AskHint(ClientMessage, frozen=True, kw_only=True, tag="hint"):
    """Request for a hint.

    `hurry`: the bot stops searching and answers with the best action that it knows. `cancel`: drop
    the question.
    """

    request: Literal["ask", "hurry", "cancel"] = "ask"


class AskExplain(ClientMessage, frozen=True, kw_only=True, tag="explain"):
    """Request for the description of a spot, answered by `answer`."""

    id: Id
    spot: Spot


class AskWhy(ClientMessage, frozen=True, kw_only=True, tag="why"):
    """Question why a spot or a typed text is not a legal action, answered by `answer`."""

    id: Id
    subject: Spot | Annotated[str, msgspec.Meta(max_length=200)]


class AskConsequence(ClientMessage, frozen=True, kw_only=True, tag="consequence"):
    """Request for the consequence of a legal action, answered by `answer`, maybe with no text."""

    id: Id
    action: Action


class AskPast(ClientMessage, frozen=True, kw_only=True, tag="past"):
    """Request for the view after a past step, answered by `past`."""

    id: Id
    step: Id


class PaceCommand(ClientMessage, frozen=True, kw_only=True, tag="pace"):
    """Request to pause, resume or otherwise pace the game.

    Everybody may send `read` (their own summaries are acknowledged); the other commands are for the
    owner.
    """

    command: Literal["pause", "resume", "step", "skip", "retry", "stop", "wait", "read"]


class SetPace(ClientMessage, frozen=True, kw_only=True, tag="set_pace"):
    """The owner's request to change the minimum number of seconds for each action of a bot."""

    seconds: Annotated[float, msgspec.Meta(ge=0, le=10)]


class PlayForced(ClientMessage, frozen=True, kw_only=True, tag="forced"):
    """Whether the server plays the person's turns with a single legal action automatically."""

    is_on: bool


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

    The seat's person and the owner may send it.
    """

    seat: Seat


class Rematch(ClientMessage, frozen=True, kw_only=True, tag="rematch"):
    """The person's consent to another game with the same people, each moved by one seat.

    The game starts when all people have agreed.
    """


class Say(ClientMessage, frozen=True, kw_only=True, tag="say"):
    """A line for the chat. The chat is never part of the record."""

    text: Annotated[str, msgspec.Meta(max_length=LONGEST_CHAT)]
    id: Id = 0


class Ping(ClientMessage, frozen=True, kw_only=True, tag="ping"):
    """Request for a `pong`, because browsers do not expose the heartbeats of WebSockets."""


AnyClientMessage = (
    Enter
    | Sit
    | Stand
    | SetUp
    | Start
    | Act
    | Undo
    | AskTakeback
    | AnswerTakeback
    | AskHint
    | AskExplain
    | AskWhy
    | AskConsequence
    | AskPast
    | PaceCommand
    | SetPace
    | PlayForced
    | Replace
    | Reissue
    | Rematch
    | Say
    | Ping
)
