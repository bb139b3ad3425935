"""Playing at a table in a browser: choices, notes, the keyboard, and cards that move."""

from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page
from tests.kit.browsing import Visit, Visitor
from tests.play.pages.table_page import Shown, advance, started, view_by, write_page
from tests.view.layout.positions import POSITIONS
from tests.view.layout.views import TableBuilder

from cardhub.plugins.registry import find_plugins
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.view import Spot

LEFT = "token => document.querySelector(`[data-token='${token}']`).getBoundingClientRect().left"
MOVING = "() => document.getAnimations().filter(a => a.playState === 'running').length"
# Pauses all animations at their start.
HELD = """() => {
    const animate = Element.prototype.animate;
    Element.prototype.animate = function (...options) {
        const animation = animate.apply(this, options);
        animation.pause();
        return animation;
    };
}"""
FINISH = "() => document.getAnimations().forEach(animation => animation.finish())"


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of the page."""
    path = tmp_path_factory.mktemp("table") / "table.html"
    write_page(path)
    return path


Opened = Callable[..., Visit]


@pytest.fixture
def opened(visit_page: Visitor, path: Path) -> Opened:
    """Return a function that opens the page."""
    return lambda width=1280, height=800, **options: visit_page(path, width, height, **options)


def drawn(name: str) -> Shown:
    """Return a position that the terminal's drawings are tested with."""
    position = POSITIONS[name]()
    return Shown(name, position.view, position.catalogue)


def calls(page: Page) -> Any:
    """Return the choices and spots that the table reported."""
    return page.evaluate("() => calls")


def spot_of(spot: Spot) -> str:
    """Return the selector of a spot."""
    return f'[data-spot="{spot.kind}:{spot.key}:{spot.area}"]'


def test_a_card_that_can_be_played_is_chosen_by_a_click(opened: Opened) -> None:
    shown = drawn("hearts")
    page = opened().page
    shown.on(page)
    page.get_by_role("button", name="♣8", exact=True).click()
    page.get_by_role("button", name="♥9").click()
    token = shown.data["areas"][-1]["cards"][-1]["token"]
    assert calls(page) == [["choice", 0], ["spot", "card", token, len(shown.view.areas) - 1]]
    assert "♥9" in page.locator(".ch-details").inner_text()


def test_a_finger_that_rests_on_a_card_reads_it(opened: Opened) -> None:
    page = opened(390, 844, has_touch=True).page
    drawn("gamon").on(page)
    card = page.get_by_role("button", name="Petty Officer")
    card.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    page.locator(".ch-details.is-pinned").wait_for()
    assert "Lost: remove up to 2 coins." in page.locator(".ch-details").inner_text()
    card.dispatch_event("pointerup", {"pointerType": "touch", "bubbles": True})
    card.dispatch_event("click")
    assert [call[0] for call in calls(page)] == ["spot"]


def test_a_covered_card_of_a_column_is_chosen_by_a_click_on_its_strip(opened: Opened) -> None:
    shown = drawn("patience")
    for width, height in ((1280, 800), (390, 844)):
        page = opened(width, height).page
        shown.on(page)
        page.get_by_role("button", name="♠K", exact=True).click(position={"x": 10, "y": 8})
        page.get_by_role("button", name="♥8", exact=True).click(position={"x": 10, "y": 8})
        assert calls(page) == [["choice", 1], ["choice", 3]]


def test_the_columns_of_a_patience_fit_the_width(opened: Opened) -> None:
    """Cards of a column overlap from top to bottom, and backs take less room than faces."""
    for width, height in ((1280, 800), (390, 844), (844, 390)):
        page = opened(width, height).page
        drawn("patience").on(page)
        tops = page.locator(".ch-columns > :last-child .ch-card").evaluate_all(
            "all => all.map(card => card.getBoundingClientRect().top)"
        )
        steps = [round(below - above) for above, below in pairwise(tops)]
        assert 5 <= min(steps[:6]) <= max(steps[:6]) < min(steps[6:]) <= max(steps[6:]) < 46
        right = page.locator(".ch-columns").evaluate("e => e.getBoundingClientRect().right")
        assert right <= width


