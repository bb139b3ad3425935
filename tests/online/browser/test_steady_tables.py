"""The table keeps its place while buttons and cards come and go."""

import pytest
from playwright.sync_api import Page
from tests.online.browser.visitors import (
    LAPTOP,
    PHONE,
    PLAY_ON,
    Visitors,
    make_table,
    play_one,
    play_random_bots,
    start,
)

PARTS = ".ch-header, .ch-felt, .ch-bottom, .ch-look-hand"
BOXES = """parts => [...document.querySelectorAll(parts)].map(part => {
    const { top, bottom } = part.getBoundingClientRect();
    return [part.className, Math.round(top), Math.round(bottom)];
})"""


def edges(page: Page) -> object:
    """Return the upper and lower edges of the regions, after the last frame."""
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))")
    return page.evaluate(BOXES, PARTS)


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
@pytest.mark.parametrize("game", ["gamon", "gargon"])
def test_the_table_does_not_move_when_buttons_appear(
    people: Visitors, game: str, size: tuple[int, int]
) -> None:
    page = play_random_bots(people, game, size=size)
    first = edges(page)
    buttons = page.locator(".ch-actions [data-action]").count()
    play_one(page)
    page.locator(".ch-undo").wait_for()
    assert page.locator(".ch-actions [data-action]").count() != buttons
    assert edges(page) == first


# Notes the largest move of the hand and the parts of the middle, in pixels, until the game ends.
WATCH = """() => {
    window.moves = {};
    const parts = ".ch-felt, .ch-lanes, .ch-trick, .ch-board, .ch-columns, .ch-centre, "
        + ".ch-lanes > .ch-lane, .ch-middle > .ch-lane, .ch-centre > .ch-area, .ch-look-hand";
    const places = new Map();
    const note = () => {
        const isOver = document.querySelector(".ch-result");
        for (const part of isOver ? [] : document.querySelectorAll(parts)) {
            const { top, left } = part.getBoundingClientRect();
            const [above, before] = places.get(part) ?? [top, left];
            const move = Math.round(Math.max(Math.abs(top - above), Math.abs(left - before)));
            const name = part.dataset.area ?? part.classList[0];
            moves[name] = Math.max(moves[name] ?? 0, move);
            places.set(part, [top, left]);
        }
        requestAnimationFrame(note);
    };
    requestAnimationFrame(() => requestAnimationFrame(note));
}"""
STEADY = 4


@pytest.mark.parametrize(
    ("game", "size"),
    [
        ("gamon", PHONE),
        ("gargon", PHONE),
        ("gargon", LAPTOP),
        ("spades", PHONE),
        ("hearts", LAPTOP),
        ("big_two", PHONE),
        ("four_piles", PHONE),
        ("rebels", PHONE),
        ("rebels", LAPTOP),
        ("goofspiel", PHONE),
        ("goofspiel", LAPTOP),
    ],
)
def test_the_middle_and_the_hand_keep_their_place_while_cards_come_and_go(
    people: Visitors, game: str, size: tuple[int, int]
) -> None:
    page = play_random_bots(people, game, size=size)
    page.evaluate(WATCH)
    page.evaluate(PLAY_ON, 30)
    moves = page.evaluate("moves")
    assert moves.keys() >= {"ch-felt", "ch-centre"}
    assert {part: move for part, move in moves.items() if move > STEADY} == {}


def test_the_stacks_below_the_lanes_are_whole_on_a_phone(people: Visitors) -> None:
    page = play_random_bots(people, "gargon", size=PHONE)
    edges(page)
    beyond = page.locator(".ch-felt").evaluate("felt => felt.scrollHeight - felt.clientHeight")
    assert beyond <= 2


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_melds_have_room_before_they_are_laid(people: Visitors, size: tuple[int, int]) -> None:
    page = play_random_bots(people, "gin_rummy", size=size)
    assert page.locator(".ch-lane.is-reserved").count() == 2
    assert not page.locator(".ch-owner:visible").count()
    card, lane = page.evaluate("""() => [".ch-centre .ch-card", ".ch-middle > .ch-lane"]
        .map(part => document.querySelector(part).getBoundingClientRect().height)""")
    assert lane > 0.6 * card


def test_the_bar_after_a_game_comes_with_its_result(people: Visitors) -> None:
    page = make_table(people, "kuhn", ["", "easy"])
    start(page)
    page.evaluate("""() => {
        window.early = 0;
        const note = () => {
            const bar = document.querySelector(".on-finish")?.checkVisibility();
            early += bar && !document.querySelector(".ch-result");
            requestAnimationFrame(note);
        };
        note();
    }""")
    page.evaluate(PLAY_ON)
    page.locator(".ch-result").wait_for()
    assert page.evaluate("early") == 0


