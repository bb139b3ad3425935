"""Faces: lookups by token, with or without masks, notes of lookups, and the order of a shuffle."""

import pickle
from collections import Counter
from collections.abc import Callable
from pickle import dumps
from random import Random

import pytest

from cardhub.base.errors import HiddenFaceError
from cardhub.model.game.initial_state import shuffle
from cardhub.model.hidden.labels import known_faces
from cardhub.model.table.faces import (
    BLANK,
    MaskedFaces,
    NotedFaces,
    Shuffle,
    ShuffleLog,
    blanked,
    face_at,
)


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


def noted() -> NotedFaces:
    """Return four faces, of which the second is hidden."""
    return NotedFaces(MaskedFaces([5, BLANK, 7, 8]))


def test_a_face_that_was_looked_at_is_noted_and_so_is_a_hidden_one() -> None:
    """That it is hidden was learned as well."""
    faces = noted()
    assert faces[2] == 7
    with pytest.raises(HiddenFaceError):
        faces[1]
    assert faces.read == {1, 2}
    assert len(faces) == 4
    assert faces.read == {1, 2}


@pytest.mark.parametrize(
    "read",
    [
        lambda faces: known_faces(faces)[1] + known_faces(faces)[3],
        lambda faces: known_faces(faces)[1:4:2],
        lambda faces: [known_faces(faces).index(8), known_faces(faces)[-1]],
    ],
)
def test_a_lookup_for_labels_is_noted(read: Callable[[NotedFaces], object]) -> None:
    """Faces are read one by one, as a slice, and by a search, which reads all faces before it."""
    faces = noted()
    read(faces)
    assert faces.read is not None
    assert {1, 3} <= {token % 4 for token in faces.read}


@pytest.mark.parametrize(
    "read",
    [
        blanked,
        lambda faces: faces == noted(),
        lambda faces: noted() == faces,
        hash,
        dumps,
    ],
)
def test_what_reads_all_faces_is_noted_as_such(
    read: Callable[[NotedFaces], object],
) -> None:
    faces = noted()
    read(faces)
    assert faces.read is None


def test_counting_lookups_notes_all_of_them() -> None:
    faces = noted()
    assert Counter(known_faces(faces)) == Counter([5, BLANK, 7, 8])
    assert faces.read == {0, 1, 2, 3}


@pytest.mark.parametrize("size", [0, 1, 2, 3, 6, 52, 64, 65, 102])
def test_the_order_and_the_generator_are_as_after_random_shuffle(size: int) -> None:
    for seed in range(20):
        mine, theirs = Random(seed), Random(seed)
        items, others = list(range(size)), list(range(size))
        shuffle(items, mine)
        theirs.shuffle(others)
        assert items == others
        assert mine.getstate() == theirs.getstate()


class Backwards(Random):
    """A generator with its own way to shuffle."""

    def shuffle(self, items: list[int]) -> None:  # type: ignore[override]  # lists suffice here
        """Reverse the order."""
        items.reverse()


def test_a_generator_of_another_class_shuffles_itself() -> None:
    """It may draw by `random` alone, or not at all."""
    items = [1, 2, 3]
    shuffle(items, Backwards(1))
    assert items == [3, 2, 1]
