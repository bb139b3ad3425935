"""Bots of a table as plain data, from which another process can create them."""

from collections.abc import Iterator, Mapping
from typing import Any

from msgspec import Struct

from cardhub.bots.processes.launch import processors
from cardhub.model.table.settings import Value
from cardhub.play.referee import Referee
from cardhub.play.seeds import bot_seed
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
    """Return the bots of a table; raises PluginError or OptionError for an unknown one.

    Their generators have the same seeds as in `seated`. Bots over the network are left out.
    """
    seats = dict(_local_bots(referee))
    # Each spec once, by seat: the first unknown one is reported.
    for spec in dict.fromkeys(seats.values()):
        registry.settings_of(spec, referee.game.name)
    return _lineup(referee, registry, seats, advises=False)


def _local_bots(referee: Referee[Any]) -> Iterator[tuple[int, str]]:
    for seat, player in enumerate(referee.players):
        if not player.is_human and player.kind != NETWORK:
            yield seat, player.kind


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
