"""Faces of tokens, the only secret of a state, and the log of their shuffles."""

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple, Protocol

from cardhub.base.errors import HiddenFaceError

# In `State.seen`, the bit of a seat shifted by this marks that only the seat itself knows that it
# has seen the face.
SECRET = 32
# An unseen face, where the core handles faces as a plain list.
BLANK = -1


class Faces(Protocol):
    """The lookup `faces[token]`: an index into `Cards.faces`."""

    def __getitem__(self, token: int, /) -> int:
        """Return the face of `token`; raises HiddenFaceError if it is hidden."""
        ...

    def __len__(self) -> int: ...

    def __iter__(self) -> Iterator[int]: ...


class MaskedFaces:
    """The faces that one viewer has seen; reading any other raises HiddenFaceError."""

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
        # By index, because a read by index raises at a hidden face.
        for token in range(len(self._faces)):
            yield self[token]

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MaskedFaces) and self._faces == other._faces

    def __hash__(self) -> int:
        return hash(tuple(self._faces))

    def __reduce__(self) -> tuple[Any, ...]:
        return MaskedFaces, (self._faces,)

    def blanked(self) -> list[int]:
        """Return the faces as a list, BLANK for unseen ones; for the core only."""
        return self._faces[:]


class SeenFaces(MaskedFaces):
    """The faces of a true state as one viewer has seen them, without a copy of them.

    `seen` is the state's list, and `viewer` the bit of the viewer in it.
    """

    __slots__ = ("_seen", "_viewer")

    def __init__(self, faces: list[int], seen: list[int], viewer: int) -> None:
        self._faces = faces  # not by `super`, which would double the time
        self._seen = seen
        self._viewer = viewer

    def __getitem__(self, token: int) -> int:
        face = self._faces[token]
        if face < 0 or not self._seen[token] & self._viewer:
            raise HiddenFaceError(f"the face of token {token} is hidden from this seat", token)
        return face

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MaskedFaces) and self.blanked() == other.blanked()

    def __hash__(self) -> int:
        return hash(tuple(self.blanked()))

    def blanked(self) -> list[int]:
        """Return the faces as a list, BLANK for unseen ones; for the core only."""
        known = zip(self._faces, self._seen, strict=True)
        return [face if seen & self._viewer else BLANK for face, seen in known]


class NotedFaces(MaskedFaces):
    """The faces of `masked`, with a note of which were looked at: `read`, None once all were.

    A token whose face is hidden is noted as well: that it is hidden was learned.
    """

    __slots__ = ("read",)

    def __init__(self, masked: MaskedFaces) -> None:
        self._faces = masked._faces
        self.read: set[int] | None = set()

    def __getitem__(self, token: int) -> int:
        self.look_up(token)
        return super().__getitem__(token)

    def __eq__(self, other: object) -> bool:
        self.read = None
        if isinstance(other, NotedFaces):
            other.read = None
        return super().__eq__(other)

    def __hash__(self) -> int:
        self.read = None
        return super().__hash__()

    def __reduce__(self) -> tuple[Any, ...]:
        self.read = None
        return super().__reduce__()

    def blanked(self) -> list[int]:
        """Return the faces as a list, BLANK for unseen ones; for the core only."""
        self.read = None
        return super().blanked()

    def look_up(self, token: int) -> int:
        """Return one face, BLANK if it is unseen; for the core only."""
        face = self._faces[token]
        if self.read is not None:
            self.read.add(token)
        return face


def face_at(faces: Faces, token: int) -> int:
    """Return `faces[token]`; compiled code reads faces by this function.

    A true state has a plain list, which is read without a call. Any other sequence is asked: only
    so it can raise HiddenFaceError.
    """
    if isinstance(faces, list):
        known: list[int] = faces
        return known[token]
    return faces[token]


