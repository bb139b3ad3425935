"""Random games: the positions on which games are checked, and how fast they are played."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from time import perf_counter
from typing import Any, Generic, NamedTuple, NoReturn

from cardhub.errors import OptionError
from cardhub.game.game import Game, S
from cardhub.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.hidden.chance import masks_at_shuffles, random_step, resolve_shuffles, sample_action
from cardhub.hidden.observation import Step
from cardhub.table.settings import Flag, Number, OneOf, Option, SeatNumber, Settings, Value
from cardhub.table.state import CHANCE, OVER
from cardhub.testing.checking import ConformanceError

# A random game with more actions counts as endless.
MOST_ACTIONS = 10_000
# With fewer random actions per second, search bots get too few playouts to play well.
SLOW = 10_000


@dataclass(frozen=True, slots=True)
class Trial:
    """A random game: number of seats, options, and the seed of its deal and actions."""

    seats: int
    settings: Settings
    seed: int

    def fail(self, game: Game[Any], check: str, what: str) -> NoReturn:
        """Raise ConformanceError for this game."""
        raise self.failure(game, check, what)

    def failure(
        self, game: Game[Any], check: str, what: str, step: int | None = None
    ) -> ConformanceError:
        """Return the error to raise, with the arguments that reproduce the position."""
        options = ", ".join(f"{name}={value}" for name, value in self.settings.items())
        where = f"{game.name}, {self.seats} seats, {options or 'no options'}, seed {self.seed}"
        return ConformanceError(check, where + ("" if step is None else f", step {step}"), what)


@dataclass(frozen=True, slots=True)
class Position(Generic[S]):
    """A position of a random game after `number` actions.

    `before` is the state before the last action, `told` the state right after it, with its shuffles
    pending. Both are None at the start. `steps` is shared by all positions of a game, and goes on.
    """

    trial: Trial
    number: int
    state: S
    before: S | None
    told: S | None
    steps: list[Step]

    @property
    def history(self) -> tuple[Step, ...]:
        """The actions so far."""
        return tuple(self.steps[: self.number])

    def fail(self, game: Game[Any], check: str, what: str) -> NoReturn:
        """Raise ConformanceError for this position."""
        raise self.failure(game, check, what)

    def failure(self, game: Game[Any], check: str, what: str) -> ConformanceError:
        """Return the error to raise for this position."""
        return self.trial.failure(game, check, what, self.number)


def deal(game: Game[S], trial: Trial, rng: Random | None = None) -> S:
    """Return the initial state of a trial, shuffled by its seed unless `rng` is given."""
    # A seed that is a string, so that the deal and the actions have independent generators.
    faces = shuffled_pack(game, trial.settings, trial.seats, rng or Random(f"{trial.seed} deal"))
    return initial_state(game, trial.settings, trial.seats, faces)


def play(game: Game[S], trial: Trial) -> Iterator[Position[S]]:
    """Play a random game and yield its positions; raises ConformanceError if it is endless."""
    # Not the generator of the deal, so that other options leave the actions as they are.
    rng = Random(f"{trial.seed} play")
    state, steps = deal(game, trial), list[Step]()
    yield Position(trial, 0, state, None, None, steps)
    while state.seat != OVER:
        if len(steps) == MOST_ACTIONS:
            trial.fail(game, "end", f"the game goes on after {MOST_ACTIONS} actions")
        action = choose(game, state, rng)
        steps.append(Step(state.seat, action))
        # Positions are kept by the checks, so each action gets a state of its own.
        before, told = state, state.clone()
        game.apply(told, action)
        state = told
        if told.pending_shuffles:
            state = told.clone()
            resolve_shuffles(game, state, rng, masks_at_shuffles(game, before, told))
        yield Position(trial, len(steps), state, before, told, steps)


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


class Speed(NamedTuple):
    """Random games played in a time, and their actions."""

    games: int
    actions: int
    seconds: float

    def __str__(self) -> str:
        games, actions = self.games / self.seconds, self.actions / self.seconds
        return f"{games:,.0f} random games a second, {actions:,.0f} actions a second"

    @property
    def is_slow(self) -> bool:
        """Whether search bots play worse for it."""
        return self.actions / self.seconds < SLOW


def measure(game: Game[Any], seed: int, seconds: float = 0.3) -> Speed:
    """Play random games with default options for `seconds`, at least one."""
    trial, rng = default_trial(game, game.seats.default, seed), Random(f"{seed} speed")
    games = actions = 0
    began = perf_counter()
    # At least one game, so that a slow game has a speed too.
    while (taken := perf_counter() - began) < seconds or not games:
        state = deal(game, trial, rng)
        while state.seat != OVER:
            random_step(game, state, rng)
            actions += 1
        games += 1
    return Speed(games, actions, taken)


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
