"""`cardhub themes`, and the parameter type of `--theme`."""

from typing import Any

import click
from click.shell_completion import CompletionItem

from cardhub.cli.listing import print_json, print_table
from cardhub.cli.root import registry_of, warn
from cardhub.errors import PluginError
from cardhub.plugins.theme import Theme
from cardhub.tui.textual_themes import built_in


class ThemeType(click.ParamType[Theme | str]):
    """A theme by name: converts to a plugin's Theme, or to the name of one of Textual's themes."""

    name = "theme"

    def convert(
        self, value: Theme | str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Theme | str:
        """Return the theme; fail with the list of known themes."""
        known = built_in()
        if isinstance(value, Theme) or value in known:
            return value
        try:
            return registry_of(ctx).themes(known).get(value)[0]
        except PluginError as error:
            self.fail(str(error), param, ctx)

    def shell_complete(
        self, ctx: click.Context, param: click.Parameter, incomplete: str
    ) -> list[CompletionItem]:
        """Return the names of the known themes."""
        names = registry_of(ctx).themes(built_in()).names()
        return [CompletionItem(name) for name in names if name.startswith(incomplete)]


@click.command()
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def themes(ctx: click.Context, as_json: bool) -> None:
    """List the colour themes of the terminal interface.

    Choose one with `cardhub play --theme`, or for all games with CARDHUB_THEME.
    """
    known = built_in()
    catalogue = registry_of(ctx).themes(known)
    facts = [_facts(name, is_dark, "Textual", "", "") for name, is_dark in known.items()]
    facts += [
        _facts(theme.name, theme.is_dark, declared.distribution, declared.version, theme.summary)
        for theme, declared in catalogue
    ]
    if as_json:
        print_json(facts)
    else:
        rows = [
            (f["name"], "dark" if f["dark"] else "light", _origin(f), f["summary"]) for f in facts
        ]
        print_table(("theme", "", "from", ""), rows)
    warn(*registry_of(ctx).warnings(), *catalogue.clashes())


def _facts(name: str, is_dark: bool, origin: str, version: str, summary: str) -> dict[str, Any]:
    return {"name": name, "dark": is_dark, "from": origin, "version": version, "summary": summary}


def _origin(facts: dict[str, Any]) -> str:
    return f"{facts['from']} {facts['version']}".rstrip()
