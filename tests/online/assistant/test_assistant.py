"""Assistants at tables: whole games over the Model Context Protocol, and hostile requests."""

import asyncio
import importlib
import os
import re
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from tests.kit.paths import ROOT
from tests.kit.table_server import live_server
from tests.kit.waiting import PATIENCE

from cardhub.base.errors import CardhubError, RemoteError, SeatingError
from cardhub.online.assistant.assistant_session import (
    MOST_TEXT,
    NO_TABLE,
    AssistantSession,
    bounded,
    unread_lines,
)
from cardhub.online.remote.table_client import connect_in_thread, open_table
from cardhub.online.wire.client_messages import Start
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.table_model import TableModel
from cardhub.plugins.registry import find_plugins
from cardhub.view.view import LogLine

mcp = pytest.importorskip("mcp", reason="mcp is not installed: pip install -e '.[dev]'")
CHOICE = re.compile(r"Your legal actions:\n- (.*)")
Call = Callable[..., Awaitable[str]]


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Keep records and seats out of the user's own folder."""
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))
    return tmp_path / "home"


def caller(client: Any) -> Call:
    """Return a function that calls a tool, and returns its text."""

    async def call(tool: str, **arguments: object) -> str:
        result = await client.call_tool(tool, arguments)
        (content,) = result.content
        text = content.text
        assert isinstance(text, str)
        assert not result.is_error, text
        return text

    return call


async def play_out(call: Call, text: str) -> str:
    """Take the first legal action at each turn; return the last text."""
    while "# The result" not in text:
        choice = CHOICE.search(text)
        text = await (call("act", action=choice[1]) if choice else call("wait", seconds=PATIENCE))
    return text


@pytest.mark.parametrize("game", ["kuhn", "gamon"])
def test_an_assistant_plays_a_whole_game_against_bots(game: str) -> None:
    from cardhub.online.assistant.mcp_server import make_server

    async def play() -> str:
        async with mcp.Client(make_server(find_plugins())) as client:
            call = caller(client)
            assert f"- {game}: " in await call("games")
            first = await call("new_table", game=game, opponents=["easy"])
            rules = await call("rules")
            assert rules == await call("rules", game=game)
            return await play_out(call, first)

    assert "Result: " in asyncio.run(play())


def test_the_program_of_the_page_plays_over_stdin_and_stdout(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "assistants.md").read_text("utf-8")
    program = page.partition("```py\n")[2].partition("```")[0]
    program = program.replace('"gamon"', '"kuhn"')  # its games are short
    scripts = Path(sys.executable).parent
    result = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, "HOME": str(tmp_path), "PATH": f"{scripts}{os.pathsep}{os.defpath}"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "Result: " in result.stdout
    assert "Chips: " in result.stdout


@pytest.mark.parametrize("game", ["kuhn", "roses"])
def test_an_assistant_sits_down_with_a_person(tmp_path: Path, game: str) -> None:
    """The person starts the game; the ends of rounds do not wait for the assistant."""
    from cardhub.online.assistant.mcp_server import make_server

    scheduler = BlockingScheduler()

    async def play(page: str) -> str:
        async with mcp.Client(make_server(find_plugins())) as client:
            call = caller(client)
            room = await call("sit", link=page, name="Robot")
            assert "Robot (you)" in room
            wait_for(scheduler, lambda: olga.seats == seats)
            olga.send(Start())
            wait_for(scheduler, lambda: olga.model is not None)
            text = await call("wait", seconds=0.1)
            while "# The result" not in text:
                take_first(scheduler, olga.model)
                choice = CHOICE.search(text)
                text = await (
                    call("act", action=choice[1]) if choice else call("wait", seconds=0.05)
                )
            return text

    seats = find_plugins().game(game).seats.low
    with live_server(tmp_path / "tables") as server:
        address = server.create(game, seats=seats, bots=["", "", "easy"][:seats])
        olga = open_table(address, scheduler)
        connect_in_thread(olga)
        try:
            said = asyncio.run(play(address.page))
            model = olga.model
            assert model is not None
            wait_for(scheduler, lambda: model.view().is_over)
            result = model.result()
        finally:
            olga.leave()
    assert result is not None
    assert result.sentence in said
    assert "Robot" in said


