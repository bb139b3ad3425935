"""cardhub: card games for the terminal, for plugin authors and for bots.

Everything a game needs is here; `from cardhub import Game, State, shared, per_seat, ...`.
"""

from typing import TYPE_CHECKING

from cardhub.base.native import install_finder

# Before anything else is imported: compiled modules take the place of their sources.
install_finder()

from cardhub.base.lazy_names import lazy_names  # noqa: E402  # after install_finder

if TYPE_CHECKING:
    from cardhub.api import *  # noqa: F403  # all names of api.__all__
    from cardhub.api import __all__ as __all__

    __version__: str
else:
    # Most of the start-up time of `cardhub --help` would be the imports of these names.
    __getattr__, __dir__ = lazy_names(__name__, "cardhub.api", distribution="cardhub")
