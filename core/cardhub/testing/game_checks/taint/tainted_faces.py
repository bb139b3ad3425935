"""Faces that note which lines of the rules read a hidden one, and can hand out others instead."""

import sys
from collections.abc import Collection, Iterator, Mapping
from typing import Any, SupportsIndex

from cardhub.base.errors.source_lines import SourceLine, calling_line
from cardhub.model.game.game import Game
from cardhub.model.table.beats import note_sentence
from cardhub.model.table.faces import blanked
from cardhub.model.table.state import State

# The core reads all faces to keep those that a sentence of the log names.
_FOR_THE_LOG = [getattr(f, "__code__", None) for f in (blanked, note_sentence)]


class TaintedFaces(list[int]):
    """The faces of a state; the faces of `hidden` tokens are tainted.

    `lines` has the lines of third-party code that read tainted faces, in the order of their first
    read, with the tokens. A line that is `altered` reads the faces `instead`; None: no line is.
    Compiled rules read a list directly, so their reads are not noted.
    """

    def __init__(
        self,
        faces: list[int],
        hidden: Collection[int],
        instead: Mapping[int, int] | None = None,
        altered: SourceLine | None = None,
    ) -> None:
        super().__init__(faces)
        self.lines: dict[SourceLine, set[int]] = {}
        self._hidden = [False] * len(faces)
        for token in hidden:
            self._hidden[token] = True
        self._instead = instead or {}
        self._altered = altered

    def __getitem__(self, index: Any) -> Any:
        face = super().__getitem__(index)
        if isinstance(face, int):
            return self._read(index, face) if self._hidden[index] else face
        return face if _is_for_the_log() else self._read_all()[index]

    def __iter__(self) -> Iterator[int]:
        for token in range(len(self)):
            yield self[token]

    def __contains__(self, face: object) -> bool:
        return face in self._read_all()

    def __eq__(self, other: object) -> bool:
        return self._read_all() == other

    __hash__ = None

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (self._read_all(),)

    def copy(self) -> list[int]:
        """Return the faces as a plain list."""
        return self._read_all()

    def count(self, face: int) -> int:
        """Return how many tokens have a face."""
        return self._read_all().count(face)

    def index(self, face: int, start: SupportsIndex = 0, stop: SupportsIndex = sys.maxsize) -> int:
        """Return the first token with a face."""
        return self._read_all().index(face, start, stop)

    def _read(self, token: int, face: int) -> int:
        line = calling_line()
        if line is None:
            return face
        token %= len(self)
        self.lines.setdefault(line, set()).add(token)
        return self._instead.get(token, face) if line == self._altered else face

    def _read_all(self) -> list[int]:
        return [self[token] for token in range(len(self))]


def choosing_line(game: Game[Any], state: State, viewer: int) -> SourceLine | None:
    """Return the last line that reads a face hidden from a viewer to list the legal actions."""
    hidden = [token for token, seen in enumerate(state.seen) if not seen >> viewer & 1]
    tainted = state.clone()
    faces = TaintedFaces(blanked(state.face), hidden)
    tainted.face = faces
    game.legal(tainted)
    return next(reversed(faces.lines), None)


def _is_for_the_log() -> bool:
    """Return whether the core keeps the faces for the log, behind two frames of this module."""
    frame = sys._getframe(2)
    callers = [frame.f_code, frame.f_back and frame.f_back.f_code]
    return callers == _FOR_THE_LOG
