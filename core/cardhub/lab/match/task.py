"""Game tasks and game results: plain objects that are serialized between processes."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

from msgspec import UNSET, Meta, Struct, UnsetType

from cardhub.base.writing import clipped
from cardhub.bots.language.exchanges import Answers, Exchanges
from cardhub.bots.processes.control_groups import ResourceLimits
from cardhub.bots.processes.sandbox import Sandbox
from cardhub.lab.match.match_spec import Budget, Opening, Policy, Score
from cardhub.model.table.settings import Value

# The largest absolute value of a number in a log: up to here floats represent every integer, which
# makes the log safe for any JSON reader.
EXACT = 2**53
Count = Annotated[int, Meta(ge=0, le=EXACT)]
Number = Annotated[int, Meta(ge=-EXACT, le=EXACT)]
# Why a game ended: by its rules, by a bot's fault, by the limit of steps, or because the places
# were certain.
End = Literal["over", "fault", "steps", "decided"]


@dataclass(frozen=True, slots=True)
class Seat:
    """Assignment of a bot to a seat: its id, its spec `use`, and the seed of its rng.

    `substitute` seeds the bot that replaces it after a fault, or from the start of the game if the
    bot `is_absent` because it was withdrawn. `is_team`: a team gets what its program wrote.
    """

    bot: str
    use: str
    generator: str
    substitute: str
    is_absent: bool = False
    is_team: bool = False


@dataclass(frozen=True, slots=True)
class Limits:
    """The budget of a game, and the policy after a fault."""

    budget: Budget
    policy: Policy
    substitute: str


class SeparateBot(NamedTuple):
    """A bot that runs in a separate process: its spec and files with absolute paths.

    `is_long`: whether it has a warm-up. `third_party`: the names of the third-party plugins for any
    game that its process may import, or None for all.
    """

    spec: str
    files: tuple[Path, ...]
    is_long: bool
    third_party: tuple[str, ...] | None


@dataclass(frozen=True, slots=True)
class Isolation:
    """Bots that run in separate processes, by game and spec, and their sandbox.

    `limits`: what each of them, and each program, may use, or None.

    `is_complete`: whether all third-party bots do, so that the process of the referee imports no
    plugin with only bots. `is_fresh`: whether bots in processes, and programs, start anew for each
    game.
    """

    bots: Mapping[tuple[str, str], SeparateBot] = field(default_factory=dict)
    sandbox: Sandbox | None = None
    is_complete: bool = False
    is_fresh: bool = False
    limits: ResourceLimits | None = None


NO_ISOLATION = Isolation()


class CorrectionPlan(NamedTuple):
    """Which terms a game needs: for scores of this kind, and with known policies or without."""

    score: Score
    with_policies: bool


@dataclass(frozen=True, slots=True)
class GameTask:
    """Input of a worker: one game to play.

    `contest`, `deal` and `bots` identify its block; `directories` are the plugin directories.
    Fault reproductions may include the seeds of bots if the task `is_salted`: other seeds cannot be
    derived from them. The bots of `isolation` run in separate processes; with `in_processes` all
    bots do, which protects the worker from crashes. `version`: the version of the game, with the
    digest of its sources, that the worker must have loaded; empty if it does not matter. `answers`:
    the answers of language models, or None if they are not stored. `corrections`: which terms
    against luck the result has, or None. `opening`: the position at which the game begins, or None.
    `adjudicates`: whether the game ends once its places are certain.
    """

    id: str
    contest: str
    deal: int
    bots: tuple[str, ...]
    vary: Mapping[str, Value]
    game: str
    rules: Mapping[str, Value]
    seed: str
    seats: tuple[Seat, ...]
    limits: Limits
    directories: tuple[Path, ...] = ()
    in_processes: bool = False
    is_salted: bool = False
    isolation: Isolation = NO_ISOLATION
    version: str = ""
    answers: Answers | None = None
    corrections: CorrectionPlan | None = None
    opening: Opening | None = None
    adjudicates: bool = False

    def isolated(self) -> "GameTask":
        """Return the same task, with each bot in a separate process."""
        return replace(self, in_processes=True)

    def answers_of(self, seat: int, *, is_complete: bool = False) -> Exchanges | None:
        """Return the stored answers of the model in a seat, or None if answers are not stored.

        `is_complete`: no model may be asked, as in a match that is verified.
        """
        if self.answers is None:
            return None
        answers = self.answers._replace(is_complete=is_complete or self.answers.is_complete)
        return answers.of_game(self.seats[seat].bot, f"{self.id}.{seat}")

    def differences(self, result: "GameResult") -> Iterator[str]:
        """Yield a message for each attribute of a result that contradicts this task."""
        planned = {
            "contest": self.contest,
            "deal": self.deal,
            "bots": self.bots,
            "vary": self.vary,
            "seed": self.seed or result.seed,  # empty if the secret of the match is unknown
            "seats": tuple(seat.bot for seat in self.seats),
            "absent": tuple(n for n, seat in enumerate(self.seats) if seat.is_absent),
            "opening": len(self.opening.moves) if self.opening else 0,
        }
        return differing(planned, result)


class FaultNote(Struct, frozen=True, forbid_unknown_fields=True):
    """Fault of a bot: its seat, the kind of fault, and the number of actions before it."""

    seat: Count
    bot: str
    fault: str
    step: Count


class Corrections(Struct, frozen=True, forbid_unknown_fields=True, omit_defaults=True):
    """Terms with mean 0 that take luck out of a game: by seat, in millionths of a point or score.

    `chance` has the terms of chance, `policies` those of bots with known policies; both are empty
    if all are 0. `is_exact`: the values behind them are exact, so both add up to all the luck.
    """

    chance: tuple[Number, ...] = ()
    policies: tuple[Number, ...] = ()
    is_exact: bool = False


class DrawnAction(Struct, frozen=True, forbid_unknown_fields=True):
    """The weights by which cardhub drew an action, for a program that stated its policy.

    `step`: the number of actions before it. `weights`: pairs of an action and its weight.
    """

    step: Count
    weights: tuple[tuple[Count, Count], ...]


# Lines of the log call a contest `game`, like the match file.
class GameResult(
    Struct,
    frozen=True,
    forbid_unknown_fields=True,
    omit_defaults=True,
    rename={"contest": "game"},
):
    """Result of a game, independent of host, time and speed; the schema of a line of the log.

    `contest`, `deal` and `bots` identify the block; `seats` are the bots by seat. `cards` is the
    deal. `moves` are the actions in the notation of records: seat and notation, `chance` and
    notation, or `chance` and the names of shuffled cards. `scores` are the game's own; `places`
    count in the match, by team: bots at fault are last. `absent` are the seats of withdrawn bots.
    `teams` has the team of each seat; it is empty if every seat is a team. `sides` has the side of
    each seat at the end; it is empty in a game without sides, and counts for nothing. `drawn` and
    `corrections` are in the logs of matches with `variance: aivat` only. `opening`: how many of the
    moves come from a suite of deals.
    """

    id: str
    contest: str
    deal: Count
    bots: tuple[str, ...]
    vary: Mapping[str, Value]
    seed: str
    seats: tuple[str, ...]
    absent: tuple[Count, ...]
    cards: tuple[str, ...]
    moves: tuple[tuple[int | str, str | tuple[str, ...]], ...]
    end: End
    steps: Count
    scores: tuple[Number, ...]
    places: tuple[Count, ...]
    faults: tuple[FaultNote, ...]
    teams: tuple[Number, ...] = ()
    sides: tuple[Count, ...] = ()
    drawn: tuple[DrawnAction, ...] = ()
    corrections: Corrections | None = None
    opening: Count = 0

    @property
    def has_mixed_partners(self) -> bool:
        """Whether two bots of the block, the first two of `bots`, share a team."""
        return bool(self.teams) and len(self.bots) > len(set(self.teams))

    @property
    def faulty(self) -> tuple[int, ...]:
        """The seats whose bots were at fault."""
        return tuple(note.seat for note in self.faults)


class Timing(Struct, frozen=True):
    """Time, host and process of a game, which differ from run to run; seconds also by bot id."""

    id: str
    seconds: float
    bots: Mapping[str, "Spent"]
    host: str
    process: int


class Spent(Struct, frozen=True):
    """Time a bot took for its actions: total and longest seconds, and the number of actions.

    Of a bot with limits also the seconds in which its processes computed, those in which they
    waited for a processor, and their highest memory in bytes. `late`: the seconds of a question
    that it did not answer in time, and what its processes did in them.
    """

    seconds: float = 0.0
    longest: float = 0.0
    answers: int = 0
    processor: float | UnsetType = UNSET
    waited: float | UnsetType = UNSET
    memory: int | UnsetType = UNSET
    late: float | UnsetType = UNSET
    late_processor: float | UnsetType = UNSET
    late_waited: float | UnsetType = UNSET

    def joined(self, other: "Spent") -> "Spent":
        """Return the sum over two seats."""
        longest = max(self.longest, other.longest)
        return Spent(
            self.seconds + other.seconds,
            longest,
            self.answers + other.answers,
            _joined(self.processor, other.processor, sum),
            _joined(self.waited, other.waited, sum),
            _joined(self.memory, other.memory, max),
            _joined(self.late, other.late, sum),
            _joined(self.late_processor, other.late_processor, sum),
            _joined(self.late_waited, other.late_waited, sum),
        )


N = TypeVar("N", int, float)


def _joined(
    first: N | UnsetType, second: N | UnsetType, join: Callable[[list[N]], N]
) -> N | UnsetType:
    known = [value for value in (first, second) if not isinstance(value, UnsetType)]
    return join(known) if known else UNSET


@dataclass(frozen=True, slots=True)
class Played:
    """Output of a worker process; `reproductions` are the faults encoded as JSON, in order.

    `remarks`: by seat, what the program of a team wrote to stderr.
    """

    result: GameResult
    timing: Timing
    reproductions: tuple[dict[str, Any], ...] = ()
    remarks: Mapping[int, str] = field(default_factory=dict)


def differing(true: Mapping[str, Any], result: GameResult) -> Iterator[str]:
    """Yield a message for each field of a result that differs from its true value."""
    for key, value in true.items():
        if getattr(result, key) != value:
            true_text, text = (clipped(repr(v), 100) for v in (value, getattr(result, key)))
            yield f"{key} should be {true_text}, not {text}"


def player_names(bots: Sequence[str]) -> list[str]:
    """Return player names: the ids of the bots, numbered from the second instance on."""
    copies = [list(bots[:seat]).count(bot) for seat, bot in enumerate(bots)]
    return [f"{bot}#{n + 1}" if n else bot for bot, n in zip(bots, copies, strict=True)]
