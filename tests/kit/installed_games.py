"""The installed games, by what they can be used for."""

from cardhub.plugins.registry import find_plugins


def names_for_arrays() -> tuple[str, ...]:
    """Return the names of games without secrets other than cards.

    Only these have arrays and trees, and records for one viewer.
    """
    plugins = find_plugins()
    names = plugins.game_names()
    return tuple(name for name in names if not plugins.game(name).state_type.views_field)
