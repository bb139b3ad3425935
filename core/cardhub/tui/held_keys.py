"""Keys that are held down: a terminal reports them as pressed again and again."""

from typing import Any

from textual import events
from textual.app import App

# Seconds. A key pressed again sooner, without another key between, may be held down: terminals
# begin to repeat a key after 0.25 to 0.66 seconds.
REPEAT_AFTER = 0.7
# Seconds between later repeats, at most: a person who taps the key is slower.
REPEAT_EVERY = 0.15


class HeldKeys:
    """Tells a key that is held down from one that is pressed again."""

    def __init__(self) -> None:
        self.is_held = False
        self._key = ""
        self._pressed_at = 0.0

    def note(self, event: events.Key) -> None:
        """Note a key before its action is carried out."""
        # When it came from the terminal: while the table is busy, its repeats wait.
        now = event.time
        # Once it was taken for held down, only fast repeats are: tapping it must not be in vain.
        limit = REPEAT_EVERY if self.is_held else REPEAT_AFTER
        self.is_held = event.key == self._key and now - self._pressed_at < limit
        self._key, self._pressed_at = event.key, now


def is_held(app: App[Any]) -> bool:
    """Return whether the key of the present action is held down; such a key must not act."""
    keys = getattr(app, "held_keys", None)
    return isinstance(keys, HeldKeys) and keys.is_held
