"""`cardhub bot list`: whom one can play against, and what can be set."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from cardhub.bots import BUILT_IN, BotEntry
from cardhub.cli.console import echo
from cardhub.cli.listing import print_json, print_table
from cardhub.cli.params import GameType
from cardhub.cli.root import registry_of, warn
from cardhub.errors import PluginError
from cardhub.plugins.bot_index import LEVELS
from cardhub.plugins.discovery import GAMES
from cardhub.plugins.registry import PluginRegistry
from cardhub.table.settings import format_value

Plays = tuple[BotEntry, tuple[str, ...] | None]
"""A bot, and the games it plays; None if it plays any."""


@click.command("list")
@click.argument("game", type=GameType(), required=False, help="The bots for this game only.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def list_bots(ctx: click.Context, game: str | None, as_json: bool) -> None:
    """List the bots, their options and the levels.

    With GAME, only the bots that play it. A level can be used wherever a bot can.
    """
    registry = registry_of(ctx)
    bots = list(_for_game(registry, game) if game else _all(registry))
    defaults, levels, problems = _opponents(registry, [game] if game else registry.game_names())
    if as_json:
        facts = [_facts(entry, games, defaults) for entry, games in bots]
        print_json({"bots": facts, "levels": levels, "default": defaults})
    else:
        _print_bots(bots, defaults, game)
        _print_options([entry for entry, _ in bots])
        _print_levels(levels, defaults, game)
    warn(*dict.fromkeys([*registry.warnings(), *problems]))


def _for_game(registry: PluginRegistry, game: str) -> Iterator[Plays]:
    return ((entry, entry.games) for entry in registry.bots_for(game).values())


def _all(registry: PluginRegistry) -> Iterator[Plays]:
    yield from ((entry, None) for entry in BUILT_IN)
    seen = set(BUILT_IN)
    for plugin in filter(None, (listed.plugin for listed in registry.listed())):
        own = (plugin.declared.name,) if plugin.declared.group == GAMES else None
        for entry in plugin.bots:
            if entry not in seen:
                seen.add(entry)
                yield entry, entry.games or own


def _opponents(
    registry: PluginRegistry, games: list[str]
) -> tuple[dict[str, str], dict[str, dict[str, str]], list[str]]:
    """Return by game the default opponent and the levels, and what is wrong with any of them."""
    defaults, levels, problems = {}, {}, []
    for game in games:
        try:
            defaults[game] = registry.default_bot(game)
            levels[game] = registry.levels(game)
        except PluginError as error:
            problems.append(str(error))
    return defaults, levels, problems


def _print_bots(bots: list[Plays], defaults: Mapping[str, str], game: str | None) -> None:
    rows = [
        (
            entry.name,
            ", ".join(games or ["any game"]),
            entry.summary + _mark(_default_for(entry, games, defaults), games or (), game),
        )
        for entry, games in bots
    ]
    print_table(("bot", "plays", ""), rows)


def _print_options(entries: list[BotEntry]) -> None:
    rows = [
        (entry.name, name, format_value(option.default), f"{option.help} ({option.describe(0)})")
        for entry in entries
        for name, option in entry.options.items()
    ]
    if rows:
        echo()
        print_table(("bot", "option", "default", "set with BOT:OPTION=VALUE,OPTION=VALUE"), rows)


def _print_levels(
    levels: Mapping[str, Mapping[str, str]], defaults: Mapping[str, str], game: str | None
) -> None:
    meaning: dict[tuple[str, str], list[str]] = {}
    for name, specs in levels.items():
        for level, spec in specs.items():
            meaning.setdefault((level, spec), []).append(name)
    rows = []
    for (level, spec), games in sorted(meaning.items(), key=lambda item: LEVELS.index(item[0][0])):
        default_for = [name for name in games if defaults[name] == level]
        where = ["any game"] if len(games) == len(levels) > 1 else games
        rows.append((level, spec, ", ".join(where) + _mark(default_for, games, game)))
    if rows:
        echo()
        print_table(("level", "stands for", "in"), rows)


def _default_for(
    entry: BotEntry, games: tuple[str, ...] | None, defaults: Mapping[str, str]
) -> list[str]:
    """Return the games in which a bot is the default opponent."""
    return [
        game
        for game, default in defaults.items()
        if entry.name == default and (games is None or game in games)
    ]


def _mark(default_for: Sequence[str], games: Sequence[str], game: str | None) -> str:
    """Return the words that mark a default opponent, with the games if that is not all of them."""
    if not default_for:
        return ""
    is_plain = game or list(default_for) == list(games)
    return " (the default opponent" + ("" if is_plain else f" in {', '.join(default_for)}") + ")"


def _facts(
    entry: BotEntry, games: tuple[str, ...] | None, defaults: Mapping[str, str]
) -> dict[str, Any]:
    return {
        "name": entry.name,
        "summary": entry.summary,
        "games": list(games) if games is not None else None,
        "default_for": _default_for(entry, games, defaults),
        "options": [
            {"name": name, "default": o.default, "values": o.describe(0), "help": o.help}
            for name, o in entry.options.items()
        ],
    }
