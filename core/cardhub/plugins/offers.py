"""Which bots there are for a game."""

from collections.abc import Collection, Iterable, Iterator

from cardhub.bots import BUILT_IN, BotEntry
from cardhub.plugins.declared import GAMES
from cardhub.plugins.loading import Plugin
from cardhub.suggest import did_you_mean

Offers = dict[str, dict[BotEntry, str]]
"""By name, the bots so called and where each comes from; more than one is a clash."""


def offers_for(game: str, plugins: Iterable[Plugin]) -> Offers:
    """Return the bots for a game that the core and these plugins offer, sorted by name."""
    found: Offers = {entry.name: {entry: "cardhub itself"} for entry in BUILT_IN}
    for origin, entry in _entries(game, plugins):
        found.setdefault(entry.name, {}).setdefault(entry, origin)
    return dict(sorted(found.items()))


def unambiguous(offers: Offers) -> dict[str, BotEntry]:
    """Return the bots whose names no other bot has."""
    return {name: next(iter(entries)) for name, entries in offers.items() if len(entries) == 1}


def clashes(offers: Offers) -> Iterator[str]:
    """Yield a warning for every name that more than one bot has."""
    for name in offers.keys() - unambiguous(offers).keys():
        yield _clash(name, offers)


def refuse(
    name: str, game: str, offers: Offers, plugins: Iterable[Plugin], levels: Collection[str]
) -> str:
    """Return why no bot of this name can be had, and which bots and levels can."""
    if name in offers:
        return _clash(name, offers)
    known = ", ".join(unambiguous(offers)) + (f"; levels: {', '.join(levels)}" if levels else "")
    others = {n for p in plugins for bot in p.bots if bot.name == name for n in _games(p, bot)}
    if others:
        return (
            f"bot {name!r} plays {', '.join(sorted(others))}, not {game}. Bots for {game}: {known}"
        )
    return f"unknown bot {name!r}.{did_you_mean(name, [*offers, *levels])} Bots for {game}: {known}"


def _clash(name: str, offers: Offers) -> str:
    return f"bot {name!r} is claimed twice: by {' and by '.join(offers[name].values())}"


def _entries(game: str, plugins: Iterable[Plugin]) -> Iterator[tuple[str, BotEntry]]:
    for plugin in plugins:
        for entry in plugin.bots:
            if entry.games is None or game in entry.games:
                yield str(plugin.declared), entry


def _games(plugin: Plugin, entry: BotEntry) -> tuple[str, ...]:
    """Return the games a bot plays; a game's own bots need not say so."""
    if entry.games is not None:
        return entry.games
    return (plugin.declared.name,) if plugin.declared.group == GAMES else ()
