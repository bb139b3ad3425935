"""Messages between the workbench and the processes that import its game.

Frames of msgpack go to the processes; the page gets `ShownPosition` and `Checked` as JSON.
"""

from typing import Literal

from msgspec import Struct

from cardhub.model.table.settings import Value
from cardhub.testing.game_checks.report_schema import Fault
from cardhub.view.view import CardCatalogue, LogLine, ResultView, Spot, View


class BenchPosition(Struct, frozen=True):
    """A position: the record of its game, and choices of a round that is not complete, by seat.

    `step` is the step of the replay that is shown, None for the last one: actions go on from there.
    """

    record: str
    choices: dict[int, int] = {}
    step: int | None = None


class NewDeal(Struct, frozen=True, tag="deal"):
    """Begin a game: with the default number of seats if `seats` is 0."""

    seats: int
    options: dict[str, Value]
    seed: int


class Look(Struct, frozen=True, tag="look"):
    """Show the position at a step, by default at the last one."""

    step: int | None = None


class Choose(Struct, frozen=True, tag="choose"):
    """Take an action of a seat at the shown step; what came after this step is dropped."""

    seat: int
    action: int


class PlayOn(Struct, frozen=True, tag="play"):
    """Take up to `actions` random actions at the shown step; what came after it is dropped."""

    actions: int


class Explain(Struct, frozen=True, tag="explain"):
    """Describe a spot to a viewer."""

    viewer: int
    spot: Spot


BenchCommand = NewDeal | Look | Choose | PlayOn | Explain


class BenchQuestion(Struct, frozen=True):
    """A command at a position, None before the first deal."""

    command: BenchCommand
    position: BenchPosition | None


class BenchFault(Struct, frozen=True):
    """What is wrong, in a sentence; `file` and `line` of the game raised it, if any did."""

    text: str
    file: str = ""
    line: int = 0


class ShownTable(Struct, frozen=True):
    """The table of one viewer, or the fault that prevents its drawing."""

    viewer: int
    name: str
    view: View | None
    log: tuple[LogLine, ...] = ()
    result: ResultView | None = None
    fault: BenchFault | None = None


class ShownStop(Struct, frozen=True):
    """A stop of the game so far: its step, and the action with the name of the player.

    Without a name it is the deal, a shuffle or the end.
    """

    step: int
    name: str
    action: str


class ShownPosition(Struct, frozen=True, tag="position"):
    """A position as all seats see it, and finally as a viewer of all cards sees it.

    `repeated` is the number of lines of the record that the rules still allow, of `lines`;
    `faults` says why the others are left out, and which calls of the rules failed.
    """

    title: str
    seats: tuple[int, int]
    options: dict[str, Value]
    seed: str
    catalogue: CardCatalogue
    position: BenchPosition
    stops: tuple[ShownStop, ...]
    tables: tuple[ShownTable, ...]
    lines: int
    repeated: int
    faults: tuple[BenchFault, ...] = ()


class Explained(Struct, frozen=True, tag="explained"):
    """The description of a spot."""

    text: str


class Unusable(Struct, frozen=True, tag="unusable"):
    """The answer if the game cannot be imported, or the command cannot be carried out."""

    faults: tuple[BenchFault, ...]


class CheckFinding(Struct, frozen=True):
    """A failed check with its promise, and the record up to its fault, which may be empty."""

    check: str
    promise: str
    fault: Fault
    record: str


class Checked(Struct, frozen=True, tag="checked"):
    """The checks of the present files: still running, after `games` random games, or ended."""

    state: Literal["running", "passed", "failed", "stopped"]
    games: int
    findings: tuple[CheckFinding, ...] = ()
    faults: tuple[BenchFault, ...] = ()


BenchReply = ShownPosition | Explained | Unusable


class BenchAnswer(Struct, frozen=True):
    """The reply to a question, and what the game printed meanwhile."""

    reply: BenchReply
    printed: str = ""
