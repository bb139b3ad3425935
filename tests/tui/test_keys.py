"""A key that is held down acts once; a key that is tapped goes on acting."""

from time import sleep

from textual.events import Key

from cardhub.tui.keys import REPEAT_EVERY, KeyRepeat


def acting(times: list[float], keys: str = "") -> list[bool]:
    """Return for presses at some times whether each acts; `keys` are their keys, else all equal."""
    held, acts = KeyRepeat(), []
    for time, key in zip(times, keys or "e" * len(times), strict=True):
        event = Key(key, None)
        event.time = time
        held.note(event)
        acts.append(not held.is_held)
    return acts


def test_a_key_held_down_acts_once() -> None:
    """The first repeat comes after up to 0.66 seconds, the others every 30 to 100 milliseconds."""
    assert acting([10.0, 10.66, 10.7, 10.75, 10.85]) == [True] + [False] * 4


def test_a_tapped_key_acts_again() -> None:
    """A press that was taken for a repeat does not make the following taps repeats."""
    assert acting([10.0, 10.3, 10.6, 11.5]) == [True, False, True, True]


def test_another_key_between_ends_a_repeat() -> None:
    """Arrow and Enter by turns act as fast as they are pressed."""
    assert acting([10.0, 10.1, 10.2], "ene") == [True, True, True]


def test_a_key_held_down_acts_once_at_a_table_that_is_busy() -> None:
    """Its repeats wait then; what counts is when they came from the terminal."""
    held, repeats = KeyRepeat(), [Key("e", None) for _ in range(4)]
    acts = []
    for event in repeats:
        held.note(event)
        acts.append(not held.is_held)
        sleep(1.1 * REPEAT_EVERY)
    assert acts == [True, False, False, False]
