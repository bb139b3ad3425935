"""The notes of a language model: what it writes at a turn to read it at its next one.

They are the model's own words, which only its seat reads. Its prompts quote them as data.
"""

import re
from typing import Any

from cardhub.base.errors.quoting import UNSAFE
from cardhub.base.writing import clipped
from cardhub.model.hidden.observation import Observation

# The most characters of notes.
MOST_NOTES = 1_000


def cleaned_notes(text: str) -> str:
    """Return a text as notes: bounded, without control characters and empty lines."""
    lines = (UNSAFE.sub(" ", line).strip() for line in re.split(r"\r\n|\r|\n", text))
    return clipped("\n".join(filter(None, lines)), MOST_NOTES)


class Notebook:
    """The notes of one seat, by its actions up to the turn after them.

    So notes of an action that was taken back, or of an answer that was not played, are not read.
    """

    def __init__(self) -> None:
        self._notes = dict[tuple[int, ...], str]()

    def read(self, observation: Observation[Any]) -> str:
        """Return the last notes before a turn, or an empty text."""
        own = _own_actions(observation)
        if not own:
            self._notes.clear()  # a new game
        # Turns with a single action may have been played without a question.
        ends = (own[:end] for end in range(len(own), 0, -1))
        return next((self._notes[end] for end in ends if end in self._notes), "")

    def write(self, observation: Observation[Any], action: int, notes: str) -> None:
        """Keep the notes for the turn after an action."""
        self._notes[(*_own_actions(observation), action)] = notes


def _own_actions(observation: Observation[Any]) -> tuple[int, ...]:
    return tuple(step.action for step in observation.history if step.seat == observation.seat)
