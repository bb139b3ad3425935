"""A rule under a mask reads what its viewer has seen, and leaves the state as it was."""

from typing import Any

import pytest
from tests.games.magpie import Magpie

from cardhub import Observation
from cardhub.base.errors import HiddenFaceError
from cardhub.model.hidden.masked_rules import under_mask
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.faces import blanked
from cardhub.testing.random_play import default_trial, play

GAME = Magpie()


def seen_by_rules(state: Any) -> Any:
    """Return all that a rule can read, apart from public fields."""
    return blanked(state.face), state.shuffle_log, state.recorded_answers


def test_a_rule_reads_what_an_observation_contains() -> None:
    """Faces, and those before past shuffles, for each seat, a spectator and EVERYTHING."""
    shuffles = 0
    for position in play(GAME, default_trial(GAME, 3, 1)):
        state = position.state
        before = seen_by_rules(state)
        for viewer in range(EVERYTHING, 4):
            expected = seen_by_rules(Observation(GAME, state, viewer).state)
            assert under_mask(state, viewer, seen_by_rules) == expected
        assert seen_by_rules(state) == before
        shuffles += len(state.shuffle_log)
    assert shuffles > 0


def test_a_hidden_face_cannot_be_read_and_the_mask_is_taken_off_after_an_error() -> None:
    """The error is the same as for an observation."""
    state = next(iter(play(GAME, default_trial(GAME, 2, 1)))).state
    faces, (hidden, *_) = state.face, state.hand[1]
    with pytest.raises(HiddenFaceError, match=f"token {hidden} is hidden"):
        under_mask(state, 0, lambda state: state.face[hidden])
    with pytest.raises(HiddenFaceError):
        under_mask(state, 0, lambda state: list(state.face))
    assert state.face is faces
    assert under_mask(state, 1, lambda state: state.face[hidden]) == faces[hidden]


def test_masked_faces_are_equal_if_their_viewers_have_seen_the_same() -> None:
    state = next(iter(play(GAME, default_trial(GAME, 2, 1)))).state
    masked = Observation(GAME, state, 0).state.face

    def is_equal(state: Any) -> bool:
        return bool(state.face == masked and masked == state.face)

    assert under_mask(state, 0, is_equal)
    assert not under_mask(state, 1, is_equal)
    assert under_mask(state, 0, lambda state: hash(state.face)) == hash(masked)
