"""The tokens of seats that this computer has taken, kept for the next `cardhub join`."""

import json
import os
from collections.abc import Callable
from contextlib import suppress
from hashlib import sha256
from pathlib import Path
from typing import Any

from cardhub.base.files import LimitError, read_within
from cardhub.online.remote.table_address import TableAddress

# The most bytes of a file, and the most names at one table.
MOST, MOST_NAMES = 10_000, 20


class KeptSeats:
    """A file for each table: the tokens by name of the person, the one used last at the end.

    Files are readable by their owner alone: a token is the seat.
    """

    def __init__(self, folder: Path, address: TableAddress) -> None:
        # An address is no file name everywhere, and a folder of them would tell who plays where.
        name = sha256(address.page.encode("utf-8")).hexdigest()[:32]
        self._path = folder / f"{name}.json"
        self._page = address.page

    def token(self, name: str | None) -> str:
        """Return the token of a name, or without one that used last; empty if there is none."""
        tokens = self._tokens()
        if name is not None:
            return tokens.get(name, "")
        return next(reversed(tokens.values()), "")

    def keep(self, name: str, token: str) -> None:
        """Keep the token of a name; raises OSError if it cannot be written."""
        tokens = self._tokens()
        if tokens and next(reversed(tokens.items())) == (name, token):
            return
        tokens.pop(name, None)
        tokens[name] = token
        kept = dict([*tokens.items()][-MOST_NAMES:])
        self._path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        new = self._path.with_suffix(f".{os.getpid()}.new")
        # Never readable by others, not even for a moment: created with its mode.
        with suppress(FileNotFoundError):
            new.unlink()
        with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as file:
            json.dump({"table": self._page, "tokens": kept}, file)
        new.replace(self._path)

    def keep_or_tell(self, name: str, token: str, told: Callable[[str], object]) -> None:
        """Keep the token of a name, or tell why it is not kept."""
        try:
            self.keep(name, token)
        except OSError as error:
            told(f"The seat is not kept for another time: {error.strerror}")

    def _tokens(self) -> dict[str, str]:
        try:
            found: Any = json.loads(read_within(self._path, MOST))
        except (OSError, LimitError, ValueError):
            return {}  # none yet, or damaged: a seat can be taken again by its link
        tokens = found.get("tokens") if isinstance(found, dict) else None
        if not isinstance(tokens, dict):
            return {}
        return {str(name): token for name, token in tokens.items() if isinstance(token, str)}