def wait_for(scheduler: BlockingScheduler, holds: Callable[[], object]) -> None:
    """Run the callbacks of a person's client until a condition holds."""
    end = scheduler.now() + PATIENCE
    scheduler.call_later(PATIENCE, lambda: None)
    scheduler.run_until(lambda: bool(holds()) or scheduler.now() > end)
    assert holds()


def take_first(scheduler: BlockingScheduler, model: TableModel | None) -> None:
    """Take a person's first choice, if it is their turn."""
    assert model is not None
    scheduler.call_later(0.05, lambda: None)
    due = scheduler.now() + 0.05
    scheduler.run_until(lambda: bool(model.view().choices) or scheduler.now() >= due)
    view = model.view()
    if model.unread_summaries():
        model.request("read")
    if view.choices:
        model.act(view.choices[0].action, view.revision, pytest.fail)
        wait_for(scheduler, lambda: model.view().revision != view.revision)


def test_an_action_is_refused_with_the_reason_of_the_rules() -> None:
    session = AssistantSession(find_plugins())
    with pytest.raises(CardhubError, match=re.escape(NO_TABLE)):
        session.act("check")
    session.new_table("leduc", None, ["random"], {}, "Assistant")
    with pytest.raises(CardhubError) as refused:
        session.act("fold")
    assert str(refused.value) == session.why("fold")
    assert "there is no raise to answer" in str(refused.value)
    table = session.table()
    with pytest.raises(CardhubError):
        session.act("che")
    assert session.table() == table
    session.close()


@pytest.mark.parametrize("bot", ["cmd:touch x", "llm:m", "ismcts:iterations=10", "cfr", "Easy "])
def test_an_assistant_starts_no_program_and_no_model(bot: str) -> None:
    session = AssistantSession(find_plugins())
    with pytest.raises(SeatingError, match="is not one of"):
        session.new_table("kuhn", None, [bot], {}, "Assistant")


def test_hostile_requests_are_refused_with_a_sentence() -> None:
    """Neither names nor links nor options of any length or kind get further."""
    session = AssistantSession(find_plugins())
    for name in ("\x1b[2J", "x" * 10_000, "", "a\nb"):
        with pytest.raises(SeatingError):
            session.new_table("kuhn", None, [], {}, name)
    for options in ({"nothing": "1"}, {"x" * 10_000: "\x00"}):
        with pytest.raises(CardhubError):
            session.new_table("kuhn", None, [], options, "Assistant")
    for link in ("file:///etc/passwd", "x" * 10_000, "http://127.0.0.1:1"):
        with pytest.raises(RemoteError):
            session.sit(link, "Assistant")
    for players in (-1, 0, 10**9):
        if players:
            with pytest.raises(CardhubError):
                session.new_table("kuhn", players, [], {}, "Assistant")
    session.new_table("kuhn", None, [], {}, "Assistant")
    with pytest.raises(CardhubError, match="too long"):
        session.act("x" * 10_000)
    session.close()


def test_lines_that_have_grown_are_read_again() -> None:
    """Lines that a takeback has removed are not."""

    def log(*texts: str) -> list[LogLine]:
        return [
            LogLine(step=step, seat=0, kind="action", text=text) for step, text in enumerate(texts)
        ]

    read = log("Anna lays R3", "Bob lays R4")
    assert unread_lines(read, read) == []
    grown = log("Anna lays R3", "Bob lays R4 and R5", "Anna passes")
    assert unread_lines(read, grown) == grown[1:]
    assert unread_lines(grown, read[:1]) == []
    assert unread_lines((), read) == read


def test_texts_are_bounded_and_have_no_control_characters() -> None:
    assert bounded("a\x1bb\nc") == "a\\x1bb\nc"
    assert len(bounded("x" * 10**6)) == MOST_TEXT


def test_without_the_library_the_error_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("mcp", "mcp.server", "mcp.server.mcpserver"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.delitem(sys.modules, "cardhub.online.assistant.mcp_server", raising=False)
    with pytest.raises(CardhubError, match=r"mcp is not installed\. fix: pip install"):
        importlib.import_module("cardhub.online.assistant.mcp_server")
