"""Errors of reading hidden faces name the line, the method with its remedy, and the last action."""

import pickle
import re
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.games.lanterns import Lanterns, LanternsDisplay, Table
from typing_extensions import override

from cardhub import Names, Observation, Scene
from cardhub.base.errors import AS_BACK, PUBLIC, RULED_OUT, HiddenFaceError
from cardhub.model.hidden.observation import Step
from cardhub.testing import inspect_game
from cardhub.testing.random_play import deal, default_trial
from cardhub.view.explain.action_texts import tell_action

HERE = f"errors/{Path(__file__).name}:"


def first_own(state: Table, seat: int) -> int:
    """Return the face of the first card of a seat, which this seat has not seen."""
    return state.face[state.hand[seat % state.seats][0]]


class InSceneDisplay(LanternsDisplay):
    """The scene reads a hidden face."""

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        first_own(state, viewer)
        return super().scene(state, viewer)


class InScene(Lanterns):
    """The scene reads a hidden face."""

    display_type = InSceneDisplay


class InStoryDisplay(LanternsDisplay):
    """The story reads a hidden face."""

    @override
    def narration(self, before: Table, action: int, after: Table, names: Names) -> list[str]:
        return [str(max(after.hand, key=lambda hand: after.face[hand[0]]))]


class InStory(Lanterns):
    """The story reads a hidden face."""

    display_type = InStoryDisplay


class InLegal(Lanterns):
    """The legal actions read a hidden face."""

    @override
    def legal(self, state: Table) -> list[int]:
        return super().legal(state)[: 1 + first_own(state, state.seat)]


class InPossible(Lanterns):
    """The inference reads a hidden face."""

    @override
    def possible(self, state: Table, token: int) -> int:
        return first_own(state, 0)


class InApply(Lanterns):
    """The rules read a hidden face."""

    @override
    def apply(self, state: Table, action: int) -> None:
        if first_own(state, state.seat) >= 0:
            super().apply(state, action)


def observed(game: Lanterns) -> Observation[Any]:
    """Return the first seat's observation after an action of the second seat."""
    state = deal(game, default_trial(game, 2, 1))
    return Observation(game, state, 0, [Step(1, state.hand[0][1])])


def story(seen: Observation[Any]) -> object:
    """Return the sentences about the last action."""
    return tell_action(seen, 1, seen.history[0].action, seen, ["Anna", "Bob"])


STEP = "after action 1, seat 1: light a card"


@pytest.mark.parametrize(
    ("game", "read", "method", "remedy"),
    [
        (InScene(), Observation.scene, "scene", AS_BACK),
        (InStory(), story, "narration", AS_BACK),
        (InLegal(), Observation.legal, "legal", PUBLIC),
    ],
)
def test_the_error_names_line_method_step_and_remedy(
    game: Lanterns, read: Callable[[Observation[Any]], object], method: str, remedy: str
) -> None:
    """The innermost line of the game; the card in the step is called as the viewer knows it."""
    with pytest.raises(HiddenFaceError) as caught:
        read(observed(game))
    text = str(caught.value)
    assert re.search(rf"\({HERE}\d+ in {method}, {STEP}\)\. fix: ", text)
    assert text.endswith(remedy)


def test_inferences_have_a_different_remedy() -> None:
    """`possible` receives an observation, too."""
    with pytest.raises(HiddenFaceError) as caught:
        observed(InPossible()).determinize(Random(1))
    assert f"{HERE}" in str(caught.value)
    assert str(caught.value).endswith(RULED_OUT)


def test_a_face_that_the_core_reads_has_no_line_of_a_game() -> None:
    masked = observed(Lanterns()).state.face
    error = HiddenFaceError("the face of token 3 is hidden from this seat", 3)
    assert str(error) == str(pickle.loads(pickle.dumps(error))) == error.args[0]
    with pytest.raises(HiddenFaceError, match=rf"is hidden from this seat \({HERE}\d+\)$"):
        masked[observed(Lanterns()).state.hand[0][0]]


@pytest.mark.parametrize(
    ("game", "check", "remedy"),
    [
        (InScene(), "scene", AS_BACK),
        (InLegal(), "legal_is_public", PUBLIC),
        (InApply(), "record", PUBLIC),
    ],
)
def test_the_checks_report_the_line_and_the_remedy(game: Lanterns, check: str, remedy: str) -> None:
    """Rules that read hidden faces fail where a redacted record is replayed."""
    finding = inspect_game(game, games=1).finding(check)
    assert finding is not None
    assert re.search(rf"is hidden from this seat \({HERE}\d+ in \w+\)\. fix: ", finding.problem)
    assert remedy in finding.problem
