"""One table shows a game from decision to decision: it keeps its place, and shows whole texts."""

from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace
from tests.kit.browsing import Visitor
from tests.play.pages.table_page import (
    BEGIN,
    Shown,
    advance,
    started,
    to_json,
    view_by,
    views_of,
    write_page,
)
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
# The heads and details that are wider than their card, and the titles with hidden lines.
CUT_TEXTS = """() => [...document.querySelectorAll(".ch-card > :is(.ch-head, .ch-detail)")]
    .filter(text => text.checkVisibility())
    .filter(text => {
        const box = text.getBoundingClientRect();
        const width = text.scrollWidth * box.width / text.offsetWidth;
        return width > text.closest(".ch-card").getBoundingClientRect().width + 1;
    })
    .concat([...document.querySelectorAll(".ch-card > .ch-title")]
        .filter(title => title.checkVisibility() && title.scrollHeight > title.clientHeight + 3))
    .map(text => text.dataset.text ?? text.textContent)"""


# The words at corners, and how far they reach beyond the paper of their cards.
CORNERS = """() => [...document.querySelectorAll(".ch-size-mini > .ch-corner")].map(corner => {
    const words = document.createRange();
    words.selectNodeContents(corner);
    const card = corner.parentElement.getBoundingClientRect();
    return [corner.textContent, words.getBoundingClientRect().right - card.right + 2];
})"""


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


# The lower edge of the last row of the viewer's hand, after the next frame.
LAST_ROW = """async () => {
    await new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
    const cards = [...document.querySelectorAll(".ch-look-hand .ch-card")];
    return Math.max(...cards.map(card => Math.round(card.getBoundingClientRect().bottom)));
}"""


def test_the_last_row_of_a_hand_keeps_its_place_on_a_phone(
    visit_page: Visitor, tmp_path: Path
) -> None:
    write_page(tmp_path / "table.html")
    page = visit_page(tmp_path / "table.html", *PHONE).page
    shown = [view for view in first_hand_of_hearts() if cards_of_hand(view.view)]
    page.evaluate(BEGIN, to_json(shown[0].catalogue))
    edges = []
    for view in shown:
        view.next_on(page)
        edges.append(page.evaluate(LAST_ROW))
    assert len(edges) > 12
    assert max(edges) - min(edges) <= 2


# The largest move of the middle, its parts and the hand from view to view, in pixels.
MOVES = """async views => {
    const parts = ".ch-felt, .ch-trick, .ch-lanes, .ch-board, .ch-centre, .ch-centre > .ch-area, "
        + ".ch-look-hand";
    const frame = () => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)));
    const moves = {}, places = new Map();
    for (const view of views) {
        show(JSON.parse(view), { log: [] });
        await frame();
        await frame();
        for (const part of document.querySelectorAll(parts)) {
            // A hand of fewer rows has its last row where it was.
            const hand = part.querySelector(":scope.ch-look-hand > .ch-cards");
            const box = (hand ?? part).getBoundingClientRect();
            const [top, left] = [hand ? box.bottom : box.top, box.left];
            const [above, before] = places.get(part) ?? [top, left];
            const name = part.dataset.area ?? part.classList[0];
            const move = Math.max(Math.abs(top - above), Math.abs(left - before));
            moves[name] = Math.max(moves[name] ?? 0, Math.round(move));
            places.set(part, [top, left]);
        }
    }
    return moves;
}"""
STEADY = 4


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_won_and_spent_cards_of_two_players_move_neither_the_middle_nor_the_hand(
    visit_page: Visitor, tmp_path: Path, size: tuple[int, int]
) -> None:
    write_page(tmp_path / "table.html")
    page = visit_page(tmp_path / "table.html", *size).page
    referee, rng = started(find_plugins(), "goofspiel", seats=2), Random(3)
    page.evaluate(BEGIN, to_json(build_catalogue(referee.game)))
    views = []
    while not referee.is_over:
        views.append(to_json(view_by(referee, 0)))
        advance(referee, rng)
    moves = page.evaluate(MOVES, views)
    assert moves.keys() >= {"ch-felt", "ch-trick", "ch-centre"}
    assert {part: move for part, move in moves.items() if move > STEADY} == {}


# About as high as the header of a table that is played.
PROMPT = "act " * 30
# Crowded tables: the game, its seats, the window and the decisions between two that are drawn.
CROWDED = [
    ("gargon", 3, PHONE, 7),
    ("gargon", 5, PHONE, 8),
    ("garner", 2, PHONE, 5),
    ("goofspiel", 3, PHONE, 3),
    ("orchards", 4, PHONE, 6),
    ("four_piles", 5, DESK, 3),
    ("roses", 6, DESK, 4),
]
DRAWN = 12


