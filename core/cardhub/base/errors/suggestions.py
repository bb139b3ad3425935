"""Comparison of typed names, and suggestions for mistyped ones."""

from collections.abc import Iterable
from difflib import get_close_matches


def folded(text: str) -> str:
    """Return a text in the form in which typed ones are compared: case and spacing are ignored."""
    return " ".join(text.casefold().split())


def nearest(word: str, known: Iterable[str]) -> str | None:
    """Return the most similar known string, or the only one that begins with `word`, or None."""
    by_folded = {name.casefold(): name for name in known}
    found = get_close_matches(word.casefold(), by_folded, n=1, cutoff=0.6)
    longer = [name for name in by_folded if word and name.startswith(word.casefold())]
    # An abbreviation is too short to be similar; it counts only if it is unique.
    if not found and len(longer) == 1:
        found = longer
    return by_folded[found[0]] if found else None


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return the end of a message, ` Did you mean 'x'?`, or an empty string."""
    name = nearest(word, known)
    return f" Did you mean {name!r}?" if name is not None else ""
