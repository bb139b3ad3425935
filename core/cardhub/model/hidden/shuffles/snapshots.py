"""Faces and backs of all tokens between shuffles; a token keeps its face until it is shuffled."""

from collections.abc import Sequence

from cardhub.model.table.faces import blanked
from cardhub.model.table.state import State

# The tokens of a shuffle, and their values before it.
Change = tuple[tuple[int, ...], tuple[int, ...]]


def face_snapshots(state: State) -> list[list[int]]:
    """Return the faces by token as dealt, then after each shuffle; the present ones are last.

    Faces that are hidden in the state are BLANK.
    """
    changes = [(shuffle.tokens, shuffle.faces) for shuffle in state.shuffle_log]
    return _undone(blanked(state.face), changes)


def back_snapshots(state: State) -> list[list[int]]:
    """Return the backs by token as dealt, then after each shuffle; the present ones are last."""
    changes = [(shuffle.tokens, shuffle.backs) for shuffle in state.shuffle_log]
    return _undone(list(state.back), changes)


def _undone(present: list[int], changes: Sequence[Change]) -> list[list[int]]:
    # The log has the values just before each shuffle, so the snapshots are computed backwards.
    snapshots = [present]
    for tokens, values in reversed(changes):
        earlier = snapshots[-1][:]
        for token, value in zip(tokens, values, strict=True):
            earlier[token] = value
        snapshots.append(earlier)
    return snapshots[::-1]
