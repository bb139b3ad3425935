"""Python's automatic collections of garbage, paused while a search runs."""

import gc
from types import TracebackType

# Number of iterations of a search after which it has new objects collected.
INTERVAL = 500


class CollectionPause:
    """A context in which no automatic collections run.

    Trees and states have no reference cycles: collections would only walk through the growing tree,
    again and again. The rules of a game may make cycles, and other threads as well: call `collect`
    now and then. Who has turned collections off keeps them off.
    """

    def __init__(self) -> None:
        self._is_on = False

    def __enter__(self) -> "CollectionPause":
        # Of searches in several threads the first one to end turns collections on again: then the
        # others are slower, nothing else.
        self._is_on = gc.isenabled()
        gc.disable()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._is_on:
            gc.enable()

    def collect(self) -> None:
        """Collect new objects, if collections would run but for this pause."""
        if self._is_on:
            gc.collect(1)
