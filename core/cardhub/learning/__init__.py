"""Games for the learners of other libraries: arrays, environments and trained models.

`from cardhub.learning import Layout, vector_env, League, save` is public; the modules inside may
move. Environments of one interface are in `cardhub.gymnasium` and `cardhub.pettingzoo`.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from cardhub.learning.api import *  # noqa: F403  # all names of api.__all__


def __getattr__(name: str) -> Any:
    # Imported on first use, because numpy loads slowly and not every module here needs it.
    import cardhub.learning.api as api

    if name not in ("__all__", *api.__all__):
        raise AttributeError(f"module 'cardhub.learning' has no attribute {name!r}")
    return globals().setdefault(name, getattr(api, name))
