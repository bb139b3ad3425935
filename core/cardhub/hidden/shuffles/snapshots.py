"""Faces and backs of all tokens between shuffles; a token keeps its face until it is shuffled."""

from cardhub.table.faces import blanked
from cardhub.table.state import State


def face_snapshots(state: State) -> list[list[int]]:
    """Return the faces in token order as dealt, then after each shuffle; the present ones are last.

    BLANK wherever the state does not know them.
    """
    faces = blanked(state.face)
    found = [faces]
    for shuffle in reversed(state.shuffle_log):
        faces = _overlaid(faces, shuffle.tokens, shuffle.faces)
        found.append(faces)
    return found[::-1]


def back_snapshots(state: State) -> list[list[int]]:
    """Return the backs in token order as dealt, then after each shuffle."""
    backs = list(state.back)
    found = [backs]
    for shuffle in reversed(state.shuffle_log):
        backs = _overlaid(backs, shuffle.tokens, shuffle.backs)
        found.append(backs)
    return found[::-1]


def _overlaid(
    values: list[int], tokens: tuple[int, ...], replacements: tuple[int, ...]
) -> list[int]:
    values = values[:]
    for token, value in zip(tokens, replacements, strict=True):
        values[token] = value
    return values