def test_buttons_are_choices(opened: Opened) -> None:
    page = opened().page
    drawn("gamon").on(page)
    page.get_by_role("button", name="Believe").click()
    assert calls(page) == [["choice", 1]]


def test_a_group_of_sites_is_marked_together(opened: Opened) -> None:
    """A click on a site of the group chooses the group."""
    shown = drawn("garner")
    page = opened().page
    shown.on(page)
    site = page.locator(spot_of(shown.view.choices[0].spots[0]))
    site.hover()
    assert page.locator(".ch-site.is-companion").count() == 4
    site.click()
    assert calls(page) == [["choice", 0]]


def two_actions_on_a_card() -> Shown:
    """Return a view in which a card can be played or discarded."""
    table = TableBuilder(2, prompt="Play a card")
    table.back("#")
    table.face("7", text="Play it or not.")
    table.area("hand", "hand", table.cards("7"), seat=0, look="hand")
    table.choice("play", "7", [table.tokens["7"]])
    table.choice("discard", "7", [table.tokens["7"]])
    return Shown("two", table.view(), table.catalogue())


def test_cards_are_read_out_as_they_are_printed(opened: Opened) -> None:
    page = opened().page
    drawn("gamon").on(page)
    names = page.locator(".ch-card").evaluate_all("all => all.map(card => card.ariaLabel)")
    assert "1 Petty Officer, lost −2●" in names
    assert "P card, calls 3, face down, new" in names
    drawn("gargon").on(page)
    assert page.get_by_role("button", name="B8 Pegasus 8, 2●", exact=True).count() == 1


def test_a_card_with_two_actions_offers_both(opened: Opened) -> None:
    """Escape closes the menu without a choice."""
    page = opened().page
    two_actions_on_a_card().on(page)
    card = page.get_by_role("button", name="7", exact=True)
    card.click()
    page.keyboard.press("Escape")
    assert page.locator(".ch-menu:visible").count() == 0
    card.click()
    page.get_by_role("button", name="Discard 7").click()
    assert calls(page) == [["choice", 1]]


def test_the_table_is_played_with_the_keyboard(opened: Opened) -> None:
    """Tab reaches a legal spot, arrows move on, Enter acts, and `?` asks about a spot."""
    page = opened().page
    drawn("hearts").on(page)
    page.locator('.ch-spot[tabindex="0"]').wait_for()
    assert page.locator('.ch-spot[tabindex="0"]').count() == 1
    page.keyboard.press("Tab")
    assert page.evaluate("() => document.activeElement.ariaLabel") == "♣8"
    page.keyboard.press("ArrowRight")
    assert page.evaluate("() => document.activeElement.ariaLabel") == "♣J"
    page.keyboard.press("Enter")
    page.keyboard.press("?")
    assert [call[0] for call in calls(page)] == ["choice", "spot"]
    page.keyboard.press("ArrowUp")
    assert page.evaluate("() => document.activeElement.dataset.spot") != "null"


def test_the_focus_stays_where_it_was(opened: Opened) -> None:
    """The same card has the focus in the next view."""
    shown = drawn("hearts")
    page = opened().page
    shown.on(page)
    page.get_by_role("button", name="♣J", exact=True).focus()
    shown.next_on(page)
    assert page.evaluate("() => document.activeElement.ariaLabel") == "♣J"


def steps_of_hearts() -> tuple[Shown, Shown, int]:
    """Return a view before and after a card is played, and the card's token."""
    referee, rng = started(find_plugins(), "hearts"), Random(3)
    while referee.action_count < 30:
        advance(referee, rng)
    catalogue, seat = build_catalogue(referee.game), referee.seat
    before = view_by(referee, seat)
    choice = next(choice for choice in before.choices if choice.spots[0].kind == "card")
    referee.apply(choice.action)
    after = view_by(referee, seat)
    return (
        Shown("before", before, catalogue),
        Shown("after", after, catalogue),
        choice.spots[0].key,
    )


