"""The slots that a network sees: no numbers for single tokens, unless the game wants them."""

import pytest

from cardhub.learning.arrays import Layout
from cardhub.learning.arrays.learner_slots import learner_slots
from cardhub.plugins.registry import find_plugins
from cardhub_gamon import Gamon


def seen_parts(layout: Layout) -> set[str]:
    """Return the names of the parts of which a network sees any slot, which are whole parts."""
    slots = {*learner_slots(layout).tolist()}
    names = set()
    for part in layout.parts:
        own_slots = {*range(part.slots.start, part.slots.stop)}
        assert own_slots <= slots or not own_slots & slots
        if own_slots & slots:
            names.add(part.name)
    return names


def test_fields_with_a_number_for_each_token_are_left_out() -> None:
    layout = Layout(Gamon())
    assert {part.name for part in layout.parts} - seen_parts(layout) == {"excluded"}
    assert len(learner_slots(layout)) < layout.size / 3


def test_a_game_without_such_fields_has_all_slots() -> None:
    layout = Layout(find_plugins().game("leduc"))
    assert learner_slots(layout).tolist() == [*range(layout.size)]


def test_a_game_can_name_the_fields(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Gamon, "learner_fields", ("excluded", "prize"))
    names = seen_parts(Layout(Gamon()))
    assert {"excluded", "prize", "prize_one_hot"} <= names
    assert not {"pile", "round_one_hot"} & names
    # The turn, the scores and the cards are in every selection.
    assert {"viewer", "seat", "phase", "scores", "known", "unseen", "top_cards"} <= names


def test_the_selection_does_not_change_the_layout(monkeypatch: pytest.MonkeyPatch) -> None:
    before = Layout(Gamon()).fingerprint
    monkeypatch.setattr(Gamon, "learner_fields", ("prize",))
    assert Layout(Gamon()).fingerprint == before
