"""One program at a time for each record."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardhub.errors import RecordError

if sys.platform != "win32":
    import fcntl


@contextmanager
def reserve(path: Path) -> Iterator[None]:
    """Keep a record to oneself; raises RecordError if another program plays on with it.

    The lock goes with the program, however it ends. Where the system has none, nothing is locked.
    """
    if sys.platform == "win32":
        yield
        return
    try:
        file = path.open("rb")
    except OSError as error:
        raise RecordError(f"{path} cannot be read: {error.strerror}") from error
    with file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise RecordError(
                f"{path}: this game is being played in another terminal; leave it there first"
            ) from None
        except OSError:
            pass  # some network drives cannot lock
        yield
