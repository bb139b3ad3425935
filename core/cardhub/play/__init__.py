"""One game from its setup to its record and replay, at one computer.

`from cardhub.play import Table, play_game, read_game` is public; the modules inside may move.
"""

from typing import TYPE_CHECKING

from cardhub.base.lazy_names import lazy_names

if TYPE_CHECKING:
    from cardhub.play.api import *  # noqa: F403  # all names of api.__all__
    from cardhub.play.api import __all__ as __all__
else:
    __getattr__, __dir__ = lazy_names(__name__, "cardhub.play.api")
