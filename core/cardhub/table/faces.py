"""The one secret of the engine: which face lies on which token."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from cardhub.errors import HiddenFaceError

BLANK = -1
"""Stands for an unseen face wherever the core itself handles faces as a plain list."""


class Faces(Protocol):
    """The lookup `faces[token]`: an index into `Cards.faces`."""

    def __getitem__(self, token: int, /) -> int:
        """Return the face of `token`; raises HiddenFaceError if it may not be known."""
        ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[int]: ...


class Veil:
    """The faces as one seat knows them; reading an unseen one raises HiddenFaceError."""

    __slots__ = ("_faces",)

    def __init__(self, faces: list[int]) -> None:
        self._faces = faces

    def __getitem__(self, token: int) -> int:
        face = self._faces[token]
        if face < 0:
            raise HiddenFaceError(f"the face of token {token} is hidden from this seat", token)
        return face

    def __len__(self) -> int:
        return len(self._faces)

    def __iter__(self) -> Iterator[int]:
        return (self[token] for token in range(len(self._faces)))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Veil) and self._faces == other._faces

    def __hash__(self) -> int:
        return hash(tuple(self._faces))

    def blanked(self) -> list[int]:
        """Return the faces with BLANK for the unseen ones, for the core's own use."""
        return self._faces[:]


def blanked(faces: Faces) -> list[int]:
    """Return a copy as a plain list, BLANK where a face is not known."""
    if isinstance(faces, Veil):
        return faces.blanked()
    if isinstance(faces, list):
        return faces[:]  # many times faster than one by one
    return [faces[token] for token in range(len(faces))]


def replaced(faces: Faces, tokens: tuple[int, ...], values: tuple[int, ...]) -> Faces:
    """Return the same lookup with other faces on some tokens; a veil stays a veil."""
    known = blanked(faces)
    for token, face in zip(tokens, values, strict=True):
        known[token] = face
    return Veil(known) if isinstance(faces, Veil) else known


class Shuffle(NamedTuple):
    """How some tokens lay before a shuffle wiped it out.

    `keeper` is the seat that rearranged its own cards and still knows them, or -1.
    """

    tokens: tuple[int, ...]
    keeper: int
    faces: tuple[int, ...]
    backs: tuple[int, ...]
    seen: tuple[int, ...]