# The size in which a finger hits each choice that is in sight, in steps of 2 pixels.
REACHED = """() => {
    const hits = new Map();
    for (let y = 1; y < innerHeight; y += 2) for (let x = 1; x < innerWidth; x += 2) {
        const node = document.elementFromPoint(x, y)?.closest(".is-legal, .ch-actions button");
        if (!node) continue;
        const box = hits.get(node) ?? { left: x, right: x, top: y, bottom: y };
        hits.set(node, { left: Math.min(box.left, x), right: Math.max(box.right, x),
            top: Math.min(box.top, y), bottom: Math.max(box.bottom, y) });
    }
    return [...hits].map(([node, box]) => [node.textContent.trim().slice(0, 20),
        box.right - box.left + 2, box.bottom - box.top + 2]);
}"""


@pytest.mark.parametrize("game", ["hearts", "gargon", "garner"])
def test_a_finger_can_hit_each_card_and_button_that_can_be_chosen(
    people: Visitors, game: str
) -> None:
    page = play_random_bots(people, game, size=PHONE)
    page.mouse.move(0, 0)  # a card under the pointer is raised
    reached = page.evaluate(REACHED)
    assert reached
    assert [size for size in reached if min(size[1:]) < 44] == []


# The buttons of a group that are in sight, but partly under another button.
COVERED = """() => {
    const undo = document.querySelector(".ch-undo").getBoundingClientRect();
    const group = document.querySelector(".ch-button-group");
    const edge = group.getBoundingClientRect().right;
    return [...group.querySelectorAll("button")]
        .filter(button => Math.min(button.getBoundingClientRect().right, edge) > undo.left)
        .map(button => button.textContent);
}"""


def test_undo_covers_no_button_of_a_group(people: Visitors) -> None:
    page = make_table(people, "gamon", size=PHONE)
    start(page)
    group = page.locator(".ch-actions:has(.ch-undo) .ch-button-group > button:nth-of-type(4)")
    for _ in range(12):
        play_one(page)
        page.locator(".ch-prompt.is-own").wait_for()
        if group.count():
            break
    assert group.count()
    assert page.evaluate(COVERED) == []


PLACES = """() => [...document.querySelectorAll(".ch-centre > .ch-area, .ch-columns")].map(area => {
    const { left, top } = area.getBoundingClientRect();
    return [Math.round(left), Math.round(top)];
})"""
TURN_STOCK = """() => [...document.querySelectorAll(".ch-caption.is-legal")]
    .find(caption => caption.textContent.includes("stock")).click()"""


@pytest.mark.parametrize("size", [PHONE, LAPTOP])
def test_places_above_columns_keep_their_place_while_a_pile_grows(
    people: Visitors, size: tuple[int, int]
) -> None:
    page = make_table(people, "klondike", size=size)
    start(page)
    first = page.evaluate(PLACES)
    assert len(first) == 4
    for number in range(1, 25):  # then the stock is empty
        page.evaluate(TURN_STOCK)
        page.locator(f".ch-captions:has-text('waste'):has-text('{number}')").wait_for()
        assert page.evaluate(PLACES) == first
    shown = page.locator(".ch-look-pile .ch-slot:visible")
    # With their labels, also if one of them is a ten.
    assert shown.count() == (3 if size == PHONE else 4)


def test_the_strip_below_a_small_card_is_one_line(people: Visitors) -> None:
    page = play_random_bots(people, "gamon", size=PHONE)
    page.evaluate(PLAY_ON, 5)
    strips = page.locator(".ch-middle .ch-foot")
    strips.first.wait_for()
    lines = strips.evaluate_all("strips => strips.map(strip => strip.clientHeight)")
    assert [height for height in lines if height > 20] == []


def test_a_tally_keeps_its_width_when_a_race_is_won(people: Visitors) -> None:
    page = play_random_bots(people, "garner")
    first, last = page.evaluate("""() => {
        const tally = document.querySelector(".ch-tally");
        const before = tally.offsetWidth;
        for (const value of tally.querySelectorAll(".ch-value")) value.textContent = "12/8";
        for (const note of tally.querySelectorAll(".ch-note")) note.textContent = "✓ won";
        for (const race of tally.querySelectorAll(".ch-race")) race.classList.add("is-won");
        return [before, tally.offsetWidth];
    }""")
    assert first == last
