"""Messages between a table and the process of its bots, as typed data.

A Lineup starts a game, or replaces the lineup of the running one.
Messages from a bot's process are validated as they are decoded, and frames longer than `LONGEST`
are rejected unread.
"""

from typing import TypeAlias

from msgspec import Struct, msgpack

from cardhub.bots.processes.child_process import ChildProcess
from cardhub.bots.processes.python_process import frame_codec
from cardhub.play.workers.lineup import Lineup

# Maximum size of a frame from a bot's process, in bytes.
LONGEST = 1 << 20
# Maximum length of a message or a traceback that is sent, in characters.
MOST_TEXT = 100_000


class Prepare(Struct, tag=True):
    """A request to create the bot of a seat."""

    number: int
    seat: int


class Question(Struct, tag=True):
    """A question to the bot of an observation's seat; `packed` is the serialized observation."""

    number: int
    packed: bytes


class TableQuestion(Question, tag=True):
    """A question to a bot of one of several tables: the number of the table, and its lineup."""

    table: int
    lineup: Lineup


class Hurry(Struct, tag=True):
    """A request to answer the question of this number soon."""

    number: int


class End(Struct, tag=True):
    """The end of a game: its bots are closed."""


class Forget(Struct, tag=True):
    """The end of a table among several: its bots are closed."""

    table: int


class Ready(Struct, tag=True):
    """The answer to Prepare."""

    number: int


class Chosen(Struct, tag=True):
    """The action that a bot has chosen."""

    number: int
    action: int


class Advised(Struct, tag=True):
    """Ratings of actions: action, visits, mean return, and the steps (seat, action) expected."""

    number: int
    rated: list[tuple[int, int, float, list[tuple[int, int]]]]


class Failed(Struct, tag=True):
    """A BotFaultError: its `fault`, message and details."""

    number: int
    kind: str
    message: str
    details: str


Order = Lineup | Prepare | Question | TableQuestion | Hurry | Forget | End
Reply = Ready | Chosen | Advised | Failed

BotChild: TypeAlias = ChildProcess[Order, Reply]

ORDER_DECODER = msgpack.Decoder(Order)
REPLY_CODEC = frame_codec(msgpack.Decoder(Reply), LONGEST)


def failed(number: int, kind: str, message: str, details: str) -> Failed:
    """Return a fault with its texts truncated to fit into a frame."""
    texts = (_sendable(text[:MOST_TEXT]) for text in (message, details))
    return Failed(number, kind, *texts)


def _sendable(text: str) -> str:
    # Texts of exceptions can have lone surrogates, which UTF-8 cannot.
    return text.encode("utf-8", "replace").decode()
