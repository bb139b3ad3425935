"""The page of a replay in a browser: from a file, without a network."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect
from tests.kit.browsing import BEYOND, CONTRAST, Visit
from tests.play.pages.replay_pages import ReplayPage, shown, write_page

Visits = Callable[..., Visit]
Written = Callable[[str], ReplayPage]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Written:
    """Return a function that returns the page of a game; each page is built once."""
    folder = tmp_path_factory.mktemp("replays")
    pages: dict[str, ReplayPage] = {}

    def page_of(game: str) -> ReplayPage:
        if game not in pages:
            pages[game] = write_page(folder, game)
        return pages[game]

    return page_of


def opened(visit_page: Visits, replay: ReplayPage, fragment: str = "", **options: Any) -> Visit:
    """Open a page at a fragment and wait for its table, without motion."""
    seen = visit_page(replay.path, **{"reduced_motion": "reduce", **options})
    if fragment:
        seen.page.evaluate(f"location.hash = '{fragment}'")
    seen.page.wait_for_selector(".ch-prompt")
    return seen


@pytest.mark.parametrize(("game", "width"), [("gargon", 390), ("gamon", 1280), ("garner", 390)])
def test_keys_go_through_a_game_and_to_its_end(
    visit_page: Visits, written: Written, game: str, width: int
) -> None:
    """Check the stop and its log lines at each step, without messages or requests."""
    replay = written(game)
    seen = opened(visit_page, replay, width=width)
    for number, stop in enumerate(replay.stops[:25]):
        for _ in (*stop.beats, stop.view):
            assert shown(seen.page) == (stop.step, replay.news(number))
            seen.page.keyboard.press("ArrowRight")
    seen.page.keyboard.press("End")
    assert shown(seen.page) == (replay.stops[-1].step, replay.news(len(replay.stops) - 1))
    result = replay.data.viewers[replay.data.first].result
    assert result is not None
    assert seen.page.get_by_text(result.sentence).first.is_visible()
    assert seen.complaints == []
    assert seen.requests == [replay.path.as_uri()]


@pytest.mark.parametrize(("game", "most"), [("gargon", 10), ("garner", 40)])
def test_taps_go_back_through_a_game(
    visit_page: Visits, written: Written, game: str, most: int
) -> None:
    replay = written(game)
    seen = opened(visit_page, replay, width=390, height=844, has_touch=True)
    for button in seen.page.locator(".rp-steps button").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44
    seen.page.get_by_role("button", name="to the end").tap()
    box = seen.page.get_by_role("button", name="one step back").bounding_box()
    assert box is not None
    for step in replay.shown_steps[:-1][::-1][:most]:
        seen.page.touchscreen.tap(box["x"] + 22, box["y"] + 22)
        assert shown(seen.page)[0] == step
    assert seen.complaints == []


@pytest.mark.parametrize(
    ("width", "scheme"),
    [(390, "light"), (390, "dark"), (820, "light"), (1280, "dark"), (2560, "light")],
)
def test_it_fits_every_width_and_can_be_read(
    visit_page: Visits, written: Written, width: int, scheme: str
) -> None:
    seen = opened(visit_page, written("gamon"), "#step=30", width=width, scheme=scheme)
    assert seen.page.evaluate("document.documentElement.scrollWidth") == width
    beyond = "() => (" + BEYOND + ")().filter(e => !/ch-|rp-fact/.test(e))"
    assert seen.page.evaluate(beyond) == []
    if width >= 1000:
        names = [
            ".rp-position",
            ".rp-row.is-now .rp-text",
            ".rp-row.is-coming .rp-text",
            ".rp-fact",
        ]
        for name in names:
            seen.page.wait_for_selector(name)
        ratios = seen.page.evaluate(CONTRAST, [*names, ".rp-tab", ".rp-number"])
        assert {name: ratio for name, ratio in ratios.items() if ratio < 4.5} == {}
    assert seen.complaints == []


# The regions of the viewer's panel of which a part is out of sight.
HIDDEN = """() => [".ch-bottom", ".ch-own-line", ".ch-bottom > .ch-look-hand"].filter(name => {
    const part = document.querySelector(name);
    return part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
})"""


@pytest.mark.parametrize(("game", "step"), [("hearts", 12), ("gamon", 40)])
def test_a_phone_shows_the_whole_panel_of_the_viewer(
    visit_page: Visits, written: Written, game: str, step: int
) -> None:
    seen = opened(visit_page, written(game), f"#step={step}", width=390, height=844)
    assert seen.page.evaluate(HIDDEN) == []


def test_the_keys_are_those_of_the_terminal(visit_page: Visits, written: Written) -> None:
    """Press the keys for ends, parts, viewers, playback and pace; `?` lists the keys."""
    replay = written("gamon")
    page = opened(visit_page, replay).page
    last, chapters = replay.stops[-1].step, replay.data.viewers[-1].chapters
    page.keyboard.press("]")
    assert shown(page)[0] == chapters[1].first
    page.keyboard.press("]")
    page.keyboard.press("[")
    assert shown(page)[0] == chapters[1].first
    page.keyboard.press("End")
    assert shown(page)[0] == last
    page.keyboard.press("Home")
    assert shown(page)[0] == 0
    for key, name in (("1", "seen by Anna"), ("2", "seen by Bob"), ("p", "seen by a spectator")):
        page.keyboard.press(key)
        assert page.locator("select[name=viewer] option:checked").inner_text() == name
    page.keyboard.press("0")
    assert page.locator("select[name=viewer] option:checked").inner_text() == "all cards"
    page.keyboard.press("+")
    page.keyboard.press("+")
    page.keyboard.press(" ")
    page.locator(".rp-position", has_text=re.compile("step [2-9]")).wait_for()
    page.keyboard.press(" ")
    assert page.get_by_role("button", name="play", exact=True).is_visible()
    page.keyboard.press("?")
    assert page.get_by_role("dialog", name="keys").is_visible()
    page.keyboard.press("Escape")
    assert page.get_by_role("dialog", name="keys").is_hidden()


def test_a_trick_lies_on_the_table_before_it_is_swept(visit_page: Visits, written: Written) -> None:
    replay = written("hearts")
    stop = next(stop for stop in replay.stops if stop.beats)
    page = opened(visit_page, replay, f"#step={stop.step - 1}").page
    cards = page.locator(".ch-of-front [data-token]")
    for key, count in (("ArrowRight", 4), ("ArrowRight", 0), ("ArrowLeft", 4), ("ArrowLeft", 3)):
        page.keyboard.press(key)
        expect(cards).to_have_count(count)
        takes = "takes the trick" in page.locator(".ch-prompt").inner_text()
        assert takes == (count == 4)
    page.evaluate(f"location.hash = '#step={stop.step}'")
    expect(cards).to_have_count(0)


def test_a_fragment_opens_a_step_as_a_viewer_saw_it(visit_page: Visits, written: Written) -> None:
    """The address names the present step and viewer; invalid fragments show the beginning."""
    replay = written("gargon")
    page = opened(visit_page, replay, "#step=31&viewer=1").page
    page.locator(".rp-position", has_text="step 31 ").wait_for()
    assert page.locator("select[name=viewer] option:checked").inner_text() == "seen by Bob"
    assert page.locator(".ch-bottom").inner_text().count("Bob") == 1
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#step=32&viewer=1$"))
    page.keyboard.press("p")
    expect(page).to_have_url(re.compile("#step=32&viewer=spectator$"))
    page.evaluate("location.hash = '#step=-3&viewer=nobody'")
    page.locator(".rp-position", has_text="step 0 ").wait_for()


def test_a_viewer_sees_own_cards_only(visit_page: Visits, written: Written) -> None:
    """Hidden hands show backs to a spectator, and faces to the viewer who sees everything."""
    page = opened(visit_page, written("gargon")).page
    assert page.locator(".ch-own .ch-face, .ch-bottom .ch-face").count() == 10
    page.select_option("select[name=viewer]", label="seen by a spectator")
    assert page.locator(".ch-bottom .ch-face").count() == 0
    assert page.locator(".ch-bottom .ch-back").count() == 10


def test_the_log_is_searched_and_leads_to_steps(visit_page: Visits, written: Written) -> None:
    """`/` goes to the search field, and Enter to the next line that contains the text."""
    replay = written("garner")
    log = replay.data.viewers[-1].log
    sought = log[40].text
    page = opened(visit_page, replay).page
    page.keyboard.press("/")
    page.keyboard.type(sought)
    page.keyboard.press("Enter")
    first = next(line.step for line in log if sought in line.text)
    assert shown(page)[0] == next(stop.step for stop in replay.stops if stop.step >= first)
    assert page.locator(".rp-found").inner_text().endswith("found")
    page.keyboard.press("Escape")
    page.get_by_role("button", name=log[20].text).first.click()
    assert log[20].text in shown(page)[1]


def test_the_timeline_is_dragged_and_its_marks_tapped(visit_page: Visits, written: Written) -> None:
    """A mark is a link to its step, and so is its line in the list of moments."""
    replay = written("garner")
    page = opened(visit_page, replay).page
    fault = next(mark for mark in replay.data.viewers[-1].marks if mark.kind == "fault")
    page.locator(".rp-mark.is-fault").click()
    assert shown(page)[0] == fault.step
    slider = page.get_by_role("slider")
    box = slider.bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + 60, box["y"] + 26)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 26, steps=4)
    page.mouse.up()
    middle = replay.shown_steps[len(replay.shown_steps) // 2]
    assert shown(page)[0] == pytest.approx(middle, abs=2)
    assert f"step {shown(page)[0]} of" in slider.get_attribute("aria-valuetext")  # type: ignore[operator]  # it has one
    page.keyboard.press("g")
    page.get_by_role("button", name="fault Bob: no answer in time").click()
    assert shown(page)[0] == fault.step


def test_swipes_turn_steps_on_a_telephone(visit_page: Visits, written: Written) -> None:
    seen = opened(visit_page, written("garner"), width=390, height=844, has_touch=True)
    swipe = """([from, to]) => {
        const node = document.querySelector(".ch-felt");
        const touch = x => new Touch({identifier: 1, target: node, clientX: x, clientY: 300});
        const send = (name, x, touches) => node.dispatchEvent(new TouchEvent(name, {
            bubbles: true, touches: touches ? [touch(x)] : [], changedTouches: [touch(x)]}));
        send("touchstart", from, true); send("touchend", to, false);
    }"""
    seen.page.evaluate(swipe, [300, 150])
    assert shown(seen.page)[0] == 1
    seen.page.evaluate(swipe, [150, 300])
    assert shown(seen.page)[0] == 0
    assert seen.page.locator(".rp-log").is_hidden()
    seen.page.locator(".rp-open-log").tap()
    assert seen.page.locator(".rp-log").is_visible()
    seen.page.locator(".rp-line").nth(3).tap()
    assert seen.page.locator(".rp-log").is_hidden()


def test_without_scripts_the_log_is_text(visit_page: Visits, written: Written) -> None:
    replay = written("garner")
    seen = visit_page(replay.path, scripts=False)
    text = seen.page.locator("body").inner_text()
    viewer = replay.data.viewers[replay.data.first]
    assert all(line.text in text for line in viewer.log)
    assert viewer.result is not None
    assert viewer.result.sentence in text
    assert "match: small cup <b>" in text
    assert seen.page.locator("b").count() == 0


def test_a_page_shows_an_unfinished_game_of_a_plugin(visit_page: Visits, tmp_path: Path) -> None:
    replay = write_page(tmp_path, "hearts", most=20)
    seen = opened(visit_page, replay)
    seen.page.keyboard.press("End")
    seen.page.keyboard.press("v")
    assert "Not over yet" in seen.page.locator(".rp-result").inner_text()
    assert seen.complaints == []
