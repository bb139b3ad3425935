"""What programs say, made fit to be shown to people."""

LONG = 200


def clip(text: str, width: int = LONG) -> str:
    """Return the beginning of a text, with `…` for what is left out."""
    return text if len(text) <= width else text[: width - 1] + "…"


def printable(text: str, *, lines: bool = False) -> str:
    r"""Return a text without control characters, which could rewrite a terminal: `\x1b` for them.

    Line ends are kept with `lines`.
    """
    kept = "\n" if lines else ""
    return "".join(c if c.isprintable() or c in kept else _escaped(c) for c in text)


def _escaped(character: str) -> str:
    return character.encode("unicode_escape").decode("ascii")
