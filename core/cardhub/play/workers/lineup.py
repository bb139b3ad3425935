"""Bots of a table as plain data, from which another process can create them."""

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from cardhub.bots.asking import advise
from cardhub.bots.bot import Bot, Rated
from cardhub.bots.processes.launch import processors
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Value
from cardhub.play.referee import Referee
from cardhub.play.seeds import bot_seed
from cardhub.play.setup import close, close_bots
from cardhub.plugins.registry import PluginRegistry

# The kind of a player whose bot is a program on another machine, connected over the network.
NETWORK = "network"
# Maximum number of processes of a level's search: further ones gain less and less.
MOST_SEARCH_WORKERS = 4


@dataclass(frozen=True, slots=True)
class Lineup:
    """The bots of a game by seat: specs and seeds of their generators, never the game's own seed.

    With `advises` they rate a seat's actions and are created for each question; else they choose
    actions and last for a game. `seats` and `options`: the table's, or None and empty if they are
    unknown; then bots that need time to load do so for the game's default table.
    """

    directories: tuple[Path, ...]
    game: str
    specs: Mapping[int, str]
    seeds: Mapping[int, str]
    advises: bool = False
    seats: int | None = None
    options: Mapping[str, Value] = field(default_factory=dict)


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


def ask_adviser(
    lineup: Lineup, registry: PluginRegistry, observation: Observation[Any]
) -> list[Rated]:
    """Return an adviser's ratings, synchronously; raises PluginError, OptionError or BotError."""
    with LineupBots(lineup, registry).bot_for(observation) as bot:
        return advise(bot, observation)


class LineupBots:
    """The bots of a lineup, each created for its first question.

    A level's search has up to `workers` processes.
    """

    def __init__(self, lineup: Lineup, registry: PluginRegistry, workers: int = 1) -> None:
        self._lineup = lineup
        self._registry = registry
        self._workers = workers
        self.game: Game[Any] = self._registry.game(lineup.game)
        self._bots: dict[int, Bot] = {}

    @property
    def lineup(self) -> Lineup:
        """The lineup as it is now."""
        return self._lineup

    @property
    def advises(self) -> bool:
        """Whether the bots rate actions instead of choosing one."""
        return self._lineup.advises

    @contextmanager
    def bot_for(self, observation: Observation[Any]) -> Iterator[Bot]:
        """Yield the bot for an observation; raises PluginError, OptionError or BotError."""
        seat = observation.seat
        if self._lineup.advises:
            # A position gets the same ratings after any earlier questions.
            self._bots[seat] = self._make(seat, f" {len(observation.history)}")
        elif seat not in self._bots:
            self._bots[seat] = self._make(seat)
        try:
            yield self._bots[seat]
        finally:
            if self._lineup.advises:
                close(self._bots.pop(seat))

    def reseat(self, lineup: Lineup) -> None:
        """Continue with another lineup of the game; unchanged seats keep their bots.

        Raises BotFaultError if the bot of another seat cannot be closed.
        """
        old, self._lineup = self._lineup, lineup
        kept = {s for s in self._bots if _bot_of(old, s) == _bot_of(lineup, s)}
        gone = [self._bots.pop(seat) for seat in list(self._bots) if seat not in kept]
        close_bots(gone)

    def prepare(self, seat: int) -> None:
        """Create the bot of a seat; raises PluginError, OptionError or BotError."""
        self._bots[seat] = self._make(seat)

    def close(self) -> None:
        """Close all bots; raises BotFaultError."""
        close_bots(self._bots.values())

    def _make(self, seat: int, moment: str = "") -> Bot:
        rng = Random(self._lineup.seeds[seat] + moment)
        game = self._lineup.game
        spec = self._registry.spread(self._lineup.specs[seat], game, self._workers)
        return self._registry.make_bot(spec, game, rng)


def _bot_of(lineup: Lineup, seat: int) -> tuple[str | None, str | None]:
    return lineup.specs.get(seat), lineup.seeds.get(seat)


def _lineup(
    referee: Referee[Any], registry: PluginRegistry, specs: Mapping[int, str], *, advises: bool
) -> Lineup:
    seeds = {seat: bot_seed(referee.seed, seat) for seat in specs}
    seats, options = len(referee.players), dict(referee.settings)
    name = referee.game.name
    return Lineup(registry.directories, name, dict(specs), seeds, advises, seats, options)
