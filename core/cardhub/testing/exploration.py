"""Random games directed at rare actions: how they choose, and the order in which they are played.

The games come in rounds. A round has one game for each number of seats with default options, one
with each changed option, and after the first round one with two changed options. The rounds differ
in the style of their actions.
"""

from collections.abc import Callable, Iterator
from enum import Enum
from itertools import combinations, count
from random import Random
from typing import Any

from cardhub.base.errors import OptionError
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.table.settings import Number, SeatNumber, Value
from cardhub.model.table.state import CHANCE, State
from cardhub.testing.coverage import Coverage, values_to_try
from cardhub.testing.random_play import Trial, choose, trials

# The fraction of uniformly random actions in directed games.
UNIFORM_SHARE = 0.3
# The number of directed actions in a game, before uniform ones: direction could prevent its end.
PATIENCE = 500
# Weights of verbs in a game of the style WEIGHTED.
WEIGHTS = (0.05, 1.0, 20.0)
# The number of attempts at valid values for two options.
ATTEMPTS = 5


class ChoosingStyle(Enum):
    """How the actions of a random game are chosen."""

    UNIFORM = "uniform"
    LEAST_SEEN = "least seen"
    WEIGHTED = "weighted"


# The styles of the rounds, in turn.
STYLES = (ChoosingStyle.UNIFORM, ChoosingStyle.LEAST_SEEN, ChoosingStyle.WEIGHTED)


def style_of(trial: Trial) -> ChoosingStyle:
    """Return the style of the round to which a trial belongs."""
    return STYLES[trial.round % len(STYLES)]


class ActionChooser:
    """Chooses the actions of one random game.

    LEAST_SEEN takes an action of a kind, a sequence or a card that was seen least in all games so
    far. WEIGHTED gives each verb a weight for this game, which leads to lopsided positions: large
    hands, empty piles.
    """

    def __init__(self, game: Game[Any], trial: Trial, coverage: Coverage) -> None:
        self._game = game
        self._coverage = coverage
        self._style = style_of(trial)
        self._taken = 0
        rng = Random(f"{trial.seed} weights")
        self._weights = {group.verb: rng.choice(WEIGHTS) for group in game.actions.groups}

    def __call__(self, state: State, rng: Random) -> int:
        """Return a legal action; of chance, one with a positive weight."""
        self._taken += 1
        is_uniform = self._style is ChoosingStyle.UNIFORM or self._taken > PATIENCE
        if is_uniform or rng.random() < UNIFORM_SHARE:
            return choose(self._game, state, rng)
        legal = self._game.legal(state)
        weights = self._game.chance_weights(state) if state.seat == CHANCE else None
        if weights is not None:
            legal = [action for action, weight in zip(legal, weights, strict=True) if weight > 0]
        if self._style is ChoosingStyle.LEAST_SEEN:
            return self._least_seen(state, legal, rng)
        verbs = (self._game.actions.verb_and_index[action][0] for action in legal)
        return rng.choices(legal, [self._weights[verb] for verb in verbs])[0]

    def _least_seen(self, state: State, legal: list[int], rng: Random) -> int:
        seen = self._coverage
        # One level at random: the rarest of a single level would repeat the same few sequences.
        counts: tuple[Callable[[int], int], ...] = (
            lambda action: seen.kinds[seen.kind(state, action)],
            lambda action: seen.sequences[seen.sequence(action, 2)],
            lambda action: seen.sequences[seen.sequence(action, 3)],
            lambda action: seen.details[seen.detail(state, action)],
        )
        often = rng.choice(counts)
        return min(legal, key=lambda action: (often(action), rng.random()))


def rounds(game: Game[Any], seed: int) -> Iterator[list[Trial]]:
    """Yield endless rounds of trials; all trials of a round have the seed of the round."""
    pairs = list(combinations(game.options, 2)) or [(name, name) for name in game.options]
    Random(f"{seed} pairs").shuffle(pairs)
    for number in count():
        every = [
            Trial(trial.seats, trial.settings, trial.seed, number)
            for trial in trials(game, 1, seed + number)
        ]
        # Default options for all numbers of seats first: a short time should be spent on those.
        every.sort(key=lambda trial: any(_changed(game, trial)))
        if number:
            every += _with_pairs(game, pairs, seed, number)
        yield every


def _with_pairs(
    game: Game[Any], pairs: list[tuple[str, str]], seed: int, number: int
) -> Iterator[Trial]:
    tables = range(game.seats.low, game.seats.high + 1)
    for index, seats in enumerate(tables if pairs else ()):
        names = pairs[(number * len(tables) + index) % len(pairs)]
        rng = Random(f"{seed} {number} {seats} options")
        for _ in range(ATTEMPTS):
            given = {name: _random_value(game, name, seats, rng) for name in names}
            try:
                settings = resolve_options(game, given, seats)
            except OptionError:
                continue  # the game does not allow these values together
            yield Trial(seats, settings, seed + number, number)
            break


def _random_value(game: Game[Any], name: str, seats: int, rng: Random) -> Value:
    match game.options[name]:
        case Number(low=low, high=high):
            return rng.randint(low, high)
        case SeatNumber():
            return rng.randrange(seats)
        case option:
            return rng.choice(values_to_try(option, seats) or (option.default,))


def _changed(game: Game[Any], trial: Trial) -> Iterator[bool]:
    return (value != game.options[name].default for name, value in trial.settings.items())
