"""`cardhub plugins`: what is installed, and whether it works."""

from typing import Any

import click

from cardhub.cli.listing import print_json, print_table
from cardhub.cli.root import registry_of, warn
from cardhub.plugins.registry import Listed


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def plugins(ctx: click.Context, as_json: bool) -> None:
    """List the plugins, and what is wrong with them."""
    listed = registry_of(ctx).listed()
    facts = [_facts(each) for each in listed]
    if as_json:
        print_json(facts)
        return
    print_table(("plugin", "from", "group", "offers"), [_row(each) for each in facts])
    warn(*dict.fromkeys(each.error for each in listed if each.error))


def _facts(listed: Listed) -> dict[str, Any]:
    declared, plugin = listed.declared, listed.plugin
    return {
        "name": declared.name,
        "group": declared.group,
        "value": declared.value,
        "from": declared.distribution,
        "version": declared.version,
        "hooks": list(plugin.hooks) if plugin else [],
        "games": [game.name for game in plugin.games] if plugin else [],
        "bots": [bot.name for bot in plugin.bots] if plugin else [],
        "error": listed.error or None,
    }


def _row(facts: dict[str, Any]) -> tuple[str, str, str, str]:
    offers = [f"{key} {', '.join(facts[key])}" for key in ("games", "bots", "hooks") if facts[key]]
    told = "BROKEN" if facts["error"] else "; ".join(offers)
    return facts["name"], f"{facts['from']} {facts['version']}", facts["group"], told
