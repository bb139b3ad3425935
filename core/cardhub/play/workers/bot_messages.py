"""Messages between a table and the process of its bots, as typed data.

A Lineup has the bots of a table, from which another process can create them. It starts a game, or
replaces the lineup of the running one. Messages from a bot's process are validated as they are
decoded, and frames longer than `LONGEST` are rejected unread.
"""

from collections.abc import Mapping
from typing import Any, TypeAlias

from msgspec import Struct, msgpack

from cardhub.bots.processes.child_process import ChildProcess
from cardhub.bots.processes.launch import processors
from cardhub.bots.processes.python_process import Failed, Hurry, Ready, frame_codec
from cardhub.model.table.settings import Value
from cardhub.play.referee import Referee
from cardhub.play.seeds import bot_seed
from cardhub.plugins.bot_files import check_networks
from cardhub.plugins.registry import PluginRegistry

# The kind of a player whose bot is a program on another machine, connected over the network.
NETWORK = "network"
# Maximum number of processes of a level's search: further ones gain less and less.
MOST_SEARCH_WORKERS = 4


class Lineup(Struct, frozen=True, tag=True):
    """The bots of a game by seat: specs and seeds of their generators, never the game's own seed.

    With `advises` they rate a seat's actions and are created for each question; else they choose
    actions and last for a game. `seats` and `options`: the table's, or None and empty if they are
    unknown; then bots that need time to load do so for the game's default table.
    """

    game: str
    specs: Mapping[int, str]
    seeds: Mapping[int, str]
    advises: bool = False
    seats: int | None = None
    options: Mapping[str, Value] = {}


def search_workers() -> int:
    """Return the number of processes for a level's search at a table of this machine alone."""
    return min(processors(), MOST_SEARCH_WORKERS)


def bots_of(referee: Referee[Any], registry: PluginRegistry) -> Lineup:
    """Return the bots of a table; raises PluginError or OptionError if one cannot play there.

    Their generators have the same seeds as in `seated`. Bots over the network are left out.
    """
    seats = {
        seat: player.kind
        for seat, player in enumerate(referee.players)
        if not player.is_human and player.kind != NETWORK
    }
    # Each spec once, by seat: the first unknown one is reported.
    for spec in dict.fromkeys(seats.values()):
        check_networks(registry, spec, referee.game, len(referee.players), referee.settings)
    return _lineup(referee, registry, seats, advises=False)


def advisers_of(referee: Referee[Any], registry: PluginRegistry, spec: str) -> Lineup:
    """Return the lineup of a bot that gives hints to people; the spec is not checked."""
    seats = {s: spec for s, player in enumerate(referee.players) if player.is_human}
    return _lineup(referee, registry, seats, advises=True)


def _lineup(
    referee: Referee[Any], registry: PluginRegistry, specs: Mapping[int, str], *, advises: bool
) -> Lineup:
    seeds = {seat: bot_seed(referee.seed, seat) for seat in specs}
    seats, options = len(referee.players), dict(referee.settings)
    name = referee.game.name
    return Lineup(name, dict(specs), seeds, advises, seats, options)


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


class End(Struct, tag=True):
    """The end of a game: its bots are closed."""


class Forget(Struct, tag=True):
    """The end of a table among several: its bots are closed."""

    table: int


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
