"""Faults of a scene's texts and numbers: status, seats, counters and tallies."""

from collections.abc import Iterator, Sequence
from math import inf
from typing import Any

from rich.cells import cell_len

from cardhub.model.cards.cards import COLOURS
from cardhub.model.game.scene import Counter, Line, Scene, SeatLine, Tally, TallyRow


def text_faults(scene: Scene, seats: int, before: Scene | None = None) -> Iterator[str]:
    """Yield faults of all parts that are not cards; those equal to `before` have none."""
    status = before.status if before else ""
    if scene.status and scene.status != status:
        yield from single_line_error(
            located(scene.line, "the status"), scene.status, "leave it out"
        )
    known = before.seats if before else {}
    for seat, line in scene.seats.items():
        old = known.get(seat)
        # A line that a game has kept and changed would be equal to itself.
        if (line is not old and line == old) or _is_sound_line(seat, line, seats):
            continue
        yield from _seat_faults(located(scene.line, f"the line of seat {seat}"), seat, line, seats)
    for counter in scene.counters:
        where = located(counter.line, f"counter {counter.caption!r}")
        yield from _counter_faults(where, counter, seats)
    for tally in scene.tallies:
        where = located(tally.line, f"tally {tally.caption!r}")
        yield from _caption_fault(where, tally)
        for row in tally.rows:
            yield from _row_faults(f"{where}: row {row.label!r}", row, seats)


def single_line_error(where: str, text: Any, missing: str, most: float = inf) -> Iterator[str]:
    """Yield the fault of a text that is empty, not of one line or wider than `most` cells.

    `missing` is the remedy for an empty text.
    """
    if not (isinstance(text, str) and text.strip() and text.isprintable()):
        yield f"{where} {text!r} is no text of one line. fix: {missing}"
    elif cell_len(text) > most:
        yield f"{where} {text!r} is {cell_len(text)} cells wide. fix: at most {most} cells"


def per_seat_faults(
    where: str, points: Sequence[Any], notes: Sequence[Any], colour: str, seats: int
) -> Iterator[str]:
    """Yield faults of a row with a number and a note for every seat, and of its colour."""
    if len(points) != seats or not all(type(number) is int for number in points):
        yield f"{where} has the numbers {list(points)}. fix: one integer for each of {seats} seats"
    if notes and (isinstance(notes, str) or len(notes) != seats):
        yield f"{where} has the notes {notes!r}. fix: one for each of {seats} seats, or none"
    for note in filter(None, [] if isinstance(notes, str) else notes):
        yield from single_line_error(f"{where}: the note", note, "an empty text for no note")
    if colour and colour not in COLOURS:
        yield f"{where} has the colour {colour!r}. fix: one of {', '.join(COLOURS)}"


def located(line: Line, part: str) -> str:
    """Return a part of a scene with the game's line that made it."""
    return f"{line}: {part}" if line else part


def _is_sound_line(seat: int, line: SeatLine, seats: int) -> bool:
    """Return whether the line of a seat has surely no fault."""
    # Scenes are made for every view, and most lines are valid.
    if not 0 <= seat < seats or isinstance(line.badges, str):
        return False
    texts = (line.score, *line.badges) if line.score else line.badges
    return all(type(text) is str and text.isprintable() and text.strip() for text in texts)


def _seat_faults(where: str, seat: int, line: SeatLine, seats: int) -> Iterator[str]:
    if seat not in range(seats):
        yield f"{where} is of no player. fix: a seat from 0 to {seats - 1}"
    if line.score:
        yield from single_line_error(
            f"{where}: the score", line.score, "an empty text for no score"
        )
    if isinstance(line.badges, str):
        yield f"{where} has the badges {line.badges!r}. fix: a list of texts"
        return
    for badge in line.badges:
        yield from single_line_error(f"{where}: the badge", badge, "leave it out")


def _counter_faults(where: str, counter: Counter, seats: int) -> Iterator[str]:
    yield from _caption_fault(where, counter)
    if type(counter.value) is not int:
        yield f"{where} has the value {counter.value!r}. fix: an integer"
    if type(counter.pips) is not int or counter.pips < 0:
        yield f"{where} has pips={counter.pips!r}. fix: the greatest value to draw, 0 for none"
    if counter.seat is not None and counter.seat not in range(seats):
        remedy = f"a seat from 0 to {seats - 1}, or None for the table"
        yield f"{where} belongs to seat {counter.seat}, which does not exist. fix: {remedy}"


def _row_faults(where: str, row: TallyRow, seats: int) -> Iterator[str]:
    yield from single_line_error(f"{where}: the label", row.label, "a short name")
    yield from per_seat_faults(where, row.counts, row.notes, row.colour, seats)
    if type(row.goal) is not int or row.goal < 0:
        yield f"{where} has goal={row.goal!r}. fix: the count that decides the row, 0 for none"


def _caption_fault(where: str, part: Counter | Tally) -> Iterator[str]:
    yield from single_line_error(f"{where}: the caption", part.caption, "a short name")
