"""A model behind the wire shows the same as the local one of its viewer, over whole games."""

from random import Random
from typing import Any

import pytest
from tests.online.remote.conftest import Mirror
from tests.play.host.conftest import Table

from cardhub.play.table_model import TableModel
from cardhub.play.view_matching import read_choice
from cardhub.plugins.registry import find_plugins
from cardhub.view.layout.canvas import COLOUR_TABLE
from cardhub.view.layout.draw import draw
from cardhub.view.layout.drawing.table_painter import TableTexts
from cardhub.view.layout.plan import PlanOptions, TerminalSize, plan_of
from cardhub.view.layout.shape import shape_of
from cardhub.view.text import UNICODE, prompt_text, table_lines
from cardhub.view.text.result_sheet import result_lines

GAMES = ("gargon", "gamon", "garner", "hearts", "gin_rummy")
# Steps from one comparison of logs and drawings to the next: they take most of the time.
DRAWN_EVERY = 23
MOST_STEPS = 2000


@pytest.mark.parametrize("name", GAMES)
def test_all_that_a_person_is_shown_is_the_same_over_a_whole_game(name: str) -> None:
    """Views, logs, sheets, frames, unseen cards, what can be typed, and the result."""
    game = find_plugins().game(name)
    seats = game.seats.default
    at = Table(game, people=range(seats), seats=seats).begin()
    at.host.stops_at_summaries = False
    mirrors = [Mirror(at, viewer) for viewer in (0, seats)]
    rng = Random(1)
    for step in range(MOST_STEPS):
        for mirror in mirrors:
            mirror.follow()
            assert mirror.remote.view() == mirror.local.view()
            if step % DRAWN_EVERY == 0 or at.host.is_over:
                compare(mirror)
        if at.host.is_over:
            break
        mover = at.host.model(at.host.seat)
        mover.act(rng.choice(mover.view().choices).action, at.host.revision, pytest.fail)
        at.clock.wait()
    assert at.host.is_over
    for mirror in mirrors:
        local, remote = mirror.local.result(), mirror.remote.result()
        assert local is not None
        assert remote is not None
        sheets = [result_lines(r, mirror.local.catalogue, 80, UNICODE) for r in (local, remote)]
        assert sheets[0] == sheets[1]


def compare(mirror: Mirror) -> None:
    """Compare the two models of one viewer."""
    local, remote = mirror.local, mirror.remote
    assert remote.table == local.table
    assert list(remote.log()) == list(local.log())
    assert remote.status() == local.status()
    for choice in local.view().choices:
        for text in (choice.name, choice.notation):
            assert read_choice(local.view(), text) == choice.action
    assert drawn(remote) == drawn(local)


def drawn(model: TableModel) -> Any:
    """Return the sheet in plain text, and the frame of a terminal."""
    view, catalogue = model.view(), model.catalogue
    sheet = [*table_lines(view, catalogue, 80, UNICODE), prompt_text(view)]
    plan = plan_of(shape_of(view, catalogue, None), TerminalSize(100, 30), PlanOptions())
    texts = TableTexts(log=model.log())
    return sheet, draw(view, catalogue, plan, texts, None, None, COLOUR_TABLE)
