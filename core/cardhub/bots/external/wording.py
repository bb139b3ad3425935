"""What programs say, cut to what can be shown."""

LONG = 200


def clip(text: str, width: int = LONG) -> str:
    """Return the beginning of a text, with `…` for what is left out."""
    return text if len(text) <= width else text[: width - 1] + "…"
