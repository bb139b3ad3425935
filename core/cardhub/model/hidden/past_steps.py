"""The past of an observation, step by step, as its viewer has seen it.

It comes from the observation only: a determinization of it is played again from its deal. All of
them show the viewer the same, so it does not matter which.
"""

from collections.abc import Iterator
from random import Random
from typing import Any, Generic, NamedTuple

from cardhub.model.game.game import S
from cardhub.model.game.initial_state import initial_state
from cardhub.model.hidden.chance import masks_at_shuffles
from cardhub.model.hidden.observation import Observation, known_action, observe_step
from cardhub.model.hidden.outcomes import Outcome, apply_outcome
from cardhub.model.hidden.shuffles.segments import back_snapshots, face_snapshots
from cardhub.model.table.beats import Moments, apply_watched
from cardhub.model.table.rounds import count_choices, turn_to
from cardhub.model.table.secrets import noted_clone
from cardhub.model.table.state import State


class PastStep(NamedTuple, Generic[S]):
    """An action of a seat, with the viewer's observations before it and right after it.

    `action` is UNSEEN_ACTION if it was secret. `shuffles`: the number of cards of each shuffle that
    followed, and the seat that kept them. `is_open`: other seats have yet to choose in its round.
    """

    before: Observation[S]
    seat: int
    action: int
    after: Observation[S]
    moments: Moments
    shuffles: tuple[tuple[int, int], ...]
    is_open: bool


def past_steps(observation: Observation[S]) -> Iterator[PastStep[S]]:
    """Yield all past actions of an observation; raises DeterminizationError if they are unknown."""
    game, viewer = observation.game, observation.seat
    # A fixed seed: equal observations have the same past.
    drawn, history = observation.determinize_game(Random(0))
    faces, backs = face_snapshots(drawn)[0], back_snapshots(drawn)[0]
    state = initial_state(game, drawn.settings, drawn.seats, faces, backs)
    outcomes = iter(outcomes_of(drawn))
    for number, (seat, action) in enumerate(history, 1):
        turn_to(state, seat)
        before, after = state, noted_clone(state)
        moments = apply_watched(game, after, action)
        seen = observe_step(game, before, action, after, viewer, history[:number])
        shuffles = tuple((len(tokens), keeper) for tokens, keeper in after.pending_shuffles)
        known = known_action(game, seat, action, viewer)
        is_open = bool(after.choices_field and count_choices(after))
        yield PastStep(seen[0], seat, known, seen[1], moments, shuffles, is_open)
        state = after.clone()
        for allowed in masks_at_shuffles(game, before, after):
            apply_outcome(state, next(outcomes), allowed)


def outcomes_of(state: State) -> list[Outcome]:
    """Return the outcome of every past shuffle."""
    later = zip(
        state.shuffle_log, face_snapshots(state)[1:], back_snapshots(state)[1:], strict=True
    )
    return [
        Outcome(_at(faces, shuffle.tokens), _at(backs, shuffle.tokens))
        for shuffle, faces, backs in later
    ]


def _at(values: Any, tokens: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(values[token] for token in tokens)
