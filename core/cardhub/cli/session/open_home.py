"""`cardhub` alone at a terminal: the home screen."""

import os

import click

from cardhub.cli.params import parse_theme
from cardhub.cli.root import registry_of
from cardhub.cli.session.painter import check_glyphs
from cardhub.play.host.saved.preferences import load_preferences
from cardhub.tui import run_home


def open_home(ctx: click.Context) -> None:
    """Show the home screen until it is left, then exit.

    Lasting settings apply; CARDHUB_THEME wins over their theme. Raises OptionError for a mistake in
    the settings, PluginError for an unknown theme.
    """
    liked = load_preferences()
    name = os.environ.get("CARDHUB_THEME") or liked.theme
    glyphs = check_glyphs(liked.glyphs)
    theme = parse_theme(name) if name else None
    ctx.exit(run_home(registry_of(ctx), liked, glyphs=glyphs, theme=theme))
