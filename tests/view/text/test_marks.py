"""Marks belong to tokens: each card with a mark shows it, face up or face down."""

import re
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.games.lanterns import TELL, Lanterns, LanternsDisplay, Table
from tests.kit.paths import TESTS
from tests.kit.table_texts import text_of, view_of
from typing_extensions import override

from cardhub import Area, Grid, Observation, Scene
from cardhub.cli.main import cli
from cardhub.model.game.scene_faults import MOST_MARK_CELLS
from cardhub.testing import inspect_game
from cardhub.testing.random_play import deal, default_trial
from cardhub.view.explain.explanations import Explainer
from cardhub.view.text import ASCII, UNICODE, Glyphs

NAMES = ("Anna", "Bob", "Chris")
GAMES = TESTS / "games"


class MarkedDisplay(LanternsDisplay):
    """Given areas and marks."""

    game: "Marked"

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        return Scene("look", self.game.areas(state), marks=self.game.marks)


class Marked(Lanterns):
    """A game whose areas and marks are given."""

    display_type = MarkedDisplay

    def __init__(
        self, areas: Callable[[Table], list[Area | Grid]], marks: Mapping[int, str]
    ) -> None:
        self.areas = areas
        self.marks = marks


def observed(game: Lanterns, viewer: int = 1) -> Observation[Any]:
    """Return a viewer's observation after the deal: tokens 0 to 5 are in hands of two."""
    return Observation(game, deal(game, default_trial(game, 3, 1)), viewer)


def drawn(
    areas: Callable[[Table], list[Area | Grid]],
    marks: Mapping[int, str],
    glyphs: Glyphs = UNICODE,
) -> str:
    """Return the table as the second seat sees it."""
    return text_of(observed(Marked(areas, marks)), NAMES, 80, glyphs=glyphs)


def hand_of(state: Table, seat: int) -> int:
    """Return the first token of a hand."""
    return state.hand[seat][0]


def test_the_widest_mark_has_nine_cells() -> None:
    """The contract promises nine cells: enough for a suit and a name."""
    assert MOST_MARK_CELLS == len("red, Anna") == 9


def test_a_mark_follows_a_small_card_in_parentheses() -> None:
    first = hand_of(observed(Lanterns()).state, 0)
    text = drawn(lambda state: [Area("row", state.hand[0], 0)], {first: "of Bob"})
    assert " (of Bob)," in text
    own_card = hand_of(observed(Lanterns()).state, 1)
    text = drawn(lambda state: [Area("row", state.hand[1], 0)], {own_card: "red"})
    assert " (red)" in text


def test_cards_of_a_hand_have_their_marks() -> None:
    state = observed(Lanterns()).state
    marks = {state.hand[1][0]: "red", state.hand[1][1]: "not red 1"}
    text = drawn(lambda state: [Area("hand", state.hand[1], 1, "hand")], marks)
    assert re.search(r"hand \(2\): [^,]+ \(red\), [^,]+ \(not red 1\)", text)


def test_marks_stand_with_the_cards_of_a_site_the_top_one_first() -> None:
    state = observed(Lanterns()).state
    top, covered = state.hand[0][1], state.hand[0][0]
    stacks = [[covered, top], [], [], []]
    text = drawn(lambda _: [Grid("board", 2, 2, stacks)], {top: "laid by D", covered: "old"})
    row = next(line for line in text.splitlines() if line.startswith("1 "))
    assert re.search(r"\(laid by D\)/\S+ \(old\)", row)


def test_marks_are_written_in_the_characters_of_the_terminal() -> None:
    first = hand_of(observed(Lanterns()).state, 0)
    text = drawn(lambda state: [Area("row", state.hand[0], 0)], {first: "≥ ½"}, ASCII)
    assert "(>= 1/2)" in text


def test_the_detail_line_tells_the_mark_of_a_card() -> None:
    state = observed(Lanterns()).state
    own_card, other = state.hand[1][0], state.hand[0][0]
    game = Marked(
        lambda state: [Area("mine", state.hand[1]), Area("theirs", state.hand[0])],
        {own_card: "red", other: "of Bob"},
    )
    seen = observed(game)
    spots, explain = view_of(seen, NAMES).spots(), Explainer(seen, NAMES).explain
    texts = [explain(spot) for spot in spots]
    assert any(line.endswith("Mark: red. Mine") for line in texts)
    assert any(line.endswith("Mark: of Bob. Theirs") for line in texts)
    assert any("2 cards: a card (red), a card" in line for line in texts)
    assert any("(of Bob) " in line for line in texts)


def test_an_exported_table_has_the_marks(tmp_path: Path) -> None:
    plugins, path = tmp_path / "plugins", tmp_path / "game.jsonl"
    plugins.mkdir()
    for name in ("lanterns.py", "lanterns.yaml"):
        shutil.copy(GAMES / name, plugins)
    start = ["--plugins-dir", str(plugins)]
    words = ["play", "lanterns", "--plain", "--seat", "Zoe=human", "--record", str(path)]
    played = CliRunner().invoke(cli, [*start, *words], input="tell red\nquit\n")
    assert played.exit_code == 0, played.output
    shown = CliRunner().invoke(cli, [*start, "export", "text", str(path), "--as", "Zoe"])
    assert shown.exit_code == 0, shown.output
    assert "(red)" in shown.output or "(blue)" in shown.output


class MarksFacesDisplay(LanternsDisplay):
    """A game that puts faces on marks, against the rules of secrecy."""

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        scene = super().scene(state, viewer)
        marks = {hand[0]: str(state.hints) for hand in state.hand if hand}
        return Scene(scene.prompt, scene.areas, marks=marks)


class MarksFaces(Lanterns):
    """A game that puts faces on marks, against the rules of secrecy."""

    display_type = MarksFacesDisplay

    @override
    def apply(self, state: Table, action: int) -> None:
        super().apply(state, action)
        if action >= TELL:
            state.hints += 10 * state.face[hand_of(state, state.seat)] if state.hand else 0


@pytest.mark.parametrize("viewer", [0, 3])
def test_a_mark_is_part_of_the_scene_that_a_viewer_gets(viewer: int) -> None:
    game = Lanterns()
    state = deal(game, default_trial(game, 3, 1))
    game.apply(state, TELL)
    marks = Observation(game, state, viewer).scene().marks
    assert set(marks) <= set(state.hand[1])
    assert set(marks.values()) <= {"red", "blue"}
    assert marks


def test_marks_that_tell_hidden_cards_are_found() -> None:
    report = inspect_game(MarksFaces(), games=1, is_measured=False)
    checks = {finding.check for finding in report.findings}
    assert checks & {"same_result", "reachable", "same_scene", "same_legal", "record"}
