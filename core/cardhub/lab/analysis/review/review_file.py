"""The file `review.jsonl`: an append-only log of ratings in the folder of a match.

Each line depends only on the header and its decision, not on the lines before. A review that was
interrupted and continued is therefore the same file as an uninterrupted review.
"""

from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import msgspec

from cardhub.base.errors import MatchError
from cardhub.lab.analysis.review.review_schema import (
    FORMAT,
    REVIEW,
    ConfirmedDecision,
    Mistake,
    ReviewedSeat,
    ReviewHeader,
    ReviewLine,
    ScreenedDecision,
)
from cardhub.lab.match.log.log_reader import explained, read_header
from cardhub.lab.match.log.log_writer import Lines, drop_incomplete_line, locked
from cardhub.lab.match.match_spec import canonical

BUSY = "another program is reviewing this match; wait for it, or stop it"
AFRESH = "fix: make a new review: cardhub match review --fresh"

_HEADER = msgspec.json.Decoder(ReviewHeader)
_LINE = msgspec.json.Decoder(ReviewLine)


class SeatKey(NamedTuple):
    """A seat of a game in the log."""

    game_id: str
    seat: int


class DecisionKey(NamedTuple):
    """A decision: the step of the replay before the action."""

    game_id: str
    seat: int
    step: int


@dataclass(slots=True)
class ReviewContent:
    """The lines of a review by their keys, in the order of the file."""

    header: ReviewHeader
    seats: dict[SeatKey, ReviewedSeat] = field(default_factory=dict)
    screened: dict[DecisionKey, ScreenedDecision] = field(default_factory=dict)
    confirmed: dict[DecisionKey, ConfirmedDecision] = field(default_factory=dict)
    _by_seat: dict[SeatKey, list[ScreenedDecision]] = field(default_factory=dict)

    def add(self, line: ReviewLine) -> None:
        """Add a line; a later line with the same key is ignored."""
        match line:
            case ReviewedSeat():
                self.seats.setdefault(SeatKey(line.game_id, line.seat), line)
            case ScreenedDecision():
                if self.screened.setdefault(key_of(line), line) is line:
                    self._by_seat.setdefault(SeatKey(line.game_id, line.seat), []).append(line)
            case ConfirmedDecision():
                self.confirmed.setdefault(key_of(line), line)

    def decisions_of(self, seat: ReviewedSeat) -> list[ScreenedDecision]:
        """Return the rated decisions of a seat, in order."""
        return self._by_seat.get(SeatKey(seat.game_id, seat.seat), [])

    def is_complete(self, seat: ReviewedSeat) -> bool:
        """Return whether all decisions of a seat are rated."""
        return len(self.decisions_of(seat)) == seat.decisions


def key_of(line: ScreenedDecision | ConfirmedDecision | Mistake) -> DecisionKey:
    """Return the key of a rated decision."""
    return DecisionKey(line.game_id, line.seat, line.step)


class ReviewWriter:
    """A review that is open for appending; every line is flushed."""

    def __init__(self, content: ReviewContent, lines: Lines) -> None:
        self.content = content
        self._lines = lines

    def append(self, line: ReviewLine) -> None:
        """Write a line and add it to the content; raises OSError."""
        self._lines.append(canonical(msgspec.to_builtins(line)))
        self.content.add(line)


def read_review(folder: Path) -> ReviewContent | None:
    """Decode the review in the folder of a match; None without one.

    An incomplete last line is skipped. Raises MatchError if a line is invalid, or if the
    review belongs to another match.
    """
    path = folder / REVIEW
    if not path.exists():
        return None
    with explained(path):
        lines = path.read_bytes().split(b"\n")[:-1]
    if not lines:
        return None
    content = ReviewContent(_header(path, lines[0]))
    if content.header.match != read_header(folder)["sha256"]:
        raise MatchError(f"{path}: this review belongs to another match\nfix: remove it")
    for number, line in enumerate(lines[1:], 2):
        try:
            content.add(_LINE.decode(line))
        except msgspec.DecodeError as error:
            raise MatchError(f"{path}:{number}: {error}\n{AFRESH}") from error
    return content


@contextmanager
def open_review(
    folder: Path, header: ReviewHeader, *, is_fresh: bool = False
) -> Iterator[ReviewWriter]:
    """Open the review of a match for appending, and lock it; `is_fresh` discards an older review.

    Raises MatchError if the file has a review with other arguments.
    """
    path = folder / REVIEW
    with ExitStack() as stack:
        with explained(path):
            path.open("ab").close()
            stack.enter_context(locked(path, BUSY))
            if is_fresh:
                path.write_bytes(b"")
            drop_incomplete_line(path)
            content = read_review(folder)
            lines = stack.enter_context(closing(Lines(path)))
            if content is None:
                lines.append(canonical(msgspec.to_builtins(header)))
        if content is not None:
            _check_same(path, content.header, header)
        yield ReviewWriter(content or ReviewContent(header), lines)


def _header(path: Path, line: bytes) -> ReviewHeader:
    try:
        header = _HEADER.decode(line)
    except msgspec.DecodeError as error:
        raise MatchError(
            f"{path}:1: this is not the first line of a review: {error}\n{AFRESH}"
        ) from error
    if header.cardhub_review != FORMAT:
        problem = f"the file has version {header.cardhub_review}, not {FORMAT}"
        raise MatchError(f"{path}:1: {problem}\n{AFRESH}")
    return header


def _check_same(path: Path, existing: ReviewHeader, wanted: ReviewHeader) -> None:
    fields = [name for name in ReviewHeader.__struct_fields__ if name != "versions"]
    differing = [
        f"{name} {_in_words(existing, name)} instead of {_in_words(wanted, name)}"
        for name in fields
        if getattr(existing, name) != getattr(wanted, name)
    ]
    if differing:
        raise MatchError(
            f"{path}: this review has other arguments: {', '.join(differing)}\n{AFRESH}"
        )
    if existing.versions != wanted.versions:
        raise MatchError(f"{path}: cardhub or a game changed since this review began\n{AFRESH}")


def _in_words(header: ReviewHeader, name: str) -> str:
    value = getattr(header, name)
    return ", ".join(value) if isinstance(value, tuple) else str(value)
