"""One game from its setup to its record and replay, at one computer.

`from cardhub.play import Table, play_game, read_game` is public; the modules inside may move.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardhub.play.api import *  # noqa: F403  # all names of api.__all__


def __getattr__(name: str) -> Any:
    # Imported on first use, because most modules of this package are imported for one thing only.
    import cardhub.play.api as api

    if name not in ("__all__", *api.__all__):
        raise AttributeError(f"module 'cardhub.play' has no attribute {name!r}")
    return globals().setdefault(name, getattr(api, name))
