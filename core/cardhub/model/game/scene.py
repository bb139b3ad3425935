"""The table and the end of a round as data, the same for every front end, and names for texts."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple, Protocol, TypeVar

import msgspec

from cardhub.base.errors.source_lines import SourceLine, calling_line, is_noting
from cardhub.base.writing import with_minus

# The layout of an area's cards. `hand`: large, one by one, with their details; `row`: small, all
# in order; `column`: all in order from top to bottom, each overlapped by the next one, the last one
# whole; `pile`: the number of cards and the last few; `queue`: a pile of which everybody may see
# the order, the next card first; `count`: only the number.
Look = Literal["hand", "row", "column", "pile", "queue", "count"]

# The region of an area: next to its player's name, before its player, or in the middle of the
# table.
Place = Literal["seat", "front", "centre"]


# The game's line that made a part of a scene. It is unset in play, so no view has it in its JSON.
Line = SourceLine | msgspec.UnsetType


def _noted_line() -> Line:
    # Few of many parts are faulty, and a walk through the frames takes as long as to make a part.
    return (calling_line() or msgspec.UNSET) if is_noting() else msgspec.UNSET


class Target(NamedTuple):
    """A part of the scene that an action refers to.

    `kind` is card (key: token), site (key: number of the site, row by row), area (key: caption) or
    button (key: action).
    """

    kind: Literal["card", "site", "area", "button"]
    key: int | str


class Area(msgspec.Struct, gc=False):
    """Cards under one caption, or a line of text about a seat or the table.

    `tokens` are in order from left to right; faces that the viewer has not seen are shown as backs,
    and with `closed` all of them. `seat` is the owner; the areas of a seat are shown together, next
    to its player's name. `note` is text after the caption; `line` is the game's line that made the
    area, for errors.

    `place` is the region, by default `centre` without a seat and else `seat`; a look of `hand` of
    the viewer's own is the hand region. Cards in `front` lie where cards meet: put a trick or a
    battle there. `room` is the greatest usual number of cards, which fixes their size and so their
    places; 0 stands for the least of 1, 3, 5, 7 and 13 that is enough. `slots` is the number of
    cards that are expected now, drawn as outlines if they are missing. `head` and `foot` are texts
    by token, up to 9 cells, on the upper and the lower border of a card: "calls 3", "won". A foot
    replaces the card's detail.

    `counted`: cards that look the same to the viewer are drawn once, with their number, in the
    place of the first one, and if they can be chosen they are one choice. It is for the looks
    `hand` and `row`, if the order of the cards means nothing.
    """

    caption: str
    tokens: Sequence[int] = ()
    seat: int | None = None
    look: Look = "row"
    note: str = ""
    closed: bool = False
    place: Place | None = None
    room: int = 0
    slots: int = 0
    head: Mapping[int, str] = {}
    foot: Mapping[int, str] = {}
    counted: bool = False
    line: Line = msgspec.field(default_factory=_noted_line)


class Grid(msgspec.Struct, gc=False):
    """A board of `rows` × `columns` sites, each with a stack of tokens, the top one last."""

    caption: str
    rows: int
    columns: int
    stacks: Sequence[Sequence[int]]
    line: Line = msgspec.field(default_factory=_noted_line)


class Counter(msgspec.Struct, gc=False, omit_defaults=True):
    """A number with a caption, such as coins; `seat` is its owner, None for the table.

    Values up to `pips` are also drawn as pips, one for each. A view has the same counter.
    """

    caption: str
    value: int
    seat: int | None = None
    pips: int = 0
    line: Line = msgspec.field(default_factory=_noted_line)


class TallyRow(msgspec.Struct, gc=False, omit_defaults=True):
    """One row of a tally: a count for every seat, and a short note for every seat.

    `colour` is one of COLOURS or empty; `goal` is the count that decides the row, 0 for none. A
    note is a word such as "won", "lost" or "2 more".
    """

    label: str
    counts: tuple[int, ...]
    goal: int = 0
    notes: tuple[str, ...] = ()
    colour: str = ""


class Tally(msgspec.Struct, gc=False):
    """Races between the seats, a row for each: the cards of a suit, for instance.

    A view has the same tally.
    """

    caption: str
    rows: tuple[TallyRow, ...]
    line: Line = msgspec.field(default_factory=_noted_line)


class SeatLine(msgspec.Struct, gc=False):
    """Text next to a player's name: the score ("won 9") and badges ("leads", "passed")."""

    score: str = ""
    badges: Sequence[str] = ()


