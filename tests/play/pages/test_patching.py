"""Patching keeps unchanged elements of a table, and the result equals a full redraw."""

from pathlib import Path

import pytest
from tests.kit.browsing import Visitor
from tests.play.pages.replay_pages import write_page

# Steps forward and back through the game; returns the drawn table by step in both directions.
STEPS = """async () => {
    const press = key => document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    const drawn = () => [...document.querySelectorAll(".ch-layout [style], .ch-layout [class]")]
        .map(e => [e.tagName, e.className, e.style.cssText, e.dataset.spot, e.textContent])
        .map(facts => facts.join(" "));
    const there = [], back = [];
    press("Home");
    for (let n = 0; n < 12; n++) { press("ArrowRight"); there.push(drawn()); }
    for (let n = 0; n < 12; n++) { back.unshift(drawn()); press("ArrowLeft"); }
    return [there, back];
}"""
KEPT = """() => {
    const press = key => document.dispatchEvent(new KeyboardEvent("keydown", {key, bubbles: true}));
    press("Home");
    const before = [...document.querySelectorAll(".ch-layout [data-token]")];
    press("ArrowRight");
    return [before.filter(node => node.isConnected).length, before.length];
}"""


@pytest.mark.parametrize("game", ["gamon", "garner"])
def test_a_step_is_drawn_alike_from_both_sides(
    game: str, visit_page: Visitor, tmp_path: Path
) -> None:
    """Most elements of cards stay in the document."""
    path = write_page(tmp_path, game, most=30).path
    seen = visit_page(path, reduced_motion="reduce")
    there, back = seen.page.evaluate(STEPS)
    assert there == back
    kept, all_cards = seen.page.evaluate(KEPT)
    assert kept > 0.6 * all_cards > 6
    assert seen.complaints == []
