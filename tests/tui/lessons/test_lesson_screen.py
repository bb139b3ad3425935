"""A lesson on the screen: comments in boxes, and the suggestion under the cursor."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing

import pytest

from cardhub.host.lessons.lesson_table import LessonHost, open_lesson
from cardhub.host.scheduler import LoopScheduler
from cardhub.plugins.registry import find_plugins
from cardhub.tui import held_keys
from cardhub.tui.app import TableApp
from cardhub.tui.table_screen.lesson_screen import PAGE, CommentDialog, pages

from ..conftest import Terminal


@pytest.fixture
def host(monkeypatch: pytest.MonkeyPatch) -> Iterator[LessonHost]:
    """Return the table of the lesson of Gargon; keys never count as held down."""
    monkeypatch.setattr(held_keys, "REPEAT_AFTER", 0.0)
    with closing(open_lesson(find_plugins(), "gargon", LoopScheduler())) as opened:
        yield opened


@asynccontextmanager
async def running(host: LessonHost) -> AsyncIterator[Terminal]:
    """Yield the terminal of the lesson."""
    app = TableApp(host)
    async with app.run_test(size=(80, 24)) as pilot:
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
    """The introduction, what is asked, and the suggestion, which stays below the table."""
    async with running(host) as terminal:
        text = await read(terminal)
        assert "Welcome to Gargon." in text
        assert "Suggested: lay B4, lay B1, lay Y3." in text
        await terminal.until(lambda: terminal.detail.startswith("Suggested: lay B4"))
        await terminal.press("i")
        assert "Suggested: lay B4, lay B1, lay Y3." in await read(terminal)


async def test_enter_plays_the_suggestions(host: LessonHost) -> None:
    """The cursor points at each suggested card; a step of several cards is commented once."""
    async with running(host) as terminal:
        await read(terminal)
        for suggested in ("lay B1, lay Y3.", "lay Y3."):
            await terminal.press("enter")
            await terminal.until_shown(f"Suggested: {suggested}")
        await terminal.press("enter")
        assert "Now the battles." in await read(terminal)
        assert host.tutor.is_scripted


async def test_another_choice_is_refused_with_the_reason(host: LessonHost) -> None:
    """Below the table; nothing has happened."""
    async with running(host) as terminal:
        await read(terminal)
        await terminal.press("colon", *"R14", "enter")
        await terminal.until(lambda: terminal.detail.startswith("Think of the amulets"))
        assert host.revision == 0


def test_long_comments_have_several_pages() -> None:
    """No line is divided between pages."""
    lines = ["a" * 300, "b" * 100, "c" * 200]
    found = pages(lines)
    assert [page.split("\n\n") for page in found] == [lines[:2], lines[2:]]
    assert all(len(page) <= PAGE + 2 for page in found)
