"""Encode and decode messages of the wire protocol, and the JSON bodies of the lobby.

Decoding checks all input against the message types.
"""

from typing import Annotated, Literal, TypeVar

import msgspec

from cardhub.online.wire.client_messages import (
    LARGEST_MESSAGE,
    WIRE_VERSION,
    AnyClientMessage,
    Name,
    TableSettings,
)
from cardhub.online.wire.server_messages import AnyServerMessage, OptionState, Stage
from cardhub.play.table_messages import GameOutcome
from cardhub.view.view import CardCatalogue

M = TypeVar("M")

# The maximum number of outcomes in one request.
MOST_OUTCOMES = 300

_ENCODER = msgspec.json.Encoder()
_CLIENT: msgspec.json.Decoder[AnyClientMessage] = msgspec.json.Decoder(AnyClientMessage)
_SERVER: msgspec.json.Decoder[AnyServerMessage] = msgspec.json.Decoder(AnyServerMessage)


class WireError(ValueError):
    """A message that violates the protocol. The text names the invalid key, but never a value."""


def encode_message(message: AnyClientMessage | AnyServerMessage) -> bytes:
    """Return a message as one JSON object in UTF-8."""
    return _ENCODER.encode(message)


def decode_client(data: bytes | str) -> AnyClientMessage:
    """Return a client's message. Raises WireError."""
    size = len(data) if isinstance(data, bytes) else len(data.encode("utf-8", "surrogatepass"))
    if size > LARGEST_MESSAGE:
        raise WireError(f"the message has {size} bytes. fix: send at most {LARGEST_MESSAGE}")
    return _decoded(_CLIENT, data)


def decode_server(data: bytes | str) -> AnyServerMessage:
    """Return a server's message. Raises WireError."""
    return _decoded(_SERVER, data)


def _decoded(decoder: msgspec.json.Decoder[M], data: bytes | str) -> M:
    try:
        return decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise WireError(f"invalid message: {error}") from error


# Who may create tables: everybody, or clients that send the server's key.
Makers = Literal["anyone", "key"]


class GameOffer(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A game that tables can be created for: its title, numbers of seats, options and levels.

    `about`: one sentence about the game. `fan`: a few of its card faces for an illustration.
    `has_lesson`: the game has a lesson.
    """

    name: str
    title: str
    about: str
    fewest: int
    most: int
    seats: int
    options: tuple[OptionState, ...]
    levels: tuple[str, ...]
    fan: CardCatalogue | None = None
    has_lesson: bool = False


class TableOffer(msgspec.Struct, frozen=True, kw_only=True):
    """A table that its owner lists publicly, or a person's own table.

    `names`: the names of the seated players. `free`: the number of free seats. `is_turn`: it is the
    turn of the person who asks about their own table. `is_lesson`: it is the table of a lesson.
    """

    table: str
    game: str
    title: str
    stage: Stage
    names: tuple[str, ...]
    free: int
    spectators: int = 0
    is_turn: bool = False
    is_lesson: bool = False


class OwnGame(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A finished game of a person's own table, in words.

    `ended`: seconds since the epoch. `outcome`: only of a game of one person against bots.
    """

    title: str
    result: str
    players: str
    age: str
    ended: float
    replay: str
    outcome: GameOutcome | None = None


class OwnGames(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to `GET /t/TABLE/games`: the finished games of the table, latest first."""

    games: tuple[OwnGame, ...]


class OwnOutcomes(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The body of `POST /results`: outcomes of a person's games at any tables."""

    outcomes: Annotated[tuple[GameOutcome, ...], msgspec.Meta(max_length=MOST_OUTCOMES)]


class OwnResults(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to `POST /results`: the heads and rows of the table of results."""

    heads: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


class LobbyState(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to `GET /lobby`. `makers`: who may create tables."""

    version: int = WIRE_VERSION
    makers: Makers = "anyone"
    games: tuple[GameOffer, ...]
    tables: tuple[TableOffer, ...]


class NewTable(TableSettings, frozen=True, kw_only=True):
    """The body of `POST /tables`: a game, the owner's name, and non-default settings.

    The owner gets the first seat without a bot. `key`: the key of a server that lets only its
    holders create tables. `is_lesson`: the lesson of the game, with the names, seats and options of
    the lesson.
    """

    game: Annotated[str, msgspec.Meta(max_length=200)]
    name: Name
    key: Annotated[str, msgspec.Meta(max_length=100)] = ""
    is_lesson: bool = False


class CreatedTable(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to `POST /tables`: the id of the table, and the token of its owner."""

    table: str
    token: str


class RequestRefused(msgspec.Struct, frozen=True, kw_only=True):
    """The answer to a refused request: the problem, then `fix: …`."""

    why: str
