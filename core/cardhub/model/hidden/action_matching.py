"""Finding the action that a typed text means."""

from collections.abc import Mapping, Sequence


def matching(text: str, names: Mapping[int, Sequence[str]]) -> list[int]:
    """Return the actions that a text can mean; `names` has all names of each action.

    The rules go from strict to lenient: an exact name wins, then case and spacing are ignored, then
    the beginning of a name is enough.
    """
    words = text.casefold().split()
    if not words:
        return []
    if exact := [action for action, those in names.items() if text.strip() in those]:
        return exact
    for rule in (_same, _begins, _ends):
        actions = [
            action
            for action, those in names.items()
            if any(rule(name.casefold().split(), words) for name in those)
        ]
        if actions:
            return actions
    return []


def _same(parts: list[str], words: list[str]) -> bool:
    return parts == words


def _begins(parts: list[str], words: list[str]) -> bool:
    return len(parts) >= len(words) and all(
        part.startswith(word) for part, word in zip(parts, words, strict=False)
    )


def _ends(parts: list[str], words: list[str]) -> bool:
    return parts[-len(words) :] == words
