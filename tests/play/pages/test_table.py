"""Tables of all games in a browser: all parts are visible, readable and reachable."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.kit.browsing import Visit, Visitor
from tests.play.pages.table_page import (
    SEATS,
    Shown,
    drawn_positions,
    end_of,
    views_after,
    views_of,
    write_page,
)
from tests.play.pages.table_scripts import (
    COVERED,
    CUT,
    FAINT,
    NAMELESS,
    OUTSIDE,
    OVERLAPS,
    REACHED,
    SMALL,
    UNSPOKEN,
)

from cardhub.plugins.registry import find_plugins
from cardhub.view.view import AreaView, View

PHONE, DESK = (390, 844), (1280, 800)


@pytest.fixture(scope="module")
def shown() -> list[Shown]:
    """Return several views of all games."""
    registry = find_plugins()
    return [*drawn_positions(), *(view for name in SEATS for view in views_of(registry, name))]


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the path of the page."""
    path = tmp_path_factory.mktemp("table") / "table.html"
    write_page(path)
    return path


Size = tuple[int, int]
Opened = Callable[..., Visit]


@pytest.fixture
def opened(visit_page: Visitor, path: Path) -> Opened:
    """Return a function that opens the page in a window of a size."""
    return lambda size, scheme: visit_page(path, size[0], size[1], scheme=scheme)


CHECKS = {
    "lies outside of the window": OUTSIDE,
    "overlaps on a card": OVERLAPS,
    "is covered by another card": COVERED,
    "has no name": NAMELESS,
    "has too little contrast": FAINT,
    "is not called by its texts": UNSPOKEN,
}
# Runs all checks, one after another.
ALL_CHECKS = f"""() => ({{
    {", ".join(f"{name!r}: ({script})()" for name, script in CHECKS.items())}
}})"""


def spots(view: View) -> set[str]:
    """Return the spots that a person must be able to reach.

    Empty areas of a seat, and numbers of cards that equal the seat's score, are not drawn.
    """
    quiet = {
        number
        for number, area in enumerate(view.areas)
        if isinstance(area, AreaView)
        and area.region in ("seat", "front")
        and (not (area.count or area.note or area.slots) or is_score(view, area))
    }
    # Choices with counts share the button of the first of them.
    several = [choice for choice in view.choices if choice.counts]
    chosen = {s for c in view.choices if c not in several[1:] for s in c.spots}
    return {
        f"{spot.kind}:{spot.key}:{spot.area}"
        for spot in view.spots()
        if spot in chosen
        or not (spot.kind == "button" or (spot.kind == "area" and spot.area in quiet))
    }


def is_score(view: View, area: AreaView) -> bool:
    """Return whether an area is a number of cards that equals its seat's score."""
    seat = view.players[area.seat] if area.seat is not None else None
    is_shown = seat is not None and seat.score == f"{area.caption} {area.count}"
    return is_shown and not area.cards and area.region == "seat"


@pytest.mark.parametrize(("size", "scheme"), [(PHONE, "light"), (DESK, "dark")])
def test_tables_of_all_games(opened: Opened, shown: list[Shown], size: Size, scheme: str) -> None:
    visit = opened(size, scheme)
    findings: dict[str, object] = {}
    for table in shown:
        table.on(visit.page)
        for name, finding in visit.page.evaluate(ALL_CHECKS).items():
            findings[f"{table.name} {name}"] = finding
        missing = spots(table.view) - set(visit.page.evaluate(REACHED))
        findings[f"{table.name} is out of reach"] = sorted(missing)
        if size == PHONE:
            findings[f"{table.name} is hard to tap"] = visit.page.evaluate(SMALL)
    assert {name: finding for name, finding in findings.items() if finding} == {}
    assert visit.complaints == []
    assert len(visit.requests) == 1


# A table on a laptop above the buttons that follow a game.
ABOVE_BUTTONS = (1280, 736)


@pytest.mark.parametrize("name", ["garner", "hearts"])
def test_the_end_of_a_game_needs_no_scrolling_on_a_laptop(opened: Opened, name: str) -> None:
    page = opened(ABOVE_BUTTONS, "light").page
    first, (end, result) = views_of(find_plugins(), name)[0], end_of(find_plugins(), name)
    # Room that the table reserved during the game does not count after it.
    first.on(page, log=[])
    page.evaluate("() => new Promise(done => requestAnimationFrame(() => setTimeout(done, 0)))")
    end.next_on(page, log=[], result=result)
    felt = page.locator(".ch-felt")
    assert felt.evaluate("felt => felt.scrollHeight <= felt.clientHeight") is True
    assert page.locator(".ch-result").count() == 1


@pytest.mark.parametrize("size", [PHONE, DESK])
def test_each_card_in_a_row_or_pile_shows_its_label(opened: Opened, size: Size) -> None:
    page = opened(size, "light").page
    findings = {}
    for shown in views_after(find_plugins(), "gargon", (12, 24, 42, 66, 114)):
        shown.on(page, log=[])
        findings[shown.name] = page.evaluate(CUT)
    assert {name: labels for name, labels in findings.items() if labels} == {}


def test_one_button_asks_how_many_cards_to_draw_from_each_stack(opened: Opened) -> None:
    page = opened(PHONE, "light").page
    shown = next(
        shown
        for shown in views_after(find_plugins(), "gargon", tuple(range(1, 20)))
        if any(choice.counts for choice in shown.view.choices)
    )
    shown.on(page)
    buttons = page.locator(".ch-actions button")
    assert [text.partition("\n")[0] for text in buttons.all_inner_texts()] == ["Pass …"]
    buttons.click()
    menu = page.get_by_role("group", name="Choose an action")
    menu.get_by_role("group", name="left stack").get_by_role("button", name="3").click()
    pressed = menu.locator("[aria-pressed=true]").all_inner_texts()
    assert pressed == ["3", "0"]
    menu.get_by_role("button", name="Pass three left").click()
    action = next(c.action for c in shown.view.choices if c.name == "pass three left")
    assert page.evaluate("calls.at(-1)") == ["choice", action]
