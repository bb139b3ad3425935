"""Faces: the lookup by token, with or without masks."""

import pickle

import pytest

from cardhub.base.errors import HiddenFaceError
from cardhub.model.table.faces import MaskedFaces, Shuffle, ShuffleLog, face_at


def test_the_face_of_a_true_state_is_read_by_token() -> None:
    """`face_at` is `faces[token]`, errors included."""
    assert face_at([4, 7], 1) == 7
    with pytest.raises(IndexError):
        face_at([4, 7], 2)


def test_an_unseen_face_is_never_a_number() -> None:
    faces = MaskedFaces([3, -1])
    assert (faces[0], face_at(faces, 0)) == (3, 3)
    with pytest.raises(HiddenFaceError, match="token 1 is hidden"):
        faces[1]
    with pytest.raises(HiddenFaceError, match="token 1 is hidden"):
        face_at(faces, 1)
    with pytest.raises(HiddenFaceError, match="token 1 is hidden"):
        list(faces)


def test_a_shuffle_log_is_a_tuple_that_keeps_its_masked_logs() -> None:
    """The cache is not part of the value, and is not pickled."""
    log = ShuffleLog([Shuffle((0, 1), -1, (5, 6), (0, 0), (1, 2))])
    assert log.masked(0)[0].faces == (5, -1)
    assert log.masked(0) is log.masked(0)
    copy = pickle.loads(pickle.dumps(log))
    assert (type(copy), copy) == (ShuffleLog, log)
    assert copy.masked(1)[0].faces == (-1, 6)
