"""Faults of scenes are errors that name the game's line, the step and the remedy."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.games.lanterns import Lanterns, LanternsDisplay, Table
from typing_extensions import override

from cardhub import Area, Grid, Observation, Scene, SeatLine, Target
from cardhub.base.errors import SceneError
from cardhub.base.errors.source_lines import noting_lines
from cardhub.model.game.scene_faults import SceneCheck, target_faults
from cardhub.model.hidden.observation import Step
from cardhub.testing import inspect_game
from cardhub.testing.random_play import deal, default_trial

HERE = re.escape(f"game/{Path(__file__).name}:")


class DrawnDisplay(LanternsDisplay):
    """A given scene."""

    game: "Drawn"

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        return self.game.draw(state)


class Drawn(Lanterns):
    """A game whose scene is given."""

    display_type = DrawnDisplay

    def __init__(self, scene: Callable[[Table], Scene]) -> None:
        self.draw = scene


def observed(scene: Callable[[Table], Scene], history: Sequence[Step] = ()) -> Observation[Any]:
    """Return the observation of the first seat in a game with this scene."""
    game = Drawn(scene)
    return Observation(game, deal(game, default_trial(game, 2, 1)), 0, history)


FAULTS: list[tuple[Callable[[Table], Scene], str]] = [
    (
        lambda _: Scene("light", [Area("hand", [3, 10])]),
        r"\d+: area 'hand' shows tokens \[10\], which do not exist\. "
        r"fix: tokens are numbered from 0 to 9",
    ),
    (
        lambda _: Scene("light", [Area("hand", [3, 4, 3])]),
        r"\d+: area 'hand' shows tokens \[3\] more than once\. fix: list every token once",
    ),
    (
        lambda _: Scene("light", [Area("hand", [3], 2)]),
        r"\d+: area 'hand' belongs to seat 2, which does not exist\. "
        r"fix: a seat from 0 to 1, or None for the table",
    ),
    (
        lambda _: Scene("light", [Area("hand", [3], look="hnad")]),  # type: ignore[arg-type]  # the fault
        r"\d+: area 'hand' has the look 'hnad'\. fix: one of hand, row, column, pile, "
        r"queue, count\. Did you mean 'hand'\?",
    ),
    (
        lambda _: Scene("light", [Area("hand", [3], place="center")]),  # type: ignore[arg-type]  # the fault
        r"\d+: area 'hand' has the place 'center'\. fix: one of seat, front, centre\. "
        r"Did you mean 'centre'\?",
    ),
    (
        lambda _: Scene("light", [Grid("board", 2, 2, [[]])]),
        r"\d+: area 'board' has 1 sites, not 2×2\. fix: a stack for every site",
    ),
    (
        lambda _: Scene("light", [Area("hand", [3])], marks={12: "red"}),
        r"\d+: the mark 'red' is on token 12, which does not exist\. fix: tokens are numbered",
    ),
    (
        lambda _: Scene("light", [Area("hand", [3])], marks={3: "red or blue"}),
        r"\d+: the mark 'red or blue' is 11 cells wide\. fix: at most 9 cells",
    ),
    (
        lambda _: Scene("light", [Area("hand", [3])], marks={3: ""}),
        r"\d+: the mark '' is no text of one line\. fix: leave out a token without a mark",
    ),
]


@pytest.mark.parametrize(("scene", "message"), FAULTS)
def test_a_scene_that_cannot_be_shown_is_an_error_at_the_games_line(
    scene: Callable[[Table], Scene], message: str
) -> None:
    """The line made the area, grid or scene with the fault; the table finds the fault, too."""
    with pytest.raises(SceneError, match=f"^{HERE}{message}"):
        observed(scene).scene()


def test_the_error_names_the_last_action_as_the_viewer_knows_it() -> None:
    """The card that another seat lit unseen is called by its back."""
    seen = observed(lambda _: Scene("light", [Area("hand", [10])]), [Step(1, 9), Step(0, 0)])
    with pytest.raises(SceneError, match=r"after action 2, seat 0: light a card\. fix: tokens"):
        seen.scene()


def test_a_target_that_is_not_shown_is_found_by_the_checks() -> None:
    for target, remedy in (
        (Target("area", "hnad"), "the key of an area is its caption, one of 'hand'"),
        (Target("card", 9), "list the token in an area"),
        (Target("site", 4), "sites are numbered row by row, 0 to 3"),
    ):
        areas: list[Area | Grid] = [Area("hand", [3]), Grid("board", 2, 2, [[]] * 4)]
        with noting_lines():
            scene = Scene("light", areas, {0: target})
        (fault,) = target_faults(scene, 0, "tell red")
        assert re.match(rf"{HERE}\d+: 'tell red' points at the {target.kind} ", fault)
        assert remedy in fault


def test_a_legal_card_that_is_drawn_twice_is_found_by_the_checks() -> None:
    class TwiceDisplay(LanternsDisplay):
        @override
        def scene(self, state: Table, viewer: int) -> Scene:
            scene = super().scene(state, viewer)
            return Scene(scene.prompt, [*scene.areas, Area("again", state.hand[0])])

    class Twice(Lanterns):
        display_type = TwiceDisplay

    finding = inspect_game(Twice(), games=1).finding("scene")
    assert finding is not None
    assert re.search(
        rf"{HERE}\d+: 'light a card' is about a card that is drawn in", finding.problem
    )
    assert "'hand' and 'again'. fix: give one of them the look 'count'" in finding.problem


def test_parts_that_become_faulty_are_found_next_to_equal_ones() -> None:
    """The cached check of a viewer's scenes looks at changed parts and at earlier faults."""
    check = SceneCheck()
    sound = {0: SeatLine("won 1")}
    assert not check.faults(Scene("light", [Area("hand", [3])], seats=sound), 9, 2)
    again = Scene("light", [Area("hand", [3]), Area("won", [4])], seats={0: SeatLine("won 1")})
    assert not check.faults(again, 9, 2)
    assert check.is_same == [True, False]
    faulty = Scene("light", [Area("hand", [3]), Area("won", [9])], seats={0: SeatLine("\n")})
    for _ in range(2):
        one, other = check.faults(faulty, 9, 2)
        assert "area 'won' shows tokens [9]" in one
        assert "the line of seat 0" in other
    assert check.scene is again
