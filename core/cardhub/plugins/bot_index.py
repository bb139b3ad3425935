"""The bots of a game by name, the parts of a bot, and the names that stand for bots.

These are the levels from `beginner` to `expert`, and the adviser.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import replace
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from cardhub.base.errors.quoting import did_you_mean
from cardhub.bots import BUILT_IN, FILE, TEAM, BotEntry, Command, File, Workers
from cardhub.model.game.game import Game
from cardhub.model.hidden.determinize import why_no_determinizations
from cardhub.model.table.settings import Option, Settings
from cardhub.plugins.catalogue import claimed_twice, full_names, ignored
from cardhub.plugins.discovery import Declaration
from cardhub.plugins.groups import GAMES, OWN
from cardhub.plugins.loading import Plugin

BEGINNER = "beginner"
EASY = "easy"
MEDIUM = "medium"
HARD = "hard"
# Only games that name a bot for it have this level.
EXPERT = "expert"
LEVELS = (BEGINNER, EASY, MEDIUM, HARD, EXPERT)
# The bot that gives hints. It searches by the clock, because a person waits for it; levels do not.
ADVISER = "adviser"
# Names that stand for another bot in each game.
STAND_INS = (*LEVELS, ADVISER)
# Names that no bot of a plugin can have, in any game.
RESERVED = frozenset({*STAND_INS, *(bot.name for bot in BUILT_IN)})

# What these names usually stand for: the spec of the first bot here that plays the game. Levels
# count iterations, because a level has to be equally strong on every machine.
USUAL: dict[str, dict[str, str]] = {
    BEGINNER: {"rule": "hasty:25,player=rule", "ismcts": "hasty:25,player=ismcts:50"},
    EASY: {"rule": "rule", "ismcts": "ismcts:50"},
    MEDIUM: {"ismcts": "ismcts:300"},
    HARD: {"ismcts": "ismcts:1000"},
    ADVISER: {"ismcts": "ismcts:milliseconds=2000"},
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
        """Whether it is one of cardhub's own bots, and no external program, Python file or team."""
        if self.origin is not None:
            return self.origin.is_own
        return not self.command and self.entry not in (FILE, TEAM)

    @property
    def is_python_file(self) -> bool:
        """Whether it is a class in a Python file."""
        return self.origin is None and self.entry == FILE

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


class BotIndex:
    """The bots of cardhub and of plugins that play a game, by name.

    A name belongs to cardhub and its own plugins; or else to the game's own plugin; or else to the
    plugin that claims it, unless several do. A bot of another plugin has a second name, with the
    distribution: `cardhub-mau/careful`. `plugins`: the game's own plugin first.
    """

    def __init__(self, game: str, plugins: Iterable[Plugin]) -> None:
        # A plugin may register one entry in both groups: equal entries do not clash.
        ranked: dict[str, dict[BotEntry, tuple[int, Declaration | None]]] = {}
        for entry, declared in chain(((bot, None) for bot in BUILT_IN), _entries(game, plugins)):
            ranked.setdefault(entry.name, {}).setdefault(entry, (_rank(declared), declared))
        self._ignored: list[str] = []
        self._claims: dict[str, dict[BotEntry, Declaration | None]] = {}
        for name, claims in sorted(ranked.items()):
            best = min(rank for rank, _ in claims.values())
            is_taken = name in STAND_INS
            owner = "the levels" if is_taken else (OWN, f"the game {game!r}", "")[best]
            lost = [d for rank, d in claims.values() if rank > best or is_taken]
            if lost:
                self._ignored.append(ignored(f"bot {name!r}", lost, owner))
            if not is_taken:
                self._claims[name] = {e: d for e, (rank, d) in claims.items() if rank == best}
        self._full = dict(self._with_distribution())

    def __contains__(self, name: object) -> bool:
        """Return whether a bot has this name."""
        return name in self._claims or name in self._full

    def __iter__(self) -> Iterator[str]:
        """Yield the names of the bots, sorted; also names that several bots have."""
        return iter(self._claims)

    def remove(self, is_unfit: Callable[[BotEntry], bool]) -> None:
        """Remove the bots that cannot play the game."""
        self._claims = {
            name: remaining
            for name, claims in self._claims.items()
            if (remaining := {e: d for e, d in claims.items() if not is_unfit(e)})
        }
        self._full = dict(self._with_distribution())

    def entries(self) -> dict[str, BotEntry]:
        """Return the bots by the shortest names that are unique."""
        entries = {}
        for name, claims in self._claims.items():
            if len(claims) == 1:
                entries[name] = next(iter(claims))
            else:
                plugins = filter(None, claims.values())
                full = full_names(name, list(plugins))
                entries |= {long: entry for long in full if (entry := self.find(long))}
        return entries

    def find(self, name: str) -> BotEntry | None:
        """Return the bot of a name that is unique, with or without its distribution."""
        if name in self._full:
            # A spec is made of the entry's name: it has to name the same bot again.
            return replace(self._full[name][0], name=name)
        claims = self._claims.get(name, {})
        return next(iter(claims)) if len(claims) == 1 else None

    def origin(self, name: str) -> Declaration | None:
        """Return the plugin of a bot, or None for a bot of cardhub itself."""
        if name in self._full:
            return self._full[name][1]
        return next(iter(self._claims[name].values()))

    def clash(self, name: str) -> str:
        """Return the error message for a name that several bots have, else an empty text."""
        claims = filter(None, self._claims.get(name, {}).values())
        plugins = list(claims)
        return claimed_twice("bot", name, plugins) if len(plugins) > 1 else ""

    def warnings(self) -> list[str]:
        """Return a warning for every name that several plugins claim, sorted."""
        return sorted([*self._ignored, *filter(None, map(self.clash, self._claims))])

    def _with_distribution(self) -> Iterator[tuple[str, tuple[BotEntry, Declaration]]]:
        """Yield the bots of other plugins by their names with the distribution."""
        for name, claims in self._claims.items():
            others = {e: d for e, d in claims.items() if d is not None and not d.is_own}
            if full_names(name, list(others.values())):
                for entry, declared in others.items():
                    yield declared.full_name_of(name), (entry, declared)


