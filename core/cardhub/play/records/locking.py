"""One program at a time for each record, and for whatever else is written line by line."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from cardhub.errors import RecordError

if sys.platform != "win32":
    import fcntl


BUSY = "this game is being played in another terminal; leave it there first"


@contextmanager
def reserve(path: Path, busy: str = BUSY) -> Iterator[None]:
    """Keep a file to oneself; raises RecordError, saying `busy`, if another program has it.

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
            raise RecordError(f"{path}: {busy}") from None
        except OSError:
            pass  # some network drives cannot lock
        yield
