"""Faces that note which of them were looked at."""

from collections import Counter
from collections.abc import Callable
from pickle import dumps

import pytest

from cardhub.base.errors import HiddenFaceError
from cardhub.model.hidden.labels import known_faces
from cardhub.model.table.faces import BLANK, MaskedFaces, NotedFaces, blanked


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
