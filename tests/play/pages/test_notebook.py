"""What notebooks show of tables and observations, and the notebook of the docs."""

import json
from html.parser import HTMLParser
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.kit.paths import ROOT

from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.play import Table, play_game
from cardhub.play.pages.notebook import framed, observation_html

NOTEBOOK = ROOT / "docs" / "notebook.ipynb"


class Elements(HTMLParser):
    """Collects the elements of a page with their attributes."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Add an element."""
        self.seen.append((tag, dict(attrs)))


def test_a_page_stands_in_a_sandboxed_frame_alone() -> None:
    ((tag, attributes),) = Elements(framed('<p title="x">&amp;</p>', '<b>"Anna"</b>')).seen
    assert (tag, attributes["sandbox"]) == ("iframe", "allow-scripts")
    assert attributes["srcdoc"] == '<p title="x">&amp;</p>'
    assert attributes["title"] == '<b>"Anna"</b>'


def test_a_table_shows_itself_as_the_seat_to_act_sees_it() -> None:
    table = Table("kuhn", seed=7, names=["Anna", "<i>Bob"])
    text = table._repr_html_()
    assert text == observation_html(table.observation(), ["Anna", "<i>Bob"])
    ((tag, attributes),) = Elements(text).seen
    assert (tag, attributes["title"]) == ("iframe", "Kuhn poker, as seen by Anna")


def test_a_finished_game_shows_its_replay() -> None:
    game = play_game("kuhn", ["random", "random"], seed=7)
    ((_, attributes),) = Elements(game._repr_html_()).seen
    page = attributes["srcdoc"] or ""
    assert "<h1>Kuhn poker: Anna, Bob</h1>" in page
    assert "The game as seen by all." in page


def test_an_observation_shows_nothing_that_its_viewer_does_not_know() -> None:
    seen = Table("leduc", seed=3).observation(0)
    states = [seen.determinize(Random(seed)) for seed in range(8)]

    def pages(viewer: int) -> set[str]:
        observations: list[Observation[Any]] = [
            Observation(seen.game, state, viewer, seen.history) for state in states
        ]
        return {observation._repr_html_() for observation in observations}

    assert len(pages(EVERYTHING)) > 1
    assert pages(0) == {seen._repr_html_()}


def test_the_notebook_of_the_docs_runs_and_shows_its_objects(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("pyarrow")
    polars, pandas = pytest.importorskip("polars"), pytest.importorskip("pandas")
    monkeypatch.chdir(tmp_path)
    cells = json.loads(NOTEBOOK.read_text("utf-8"))["cells"]
    names: dict[str, Any] = {}
    shown = []
    for cell in cells:
        if cell["cell_type"] == "code":
            *lines, last = "".join(cell["source"]).splitlines()
            exec("\n".join(lines), names)  # noqa: S102  # the cells of the docs
            shown.append(eval(last, names))
    frames = [value for value in shown if isinstance(value, polars.DataFrame | pandas.DataFrame)]
    assert [len(frame) for frame in frames] == [2, 1]
    pages = [value._repr_html_() for value in shown if type(value).__name__ != "DataFrame"]
    assert len(pages) == 4
    assert all("<iframe srcdoc=" in page for page in pages)
