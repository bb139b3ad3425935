"""Making environments by the names of games."""

from collections.abc import Mapping
from typing import Any

from pettingzoo.utils import OrderEnforcingWrapper  # type: ignore[import-untyped]  # no marker

from cardhub.adapters.pettingzoo.environment import CardhubEnv
from cardhub.adapters.worth import MARGINS
from cardhub.arrays import Layout
from cardhub.game.game import Game
from cardhub.plugins.discovery import find_plugins
from cardhub.table.settings import Value


def env(game: str | Game[Any], players: int | None = None, **choices: Any) -> Any:
    """Return an environment that complains if it is used before `reset`; see `raw_env`."""
    return OrderEnforcingWrapper(raw_env(game, players, **choices))


def raw_env(
    game: str | Game[Any],
    players: int | None = None,
    options: Mapping[str, Value] | None = None,
    *,
    returns: str = MARGINS,
    render_mode: str | None = None,
    max_actions: int | None = None,
    history: int = 0,
    tokens: bool | None = None,
) -> CardhubEnv:
    """Return an environment for a game, an installed one by its name.

    `players` and `options` are the game's usual ones unless given; `history` and `tokens` say what
    arrays tell, as in `Layout`; the rest is explained at CardhubEnv. Raises PluginError if there is
    no such game, OptionError if anything else cannot be.
    """
    found = find_plugins().game(game) if isinstance(game, str) else game
    layout = Layout(found, players, options, history=history, tokens=tokens)
    return CardhubEnv(layout, returns=returns, render_mode=render_mode, max_actions=max_actions)
