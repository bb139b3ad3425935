"""`cardhub bot list`: the bots, their options, and the levels."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import click

from cardhub.base.errors import PluginError
from cardhub.bots import BUILT_IN, BotEntry
from cardhub.bots.bot import is_among
from cardhub.cli.console import echo
from cardhub.cli.output import print_json, print_table
from cardhub.cli.params import AS_JSON, GAME
from cardhub.cli.root import registry_of, warn
from cardhub.model.game.game import Game
from cardhub.model.table.settings import format_value
from cardhub.plugins.bot_index import LEVELS, RESERVED
from cardhub.plugins.groups import GAMES
from cardhub.plugins.level_texts import describe_levels
from cardhub.plugins.registry import PluginRegistry


@dataclass(slots=True)
class Opponents:
    """The default opponent and the levels of each game, and the errors of broken games."""

    defaults: dict[str, str] = field(default_factory=dict)
    levels: dict[str, dict[str, str]] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)

    def games_by_default(self, bot: BotEntry) -> list[str]:
        """Return the games in which a bot is the default opponent."""
        return [
            game
            for game, default in self.defaults.items()
            if bot.name == default and is_among(game, bot.games)
        ]


@click.command("list")
@click.argument("game", type=GAME, required=False, help="List only the bots for this game.")
@AS_JSON
@click.pass_context
def list_bots(ctx: click.Context, game: str | None, as_json: bool) -> None:
    """List the bots, their options and the levels.

    With GAME, only the bots that play it. A level can be used in place of a bot.
    """
    registry = registry_of(ctx)
    bots = list(registry.bots_for(game).values()) if game else _all_bots(registry)
    opponents = _opponents(registry, [game] if game else registry.game_names())
    if as_json:
        facts = [_facts(bot, opponents) for bot in bots]
        levels = {"levels": opponents.levels, "default": opponents.defaults}
        print_json({"bots": facts} | levels)
    else:
        _print_bots(bots, opponents, game)
        _print_options(bots)
        if game is None:
            _print_levels(opponents)
        elif specs := opponents.levels.get(game):
            _print_opponents(opponents, registry.game(game), specs)
    warn(*dict.fromkeys([*registry.warnings(), *opponents.problems]))


def _all_bots(registry: PluginRegistry) -> list[BotEntry]:
    """Return all bots, each with the games that it plays, None for any game."""
    # By the entry itself: a module in both entry-point groups registers each bot twice.
    listed_bots = {entry: replace(entry, games=None) for entry in BUILT_IN}
    plugins = [listed.plugin for listed in registry.listed() if listed.plugin]
    guests = Counter(e.name for p in plugins if p.declared.is_guest for e in p.bots)
    for plugin in plugins:
        declared = plugin.declared
        own = (registry.name_of(declared),) if declared.group == GAMES else None
        for entry in plugin.bots:
            if not declared.is_own and entry.name in RESERVED:
                continue  # it is not played; `bot_clashes` warns
            if declared.is_guest and guests[entry.name] > 1:
                named = replace(entry, name=declared.full_name_of(entry.name))
                listed_bots[named] = named
            else:
                listed_bots.setdefault(entry, replace(entry, games=entry.games or own))
    return list(listed_bots.values())


def _opponents(registry: PluginRegistry, games: list[str]) -> Opponents:
    opponents = Opponents()
    for game in games:
        try:
            opponents.defaults[game] = registry.default_bot(game)
            opponents.levels[game] = registry.levels(game)
            opponents.problems += registry.bot_clashes(game)
        except PluginError as error:
            opponents.problems.append(str(error))
    return opponents


def _print_bots(bots: Sequence[BotEntry], opponents: Opponents, game: str | None) -> None:
    rows = []
    for bot in bots:
        mark = _mark(opponents.games_by_default(bot), bot.games or (), game)
        plays = ", ".join(bot.games or ["any game"])
        rows.append((bot.name, plays, bot.summary + mark))
    print_table(("bot", "plays", ""), rows)


def _print_options(entries: Sequence[BotEntry]) -> None:
    rows = [
        (entry.name, name, format_value(option.default), f"{option.help} ({option.describe(0)})")
        for entry in entries
        for name, option in entry.options.items()
    ]
    if rows:
        echo()
        print_table(("bot", "option", "default", "set with BOT:OPTION=VALUE,OPTION=VALUE"), rows)


def _print_opponents(opponents: Opponents, game: Game[Any], specs: Mapping[str, str]) -> None:
    texts, default = describe_levels(game, specs), opponents.defaults[game.name]
    marks = {default: _mark([game.name], [game.name], game.name)}
    rows = [(level, spec, texts[level] + marks.get(level, "")) for level, spec in specs.items()]
    echo()
    print_table(("level", "stands for", ""), rows)


def _print_levels(opponents: Opponents) -> None:
    # Most games share the bots of their levels: one row for all of them.
    games_of: dict[tuple[str, str], list[str]] = {}
    for name, specs in opponents.levels.items():
        for level_and_spec in specs.items():
            games_of.setdefault(level_and_spec, []).append(name)
    rows = []
    for (level, spec), games in sorted(games_of.items(), key=lambda row: LEVELS.index(row[0][0])):
        default_for = [name for name in games if opponents.defaults[name] == level]
        where = ["any game"] if len(games) == len(opponents.levels) > 1 else games
        rows.append((level, spec, ", ".join(where) + _mark(default_for, games, None)))
    if rows:
        echo()
        print_table(("level", "stands for", "in"), rows)


def _mark(default_for: Sequence[str], games: Sequence[str], game: str | None) -> str:
    """Return a mark for default opponents; it names the games if they are not all of `games`."""
    if not default_for:
        return ""
    is_everywhere = game or list(default_for) == list(games)
    where = "" if is_everywhere else f" in {', '.join(default_for)}"
    return f" (the default opponent{where})"


def _facts(bot: BotEntry, opponents: Opponents) -> Mapping[str, Any]:
    return {
        "name": bot.name,
        "summary": bot.summary,
        "games": list(bot.games) if bot.games is not None else None,
        "default_for": opponents.games_by_default(bot),
        "options": [
            {"name": name, "default": o.default, "values": o.describe(0), "help": o.help}
            for name, o in bot.options.items()
        ],
    }
