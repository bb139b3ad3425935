"""Random games: the positions on which games are checked."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any, Generic, NoReturn

from cardhub.base.errors import OptionError
from cardhub.base.errors.source_lines import SourceLine
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.chance import masks_at_shuffles, resolve_shuffles, sample_action
from cardhub.model.hidden.labels import Labels
from cardhub.model.hidden.observation import Step
from cardhub.model.hidden.outcomes import Outcome, apply_outcome
from cardhub.model.table.secrets import noted_clone
from cardhub.model.table.settings import Flag, Number, OneOf, Option, SeatNumber, Settings, Value
from cardhub.model.table.state import CHANCE, OVER, State
from cardhub.testing.checking import ConformanceError, FaultyLine, first_line, freeze

# The number of last actions among which positions are compared.
RECENT = 500
# The number of actions of a cycle that are named.
MOST_NAMED = 8
# Attributes that grow with every action or shuffle; with them no position would recur.
GROWING = ("answers", "shuffle_log")


class Recurrences:
    """The last positions of a game by number, to find those that recur."""

    def __init__(self) -> None:
        self._numbers: dict[str, list[int]] = {}
        self._noted = 0

    def note(self, number: int, state: State) -> None:
        """Note the position after `number` actions."""
        values = freeze(state)
        # As a string: attributes of a state need not be hashable.
        key = repr([(name, values[name]) for name in values if name not in GROWING])
        self._numbers.setdefault(key, []).append(number)
        self._noted += 1

    def describe(self, game: Game[Any], state: State, steps: Sequence[Step]) -> str:
        """Return how often the most frequent position came, and the shortest way back to it."""
        numbers = max(self._numbers.values(), key=len)
        if len(numbers) < 2:
            return f"no position came twice in the last {self._noted:,} actions"
        gaps = pairwise(numbers)
        first, last = min(gaps, key=lambda gap: gap[1] - gap[0])
        labels = Labels(game, state.face, state.back)
        named = [_text(labels, step) for step in steps[first:last][:MOST_NAMED]]
        more = last - first - len(named)
        path = ", ".join([*named, f"{more} more"] if more > 0 else named)
        often = f"{len(numbers):,} times in the last {self._noted:,} actions"
        return f"the same position came {often}, such as after {path}"


def _text(labels: Labels, step: Step) -> str:
    who = "chance" if step.seat == CHANCE else f"seat {step.seat}"
    return f"{who}: {labels.label(step.action)}"


# A random game with more actions counts as endless.
MOST_ACTIONS = 10_000
# So does one with more actions of chance in a row.
MOST_CHANCE = 1_000


@dataclass(frozen=True, slots=True)
class Trial:
    """A random game: number of seats, options, and the seed of its deal and actions.

    `round` is the number of the round of random games to which it belongs, see `exploration`.
    """

    seats: int
    settings: Settings
    seed: int
    round: int = 0

    def fail(
        self, game: Game[Any], check: str, problem: str, line: SourceLine | None = None
    ) -> NoReturn:
        """Raise ConformanceError for this game; `line` is the faulty line of the rules."""
        raise self.failure(game, check, problem, line)

    def failure(
        self,
        game: Game[Any],
        check: str,
        problem: str,
        line: SourceLine | None = None,
        step: int | None = None,
    ) -> ConformanceError:
        """Return the error to raise, with the arguments that reproduce the position."""
        options = ", ".join(f"{name}={value}" for name, value in self.settings.items())
        where = f"{game.name}, {self.seats} seats, {options or 'no options'}, seed {self.seed}"
        if step is not None:
            where += f", step {step}"
        named = problem if line is None else f"{problem} ({line})"
        lines = [FaultyLine.at(line, problem)] if line else []
        return ConformanceError(check, where, named, lines)


@dataclass(frozen=True, slots=True)
class Position(Generic[S]):
    """A position of a random game after `number` actions.

    `before` is the state before the last action, `applied` the state right after it, with its
    shuffles pending. Both are None at the start. `steps` is shared by all positions of a game, and
    goes on.
    """

    trial: Trial
    number: int
    state: S
    before: S | None
    applied: S | None
    steps: list[Step]

    @property
    def history(self) -> tuple[Step, ...]:
        """The past actions."""
        return tuple(self.steps[: self.number])

    def viewer_name(self, viewer: int) -> str:
        """Return a viewer as findings name it."""
        return f"seat {viewer}" if viewer < self.trial.seats else "a spectator"

    def fail(
        self, game: Game[Any], check: str, problem: str, line: SourceLine | None = None
    ) -> NoReturn:
        """Raise ConformanceError for this position; `line` is the faulty line of the rules."""
        raise self.failure(game, check, problem, line)

    def failure(
        self, game: Game[Any], check: str, problem: str, line: SourceLine | None = None
    ) -> ConformanceError:
        """Return the error to raise for this position."""
        return self.trial.failure(game, check, problem, line, self.number)


def deal(game: Game[S], trial: Trial, rng: Random | None = None) -> S:
    """Return the initial state of a trial, shuffled by its seed unless `rng` is given."""
    # A seed that is a string: the deal and the actions have independent generators.
    faces = shuffled_pack(game, trial.settings, trial.seats, rng or Random(f"{trial.seed} deal"))
    return initial_state(game, trial.settings, trial.seats, faces)


@dataclass(slots=True)
class Opening:
    """The beginning of a game that was played before: its seed, actions and shuffle outcomes.

    `uses` counts the games that went on from its end.
    """

    seed: int
    steps: tuple[Step, ...]
    outcomes: tuple[Outcome, ...]
    uses: int = 0


def play(
    game: Game[S],
    trial: Trial,
    choose_action: Callable[[S, Random], int] | None = None,
    opening: Opening | None = None,
) -> Iterator[Position[S]]:
    """Play a random game and yield its positions; raises ConformanceError if it is endless.

    Its actions are chosen uniformly at random, unless `choose_action` is given. It begins with the
    actions and shuffles of `opening`, which was played with the same seed.
    """
    # Not the generator of the deal: other options leave the actions as they are.
    rng = Random(f"{trial.seed} {trial.round} play" if opening else f"{trial.seed} play")
    known, outcomes = (opening.steps, opening.outcomes) if opening else ((), ())
    state, steps = deal(game, trial), list[Step]()
    recent, by_chance, choose_next = Recurrences(), 0, choose_action or partial(choose, game)
    yield Position(trial, 0, state, None, None, steps)
    while state.seat != OVER:
        by_chance = by_chance + 1 if state.seat == CHANCE else 0
        if len(steps) >= MOST_ACTIONS - RECENT or by_chance > MOST_CHANCE - RECENT:
            recent.note(len(steps), state)
        if len(steps) == MOST_ACTIONS or by_chance == MOST_CHANCE:
            cycle = recent.describe(game, state, steps)
            trial.fail(game, "end", _endless(by_chance) + cycle, first_line(game.apply))
        is_known = len(steps) < len(known)
        action = known[len(steps)].action if is_known else choose_next(state, rng)
        steps.append(Step(state.seat, action))
        # Positions are kept by the checks, so each action gets a new state.
        before, applied = state, noted_clone(state)
        game.apply(applied, action)
        state = applied
        if applied.pending_shuffles:
            state = applied.clone()
            masks = masks_at_shuffles(game, before, applied)
            if is_known:
                for allowed in masks:
                    apply_outcome(state, outcomes[len(state.shuffle_log)], allowed)
            else:
                resolve_shuffles(game, state, rng, masks)
        yield Position(trial, len(steps), state, before, applied, steps)


def _endless(by_chance: int) -> str:
    if by_chance == MOST_CHANCE:
        return f"chance acts {MOST_CHANCE:,} times in a row and never gives the turn back: "
    return f"the game goes on after {MOST_ACTIONS:,} actions: "


def choose(game: Game[S], state: S, rng: Random) -> int:
    """Return a random legal action; of chance, one by its weights."""
    return (
        sample_action(game, state, rng) if state.seat == CHANCE else rng.choice(game.legal(state))
    )


def trials(game: Game[Any], games: int, seed: int) -> Iterator[Trial]:
    """Yield `games` trials per number of seats and option: all defaults, then one option changed.

    The seeds of each kind are `seed`, `seed + 1` and so on.
    """
    for seats in range(game.seats.low, game.seats.high + 1):
        for given in _choices(game.options, seats):
            try:
                settings = resolve_options(game, given, seats)
            except OptionError:
                continue  # the game allows this value only together with another option
            for number in range(games):
                yield Trial(seats, settings, seed + number)


def default_trial(game: Game[Any], seats: int, seed: int) -> Trial:
    """Return a trial with default options."""
    return Trial(seats, resolve_options(game, {}, seats), seed)


def changed_options(game: Game[Any], trial: Trial) -> dict[str, Value]:
    """Return the options of a trial that differ from their defaults."""
    return {n: v for n, v in trial.settings.items() if v != game.options[n].default}


def _choices(options: Mapping[str, Option], seats: int) -> Iterator[dict[str, Value]]:
    yield {}
    for name, option in options.items():
        for value in _values(option, seats):
            if value != option.default:
                yield {name: value}


def _values(option: Option, seats: int) -> tuple[Value, ...]:
    """Return all values of an option, or of a range its ends, to bound the number of games."""
    match option:
        case Flag():
            return (False, True)
        case Number(low=low, high=high):
            return (low, high)
        case SeatNumber():
            return (0, seats - 1)
        case OneOf(values=values):
            return values
        case _:
            return ()
