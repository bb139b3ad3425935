"""States can be copied, kept and come by again."""

import pickle
from collections.abc import Iterator
from typing import Any

from cardhub.game.game import Game, S
from cardhub.table.state import State
from cardhub.testing.playout import Position
from cardhub.testing.worlds import UnreachableError, replay

SHARED = ("face",)
"""The list that clones may share: it is replaced, never changed."""


def check_clone(game: Game[S], position: Position[S]) -> None:
    """Check that a clone equals the original and shares no list with it but the faces."""
    state = position.state
    clone = state.clone()
    if clone != state or vars(clone).keys() != vars(state).keys():
        position.fail(game, "clone", "a clone is not equal to the original")
    originals = {id(found) for name, found in _lists(state) if name not in SHARED}
    shared = {name for name, found in _lists(clone) if id(found) in originals}
    if shared:
        position.fail(game, "clone", f"a clone shares {', '.join(sorted(shared))}")


def check_pickle(game: Game[S], position: Position[S]) -> None:
    """Check that a state survives being pickled, as on its way to a worker."""
    again = pickle.loads(pickle.dumps(position.state))
    if again != position.state:
        position.fail(game, "pickle", "the state is not equal after a pickle round trip")


def check_replay(game: Game[S], position: Position[S]) -> None:
    """Check that deal, actions and outcomes of shuffles give the same state without chance."""
    try:
        again = replay(game, position.trial, position.state, position.history)
    except UnreachableError as error:
        position.fail(game, "replay", f"the game does not replay: {error}")
    if again.after != position.state:
        what = f"replaying gives another {differing(again.after, position.state)}"
        position.fail(game, "replay", what)


def differing(one: State, other: State) -> str:
    """Return the names of what differs between two states."""
    mine, theirs = vars(one), vars(other)
    return ", ".join(name for name in mine if mine[name] != theirs.get(name)) or "type"


def _lists(state: State) -> Iterator[tuple[str, list[Any]]]:
    for name, value in vars(state).items():
        for found in _nested(value):
            yield name, found


def _nested(value: Any) -> Iterator[list[Any]]:
    if isinstance(value, list):
        yield value
    if isinstance(value, list | tuple):
        for part in value:
            yield from _nested(part)
