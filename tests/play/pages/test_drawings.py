"""Drawings on cards in a browser: the allowed elements are drawn, all others are not."""

from pathlib import Path
from typing import Any

from tests.kit.browsing import Visitor
from tests.play.pages.table_page import Shown, started, view_by, write_page

from cardhub.model.cards.art import ATTRIBUTES
from cardhub.plugins.registry import find_plugins
from cardhub.view.card_catalogue import build_catalogue

# A valid value of every attribute.
VALUES = {
    "d": "M0 0h4v-.5z",
    "fill": "var(--ch-red)",
    "fill-rule": "evenodd",
    "points": "0 0 4,4",
    "stroke": "currentColor",
    "stroke-linecap": "round",
    "stroke-linejoin": "bevel",
    "transform": "translate(1 2) rotate(-45)",
    "viewBox": "0 0 24 24",
}
HOSTILE = [
    ["script", {}, []],
    ["foreignObject", {}, [["div", {}, []]]],
    ["use", {"href": "#a"}, []],
    ["image", {"href": "https://example.org/x.png"}, []],
    ["svg", {"viewBox": "0 0 1 1"}, []],
    ["constructor", {}, []],
    ["circle", {"r": "3", "onload": "document.title='hit'", "style": "x:y", "class": "c"}, []],
    ["circle", {"r": "3", "fill": "url(https://example.org)", "stroke": "var(--x)"}, []],
    ["path", {"d": "M0 0' onload='document.title=1", "xlink:href": "#a", "id": "i"}, []],
]
TAGS = """() => [...document.querySelectorAll('.ch-drawn, .ch-motif')].flatMap(place =>
    [...place.querySelectorAll('*')].map(e => [
        e.tagName, Object.fromEntries([...e.attributes].map(a => [a.name, a.value]))]))"""


def gargon() -> Shown:
    """Return the table of a new game of Gargon as the first seat sees it."""
    referee = started(find_plugins(), "gargon")
    return Shown("gargon", view_by(referee, 0), build_catalogue(referee.game))


def drawn(visit_page: Visitor, folder: Path, elements: list[Any]) -> list[list[Any]]:
    """Draw elements on all dragons; return the drawn tags and attributes of one dragon."""
    write_page(folder / "table.html")
    page = visit_page(folder / "table.html", 1280, 800).page
    table = gargon()
    table.catalogue["art"] = {"dragon": ["svg", {"viewBox": "0 0 24 24"}, elements]}
    table.on(page)
    tags: list[list[Any]] = page.evaluate(TAGS)
    assert page.title() == "table"
    # All drawings are equal, so check the last one.
    last = max(number for number, (tag, _) in enumerate(tags) if tag == "svg")
    return tags[last:]


def test_all_that_a_card_file_allows_is_drawn(visit_page: Visitor, tmp_path: Path) -> None:
    """Elements and attributes of both lists are the same."""
    elements = [
        [tag, {name: VALUES.get(name, "1") for name in names}, []]
        for tag, names in ATTRIBUTES.items()
        if tag != "svg"
    ]
    whole = ["svg", {"viewBox": "0 0 24 24"}]
    assert drawn(visit_page, tmp_path, elements) == [whole, *([t, a] for t, a, _ in elements)]


def test_a_hostile_catalogue_draws_shapes_only(visit_page: Visitor, tmp_path: Path) -> None:
    """A hostile server's drawing creates no script, event, link, style or nested page."""
    assert drawn(visit_page, tmp_path, HOSTILE) == [
        ["svg", {"viewBox": "0 0 24 24"}],
        ["circle", {"r": "3"}],
        ["circle", {"r": "3"}],
        ["path", {}],
    ]


def test_faces_and_backs_show_their_drawings(visit_page: Visitor, tmp_path: Path) -> None:
    write_page(tmp_path / "table.html")
    page = visit_page(tmp_path / "table.html", 1280, 800).page
    table = gargon()
    table.on(page)
    hand = page.locator(".ch-bottom .ch-card").count()
    assert page.locator(".ch-bottom .ch-drawn > svg").count() >= hand > 0
    backs = page.locator(".ch-others .ch-back").count()
    assert page.locator(".ch-others .ch-motif > svg").count() == backs > 0
    assert page.locator(".ch-emblem").count() == 0
