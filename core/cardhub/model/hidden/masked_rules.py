"""Rules of a game evaluated under the mask of one viewer, without an observation."""

from collections.abc import Callable
from typing import TypeVar

from cardhub.model.game.game import S
from cardhub.model.hidden.observation import EVERYTHING, observed_state
from cardhub.model.table.faces import SeenFaces, blanked, masked_log
from cardhub.model.table.rounds import count_choices

T = TypeVar("T")


def under_mask(state: S, viewer: int, rule: Callable[[S], T]) -> T:
    """Return the result of a rule that reads a true state and sees what `viewer` has seen.

    Any other face raises HiddenFaceError, as in an observation. The rule must not keep or change
    the state, because it gets the state itself and not a copy.
    """
    if viewer == EVERYTHING:
        return rule(state)
    if state.views_field or (state.choices_field and count_choices(state)):
        return rule(observed_state(state, viewer))
    faces, log, recorded = state.face, state.shuffle_log, state.recorded_answers
    # The same three fields as in `observed_state`; all others are public.
    known = faces if isinstance(faces, list) else blanked(faces)
    state.face = SeenFaces(known, state.seen, 1 << viewer)
    # Learners call this at every decision, and the past of few games needs a mask.
    has_past = bool(log or recorded)
    if has_past:
        state.shuffle_log, state.recorded_answers = masked_log(log, viewer), ()
    try:
        return rule(state)
    finally:
        state.face = faces
        if has_past:
            state.shuffle_log, state.recorded_answers = log, recorded