class Scene(msgspec.Struct, gc=False):
    """The table as one viewer sees it.

    `prompt` is an instruction for the seat to act ("lay a card or pass"); everybody reads it, so
    it does not say "you". `points` maps an action to the target that it refers to, or to several
    targets for an action on a group. Actions on tokens and sites need no entry, and any other
    action becomes a button. `counts` maps an action that takes numbers of several things to these
    numbers, such as cards of each stack; a front end may ask for one number after another.

    `marks` holds by token up to 9 cells of text to show with the card, such as a known fact
    about it or its player. A mark belongs to the token and is shown for a back as well as for a
    face. `status` is a short text on the round and the cards left ("round 9 · 13 cards left");
    `seats` has the line of each seat.
    """

    prompt: str
    areas: Sequence[Area | Grid]
    points: Mapping[int, Target | Sequence[Target]] = {}
    marks: Mapping[int, str] = {}
    status: str = ""
    seats: Mapping[int, SeatLine] = {}
    counters: Sequence[Counter] = ()
    tallies: Sequence[Tally] = ()
    counts: Mapping[int, Mapping[str, int]] = {}
    line: Line = msgspec.field(default_factory=_noted_line)

    def targets(self, action: int) -> Sequence[Target]:
        """Return the targets of an action."""
        targets = self.points.get(action, ())
        # A Target is itself a sequence, because it is a NamedTuple: only its class shows that it is
        # one.
        return (targets,) if isinstance(targets, Target) else targets


# The parts that know the line that made them, None unless lines are noted.
PARTS = (Area, Grid, Counter, Tally, Scene)
Part = TypeVar("Part", Area, Grid, Counter, Tally, Scene)


def made_at(part: Part, path: str, line: int) -> Part:
    """Return the part with the line that made it; compiled code has no frame to find it in."""
    if is_noting():
        part.line = SourceLine(path, line)
    return part


class Summary(msgspec.Struct, frozen=True, gc=False):
    """The end of a round, trick or battle: a title and a few rows of cells.

    Rows are of equal length; the first one may be a heading. Everything is text of one line. Logs
    and results hold the same summary.
    """

    title: str
    rows: Sequence[Sequence[str]]

    def __post_init__(self) -> None:
        # Logs keep summaries and compare their hashes, so a list must not remain.
        rows = tuple(tuple(map(with_minus, row)) for row in self.rows)
        msgspec.structs.force_setattr(self, "rows", rows)


@dataclass(frozen=True, slots=True)
class BreakdownRow:
    """The points of every seat from one cause, and a short note on each: "12● ×4".

    `colour` is one of COLOURS or empty; `tokens` are the cards that counted, for each seat, which
    a terminal of at least 34 rows shows below the points.
    """

    label: str
    points: Sequence[int]
    notes: Sequence[str] = ()
    colour: str = ""
    tokens: Sequence[Sequence[int]] = ()


@dataclass(frozen=True, slots=True)
class BreakdownSection:
    """Rows of a score under one title, which may be empty.

    `subtotals` are the same points by another division, such as amulets and bonuses over all
    colours; they stand below the rows and are not counted again.
    """

    title: str
    rows: Sequence[BreakdownRow]
    subtotals: Sequence[BreakdownRow] = ()


class Names(Protocol):
    """The names of players and cards for one viewer, which methods of `Display` get."""

    @property
    def before(self) -> "Names":
        """The names by what the viewer knew before the action; the same names without an action.

        For a card that an action lays face down and then turns up: `names.before.phrase(token)`.
        """
        ...

    def player(self, seat: int, /) -> str:
        """Return the name of the player at a seat."""
        ...

    def card(self, token: int, /) -> str:
        """Return a card's name, or the notation of an unseen one: `R14`, `R?`."""
        ...

    def cards(self, tokens: Iterable[int], /) -> str:
        """Return the names of several cards in a row: `R14 R5`; with unseen ones as `phrases`."""
        ...

    def phrase(self, token: int, /) -> str:
        """Return a card for a sentence: `R14`, `a red card`."""
        ...

    def phrases(self, tokens: Iterable[int], /) -> str:
        """Return several cards for a sentence: `R14, 2 white cards and a blue card`."""
        ...
