"""A key that is held down acts once; a key that is tapped goes on acting."""

import pytest
from textual.events import Key

from cardhub.tui import held_keys
from cardhub.tui.held_keys import HeldKeys


def acting(times: list[float], monkeypatch: pytest.MonkeyPatch, keys: str = "") -> list[bool]:
    """Return for presses at some times whether each acts; `keys` are their keys, else all equal."""
    held, acts = HeldKeys(), []
    for time, key in zip(times, keys or "e" * len(times), strict=True):
        monkeypatch.setattr(held_keys, "monotonic", lambda time=time: time)
        held.note(Key(key, None))
        acts.append(not held.is_held)
    return acts


def test_a_key_held_down_acts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first repeat comes after up to 0.66 seconds, the others every 30 to 100 milliseconds."""
    assert acting([10.0, 10.66, 10.7, 10.75, 10.85], monkeypatch) == [True] + [False] * 4


def test_a_tapped_key_acts_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """A press that was taken for a repeat does not make the following taps repeats."""
    assert acting([10.0, 10.3, 10.6, 11.5], monkeypatch) == [True, False, True, True]


def test_another_key_between_ends_a_repeat(monkeypatch: pytest.MonkeyPatch) -> None:
    """Arrow and Enter by turns act as fast as they are pressed."""
    assert acting([10.0, 10.1, 10.2], monkeypatch, "ene") == [True, True, True]
