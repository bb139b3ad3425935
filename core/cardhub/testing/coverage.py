"""Coverage: the actions, phases, cards and options that the random games of a game have reached."""

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from cardhub.base.writing import listed
from cardhub.model.game.game import Game
from cardhub.model.table.actions import Tokens
from cardhub.model.table.settings import (
    Flag,
    Number,
    OneOf,
    Option,
    SeatNumber,
    Value,
    format_value,
)
from cardhub.model.table.state import OVER, State
from cardhub.testing.random_play import Position, Trial

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


class Coverage:
    """Counts of everything that the random games of a game have reached.

    `kinds` counts the actions taken by verb and phase, `sequences` by two or three verbs in a row,
    `details` by verb, phase, and the card or word that the action names.
    """

    def __init__(self, game: Game[Any]) -> None:
        self.kinds: Counter[tuple[str, int]] = Counter()
        self.sequences: Counter[tuple[str, ...]] = Counter()
        self.details: Counter[tuple[str, int, int]] = Counter()
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
        self._seats.add(trial.seats)
        self._values.update(trial.settings.items())
        self._dealt.update(state.face)

    def note(self, position: Position[Any]) -> Rarity:
        """Note a position and the action that led to it; return how rare that action is."""
        state, before = position.state, position.before
        if before is None:
            self.begin(position.trial, state)
        self._phases.add(state.phase)
        if state.seat != OVER:
            self._legal.update(self._names[action][0] for action in self._game.legal(state))
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
        return rarity

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

    def unreached(self) -> tuple[str, ...]:
        """Return a sentence for each part of the game that no random game has reached."""
        return (*self._missing_actions(), *self._missing_settings(), *self._missing_cards())

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
            if idle := [face for face in missing if face in self._dealt]:
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
