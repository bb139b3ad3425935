"""Beats: moments within an action at which people see the table before the action goes on.

Rules call `State.pause` there. Only the referee of a table with viewers listens, so a pause costs
search, playouts and matches nothing but the call.
"""

import re
from collections.abc import Iterable
from typing import Any, NamedTuple

# A sentence is on the table for at least these seconds at the usual pace, and longer for each word.
LEAST_SECONDS, SECONDS_PER_WORD = 0.8, 0.1
# The pace of bots, in seconds for each action, at which a beat has its usual length.
USUAL_PACE = 0.6

_PLACEHOLDER = re.compile(r"\{(player|cards)\}")
# By the id of a state to which an action is applied for viewers: the beats of the action so far.
# Not an attribute of the state, because each clone of a search would copy it.
LISTENING: dict[int, list["Beat"]] = {}


class Beat(NamedTuple):
    """A moment within an action: `state` is a copy of the true state, with all its secrets.

    `text` is a sentence with `{player}` for the player at seat `by` and `{cards}` for `cards`,
    which are marked on the table.
    """

    state: Any
    text: str
    cards: tuple[int, ...]
    by: int | None

    def sentence(self, player: str, cards: str) -> str:
        """Return the text with the name of a player and the names of the cards."""
        names = {"player": player, "cards": cards}
        return _PLACEHOLDER.sub(lambda match: names[match[1]], self.text)

    def seconds(self, pace: float) -> float:
        """Return the seconds that people need to read it; `pace`: the seconds of a bot's action."""
        usual = LEAST_SECONDS + SECONDS_PER_WORD * len(self.text.split())
        return round(usual * pace / USUAL_PACE, 3)


def note_beat(state: Any, text: str, cards: Iterable[int], by: int | None) -> None:
    """Note a beat of the action that is being applied to a state, if it has viewers."""
    beats = LISTENING.get(id(state))
    if beats is not None:
        beats.append(Beat(state.clone(), text, tuple(cards), by))


def apply_with_beats(
    game: Any, state: Any, action: int, *, is_watched: bool = True
) -> tuple[Beat, ...]:
    """Apply an action of a game to a state; return its beats, none unless it `is_watched`."""
    if not is_watched:
        game.apply(state, action)
        return ()
    beats = LISTENING[id(state)] = []
    try:
        game.apply(state, action)
    finally:
        del LISTENING[id(state)]
    return tuple(beats)
