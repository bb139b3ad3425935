"""The result of a game as plain data: places, scores by cause, hands and turning points."""

import msgspec

from cardhub.model.table.goal import Goal
from cardhub.view.view import SummaryView


class ResultColumn(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A team, or a player without one: the place, the names and the score as text.

    `bot` is the spec of a lone player's bot, empty for people and teams. `place` is 0 and `score`
    may be empty while a game is not over.
    """

    place: int
    name: str
    seats: tuple[int, ...]
    score: str = ""
    bot: str = ""


class BreakdownCell(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Points from one cause as text, a short note, and the faces of the cards that counted."""

    points: str
    note: str = ""
    faces: tuple[int, ...] = ()


class CauseView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A cause of points, with a cell for every column of the result."""

    label: str
    cells: tuple[BreakdownCell, ...]
    colour: str = ""


class BreakdownView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Causes of points under one title, which may be empty.

    `subtotals` divide the points of the rows in another way.
    """

    title: str
    rows: tuple[CauseView, ...]
    subtotals: tuple[CauseView, ...] = ()


class FinalHand(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """Cards that only one player saw at the end, by their faces; `zone` is the game's name."""

    name: str
    seat: int
    zone: str
    faces: tuple[int, ...]


class TurningPoint(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A turn that changed the standing much.

    `step` is its first step, `text` the sentences on it, `gain` the change of the evaluation of the
    team that gained most, relative to the best other one, and `name` that team.
    """

    step: int
    text: str
    name: str
    gain: float


class ResultView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The end of a game as one viewer may see it, or its standing so far.

    `sentence` is the result in words. `columns` are in order of place, and the points of `sections`
    add up to the scores. `hands` and `turning_points` are those of finished games only. `parts` is
    the number of rounds as text ("16 rounds"), `seconds` the time from first to last move, None if
    unknown; `seed` is the seed, or the commitment to it; `path` is that of the record.
    """

    title: str
    sentence: str
    is_over: bool
    goal: Goal
    unit: str
    columns: tuple[ResultColumn, ...]
    sections: tuple[BreakdownView, ...] = ()
    summaries: tuple[SummaryView, ...] = ()
    hands: tuple[FinalHand, ...] = ()
    turning_points: tuple[TurningPoint, ...] = ()
    parts: str = ""
    seconds: int | None = None
    seed: str = ""
    path: str = ""