def test_a_card_moves_from_the_hand_to_its_place(opened: Opened) -> None:
    """It starts at its earlier place and ends at its place without motion."""
    before, after, token = steps_of_hearts()
    page = opened().page
    before.on(page)
    start = page.evaluate(LEFT, token)
    after.next_on(page)
    place = page.evaluate(LEFT, token)
    before.next_on(page)
    page.evaluate(HELD)
    after.next_on(page, animate=True)
    assert page.evaluate("() => document.getAnimations().length") > 0
    assert page.evaluate(LEFT, token) == pytest.approx(start, abs=1)
    page.evaluate(FINISH)
    assert page.evaluate(LEFT, token) == pytest.approx(place, abs=1)
    assert start != pytest.approx(place, abs=20)


def test_no_card_moves_with_reduced_motion(opened: Opened) -> None:
    before, after, _ = steps_of_hearts()
    page = opened(reduced_motion="reduce").page
    before.on(page)
    after.next_on(page, animate=True)
    assert page.evaluate(MOVING) == 0


def test_backs_differ_by_more_than_their_colour(opened: Opened) -> None:
    """All backs have different patterns and letters."""
    page = opened().page
    drawn("gargon").on(page)
    looks = page.locator(".ch-other .ch-back").evaluate_all(
        "all => all.map(e => [getComputedStyle(e).backgroundImage, e.textContent])"
    )
    letters = {letter for _, letter in looks}
    assert letters == set("YGBVWR")
    assert len({pattern for pattern, _ in looks}) == len(letters)


def test_names_are_never_markup(opened: Opened) -> None:
    name = "<img src=x onerror=alert(1)>"
    shown = drawn("hearts")
    shown.data["players"][1]["name"] = name
    shown.data["prompt"] = "<b>bold</b>"
    visit = opened()
    shown.on(visit.page, news=name, log=[{"step": 1, "seat": 0, "kind": "action", "text": name}])
    assert visit.page.locator(".ch-other .ch-player").first.inner_text() == name
    assert visit.page.locator("img, .ch-prompt b").count() == 0
    assert visit.complaints == []


def test_news_and_the_turn_are_read_out(opened: Opened) -> None:
    """The live region contains the new log lines, then the prompt."""
    page = opened().page
    lines = [
        {"step": 1, "seat": 0, "kind": "action", "text": "Anna plays 7♦"},
        {"step": 2, "seat": 3, "kind": "action", "text": "David plays 2♥", "is_new": True},
    ]
    drawn("hearts").on(page, log=lines)
    live = page.locator('[aria-live="polite"]').first.inner_text()
    assert live == "David plays 2♥. Your turn: Play a card: clubs if you have any"
    assert page.locator(".ch-log-line.is-new").inner_text() == "David plays 2♥"
    drawn("hearts").on(page, log=[{**lines[1], "text": "David cries GAMON!"}])
    live = page.locator('[aria-live="polite"]').first.inner_text()
    assert live == "David cries GAMON! Your turn: Play a card: clubs if you have any"


def test_a_closed_pile_is_opened(opened: Opened) -> None:
    """An open pile shows all its cards."""
    page = opened().page
    drawn("gargon").on(page)
    pile = page.get_by_role("list", name="discarded, 12 cards")
    hidden = pile.get_by_role("button").count()
    page.get_by_role("button", name="all discarded").click()
    assert hidden < pile.get_by_role("button").count() == 11


def test_a_large_hand_fits_a_phone(opened: Opened) -> None:
    """Sixteen cards fill two rows, and the visible part of a card is as wide as a fingertip."""
    table = TableBuilder(2, prompt="Play a card")
    table.back("#")
    for number in range(16):
        table.face(f"R{number}", corner=f"R{number}", colour="red")
    names = [f"R{number}" for number in range(16)]
    table.area("hand", "hand", table.cards(names), seat=0, look="hand", room=16)
    page = opened(390, 844).page
    Shown("large", table.view(), table.catalogue()).on(page)
    boxes = [box.bounding_box() for box in page.locator(".ch-look-hand .ch-slot").all()]
    widths = [box["width"] for box in boxes if box]
    assert len({box["y"] for box in boxes if box}) == 2
    assert min(widths) >= 43.5
    assert max(box["x"] + box["width"] for box in boxes if box) <= 390


