"""Coverage by the random games of a game, and games directed at rare actions.

The directed games come in rounds. A round has one game for each number of seats with default
options, one with each changed option, and after the first round one with two changed options. The
rounds differ in the style of their actions.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from enum import Enum
from itertools import combinations, count
from random import Random
from typing import Any, NamedTuple

from cardhub.base.errors import OptionError
from cardhub.base.writing import listed
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.hidden.determinize import kind_of
from cardhub.model.hidden.outcomes import Outcome
from cardhub.model.hidden.past_steps import outcomes_of
from cardhub.model.table.actions import Tokens
from cardhub.model.table.rounds import is_in_round
from cardhub.model.table.settings import (
    Flag,
    Number,
    OneOf,
    Option,
    SeatNumber,
    Value,
    format_value,
)
from cardhub.model.table.state import CHANCE, OVER, State
from cardhub.testing.game_checks.prompts import PromptTexts
from cardhub.testing.random_play import Opening, Position, Trial, choose, trials
from cardhub.testing.rule_coverage import RuleCoverage

# Ranges with more values than this are complete when both ends have been tried.
MOST_VALUES = 10
# The number of cards that a sentence names.
MOST_NAMED = 8


class Rarity(NamedTuple):
    """How often an action of this kind, and the same sequence of two verbs, were taken before."""

    kind: int
    sequence: int


# The rarity of a deal: all are alike, so any other position is rarer.
NO_ACTION = Rarity(2**63, 0)
# The rarity of a position with a new line, verb or phase.
NEW = Rarity(-1, 0)


class Coverage:
    """Counts of everything that the random games of a game have reached.

    `kinds` counts the actions taken by verb and phase, `sequences` by two or three verbs in a row,
    `details` by verb, phase, and the card or word that the action names. `rules` has the lines of
    the rules, `frontier` the positions that reached new ones. `ending` are the verbs that have
    ended more games than not.
    """

    def __init__(self, game: Game[Any]) -> None:
        self.kinds: Counter[tuple[str, int]] = Counter()
        self.sequences: Counter[tuple[str, ...]] = Counter()
        self.details: Counter[tuple[str, int, int]] = Counter()
        self.rules, self.frontier = RuleCoverage(game), Frontier()
        self.ending = set[str]()
        self._ends, self._verbs = Counter[str](), Counter[str]()
        self._games = 0
        # Actions whose rules read hidden faces: verb, phase and lines of each kind.
        self.reading_lines = set[tuple[object, ...]]()
        # What language models read in all random games.
        self.prompts = PromptTexts()
        self._game = game
        self._names = game.actions.verb_and_index
        self._has_card = [isinstance(group, Tokens) for group, _ in game.actions.by_action]
        self._previous: tuple[str, ...] = ()
        self._legal, self._phases = set[str](), set[int]()
        self._dealt, self._acted_on = set[int](), set[int]()
        self._seats, self._values = set[int](), set[tuple[str, Value]]()

    def begin(self, trial: Trial, state: State) -> None:
        """Note the first position of a game."""
        self._previous = ()
        self._games += 1
        self._seats.add(trial.seats)
        self._values.update(trial.settings.items())
        self._dealt.update(state.face)

    def note(self, position: Position[Any]) -> Rarity:
        """Note a position and the action that led to it; return how rare that action is."""
        state, before = position.state, position.before
        if before is None:
            self.begin(position.trial, state)
        is_new = self._note_news(position)
        if before is None:
            return NO_ACTION
        action = position.steps[position.number - 1].action
        kind, pair = self.kind(before, action), self.sequence(action, 2)
        rarity = Rarity(self.kinds[kind], self.sequences[pair])
        self.kinds[kind] += 1
        self.sequences.update((pair, self.sequence(action, 3)))
        self.details[self.detail(before, action)] += 1
        if self._has_card[action]:
            self._acted_on.add(before.face[self._names[action][1]])
        self._previous = (*self._previous[-1:], kind[0])
        self._note_end(kind[0], is_over=state.seat == OVER)
        # In the first game nearly everything is new.
        return NEW if is_new and self._games > 1 else rarity

    def _note_news(self, position: Position[Any]) -> bool:
        """Return whether lines, phases or legal verbs are new; keep the position then."""
        state = position.state
        legal = [] if state.seat == OVER else self._game.legal(state)
        verbs = {self._names[action][0] for action in legal} - self._legal
        is_new = bool(verbs) or state.phase not in self._phases or self.rules.has_news
        self._legal |= verbs
        self._phases.add(state.phase)
        self.rules.has_news = False
        if is_new:
            self.frontier.add(position, tuple(outcomes_of(state)))
        return is_new

    def _note_end(self, verb: str, *, is_over: bool) -> None:
        self._verbs[verb] += 1
        self._ends[verb] += is_over
        if 2 * self._ends[verb] > self._verbs[verb]:
            self.ending.add(verb)
        else:
            self.ending.discard(verb)

    def kind(self, state: State, action: int) -> tuple[str, int]:
        """Return the key of an action in `kinds`."""
        return self._names[action][0], state.phase

    def sequence(self, action: int, length: int) -> tuple[str, ...]:
        """Return the key in `sequences` of an action after the last ones."""
        return (*self._previous[1 - length :], self._names[action][0])

    def detail(self, state: State, action: int) -> tuple[str, int, int]:
        """Return the key of an action in `details`."""
        verb, index = self._names[action]
        # Every deal renumbers the tokens, so the card itself is counted.
        return verb, state.phase, state.face[index] if self._has_card[action] else index

    @property
    def is_complete(self) -> bool:
        """Whether the games have reached all actions, phases and lines of the rules."""
        return self.rules.is_complete and not any(self._missing_actions())

    def unreached(self) -> tuple[str, ...]:
        """Return a sentence for each part of the game that no random game has reached."""
        lines = self.rules.missing()
        return (
            *self._missing_actions(),
            *self._missing_settings(),
            *self._missing_cards(),
            *([f"no game ran these lines of the rules: {lines}"] if lines else []),
        )

    def _missing_actions(self) -> Iterator[str]:
        taken = {verb for verb, _ in self.kinds}
        for verb in dict.fromkeys(group.verb for group in self._game.actions.groups):
            if verb not in self._legal:
                yield f"action `{verb}` was never legal"
            elif verb not in taken:
                yield f"action `{verb}` was legal, but never taken"
        for number, phase in enumerate(self._game.phases):
            if number not in self._phases:
                yield f"phase `{phase}` never came"

    def _missing_settings(self) -> Iterator[str]:
        every = range(self._game.seats.low, self._game.seats.high + 1)
        if seats := [str(number) for number in every if number not in self._seats]:
            yield f"no game had {listed(seats, 'or')} players"
        for name, option in self._game.options.items():
            values = values_to_try(option, self._game.seats.high)
            if missing := [v for v in values if (name, v) not in self._values]:
                # Only values that follow one another are written without their option's name.
                written = listed([format_value(value) for value in missing], "or")
                yield f"option {name}={written} was not tried"

    def _missing_cards(self) -> Iterator[str]:
        if not any(self._has_card):
            return
        faces = self._game.cards.faces
        if missing := [face for face in range(len(faces)) if face not in self._acted_on]:
            absent = [face for face in missing if face not in self._dealt]
            if absent:
                yield f"{_cards(faces[face].name for face in absent)} never in play"
            # No action may be about any card of a deck or back, such as prizes.
            kinds = {kind_of(self._game, face) for face in self._acted_on}
            in_play = [face for face in missing if face in self._dealt]
            if idle := [face for face in in_play if kind_of(self._game, face) in kinds]:
                yield f"{_cards(faces[face].name for face in idle)} never acted on"


def values_to_try(option: Option, seats: int) -> tuple[Value, ...]:
    """Return all values of an option, or of a large range its ends."""
    match option:
        case Flag():
            return (False, True)
        case Number(low=low, high=high) if high - low >= MOST_VALUES:
            return (low, high)
        case Number(low=low, high=high):
            return tuple(range(low, high + 1))
        case SeatNumber():
            return tuple(range(seats))
        case OneOf(values=values):
            return values
        case _:
            return ()


def _cards(names: Iterable[str]) -> str:
    cards = list(names)
    more = len(cards) - MOST_NAMED
    named = listed([*cards[:MOST_NAMED], f"{more} more"] if more > 0 else cards)
    return f"card {named} was" if len(cards) == 1 else f"cards {named} were"


# The fraction of uniformly random actions in directed games.
UNIFORM_SHARE = 0.3
# The number of directed actions in a game, before uniform ones: direction could prevent its end.
PATIENCE = 500
# The share of games that avoid actions which mostly end a game: a `stop` would end every game.
AVOIDING_SHARE = 0.5
# The share of games, after the first round, that go on from an earlier position.
CONTINUED_SHARE = 1 / 3
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


def choose_opening(coverage: Coverage, trial: Trial) -> tuple[Trial, Opening | None]:
    """Return the trial to play, and the opening that it begins with or None.

    Until all rules are reached, a third of the games after the first round goes on from a position
    with a new line, verb or phase.
    """
    rng = Random(f"{trial.seed} {trial.seats} {[*trial.settings.values()]} opening")
    if not trial.round or coverage.is_complete or rng.random() >= CONTINUED_SHARE:
        return trial, None
    return coverage.frontier.choose(trial) or (trial, None)


def style_of(trial: Trial) -> ChoosingStyle:
    """Return the style of the round to which a trial belongs."""
    return STYLES[trial.round % len(STYLES)]


class ActionChooser:
    """Chooses the actions of one random game.

    LEAST_SEEN takes an action of a kind, a sequence or a card that was seen least in all games so
    far. WEIGHTED gives each verb a weight for this game, which leads to lopsided positions: large
    hands, empty piles. In half of the games actions that mostly end a game are avoided. `seed`: the
    seed of these decisions, by default the seed of the trial.
    """

    def __init__(self, game: Game[Any], trial: Trial, coverage: Coverage, seed: str = "") -> None:
        self._game = game
        self._coverage = coverage
        self._style = style_of(trial)
        self._taken = 0
        rng = Random(f"{seed or trial.seed} weights")
        self._weights = {group.verb: rng.choice(WEIGHTS) for group in game.actions.groups}
        self._avoids_ends = rng.random() < AVOIDING_SHARE

    def __call__(self, state: State, rng: Random) -> int:
        """Return a legal action; of chance, one with a positive weight."""
        self._taken += 1
        legal = self._game.legal(state)
        lasting = self._lasting(state, legal)
        is_uniform = self._style is ChoosingStyle.UNIFORM or self._taken > PATIENCE
        if is_uniform or rng.random() < UNIFORM_SHARE:
            return rng.choice(lasting) if lasting else choose(self._game, state, rng)
        legal = lasting or legal
        weights = self._game.chance_weights(state) if state.seat == CHANCE else None
        if weights is not None:
            legal = [action for action, weight in zip(legal, weights, strict=True) if weight > 0]
        if self._style is ChoosingStyle.LEAST_SEEN:
            return self._least_seen(state, legal, rng)
        verbs = (self._game.actions.verb_and_index[action][0] for action in legal)
        return rng.choices(legal, [self._weights[verb] for verb in verbs])[0]

    def _lasting(self, state: State, legal: list[int]) -> list[int]:
        """Return the actions that do not end the game in most cases; empty if this is all or none.

        Empty as well if this game does not avoid ends, or has gone on for long enough.
        """
        ending = self._coverage.ending
        if not (ending and self._avoids_ends) or state.seat < 0 or self._taken > PATIENCE:
            return []
        verbs = self._game.actions.verb_and_index
        lasting = [action for action in legal if verbs[action][0] not in ending]
        return lasting if len(lasting) < len(legal) else []

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
        every = [replace(trial, round=number) for trial in trials(game, 1, seed + number)]
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


# The most games that go on from one position.
MOST_USES = 8


class Frontier:
    """The openings of a game by number of seats and options."""

    def __init__(self) -> None:
        self._openings: dict[tuple[object, ...], list[Opening]] = {}

    def add(self, position: Position[Any], outcomes: tuple[Outcome, ...]) -> None:
        """Add the actions up to a position, unless the game is over or a round is open."""
        if position.number and position.state.seat != OVER and not is_in_round(position.state):
            opening = Opening(position.trial.seed, position.history, outcomes)
            self._openings.setdefault(_table_of(position.trial), []).append(opening)

    def choose(self, trial: Trial) -> tuple[Trial, Opening] | None:
        """Return the least used opening for a table, the newest one first, and its trial.

        None: there is no opening that was used less than MOST_USES times.
        """
        openings = self._openings.get(_table_of(trial), [])
        opening = min(reversed(openings), key=lambda opening: opening.uses, default=None)
        if opening is None or opening.uses == MOST_USES:
            return None
        opening.uses += 1
        return replace(trial, seed=opening.seed), opening


def _table_of(trial: Trial) -> tuple[object, ...]:
    return (trial.seats, *trial.settings.items())
