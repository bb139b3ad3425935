"""Messages between a table and the process of its bots, as typed data.

A Lineup starts a game, or replaces the lineup of the running one.
Messages from a bot's process are validated as they are decoded, and frames longer than `LONGEST`
are rejected unread.
"""

from typing import TypeAlias

from msgspec import Struct, msgpack

from cardhub.bots.processes.child_process import ChildProcess
from cardhub.bots.processes.python_process import Failed, frame_codec
from cardhub.play.workers.lineup import Lineup

# Maximum size of a frame from a bot's process, in bytes.
LONGEST = 1 << 20


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


Order = Lineup | Prepare | Question | TableQuestion | Hurry | Forget | End
Reply = Ready | Chosen | Advised | Failed

BotChild: TypeAlias = ChildProcess[Order, Reply]

ORDER_DECODER = msgpack.Decoder(Order)
REPLY_CODEC = frame_codec(msgpack.Decoder(Reply), LONGEST)
