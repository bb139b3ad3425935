"""Outcomes of shuffles, and how they change a state."""

from typing import NamedTuple

from cardhub.model.table.faces import SECRET, Shuffle, blanked, extended_log, replaced
from cardhub.model.table.state import State


class Outcome(NamedTuple):
    """The outcome of a shuffle: faces (BLANK if unknown) and backs in the order of its tokens."""

    faces: tuple[int, ...]
    backs: tuple[int, ...]


def apply_outcome(state: State, outcome: Outcome, allowed: tuple[int, ...] = ()) -> None:
    """Carry out the next pending shuffle with this outcome; `allowed` as in `resolve_shuffles`."""
    (tokens, keeper), *rest = state.pending_shuffles
    state.pending_shuffles = tuple(rest)
    old = (blanked(state.face), state.back, state.seen)
    faces, backs, seen = (tuple(values[token] for token in tokens) for values in old)
    shuffle = Shuffle(tokens, keeper, faces, backs, seen, allowed)
    state.shuffle_log = extended_log(state.shuffle_log, shuffle)
    state.face = replaced(state.face, tokens, outcome.faces)
    new_backs = list(state.back)
    for token, back in zip(tokens, outcome.backs, strict=True):
        new_backs[token] = back
        # Only the keeper still knows the cards that it has seen.
        kept = 0 if keeper < 0 else 1 << keeper
        state.seen[token] &= kept | kept << SECRET
    state.back = tuple(new_backs)
    # Notes about the cards of before; their consequences are in `allowed`.
    for name in state.token_fields:
        notes = getattr(state, name)
        for token in tokens:
            notes[token] = 0
