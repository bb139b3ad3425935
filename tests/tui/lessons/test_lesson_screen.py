"""A lesson on the screen: comments in boxes, and the suggestion under the cursor."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing

import pytest
from textual.geometry import Region

from cardhub.play.host.lessons.lesson_table import LessonHost, open_lesson
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.plugins.registry import find_plugins
from cardhub.tui import keys as key_repeat
from cardhub.tui.app import TableApp
from cardhub.tui.dialogs.log_screen import LogScreen
from cardhub.tui.table.comment_dialog import CommentDialog, Parts, pages, place
from cardhub.view.layout.canvas import Box

from ..conftest import Terminal


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[LessonHost]:
    """Return the table of the lesson of Gargon; keys never count as held down."""
    monkeypatch.setattr(key_repeat, "REPEAT_EVERY", 0.0)
    with closing(open_lesson(find_plugins(), "gargon", LoopScheduler())) as opened:
        yield opened


@asynccontextmanager
async def running(host: LessonHost, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Terminal]:
    """Yield the terminal of the lesson."""
    app = TableApp(host)
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Terminal(app, pilot, host)


async def read(terminal: Terminal) -> str:
    """Close the boxes of a comment; return their texts, without line breaks."""
    await terminal.until(lambda: isinstance(terminal.app.screen, CommentDialog))
    texts = []
    while isinstance(terminal.app.screen, CommentDialog):
        texts.append(" ".join(terminal.text.replace("│", " ").split()))
        await terminal.press("enter")
    return " ".join(texts)


async def test_the_comment_opens_over_the_table_and_can_be_read_again(host: LessonHost) -> None:
    async with running(host) as terminal:
        text = await read(terminal)
        assert "Welcome to Gargon." in text
        assert "Suggested: lay B4, lay B1, lay Y3." in text
        await terminal.until(lambda: terminal.detail.startswith("Suggested: lay B4"))
        await terminal.until_shown("Suggested: lay B4, lay B1, lay Y3.  Pegasus 4 · B4")
        await terminal.press("i")
        assert "Suggested: lay B4, lay B1, lay Y3." in await read(terminal)


async def test_a_suggested_button_is_named_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(key_repeat, "REPEAT_EVERY", 0.0)
    with closing(open_lesson(find_plugins(), "gamon", LoopScheduler())) as host:
        async with running(host) as terminal:
            await read(terminal)
            await terminal.until_shown("Suggested: prize 3.  The round is for 3 coins")


async def test_enter_plays_the_suggestions(host: LessonHost) -> None:
    async with running(host) as terminal:
        await read(terminal)
        for suggested in ("lay B1, lay Y3.", "lay Y3."):
            await terminal.press("enter")
            await terminal.until_shown(f"Suggested: {suggested}")
        await terminal.press("enter")
        assert "The battles begin" in await read(terminal)
        assert host.tutor.scripted() is not None


async def test_another_choice_is_refused_with_the_reason(host: LessonHost) -> None:
    async with running(host) as terminal:
        await read(terminal)
        await terminal.press("end", "left")
        cursor = terminal.board.cursor
        await terminal.press("enter")
        objection = await read(terminal)
        assert "Low cards score" in objection
        assert "Choose it again to play it anyway." in objection
        assert host.revision == 0
        assert terminal.board.cursor == cursor


async def test_a_comment_waits_until_the_log_is_closed(host: LessonHost) -> None:
    async with running(host) as terminal:
        await read(terminal)
        for _ in range(2):
            await terminal.press("enter")
        await terminal.press("L")
        assert isinstance(terminal.app.screen, LogScreen)
        suggested = host.tutor.comment().suggested
        assert suggested is not None
        terminal.screen.session.act(suggested, host.revision, print)
        await terminal.until(lambda: terminal.screen.drawn_revision == host.revision)
        assert isinstance(terminal.app.screen, LogScreen)
        await terminal.press("escape")
        assert "The battles begin" in await read(terminal)


async def test_a_click_goes_on(host: LessonHost) -> None:
    async with running(host) as terminal:
        await terminal.until(lambda: isinstance(terminal.app.screen, CommentDialog))
        while isinstance(terminal.app.screen, CommentDialog):
            await terminal.pilot.click(".box")
            await terminal.pilot.pause()
        await terminal.until(lambda: terminal.detail.startswith("Suggested: lay B4"))


@pytest.mark.parametrize("size", [(80, 24), (60, 20)])
async def test_a_comment_leaves_its_cards_in_sight(host: LessonHost, size: tuple[int, int]) -> None:
    async with running(host, size) as terminal:
        await terminal.until(lambda: isinstance(terminal.app.screen, CommentDialog))
        while isinstance(terminal.app.screen, CommentDialog):
            box = terminal.app.screen.query_one(".box").region
            assert terminal.app.screen.query_one("Static").size.height == box.height - 2
            suggested = host.tutor.comment().suggested
            for choice in host.session(0).view().choices:
                covered = [s for s in choice.spots if box.overlaps(Region(*terminal.stop(s).box))]
                assert choice.action != suggested or not covered
            await terminal.press("enter")


def test_comments_have_pages_that_fit_a_third_of_the_terminal() -> None:
    lines = ["one " * 60, "two", "three " * 60]
    assert pages(lines, 80, 24) == ["\n\n".join(lines[:2]), lines[2]]
    assert pages(lines, 60, 20) == lines
    assert pages(lines, 120, 60) == ["\n\n".join(lines)]


def test_a_box_covers_as_little_as_possible_of_the_parts_it_is_about() -> None:
    text = "short"
    assert place(text, Parts(), 80, 23) == Box(2, 20, 76, 3)
    below = Box(0, 18, 80, 5)
    assert place(text, Parts([below]), 80, 23) == Box(2, 15, 76, 3)
    above = Box(0, 10, 80, 8)
    assert place(text, Parts([below], [above]), 80, 23) == Box(2, 7, 76, 3)
    left = Box(0, 0, 70, 39)
    assert place(text, Parts([left]), 120, 39) == Box(74, 36, 46, 3)