@pytest.mark.parametrize(("game", "seats", "size", "step"), CROWDED)
def test_a_crowded_table_keeps_its_place(
    visit_page: Visitor, tmp_path: Path, game: str, seats: int, size: tuple[int, int], step: int
) -> None:
    write_page(tmp_path / "table.html")
    page = visit_page(tmp_path / "table.html", *size).page
    referee, rng = started(find_plugins(), game, seats=seats), Random(3)
    page.evaluate(BEGIN, to_json(build_catalogue(referee.game)))
    views: list[Any] = []
    while not referee.is_over and len(views) < DRAWN:
        if not referee.action_count % step:
            views.append(to_json(replace(view_by(referee, 0), prompt=PROMPT, status="")))
        advance(referee, rng)
    moves = page.evaluate(MOVES, views)
    assert moves.keys() >= {"ch-felt"}
    assert {part: move for part, move in moves.items() if move > STEADY} == {}


SHOWDOWN = ["all-in", "two pair, sixes and threes", "button"]
# The game, its seats, the window, and the scores and badges that the seats have later.
LATER = [
    ("holdem", 4, PHONE, "96 chips", ["bet 93", "button"]),
    ("doppelkopf", 4, PHONE, "99 points", ["Kontra", "partner"]),
    ("holdem", 3, DESK, "199 chips", SHOWDOWN),
    ("holdem", 5, DESK, "99 chips", SHOWDOWN),
    ("holdem", 6, DESK, "0 chips", SHOWDOWN),
]


@pytest.mark.parametrize(("game", "seats", "size", "score", "badges"), LATER)
def test_the_panels_of_seats_have_room_for_longer_numbers_and_more_badges(
    visit_page: Visitor,
    tmp_path: Path,
    game: str,
    seats: int,
    size: tuple[int, int],
    score: str,
    badges: list[str],
) -> None:
    write_page(tmp_path / "table.html")
    page = visit_page(tmp_path / "table.html", *size).page
    referee = started(find_plugins(), game, seats=seats)
    first = Shown("", view_by(referee, 0), build_catalogue(referee.game))
    page.evaluate(BEGIN, to_json(first.catalogue))
    views = [to_json(first.data)]
    for player in first.data["players"][1:]:
        player |= {"score": score, "badges": badges}
        views.append(to_json(first.data))
    moves = page.evaluate(MOVES, views)
    assert moves["ch-felt"] <= STEADY


def test_the_middle_of_a_phone_shows_a_trick_and_all_places_beside_it(
    visit_page: Visitor, tmp_path: Path
) -> None:
    write_page(tmp_path / "table.html")
    page = visit_page(tmp_path / "table.html", *PHONE).page
    referee = started(find_plugins(), "goofspiel", seats=3)
    Shown("", view_by(referee, 0), build_catalogue(referee.game)).on(page)
    page.evaluate(TOP)
    beyond = page.locator(".ch-felt").evaluate("felt => felt.scrollHeight - felt.clientHeight")
    assert page.locator(".ch-centre > .ch-area").count() == 3
    assert beyond <= 0


@pytest.mark.parametrize("game", ["spades", "orchards"])
def test_the_middle_of_a_desk_never_scrolls(visit_page: Visitor, tmp_path: Path, game: str) -> None:
    write_page(tmp_path / "table.html")
    page = visit_page(tmp_path / "table.html", 1280, 736).page
    referee, rng = started(find_plugins(), game, seats=4), Random(5)
    page.evaluate(BEGIN, to_json(build_catalogue(referee.game)))
    beyond = {}
    for _ in range(8):  # a whole trick lies beside the last one
        advance(referee, rng)
    for _ in range(6):
        advance(referee, rng)
        Shown("", view_by(referee, 0), build_catalogue(referee.game)).next_on(page)
        page.evaluate(TOP)
        felt = page.locator(".ch-felt")
        beyond[referee.action_count] = felt.evaluate(
            "felt => felt.scrollHeight - felt.clientHeight"
        )
    assert set(beyond.values()) == {0}, beyond


@pytest.mark.parametrize("size", [PHONE, (390, 660), DESK])
def test_no_word_at_the_corner_of_a_small_card_is_cut(
    visit_page: Visitor, tmp_path: Path, size: tuple[int, int]
) -> None:
    write_page(tmp_path / "table.html")
    page = visit_page(tmp_path / "table.html", *size).page
    views_of(find_plugins(), "rebels")[0].on(page)
    corners = page.evaluate(CORNERS)
    assert corners
    assert [text for text, beyond in corners if beyond > 0] == []


@pytest.mark.parametrize("size", [PHONE, (390, 660), DESK])
def test_no_head_title_or_detail_of_a_card_is_cut(
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