def blanked(faces: Faces) -> list[int]:
    """Return a copy of the faces as a list, BLANK for unseen ones."""
    if isinstance(faces, MaskedFaces):
        return faces.blanked()
    if isinstance(faces, list):
        return faces[:]  # many times faster than one by one
    return [faces[token] for token in range(len(faces))]


def replaced(faces: Faces, tokens: tuple[int, ...], values: tuple[int, ...]) -> Faces:
    """Return a copy with other faces on some tokens; masked faces stay masked."""
    known = blanked(faces)
    for token, face in zip(tokens, values, strict=True):
        known[token] = face
    return MaskedFaces(known) if isinstance(faces, MaskedFaces) else known


class PendingShuffle(NamedTuple):
    """A shuffle at the end of the present action; `keeper` as in `Shuffle`."""

    tokens: tuple[int, ...]
    keeper: int


class Shuffle(NamedTuple):
    """The tokens of a past shuffle with their values just before it, in the order of `tokens`.

    `keeper` is the seat that rearranged its own cards and still knows them, or -1. `allowed` holds
    the mask of possible faces of each token, -1 for any face; it is computed from public
    information only, and empty if the game excludes no face, and in playouts.
    """

    tokens: tuple[int, ...]
    keeper: int
    faces: tuple[int, ...]
    backs: tuple[int, ...]
    seen: tuple[int, ...]
    allowed: tuple[int, ...] = ()

    def masked(self, seat: int) -> "Shuffle":
        """Return a copy in which the faces that a seat has not seen are BLANK."""
        return self.masked_from(1 << seat)

    def masked_from(self, viewers: int) -> "Shuffle":
        """Return a copy in which the faces that not all `viewers` have seen are BLANK.

        `viewers` are bits as in `State.seen`.
        """
        known = zip(self.faces, self.seen, strict=True)
        masked = self._replace(
            faces=tuple(f if seen & viewers == viewers else BLANK for f, seen in known)
        )
        if any(seen >> SECRET for seen in self.seen):
            masked = masked._replace(seen=tuple(known_looks(self.seen, viewers)))
        return masked


def known_looks(seen: Iterable[int], viewers: int) -> list[int]:
    """Return the seats that have seen each token, as far as `viewers` know them, as bits."""
    return [bits & ~(bits >> SECRET & ~viewers) & ((1 << SECRET) - 1) for bits in seen]


class ShuffleLog(tuple[Shuffle, ...]):
    """The past shuffles, with a cache of the masked log by seat that comparisons ignore."""

    # An observation is made at every decision. Without the cache each would mask all past shuffles
    # again, which takes quadratic time over a game.
    _masked: dict[int, tuple[Shuffle, ...]]

    def __init__(self, shuffles: Iterable[Shuffle] = ()) -> None:
        self._masked = {}

    def __reduce__(self) -> tuple[Any, ...]:
        return ShuffleLog, (tuple(self),)

    def masked(self, seat: int) -> tuple[Shuffle, ...]:
        """Return the log with the faces blanked that a seat has not seen."""
        masked = self._masked.get(seat)
        if masked is None:
            masked = self._masked[seat] = tuple(shuffle.masked(seat) for shuffle in self)
        return masked


def extended_log(log: tuple[Shuffle, ...], shuffle: Shuffle) -> ShuffleLog:
    """Return a log with one more shuffle, which takes over the cache."""
    longer = ShuffleLog((*log, shuffle))
    if isinstance(log, ShuffleLog):
        # Nothing can reveal a face before a shuffle afterwards, so cached entries stay valid.
        for seat, masked in log._masked.items():
            longer._masked[seat] = (*masked, shuffle.masked(seat))
    return longer


def masked_log(log: tuple[Shuffle, ...], seat: int) -> tuple[Shuffle, ...]:
    """Return a log with the faces blanked that a seat has not seen."""
    if not log:
        return ()
    return (log if isinstance(log, ShuffleLog) else ShuffleLog(log)).masked(seat)
