"""cardhub: card games for the terminal, for plugin authors and for bots.

Everything a game needs is here; `from cardhub import Game, State, shared, per_seat, ...`.
"""

from typing import TYPE_CHECKING, Any

from cardhub.base.native import install_finder

if TYPE_CHECKING:
    from cardhub.api import *  # noqa: F403  # all names of api.__all__

# Before anything else is imported: compiled modules take the place of their sources.
install_finder()


def __getattr__(name: str) -> Any:
    # Imported on first use: most of the start-up time of `cardhub --help` would be these imports.
    # `from cardhub import api` would look up `api` here, and recur.
    import cardhub.api as api

    if name != "__all__" and name not in api.__all__:
        raise AttributeError(f"module 'cardhub' has no attribute {name!r}")
    return globals().setdefault(name, getattr(api, name))
