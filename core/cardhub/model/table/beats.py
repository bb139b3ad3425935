"""What rules show and say within an action: beats, and sentences of the log.

At a beat people see the table before the action goes on; rules call `State.pause`. Sentences are
data, filled in for each viewer by what the viewer knew then; rules call `State.log`. Only a referee
with viewers listens: in search, playouts and matches, `if WATCHED` costs next to nothing.
"""

import re
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

from cardhub.base.writing import amount, count
from cardhub.model.table.faces import blanked

# A sentence is on the table for at least these seconds at the usual pace, and longer for each word.
LEAST_SECONDS, SECONDS_PER_WORD = 0.8, 0.1
# The pace of bots, in seconds for each action, at which a beat has its usual length.
USUAL_PACE = 0.6

# `{points}` is a number, `{points:point}` a number with its noun.
_VALUE = re.compile(r"\{(\w+)(?::([^{}]+))?\}")
WATCHED: dict[int, "Moments"] = {}
"""By the id of a state to which an action is applied for viewers, its moments so far.

Empty in search and matches: rules ask `if WATCHED` before they pause or log.
"""
# Not an attribute of the state, because each clone of a search would copy it.


def _filled(
    text: str,
    seats: Mapping[str, int | None],
    cards: str,
    values: Mapping[str, int],
    player: Callable[[int], str],
) -> str:
    """Return a sentence with the names of players and cards, and with its numbers."""

    def replace(match: re.Match[str]) -> str:
        name, noun = match.groups()
        seat = seats.get(name)
        if seat is not None:
            return player(seat)
        if name == "cards":
            return cards
        if name not in values:
            return match[0]
        number = values[name]
        if not noun:
            return count(number)
        return amount(number, noun) if number else f"no {noun}s"

    return _VALUE.sub(replace, text)


class Beat(NamedTuple):
    """A moment within an action: `state` is a copy of the true state, with all its secrets.

    `text` is a sentence with `{player}` for the player at seat `by`, `{other}` for the player at
    seat `other`, `{cards}` for `cards`, which are marked on the table, and the names of `values`.
    """

    state: Any
    text: str
    cards: tuple[int, ...]
    by: int | None
    other: int | None = None
    values: Mapping[str, int] = MappingProxyType({})

    def sentence(self, player: Callable[[int], str], cards: str) -> str:
        """Return the sentence with the names of players and cards."""
        seats = {"player": self.by, "other": self.other}
        return _filled(self.text, seats, cards, self.values, player)

    def seconds(self, pace: float) -> float:
        """Return the seconds that people need to read it; `pace`: the seconds of a bot's action."""
        usual = LEAST_SECONDS + SECONDS_PER_WORD * len(self.text.split())
        return round(usual * pace / USUAL_PACE, 3)


class CardThen(NamedTuple):
    """A card when a sentence was written: face, back, and as bits the viewers who knew it."""

    face: int
    back: int
    seen: int


class LogSentence(NamedTuple):
    """A sentence of the log as data; `by` and `other` are the seats of `{player}` and `{other}`.

    `is_private`: it is for viewers who knew all of the cards. `values` replace their names.
    It is not a Beat, because a log must not keep states with all their secrets.
    """

    text: str
    by: int | None
    other: int | None
    cards: tuple[CardThen, ...]
    is_private: bool
    values: Mapping[str, int]

    def is_for(self, knows: Callable[[CardThen], bool]) -> bool:
        """Return whether a viewer, who `knows` some cards, gets the sentence."""
        return not self.is_private or all(map(knows, self.cards))

    def filled(self, player: Callable[[int], str], cards: str) -> str:
        """Return the sentence with the names of players and cards."""
        seats = {"player": self.by, "other": self.other}
        return _filled(self.text, seats, cards, self.values, player)


class Moments(NamedTuple):
    """The beats and the sentences of an action, in order."""

    beats: list[Beat]
    sentences: list[LogSentence]


NO_MOMENTS = Moments([], [])


def note_beat(beat: Beat) -> None:
    """Note a beat of the action that is being applied to its state, if it has viewers."""
    moments = WATCHED.get(id(beat.state))
    if moments is not None:
        moments.beats.append(beat._replace(state=beat.state.clone()))


def note_sentence(beat: Beat, *, is_private: bool, has_pause: bool) -> None:
    """Note a sentence for the log, and with `has_pause` its beat, if the action has viewers."""
    state, moments = beat.state, WATCHED.get(id(beat.state))
    if moments is not None:
        faces, backs, seen = blanked(state.face), state.back, state.seen
        then = tuple(CardThen(faces[token], backs[token], seen[token]) for token in beat.cards)
        sentence = LogSentence(
            beat.text, beat.by, beat.other, then, is_private=is_private, values=beat.values
        )
        moments.sentences.append(sentence)
        if has_pause:
            note_beat(beat)


def apply_watched(game: Any, state: Any, action: int, *, is_watched: bool = True) -> Moments:
    """Apply an action of a game to a state; return its moments, none unless it `is_watched`."""
    if not is_watched:
        game.apply(state, action)
        return NO_MOMENTS
    moments = WATCHED[id(state)] = Moments([], [])
    try:
        game.apply(state, action)
    finally:
        del WATCHED[id(state)]
    return moments
