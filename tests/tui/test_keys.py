"""A key that is tapped acts each time; a key that is held down stops acting."""

from collections import Counter
from collections.abc import Callable, Sequence
from time import sleep
from types import SimpleNamespace
from typing import cast

import pytest
from tests.play.host.conftest import Table
from textual.events import Key

from cardhub.play.table_model import TableModel
from cardhub.tui import keys
from cardhub.tui.keys import (
    REACTION,
    REPEAT_EVERY,
    REPLAY_KEYS,
    RESULT_KEYS,
    TABLE_KEYS,
    TOO_SOON,
    KeyRepeat,
    fitting,
)
from cardhub.tui.table.hint_panel import HintPanel
from cardhub.tui.table.table_view import has_effect


def acting(times: list[float], keys: str = "") -> list[bool]:
    """Return whether each press acts; `keys`: the keys of the presses, by default all equal."""
    repeat, acts = KeyRepeat(), []
    for time, key in zip(times, keys or "e" * len(times), strict=True):
        event = Key(key, None)
        event.time = time
        repeat.note(event)
        acts.append(not repeat.is_held)
    return acts


def test_two_presses_are_two_presses_however_quick() -> None:
    assert acting([10.0, 10.05]) == [True, True]
    assert acting([10.0, 10.3, 10.6, 11.5]) == [True] * 4


def test_a_key_held_down_acts_no_more_from_its_fourth_repeat() -> None:
    """Terminals send the first repeat after up to 0.66 s, further ones every 0.03 to 0.1 s."""
    repeats = [10.66 + 0.04 * number for number in range(8)]
    assert acting([10.0, *repeats]) == [True] * 4 + [False] * 5


def test_another_key_between_ends_a_repeat() -> None:
    assert acting([10.0, 10.1, 10.2, 10.3, 10.4, 10.5], "eeenee") == [True] * 6


def test_repeats_count_by_their_arrival_at_a_table_that_is_busy() -> None:
    """Repeats wait in a queue while the table is busy."""
    repeat, repeats = KeyRepeat(), [Key("e", None) for _ in range(6)]
    acts = []
    for event in repeats:
        repeat.note(event)
        acts.append(not repeat.is_held)
        sleep(1.1 * REPEAT_EVERY)
    assert acts == [True] * 3 + [False] * 3


def test_a_key_that_comes_before_anybody_can_have_read_the_decision_does_not_act(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(keys, "REACTION", REACTION)
    repeat, enter = KeyRepeat(), Key("enter", None)
    enter.time = 10.0
    repeat.note(enter)
    assert repeat.why_ignored == ""
    repeat.await_reader()
    for pause, reason in ((0.5 * REACTION, TOO_SOON), (1.5 * REACTION, "")):
        enter = Key("enter", None)
        enter.time += pause
        repeat.note(enter)
        assert repeat.why_ignored == reason


def footer(shown: Sequence[keys.Key], width: int) -> list[str]:
    """Return the keys of a footer with their labels."""
    return [f"{key.shown} {key.label}" for key in fitting(shown, width)]


RESULT_FOOTER = [key for key in RESULT_KEYS if not key.id.startswith("result.practise")]


def test_a_narrow_footer_has_short_labels_before_it_lacks_keys() -> None:
    assert {"enter play again", "a review my moves"} <= {*footer(RESULT_FOOTER, 120)}
    assert footer(RESULT_FOOTER, 60) == [
        "enter again",
        "r replay",
        "a review",
        "q home",
        "? help",
        "↓ more",
    ]


@pytest.mark.parametrize("width", [60, 80])
def test_narrow_footers_have_the_most_important_keys(width: int) -> None:
    assert {"enter again", "a review", "q home", "? help"} <= {*footer(RESULT_FOOTER, width)}
    assert {"? help", "→ step", "← back", "q leave"} <= {*footer(REPLAY_KEYS, width)}
    assert {"? help", "i hint", "w why", "u undo"} <= {
        key.removesuffix(" not") for key in footer(TABLE_KEYS, width)
    }


def test_the_keys_of_a_footer_look_at_the_log_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """The effect of most keys depends on the view alone."""
    looks: Counter[str] = Counter()

    def count(name: str, look: Callable[[TableModel], object]) -> Callable[[TableModel], object]:
        def counted(model: TableModel) -> object:
            looks[name] += 1
            return look(model)

        return counted

    for name in ("log", "status"):
        monkeypatch.setattr(TableModel, name, count(name, getattr(TableModel, name)))
    model = Table(people=(0, 1)).begin().host.model(0)
    hints = cast("HintPanel", SimpleNamespace(is_open=False, is_thinking=False))
    works = {key.id: has_effect(key, model, hints) for key in TABLE_KEYS}
    assert works["table.type"]
    assert not works["table.replay"]
    assert looks["log"] == 1
    assert looks["status"] <= 2
