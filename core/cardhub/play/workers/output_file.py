"""The file for what the bots of a process print, of which a team gets the beginning by game."""

import os
import weakref
from tempfile import TemporaryFile

from cardhub.bots.external.program import CUT_OFF, MOST_REMARKS


class OutputFile:
    """A file without a name, to which a process writes; `take` empties it.

    It is a file and no pipe, because everything is there as soon as the process has written it.
    """

    def __init__(self) -> None:
        with TemporaryFile() as file:
            self._number = os.dup(file.fileno())
        weakref.finalize(self, os.close, self._number)

    def fileno(self) -> int:
        """Return the number of the open file."""
        return self._number

    def take(self) -> str:
        """Return what was written since the last call, up to MOST_REMARKS bytes."""
        os.lseek(self._number, 0, os.SEEK_SET)
        data = os.read(self._number, MOST_REMARKS + 1)
        # The process shares the position, and goes on writing at the beginning.
        os.lseek(self._number, 0, os.SEEK_SET)
        os.ftruncate(self._number, 0)
        text = data[:MOST_REMARKS].decode("utf-8", "replace")
        return text + CUT_OFF if len(data) > MOST_REMARKS else text
