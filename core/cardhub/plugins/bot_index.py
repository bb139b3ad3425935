"""The bots of a game by name, the parts of a bot, and the levels: `easy`, `medium` and `hard`."""

from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from cardhub.base.errors.quoting import did_you_mean
from cardhub.bots import BUILT_IN, BotEntry, Command, File, Workers
from cardhub.model.game.game import Game
from cardhub.model.hidden.determinize import why_no_determinizations
from cardhub.model.table.settings import Option, Settings
from cardhub.plugins.catalogue import claimed_twice
from cardhub.plugins.discovery import Declaration
from cardhub.plugins.groups import GAMES
from cardhub.plugins.loading import Plugin

# The distribution that contains cardhub's own bots.
OWN = "cardhub"
EASY = "easy"
MEDIUM = "medium"
HARD = "hard"
LEVELS = (EASY, MEDIUM, HARD)

# The default levels of a game: the first spec whose bot plays it.
USUAL: dict[str, tuple[str, ...]] = {
    EASY: ("rule", "ismcts:50"),
    MEDIUM: ("ismcts:300",),
    HARD: ("ismcts:milliseconds=2000",),
}


class BotPart(NamedTuple):
    """A bot with the values of its options; `origin` is its plugin, None for cardhub itself."""

    entry: BotEntry
    settings: Settings
    origin: Declaration | None

    @property
    def looks_at_clock(self) -> bool:
        """Whether, with these settings, its choices depend on the clock."""
        return self.entry.uses_clock(self.settings)

    @property
    def is_shipped(self) -> bool:
        """Whether it is one of cardhub's own bots, and not an external program."""
        if self.origin is not None:
            return self.origin.distribution == OWN
        return not self.command

    @property
    def processes(self) -> int:
        """The number of processes in which it searches."""
        numbers = map(self.settings.number, _names_of(self.entry, Workers))
        return max(numbers, default=1)

    @property
    def files(self) -> list[Path]:
        """The files that it reads, absolute."""
        names = _names_of(self.entry, File)
        return [Path(self.settings.word(name)).absolute() for name in names]

    @property
    def command(self) -> str:
        """The command line of an external program, else an empty string."""
        names = _names_of(self.entry, Command)
        return self.settings.word(names[0]) if names else ""

    @property
    def loads(self) -> list[str]:
        """The command and the files that it loads: code that no plugin contains."""
        return [*filter(None, [self.command]), *map(str, self.files)]


# Thinking time of a level, in milliseconds, from which several processes are worth it.
LONG = 100

# By name, the bots with this name and the origin of each; more than one is a clash.
BotIndex = dict[str, dict[BotEntry, str]]


def levels_of(game: Game[Any], bots: Collection[str]) -> dict[str, str]:
    """Return the spec of each level, weakest first: the game's own, or a default in `bots`."""
    levels = {}
    for level in LEVELS:
        usual = (spec for spec in USUAL[level] if spec.partition(":")[0] in bots)
        spec = game.levels.get(level) or next(usual, None)
        if spec is not None:
            levels[level] = spec
    return levels


def spread(spec: str, entry: BotEntry, settings: Settings, workers: int) -> str:
    """Return the spec of a bot with `workers` processes, if it thinks long by the clock.

    Others stay as they are: with a budget of iterations their choices would depend on the machine.
    """
    names = _names_of(entry, Workers)
    is_long = "milliseconds" in settings and settings.number("milliseconds") >= LONG
    if workers == 1 or not is_long or any(settings.number(name) > 1 for name in names):
        return spec
    return ",".join([spec, *(f"{name}={workers}" for name in names)])


def index_bots(game: str, plugins: Iterable[Plugin]) -> BotIndex:
    """Return the bots of cardhub and of these plugins that play a game, sorted by name."""
    # A plugin may register one entry in both groups: equal entries do not clash.
    index: BotIndex = {entry.name: {entry: "cardhub itself"} for entry in BUILT_IN}
    for origin, entry in _entries(game, plugins):
        index.setdefault(entry.name, {}).setdefault(entry, origin)
    return dict(sorted(index.items()))


def without_search(game: Game[Any], index: BotIndex) -> BotIndex:
    """Return the bots that can play a game: if it has no determinizations, without search bots."""
    if not why_no_determinizations(game):
        return index
    return {
        name: remaining
        for name, entries in index.items()
        if (remaining := {e: o for e, o in entries.items() if not e.needs_determinizations})
    }


def refused_search(name: str, game: Game[Any], plugins: Iterable[Plugin]) -> str:
    """Return why a bot or a level is left out by `without_search`, "" if it is not."""
    why, index = why_no_determinizations(game), index_bots(game.name, plugins)
    is_left_out = name in {*index, *LEVELS} and name not in without_search(game, index)
    return f"bot {name!r} cannot play: {why}" if why and is_left_out else ""


def unambiguous(index: BotIndex) -> dict[str, BotEntry]:
    """Return the bots whose names are unique."""
    return {name: next(iter(entries)) for name, entries in index.items() if len(entries) == 1}


def bot_clashes(index: BotIndex) -> Iterator[str]:
    """Yield a warning for every name that several bots have."""
    for name in index.keys() - unambiguous(index).keys():
        yield _clash(name, index)


def missing_bot(
    name: str, game: str, index: BotIndex, plugins: Iterable[Plugin], levels: Collection[str]
) -> str:
    """Return the error message for a name without a usable bot, with the known names."""
    if name in index:
        return _clash(name, index)
    known = ", ".join(unambiguous(index)) + (f"; levels: {', '.join(levels)}" if levels else "")
    # The name of a bot for another game is a frequent mistake.
    others = {n for p in plugins for bot in p.bots if bot.name == name for n in _games(p, bot)}
    if others:
        return (
            f"bot {name!r} plays {', '.join(sorted(others))}, not {game}. Bots for {game}: {known}"
        )
    return f"unknown bot {name!r}.{did_you_mean(name, [*index, *levels])} Bots for {game}: {known}"


def _names_of(entry: BotEntry, kind: type[Option]) -> list[str]:
    """Return the names of a bot's options of a kind."""
    return [name for name, option in entry.options.items() if isinstance(option, kind)]


def _clash(name: str, index: BotIndex) -> str:
    return claimed_twice(f"bot {name!r}", index[name].values())


def _entries(game: str, plugins: Iterable[Plugin]) -> Iterator[tuple[str, BotEntry]]:
    for plugin in plugins:
        for entry in plugin.bots:
            if entry.games is None or game in entry.games:
                yield str(plugin.declared), entry


def _games(plugin: Plugin, entry: BotEntry) -> tuple[str, ...]:
    if entry.games is not None:
        return entry.games
    return (plugin.declared.name,) if plugin.declared.group == GAMES else ()