def test_the_mark_of_a_hint_leaves_the_cards_of_a_site_in_their_place(opened: Opened) -> None:
    page = opened().page
    drawn("garner").on(page)
    site = page.locator(".ch-site:has(.ch-card)").first
    before = site.locator(".ch-card").first.bounding_box()
    site.evaluate("site => site.classList.add('is-hinted', 'is-hint-1')")
    assert site.locator(".ch-card").first.bounding_box() == before


def test_the_end_of_a_game_says_its_number_of_rounds_once(opened: Opened) -> None:
    table = TableBuilder(2, chapter="round 10", status="10 rounds", is_over=True)
    page = opened().page
    Shown("over", table.view(), table.catalogue()).on(page)
    assert page.locator(".ch-facts").inner_text() == "10 rounds"


def test_a_score_that_is_the_number_of_a_pile_is_shown_once(opened: Opened) -> None:
    table = TableBuilder(2)
    table.face("A")
    table.seat(0, score="won 2")
    table.area("won", "seat", table.cards("A A"), seat=0, look="pile")
    page = opened().page
    Shown("pile", table.view(), table.catalogue()).on(page)
    assert page.locator(".ch-own-line").inner_text().count("won") == 1


def test_lines_of_text_are_text_and_no_empty_places(opened: Opened) -> None:
    """OpenSpiel's text for a player is a drawing in characters that fits a phone."""
    table = TableBuilder(2, prompt="Act")
    lines = ["| 3♠    6♠ |", "+" + "-" * 44 + "+"]
    for line in [*lines, " "]:
        table.area(" ", "centre", note=line)
    page = opened(390, 844).page
    Shown("text", table.view(), table.catalogue()).on(page)
    text = page.locator(".ch-texts")
    assert text.inner_text().splitlines() == lines
    assert page.locator(".ch-outline").count() == 0
    assert text.evaluate(
        "e => [e.scrollWidth <= e.clientWidth, getComputedStyle(e).whiteSpace]"
    ) == [
        True,
        "pre",
    ]


def a_costly_choice() -> Shown:
    """Return a view with a card and a costly button."""
    table = TableBuilder(2, prompt="Play a card, or fold")
    table.back("#")
    table.face("7")
    table.area("hand", "hand", table.cards("7"), seat=0, look="hand")
    table.choice("play", "7", [table.tokens["7"]])
    table.choice("fold")
    shown = Shown("costly", table.view(), table.catalogue())
    shown.data["choices"][1]["tone"] = "costly"
    return shown


def test_a_costly_choice_acts_at_the_second_press(opened: Opened) -> None:
    """A press elsewhere cancels the question; choices with another tone act immediately."""
    page = opened(390, 844, has_touch=True).page
    a_costly_choice().on(page)
    fold = page.locator(".ch-actions").get_by_role("button", name="Fold")
    fold.tap()
    page.locator(".ch-felt").tap(position={"x": 5, "y": 5})
    assert page.locator(".ch-menu:visible").count() == 0
    fold.dblclick()
    assert calls(page) == []
    page.get_by_role("group", name="Are you sure? Fold").get_by_role("button", name="Fold").tap()
    page.get_by_role("button", name="7", exact=True).tap()
    assert calls(page) == [["choice", 1], ["choice", 0]]


def test_a_costly_choice_is_confirmed_by_the_keyboard(opened: Opened) -> None:
    """Escape returns to the button; a held key does not confirm the choice."""
    page = opened().page
    a_costly_choice().on(page)
    fold = page.locator(".ch-actions").get_by_role("button", name="Fold")
    fold.focus()
    page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    assert fold.evaluate("button => button === document.activeElement")
    page.keyboard.down("Enter")
    page.keyboard.down("Enter")  # without a release between them: the key repeats
    page.keyboard.up("Enter")
    assert calls(page) == []
    page.keyboard.press("Enter")
    assert calls(page) == [["choice", 1]]
