"""Terminals that show characters of ambiguous width in two cells, and terminals that do not say."""

from typing import Any

import pytest
from tests.kit.waiting import PATIENCE
from tests.tui.conftest import Terminal
from textual._xterm_parser import XTermParser
from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from typing_extensions import override

from cardhub.tui import app
from cardhub.tui.app import QUESTION
from cardhub.tui.dialogs.log_screen import LogScreen
from cardhub.view.text.glyphs import is_ambiguous

# Reports of the cursor after the sample in one cell a character, and in two.
NARROW, WIDE = "\x1b[1;5R", "\x1b[1;9R"


class FakeTerminal(HeadlessDriver):
    """A terminal that gives its `answer` to the question, as if somebody typed it."""

    answer = ""

    def __init__(self, app: App[Any], **how: Any) -> None:
        super().__init__(app, **how)
        self.written = ""
        self._parser = XTermParser()

    @property
    @override
    def is_headless(self) -> bool:
        return False

    @override
    def write(self, data: str) -> None:
        self.written += data
        if QUESTION in data and self.answer:
            self.type(self.answer)

    def type(self, text: str) -> None:
        """Send text to the app."""
        for event in self._parser.feed(text):
            self.process_message(event)


def answering(answer: str) -> type[FakeTerminal]:
    """Return a terminal that gives an answer."""
    return type("AnsweringTerminal", (FakeTerminal,), {"answer": answer})


def driver_of(terminal: Terminal) -> FakeTerminal:
    """Return the app's link to its terminal."""
    driver = terminal.app._driver  # Textual has no public name for it
    assert isinstance(driver, FakeTerminal)
    return driver


def has_wide(terminal: Terminal) -> bool:
    """Return whether a character on the screen may be two cells wide."""
    return any(map(is_ambiguous, terminal.text))


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make an app wait for the answer as long as a slow machine needs."""
    monkeypatch.setattr(app, "PATIENCE", PATIENCE)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep an app from waiting for an answer."""
    monkeypatch.setattr(app, "PATIENCE", 0.0)


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize(("answer", "is_narrow"), [(NARROW, True), (WIDE, False)])
async def test_the_terminal_is_asked_how_wide_its_characters_are(
    setting: Any, answer: str, is_narrow: bool
) -> None:
    table = setting(seats=5)
    async with table.running((120, 40), answering(answer)) as terminal:
        assert ("╭" in terminal.text) is is_narrow
        assert has_wide(terminal) is is_narrow


@pytest.mark.usefixtures("patient")
async def test_a_terminal_that_widens_only_frames_gets_none(setting: Any) -> None:
    table = setting(seats=5)
    async with table.running((80, 24), answering("\x1b[1;6R")) as terminal:
        assert not has_wide(terminal)


@pytest.mark.usefixtures("patient")
async def test_no_dialog_has_wide_characters_then(setting: Any) -> None:
    table = setting(seats=3)
    async with table.running((120, 40), answering(WIDE)) as terminal:
        board = terminal.text
        for key in ("question_mark", "L", "colon", "i", "s"):
            await terminal.press(key)
            assert terminal.text != board
            assert not [line for line in terminal.text.splitlines() if any(map(is_ambiguous, line))]
            await terminal.press("escape")


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("answer", [f"ll{WIDE}hL", f"l{NARROW}lhL", f"{WIDE}llhL"])
async def test_keys_around_the_answer_reach_the_table_in_order(setting: Any, answer: str) -> None:
    async with setting(seats=3).running((80, 24)) as terminal:
        await terminal.press("l", "l", "h")
        moved = terminal.board.cursor
    async with setting(seats=3).running((80, 24), answering(answer)) as terminal:
        await terminal.until(lambda: isinstance(terminal.app.screen, LogScreen))
        assert terminal.board.cursor == moved


@pytest.mark.usefixtures("impatient")
async def test_without_an_answer_the_table_has_frames(setting: Any) -> None:
    table = setting(seats=5)
    async with table.running((80, 24), answering("")) as terminal:
        assert "╭" in terminal.text


@pytest.mark.usefixtures("impatient")
async def test_a_late_answer_is_no_key_and_changes_nothing(setting: Any) -> None:
    table = setting(seats=5)
    async with table.running((80, 24), answering("")) as terminal:
        before = terminal.text
        driver_of(terminal).type(WIDE)
        await terminal.pilot.pause()
        assert terminal.text == before


@pytest.mark.usefixtures("patient")
@pytest.mark.parametrize("glyphs", ["unicode", "narrow", "ascii"])
async def test_a_setting_needs_no_question(setting: Any, glyphs: str) -> None:
    table = setting(seats=5, glyphs=glyphs)
    async with table.running((80, 24), answering(WIDE)) as terminal:
        assert QUESTION not in driver_of(terminal).written
        assert has_wide(terminal) is (glyphs == "unicode")
        assert terminal.text.isascii() is (glyphs == "ascii")
