"""Games for the learners of other libraries: arrays, environments and trained models.

`from cardhub.learning import Layout, vector_env, League, save` is public; the modules inside may
move. Environments of one interface are in `cardhub.gymnasium` and `cardhub.pettingzoo`.
"""

from typing import TYPE_CHECKING

from cardhub.base.lazy_names import lazy_names

if TYPE_CHECKING:
    from cardhub.learning.api import *  # noqa: F403  # all names of api.__all__
    from cardhub.learning.api import __all__ as __all__
else:
    __getattr__, __dir__ = lazy_names(__name__, "cardhub.learning.api")
