"""Messages of a client, each one JSON object; `type` is the name of the message.

Answers to `explain`, `why`, `says` and `past` carry the `id` of the question, and a refusal the
`id` of the refused message, 0 for one without. An action names the
revision of the view that it answers: an old one is refused.
"""

from typing import Annotated, Literal

import msgspec

from cardhub.model.table.settings import Value
from cardhub.view.view import Spot

# The version of the wire protocol; a server refuses clients with another one.
WIRE_VERSION = 2
# Limits of one message in bytes, and of texts in characters.
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
    """A message of a client."""


class Enter(ClientMessage, frozen=True, kw_only=True, tag="enter"):
    """The first message of a connection.

    `token`: the token of a seat or of a spectator, empty for a new visitor. `last_step`: the last
    step whose log lines the client has in the game `number`, or 0 for none. `chat`: the number of
    chat lines that the client has.
    """

    version: int
    token: Token = ""
    last_step: Id = 0
    number: Id = 0
    chat: Id = 0


class Sit(ClientMessage, frozen=True, kw_only=True, tag="sit"):
    """Take a free seat under a name, None for any; in a game that runs, one that was opened."""

    name: Name
    seat: Seat | None = None


class Stand(ClientMessage, frozen=True, kw_only=True, tag="stand"):
    """Give the own seat up for good; a bot of the table's level takes it in a running game."""


class SetUp(ClientMessage, frozen=True, kw_only=True, tag="set_up"):
    """Change the table before a game starts; for its owner. None leaves a value as it is.

    `bots` has the bot or level of every seat, "" for a seat that waits for a person; `order` lists
    for each new seat the present one.
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
    """Start the game; for the owner. Bots take seats that are still free."""


class Act(ClientMessage, frozen=True, kw_only=True, tag="act"):
    """Carry out an action chosen at a revision of the view."""

    action: Action
    rev: Id
    id: Id = 0


class Undo(ClientMessage, frozen=True, kw_only=True, tag="undo"):
    """Take the own last action back, where nobody need agree."""

    id: Id = 0


class AskTakeback(ClientMessage, frozen=True, kw_only=True, tag="takeback"):
    """Ask the other people to take the game back to before the own last action."""

    id: Id = 0


class AnswerTakeback(ClientMessage, frozen=True, kw_only=True, tag="agree"):
    """Agree to the takeback that another person asks for, or refuse it."""

    agrees: bool


class AskHint(ClientMessage, frozen=True, kw_only=True, tag="hint"):
    """Ask for a hint; `hurry` has the bot answer at once, `cancel` drops the question."""

    request: Literal["ask", "hurry", "cancel"] = "ask"


class AskExplain(ClientMessage, frozen=True, kw_only=True, tag="explain"):
    """Ask for the description of a spot; the answer is `told`."""

    id: Id
    spot: Spot


class AskWhy(ClientMessage, frozen=True, kw_only=True, tag="why"):
    """Ask why a spot or a typed text is no legal action; the answer is `told`."""

    id: Id
    subject: Spot | Annotated[str, msgspec.Meta(max_length=200)]


class AskConsequence(ClientMessage, frozen=True, kw_only=True, tag="consequence"):
    """Ask for the consequence of a legal action; the answer is `told`, perhaps empty."""

    id: Id
    action: Action


class AskPast(ClientMessage, frozen=True, kw_only=True, tag="past"):
    """Ask for the view after a past step; the answer is `past`."""

    id: Id
    step: Id


class PaceCommand(ClientMessage, frozen=True, kw_only=True, tag="pace"):
    """Wish for a change of the course: `read` for oneself, all others for the owner."""

    command: Literal["pause", "resume", "step", "skip", "retry", "stop", "wait", "read"]


class SetPace(ClientMessage, frozen=True, kw_only=True, tag="set_pace"):
    """Set the least number of seconds for each action of a bot; for the owner."""

    seconds: Annotated[float, msgspec.Meta(ge=0, le=10)]


class PlayForced(ClientMessage, frozen=True, kw_only=True, tag="forced"):
    """Choose whether own turns with one legal action are played at once."""

    is_on: bool


class Replace(ClientMessage, frozen=True, kw_only=True, tag="replace"):
    """Give a seat to a bot or level; with "" back to its person, or to anyone who sits down.

    For the owner, for the person, and for anybody with a seat once `can_replace` is set.
    """

    seat: Seat
    bot: Spec = ""


class Reissue(ClientMessage, frozen=True, kw_only=True, tag="reissue"):
    """Ask for a new token of a seat: the old one ends. For its person and the owner."""

    seat: Seat


class Rematch(ClientMessage, frozen=True, kw_only=True, tag="rematch"):
    """Wish for another game with the same people, each one seat further; all people agree."""


class Say(ClientMessage, frozen=True, kw_only=True, tag="say"):
    """Write a line into the chat, which is never part of the record."""

    text: Annotated[str, msgspec.Meta(max_length=LONGEST_CHAT)]
    id: Id = 0


class Ping(ClientMessage, frozen=True, kw_only=True, tag="ping"):
    """Ask for a `pong`: browsers cannot see the heartbeats of WebSockets."""


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
