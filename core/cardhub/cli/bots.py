"""`cardhub bots`: whom one can play against."""

from collections.abc import Iterator
from typing import Any

import click

from cardhub.bots import BUILT_IN, BotEntry
from cardhub.cli.listing import print_json, print_table
from cardhub.cli.params import GameType
from cardhub.cli.root import registry_of, warn
from cardhub.plugins.declared import GAMES
from cardhub.plugins.registry import PluginRegistry


@click.command()
@click.argument("game", type=GameType(), required=False, help="The bots for this game only.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def bots(ctx: click.Context, game: str | None, as_json: bool) -> None:
    """List the bots: those for GAME, or all of them."""
    registry = registry_of(ctx)
    found = list(_for_game(registry, game) if game else _all(registry))
    if as_json:
        print_json(found)
    else:
        print_table(
            ("bot", "plays", ""),
            [(f["name"], ", ".join(f["games"] or ["any game"]), _told(f)) for f in found],
        )
    warn(*registry.warnings())


def _for_game(registry: PluginRegistry, game: str) -> Iterator[dict[str, Any]]:
    default = registry.default_bot(game)
    for entry in registry.bots_for(game).values():
        yield _facts(entry, entry.games) | {"default": entry.name == default}


def _all(registry: PluginRegistry) -> Iterator[dict[str, Any]]:
    yield from (_facts(entry, None) for entry in BUILT_IN)
    seen = set(BUILT_IN)
    for plugin in filter(None, (listed.plugin for listed in registry.listed())):
        own = (plugin.declared.name,) if plugin.declared.group == GAMES else None
        for entry in plugin.bots:
            if entry not in seen:
                seen.add(entry)
                yield _facts(entry, entry.games or own)


def _facts(entry: BotEntry, games: tuple[str, ...] | None) -> dict[str, Any]:
    return {
        "name": entry.name,
        "summary": entry.summary,
        "games": list(games) if games is not None else None,
    }


def _told(facts: dict[str, Any]) -> str:
    return str(facts["summary"]) + (
        " (whom you play unless you say otherwise)" if facts.get("default") else ""
    )
