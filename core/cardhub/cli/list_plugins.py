"""`cardhub plugins` and `cardhub themes`: the objects that plugins register, and errors."""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import click

from cardhub.base.errors import PluginError
from cardhub.base.native.finder import build_status, read_manifest
from cardhub.base.native.folder import build_folder
from cardhub.cli.console import echo
from cardhub.cli.output import print_json, print_table
from cardhub.cli.params import AS_JSON
from cardhub.cli.plugin_commands import commands_of, find_commands
from cardhub.cli.root import own_commands, registry_of, warn
from cardhub.plugins.groups import COMMANDS_HOOK, GAMES
from cardhub.plugins.hookspecs import HOOKS
from cardhub.plugins.loading import Plugin
from cardhub.plugins.registry import PluginRegistry, PluginStatus
from cardhub.tui.palette import built_in

# The kinds of registered objects, in the order of the listing.
KINDS = tuple(f"{hook.noun}s" for hook in HOOKS.values())


@click.command()
@AS_JSON
@click.pass_context
def plugins(ctx: click.Context, as_json: bool) -> None:
    """List the plugins with their contents and their errors.

    Plugins register games, bots, commands, themes and formats. Errors, with file and line, and
    names that two plugins claim are written to standard error.
    """
    registry = registry_of(ctx)
    rows = [_facts(registry, listed) for listed in registry.listed()]
    if as_json:
        print_json(rows)
    else:
        print_table(("plugin", "from", "runs", "brings"), [_row(facts) for facts in rows])
        _print_build()
    errors = [facts["error"] for facts in rows if facts["error"]]
    # A failure in register_commands is reported twice: by the listing and by find_commands.
    warn(*dict.fromkeys([*errors, *_clashes(registry, ctx)]))


def _print_build() -> None:
    """Print where compiled modules are, and which compiled games have no rules in C."""
    folder = build_folder()
    manifest = read_manifest(folder) if folder is not None else None
    if manifest is None:
        return
    echo(f"compiled modules: {folder}")
    for game, why in sorted(manifest.rules.items()):
        if why:
            echo(f"not in C: {game}: {why}")


def _facts(registry: PluginRegistry, listed: PluginStatus) -> dict[str, Any]:
    declared, plugin = listed.declared, listed.plugin
    names, fault = _registered(plugin) if plugin else ({kind: [] for kind in KINDS}, "")
    return {
        "name": declared.name,
        "group": declared.group,
        "value": declared.value,
        "from": declared.distribution,
        "version": declared.version,
        "hooks": list(plugin.hooks) if plugin else [],
        "runs": build_status(registry.name_of(declared)) if declared.group == GAMES else "",
        **names,
        "error": listed.error or fault or None,
    }


def _registered(plugin: Plugin) -> tuple[dict[str, list[str]], str]:
    """Return a dict of names by kind of object, and the exception of the commands as a string."""
    commands, fault = _commands(plugin)
    names = {
        kind: [item.name for item in getattr(plugin, hook.attribute)] if hook.item else commands
        for kind, hook in zip(KINDS, HOOKS.values(), strict=True)
    }
    return names, fault


def _commands(plugin: Plugin) -> tuple[list[str], str]:
    if COMMANDS_HOOK not in plugin.hooks:
        return [], ""
    try:
        return [command.name for command in commands_of(plugin)], ""
    except PluginError as error:
        return [], str(error)


def _clashes(registry: PluginRegistry, ctx: click.Context) -> Iterator[str]:
    for game in registry.game_names():
        with suppress(PluginError):  # the error is in the listing
            yield from registry.bot_clashes(game)
    # Loading the commands again is cheap: the plugins are imported already.
    yield from find_commands(registry, own_commands(ctx))[1]
    if any(plugin.themes for plugin in registry.common_plugins("register_themes")):
        yield from registry.themes(built_in()).clashes()  # imports Textual
    yield from registry.exporters().clashes()


def _row(facts: dict[str, Any]) -> tuple[str, str, str, str]:
    registered = "; ".join(f"{kind} {', '.join(facts[kind])}" for kind in KINDS if facts[kind])
    brings = "BROKEN" if facts["error"] else registered
    return facts["name"], _origin(facts), facts["runs"], brings


def _origin(facts: dict[str, Any]) -> str:
    return f"{facts['from']} {facts['version']}".rstrip()


@click.command()
@AS_JSON
@click.pass_context
def themes(ctx: click.Context, as_json: bool) -> None:
    """List the colour themes of the terminal interface.

    Choose one with `cardhub play --theme`, or for all games with CARDHUB_THEME.
    """
    known = built_in()
    catalogue = registry_of(ctx).themes(known)
    facts = [_theme_facts(name, is_dark, "Textual") for name, is_dark in known.items()]
    for theme, declared in catalogue:
        origin = declared.distribution, declared.version, theme.summary
        facts.append(_theme_facts(theme.name, theme.is_dark, *origin))
    if as_json:
        print_json(facts)
    else:
        kinds = {True: "dark", False: "light"}
        rows = [(f["name"], kinds[f["dark"]], _origin(f), f["summary"]) for f in facts]
        print_table(("theme", "", "from", ""), rows)
    warn(*registry_of(ctx).warnings(), *catalogue.clashes())


def _theme_facts(
    name: str, is_dark: bool, origin: str, version: str = "", summary: str = ""
) -> dict[str, Any]:
    return {"name": name, "dark": is_dark, "from": origin, "version": version, "summary": summary}
