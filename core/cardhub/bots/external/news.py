"""Actions and shuffles since the last turn of a seat, as the seat knows them now."""

from collections.abc import Iterator
from typing import Any

from cardhub.game.initial_state import initial_state
from cardhub.hidden.chance import Outcome, restore
from cardhub.hidden.labels import Labels
from cardhub.hidden.observation import Observation
from cardhub.hidden.shuffles.snapshots import back_snapshots, face_snapshots
from cardhub.table.faces import MaskedFaces, blanked
from cardhub.table.state import State

Seen = Observation[Any]


def is_later(now: Seen, before: Seen) -> bool:
    """Return whether one observation can come after another of the same seat in the same game."""
    steps = len(before.history)
    return (
        (now.seat, now.game, now.state.settings)
        == (before.seat, before.game, before.state.settings)
        and now.history[:steps] == before.history
        and len(now.state.shuffle_log) >= len(before.state.shuffle_log)
    )


def news(now: Seen, before: Seen | None) -> Iterator[dict[str, Any]]:
    """Yield the actions and shuffles since `before`, or since the deal.

    Tokens can have other faces after a shuffle. So the game is replayed from the state before, with
    the faces that the seat has seen by now, and every card is named as of its epoch.
    """
    faces, backs = face_snapshots(now.state), back_snapshots(now.state)
    state = _begin(now, backs[0], faces[0]) if before is None else before.state.clone()
    state.face, state.recorded_answers = (
        MaskedFaces(faces[len(state.shuffle_log)]),
        now.state.answers,
    )
    for seat, action in now.history[len(before.history) if before else 0 :]:
        labels = Labels(now.game, state.face, state.back)
        yield {"seat": _seat(seat), "action": action, "notation": labels.notation(action)}
        now.game.apply(state, action)
        while state.pending_shuffles:
            tokens, keeper = state.pending_shuffles[0]
            epoch = len(state.shuffle_log) + 1
            outcome = Outcome(*(tuple(v[epoch][t] for t in tokens) for v in (faces, backs)))
            restore(state, outcome)
            yield {"seat": _seat(keeper), "shuffle": list(tokens)}


def learned(now: Seen, before: Seen | None) -> list[dict[str, Any]]:
    """Return the tokens whose faces the seat knows now and not before, with their cards."""
    known = [-1] * len(now.state.seen)
    if before is not None:
        known = blanked(before.state.face)
        for shuffle in now.state.shuffle_log[len(before.state.shuffle_log) :]:
            for token in shuffle.tokens:
                known[token] = -1  # it may have another face now
    labels = now.labels()
    new = (t for t, face in enumerate(blanked(now.state.face)) if face >= 0 and known[t] < 0)
    return [{"token": token, "card": labels.card(token)} for token in new]


def _begin(now: Seen, backs: list[int], faces: list[int]) -> State:
    state = now.state
    opened: State = initial_state(
        now.game, state.settings, state.seats, MaskedFaces(faces), backs, state.answers
    )
    return opened


def _seat(seat: int) -> int | str:
    """Return a seat in the notation of records; shuffles without a seat are chance's."""
    return "chance" if seat < 0 else seat
