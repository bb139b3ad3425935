"""What something can be called, so that people can type it."""

import re

_WORD = re.compile(r"\w[\w-]*")


def check_word(what: str, name: object) -> None:
    """Raise ValueError unless `name` is one word that stands well on a command line."""
    if not isinstance(name, str) or not _WORD.fullmatch(name):
        raise ValueError(
            f"a {what} is called by one word of letters, digits, - and _, not {name!r}"
        )
