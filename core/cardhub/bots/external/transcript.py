"""A file that gets all that is said between cardhub and a program, for whoever wrote it."""

from pathlib import Path
from threading import Lock

from cardhub.errors import BotError

TO, FROM, ASIDE = ">", "<", "!"
"""Begin the lines to a program, those from it, and those it writes on stderr."""


class Transcript:
    """Appends lines to a file, or to none if `name` is empty; raises BotError if it cannot."""

    def __init__(self, name: str) -> None:
        self._path = Path(name) if name else None
        self._lock = Lock()
        self.add(TO)

    def add(self, sign: str, *lines: str) -> None:
        """Write lines at once; can be called from any thread."""
        if self._path is None:
            return
        try:
            with (
                self._lock,
                self._path.open("a", encoding="utf-8", errors="backslashreplace") as file,
            ):
                file.writelines(f"{sign} {line}\n" for line in lines)
        except OSError as error:
            raise BotError(f"log {self._path} cannot be written: {error.strerror}") from error
