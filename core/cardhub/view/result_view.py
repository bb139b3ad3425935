"""The result of a game as plain data: places, scores by cause, hands and turning points."""

import msgspec

from cardhub.model.table.goal import Goal
from cardhub.view.view import SummaryView


class ResultColumn(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """A team, or a player without a team: the place, the names and the score as text.

    `bot`: the spec of a single player's bot, empty for people and teams. Before the end `place` is
    0 and `score` may be empty.
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
    """A cause of points, with a cell for each column of the result."""

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

    `step`: its first step; `text`: the sentences about it; `name`: the team that gained most;
    `gain`: how much this team's evaluation rose relative to the best other team.
    """

    step: int
    text: str
    name: str
    gain: float


class ResultView(msgspec.Struct, frozen=True, gc=False, kw_only=True):
    """The end of a game as one viewer may see it, or its standing so far.

    `sentence`: the result in words. `columns` are in order of place, and the points of `sections`
    add up to the scores. `hands` and `turning_points` are empty before the end. `parts`: the number
    of rounds as text ("16 rounds"); `seconds`: the time from first to last move, None if unknown;
    `seed`: the seed, or the commitment to it; `path`: the path of the record.
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
