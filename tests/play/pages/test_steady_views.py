"""One table shows a game from decision to decision: it keeps its place, and shows whole texts."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.kit.browsing import Visitor
from tests.play.pages.table_page import BEGIN, Shown, advance, started, to_json, view_by, write_page
from tests.play.pages.test_whole_games_on_phones import cards_of_hand

from cardhub.plugins.registry import find_plugins
from cardhub.view.card_catalogue import build_catalogue

PHONE, DESK = (390, 844), (1280, 800)
# Where the panel of the viewer begins, after the next frame.
TOP = """async () => {
    await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
    return Math.round(document.querySelector(".ch-bottom").getBoundingClientRect().top);
}"""
TOP_OF_STACKS = TOP.replace(".ch-bottom", ".ch-centre")
# The heads and details that are wider than their card.
CUT_TEXTS = """() => [...document.querySelectorAll(".ch-card > :is(.ch-head, .ch-detail)")]
    .filter(text => text.checkVisibility())
    .filter(text => {
        const box = text.getBoundingClientRect();
        const width = text.scrollWidth * box.width / text.offsetWidth;
        return width > text.closest(".ch-card").getBoundingClientRect().width + 1;
    })
    .map(text => text.dataset.text ?? text.textContent)"""


def first_hand_of_hearts() -> list[Shown]:
    """Return the views of the first seat from the first trick to the last card of its hand."""
    referee, rng = started(find_plugins(), "hearts"), Random(5)
    catalogue, shown = build_catalogue(referee.game), []
    while not referee.is_over:
        advance(referee, rng)
        view = view_by(referee, 0)
        if "trick" in view.status:
            shown.append(Shown(f"{referee.action_count}", view, catalogue))
            if not cards_of_hand(view):
                break
    return shown


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_the_table_keeps_its_place_while_a_hand_is_played(
    visit_page: Visitor, tmp_path: Path, size: tuple[int, int]
) -> None:
    write_page(tmp_path / "table.html")
    page = visit_page(tmp_path / "table.html", *size).page
    shown = first_hand_of_hearts()
    page.evaluate(BEGIN, to_json(shown[0].catalogue))
    tops = {}
    for view in shown:
        view.next_on(page)
        tops[view.name] = page.evaluate(TOP)
    assert len(set(tops.values())) == 1, tops


@pytest.mark.parametrize("size", [PHONE, (390, 660), DESK])
def test_no_head_or_detail_of_a_card_is_cut(
    visit_page: Visitor, tmp_path: Path, size: tuple[int, int]
) -> None:
    write_page(tmp_path / "table.html")
    page = visit_page(tmp_path / "table.html", *size).page
    referee, rng = started(find_plugins(), "gamon"), Random(2)
    cut = {}
    for _ in range(24):
        advance(referee, rng)
        if referee.is_over or referee.seat < 0:
            continue
        shown = Shown("", view_by(referee, referee.seat), build_catalogue(referee.game))
        cry_on_each_card(shown.data)
        shown.on(page)
        cut[referee.action_count] = page.evaluate(CUT_TEXTS)
    assert cut
    assert {number: texts for number, texts in cut.items() if texts} == {}


def cry_on_each_card(view: Any) -> None:
    """Write the longest head of Gamon on all cards before the players."""
    for area in view["areas"]:
        for card in area.get("cards") or [] if area.get("region") == "front" else []:
            card["head"] = "GAMON! 6"


def test_the_stacks_keep_their_place_when_cards_are_laid_before_the_players(
    visit_page: Visitor, tmp_path: Path
) -> None:
    write_page(tmp_path / "table.html")
    page = visit_page(tmp_path / "table.html", 390, 780).page
    referee, rng = started(find_plugins(), "gargon"), Random(7)
    catalogue = build_catalogue(referee.game)
    page.evaluate(BEGIN, to_json(catalogue))
    tops = []
    for _ in range(4):
        Shown("", view_by(referee, 0), catalogue).next_on(page)
        tops.append(page.evaluate(TOP_OF_STACKS))
        advance(referee, rng)
    assert page.locator(".ch-lane .ch-card").count() > 2
    assert max(tops) - min(tops) <= 2
