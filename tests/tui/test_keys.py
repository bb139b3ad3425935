"""A key that is held down acts once; a key that is tapped acts each time."""

from time import sleep

from textual.events import Key

from cardhub.tui.keys import REPEAT_EVERY, KeyRepeat


def acting(times: list[float], keys: str = "") -> list[bool]:
    """Return whether each press acts; `keys`: the keys of the presses, by default all equal."""
    repeat, acts = KeyRepeat(), []
    for time, key in zip(times, keys or "e" * len(times), strict=True):
        event = Key(key, None)
        event.time = time
        repeat.note(event)
        acts.append(not repeat.is_held)
    return acts


def test_a_key_held_down_acts_once() -> None:
    """Terminals send the first repeat after up to 0.66 s, further ones every 0.03 to 0.1 s."""
    assert acting([10.0, 10.66, 10.7, 10.75, 10.85]) == [True] + [False] * 4


def test_a_tapped_key_acts_again() -> None:
    assert acting([10.0, 10.3, 10.6, 11.5]) == [True, False, True, True]


def test_another_key_between_ends_a_repeat() -> None:
    assert acting([10.0, 10.1, 10.2], "ene") == [True, True, True]


def test_a_key_held_down_acts_once_at_a_table_that_is_busy() -> None:
    """Repeats wait in a queue while the table is busy, so only their times of arrival count."""
    repeat, repeats = KeyRepeat(), [Key("e", None) for _ in range(4)]
    acts = []
    for event in repeats:
        repeat.note(event)
        acts.append(not repeat.is_held)
        sleep(1.1 * REPEAT_EVERY)
    assert acts == [True, False, False, False]