def levels_of(game: Game[Any], has_bot: Callable[[str], bool]) -> dict[str, str]:
    """Return the spec of each level, weakest first: the game's own, or a default.

    `has_bot` returns whether the game has a bot of a name; it is called only for defaults.
    """
    levels = {}
    for level in LEVELS:
        if spec := game.levels.get(level) or usual_spec(level, has_bot):
            levels[level] = spec
    # The default beginner is weaker than the default bot of `easy`, but perhaps not than others.
    if EASY in game.levels and BEGINNER not in game.levels:
        levels.pop(BEGINNER, None)
    return levels


def usual_spec(name: str, has_bot: Callable[[str], bool]) -> str:
    """Return the spec that a level or the adviser usually stands for, or an empty text."""
    return next((spec for bot, spec in USUAL.get(name, {}).items() if has_bot(bot)), "")


def spread(spec: str, entry: BotEntry, settings: Settings, workers: int) -> str:
    """Return the spec of a bot with `workers` processes, if it thinks long by the clock.

    Others stay as they are: with a budget of iterations their choices would depend on the machine.
    """
    names = _names_of(entry, Workers)
    is_long = "milliseconds" in settings and settings.number("milliseconds") >= LONG
    if workers == 1 or not is_long or any(settings.number(name) > 1 for name in names):
        return spec
    return ",".join([spec, *(f"{name}={workers}" for name in names)])


def refused_bot(name: str, game: Game[Any], plugins: Iterable[Plugin]) -> str:
    """Return why a game cannot have a bot or level because of what it lacks, "" if it can."""
    why, index = why_no_determinizations(game), BotIndex(game.name, plugins)
    is_known = name in index or name in STAND_INS
    if not game.networks:
        index.remove(needs_networks)
        if name == EXPERT or (is_known and name not in (*STAND_INS, *index)):
            return (
                f"bot {name!r} cannot play: {game.name} ships no network. "
                f"fix: cardhub train {game.name}, and net:FILE"
            )
    index.remove(needs_determinizations)
    return f"bot {name!r} cannot play: {why}" if why and is_known and name not in index else ""


def needs_determinizations(entry: BotEntry) -> bool:
    """Return whether a bot can play only games with determinizations."""
    return entry.needs_determinizations


def needs_networks(entry: BotEntry) -> bool:
    """Return whether a bot can play only games that ship networks."""
    return entry.needs_networks


def missing_bot(
    name: str, game: str, index: BotIndex, plugins: Iterable[Plugin], levels: Collection[str]
) -> str:
    """Return the error message for a name without a usable bot, with the known names."""
    if name in index:
        return index.clash(name)
    known = ", ".join(index.entries()) + (f"; levels: {', '.join(levels)}" if levels else "")
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


def _entries(game: str, plugins: Iterable[Plugin]) -> Iterator[tuple[BotEntry, Declaration]]:
    for plugin in plugins:
        for entry in plugin.bots:
            if entry.plays(game):
                yield entry, plugin.declared


def _rank(declared: Declaration | None) -> int:
    """Return 0 for cardhub and its plugins, 1 for the game's own plugin, and 2 for any other."""
    if declared is None or declared.is_own:
        return 0
    return 1 if declared.group == GAMES else 2


def _games(plugin: Plugin, entry: BotEntry) -> tuple[str, ...]:
    if entry.games is not None:
        return entry.games
    return (plugin.declared.name,) if plugin.declared.group == GAMES else ()
