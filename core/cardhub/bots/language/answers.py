"""How the answer of a language model becomes an action: a whole name, or nothing."""

import json
import re
from dataclasses import dataclass
from typing import Any, Literal

from cardhub.base.errors.quoting import folded, printable
from cardhub.base.writing import clipped
from cardhub.bots.language.notes import cleaned_notes
from cardhub.bots.language.prompt import ANSWER_MARK, NOTES_MARK, Prompt
from cardhub.view.explain.reasons import Reasons

# Why an answer is not an action. A fault of the provider is an exception, not an answer.
Refusal = Literal["illegal", "not understood", "cut off", "refused to play"]
# The end of an answer in which the mark is looked for.
MOST_READ = 20_000
# Characters around a name that belong to Markdown.
_AROUND = " \t\r*_`\"'“”"
_MARK = re.compile(rf"{re.escape(ANSWER_MARK)}([^\n]*)", re.IGNORECASE)
_NOTES = re.compile(rf"^[ \t*_#]*{NOTES_MARK}", re.IGNORECASE | re.MULTILINE)

NO_NAME = (
    "Your answer does not end with a line that names an action. "
    "End it with this line: " + ANSWER_MARK + " NAME OF THE ACTION"
)
NO_SUCH_ACTION = "The game has no action named {name}."
SEVERAL = "{name} names several legal actions. Name one of them as it is listed."
CUT_OFF = "Your answer was cut off before its end. Answer in a few words."
NO_REFUSAL = "You have to choose one of the legal actions."


@dataclass(frozen=True, slots=True)
class Reading:
    """An answer as it was understood: the action, or why there is none.

    `reason` is the sentence with which the model is asked again.
    """

    action: int | None
    refusal: Refusal | None = None
    reason: str = ""


def read_answer(prompt: Prompt, text: str, *, is_structured: bool = False) -> Reading:
    """Return the action that an answer names.

    The name is the last one after the mark, or the value `action` of a structured answer. It has to
    be the whole name of a legal action; only case and spacing do not matter.
    """
    name = _structured_value(text, "action") if is_structured else None
    if name is None:
        marked = _MARK.findall(text[-MOST_READ:])
        name = marked[-1] if marked else None
    if name is None or not name.strip(_AROUND):
        return Reading(None, "not understood", NO_NAME)
    return read_name(prompt, name.strip(_AROUND).rstrip(_AROUND + "."))


def read_notes(text: str, *, is_structured: bool = False) -> str | None:
    """Return the notes of an answer: the text between the last marks; None if it has no notes."""
    if is_structured and (notes := _structured_value(text, "notes")) is not None:
        return cleaned_notes(notes)
    end = text[-MOST_READ:]
    marks = [*_NOTES.finditer(end)]
    if not marks:
        return None
    notes = end[marks[-1].end() :]
    answer = _MARK.search(notes)
    return cleaned_notes((notes[: answer.start()] if answer else notes).strip(_AROUND + "\n"))


def read_name(prompt: Prompt, name: str) -> Reading:
    """Return the legal action with a whole name or notation."""
    actions = prompt.actions.get(folded(name), [])
    if len(actions) == 1:
        return Reading(actions[0])
    quoted = repr(clipped(printable(name)))
    if actions:
        return Reading(None, "not understood", SEVERAL.format(name=quoted))
    reason = illegal_reason(prompt, name)
    if reason is None:
        return Reading(None, "not understood", NO_SUCH_ACTION.format(name=quoted))
    return Reading(None, "illegal", reason)


def illegal_reason(prompt: Prompt, name: str) -> str | None:
    """Return the rules' reason why a named action is not legal; None if no action has this name."""
    observation = prompt.observation
    labels = observation.labels(prompt.players)
    illegal = [
        action
        for action in range(observation.game.actions.size)
        if labels.is_action(action) and folded(labels.label(action)) == folded(name)
    ]
    return Reasons(observation, prompt.players).of(illegal[0]) if illegal else None


def _structured_value(text: str, key: str) -> str | None:
    try:
        answer: Any = json.loads(text)
    except (ValueError, RecursionError):
        return None
    value = answer.get(key) if isinstance(answer, dict) else None
    return value if isinstance(value, str) else None
