"""A line that a person types at the foot of a screen."""

from collections.abc import Callable
from typing import Literal

# The most characters of a line.
MOST = 400


class TypedLine:
    """A prompt with the text typed so far; `handler` gets the text once it is complete."""

    def __init__(self, prompt: str, text: str, handler: Callable[[str], None]) -> None:
        self.prompt = prompt
        self.text = text
        self.handler = handler

    @property
    def shown(self) -> str:
        """The prompt and the text."""
        return f"{self.prompt}{self.text}"

    def add(self, text: str) -> None:
        """Add the printable characters of a text's first line."""
        first = text.partition("\n")[0]
        self.text = (self.text + "".join(c for c in first if c.isprintable()))[:MOST]

    def press(self, key: str, character: str | None) -> Literal["typing", "done", "given up"]:
        """Take a key; return whether the line is still being typed, complete or given up."""
        if key == "enter":
            return "done"
        if key == "escape" or (key == "backspace" and not self.text):
            return "given up"
        if key == "backspace":
            self.text = self.text[:-1]
        elif key == "ctrl+u":
            self.text = ""
        elif character is not None:
            self.add(character)
        return "typing"
