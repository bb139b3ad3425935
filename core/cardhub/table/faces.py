"""The one secret of the engine: which face lies on which token."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol, Self

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


class MaskedFaces:
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
        return isinstance(other, MaskedFaces) and self._faces == other._faces

    def __hash__(self) -> int:
        return hash(tuple(self._faces))

    def blanked(self) -> list[int]:
        """Return the faces with BLANK for the unseen ones, for the core's own use."""
        return self._faces[:]


def blanked(faces: Faces) -> list[int]:
    """Return a copy as a plain list, BLANK where a face is not known."""
    if isinstance(faces, MaskedFaces):
        return faces.blanked()
    if isinstance(faces, list):
        return faces[:]  # many times faster than one by one
    return [faces[token] for token in range(len(faces))]


def replaced(faces: Faces, tokens: tuple[int, ...], values: tuple[int, ...]) -> Faces:
    """Return the same lookup with other faces on some tokens; masked faces stay masked."""
    known = blanked(faces)
    for token, face in zip(tokens, values, strict=True):
        known[token] = face
    return MaskedFaces(known) if isinstance(faces, MaskedFaces) else known


class Shuffle(NamedTuple):
    """How some tokens lay before a shuffle: plain ints in tuples, in the order of `tokens`.

    `keeper` is the seat that rearranged its own cards and still knows them, or -1. `allowed` holds
    the faces that each token could bear just before, as the bits of an int, -1 for any; it is empty
    where nothing was ruled out, and in playouts. It follows from what is public.
    """

    tokens: tuple[int, ...]
    keeper: int
    faces: tuple[int, ...]
    backs: tuple[int, ...]
    seen: tuple[int, ...]
    allowed: tuple[int, ...] = ()

    def masked(self, seat: int) -> "Shuffle":
        """Return it with the faces blanked that a seat has not seen."""
        known = zip(self.faces, self.seen, strict=True)
        return self._replace(faces=tuple(f if seen >> seat & 1 else BLANK for f, seen in known))


class Past(tuple[Shuffle, ...]):
    """The shuffles so far. It keeps how each seat may know them, as a plain tuple.

    An observation is made at every decision, and masking all shuffles anew would take ever longer.
    So a longer past begins with what the shorter one has kept. It never changes otherwise, and what
    it keeps is no part of its value.
    """

    _masked: dict[int, tuple[Shuffle, ...]]

    def __new__(cls, shuffles: Iterable[Shuffle] = ()) -> Self:
        """Return a past of which nothing is kept yet."""
        past = super().__new__(cls, shuffles)
        past._masked = {}
        return past

    def __reduce__(self) -> tuple[Any, ...]:
        return Past, (tuple(self),)

    def masked(self, seat: int) -> tuple[Shuffle, ...]:
        """Return the shuffles as a seat knows them."""
        found = self._masked.get(seat)
        if found is None:
            found = self._masked[seat] = tuple(shuffle.masked(seat) for shuffle in self)
        return found


def extended(past: tuple[Shuffle, ...], shuffle: Shuffle) -> Past:
    """Return a past that goes on with one more shuffle."""
    longer = Past((*past, shuffle))
    if isinstance(past, Past):
        for seat, masked in past._masked.items():
            longer._masked[seat] = (*masked, shuffle.masked(seat))
    return longer


def masked_shuffles(past: tuple[Shuffle, ...], seat: int) -> tuple[Shuffle, ...]:
    """Return a past as a seat knows it, as a plain tuple."""
    if not past:
        return ()
    return (past if isinstance(past, Past) else Past(past)).masked(seat)
