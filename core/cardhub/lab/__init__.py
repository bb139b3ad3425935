"""Many games and what they prove: matches, statistics, reviews, reports and studies.

`from cardhub.lab import run_match, read_match` is public; the modules inside may move.
"""

from typing import TYPE_CHECKING

from cardhub.base.lazy_names import lazy_names

if TYPE_CHECKING:
    from cardhub.lab.api import *  # noqa: F403  # all names of api.__all__
    from cardhub.lab.api import __all__ as __all__
else:
    __getattr__, __dir__ = lazy_names(__name__, "cardhub.lab.api")
