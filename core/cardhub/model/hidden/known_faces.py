"""The faces that labels are made of, by token, BLANK for unseen ones."""

from collections.abc import Sequence
from typing import overload

from typing_extensions import override

from cardhub.model.table.faces import Faces, NotedFaces, blanked


def known_faces(faces: Faces) -> Sequence[int]:
    """Return the faces for looking up; a lookup in `NotedFaces` is noted there."""
    return _Lookup(faces) if isinstance(faces, NotedFaces) else blanked(faces)


class _Lookup(Sequence[int]):
    # All methods of a sequence look up one element after another, so that none escapes the note.

    def __init__(self, faces: NotedFaces) -> None:
        self._faces = faces

    @overload
    def __getitem__(self, index: int) -> int: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[int]: ...

    @override
    def __getitem__(self, index: int | slice) -> int | Sequence[int]:
        if isinstance(index, slice):
            return [self[token] for token in range(*index.indices(len(self)))]
        return self._faces.look_up(index)

    @override
    def __len__(self) -> int:
        return len(self._faces)
