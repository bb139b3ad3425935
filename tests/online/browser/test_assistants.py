"""A person in a browser, an assistant over the Model Context Protocol and bots at one table."""

import asyncio
import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from playwright.sync_api import expect
from tests.online.assistant.test_assistant import caller, play_out
from tests.online.browser.visitors import PLAY_ON, Visitors, make_table, path_of, start

mcp = pytest.importorskip("mcp", reason="mcp is not installed: pip install -e '.[dev]'")
# The most seconds of a game, on a busy machine too.
MOST_SECONDS = 600


async def play_as_robot(link: str, home: Path) -> str:
    """Sit down at a table with the assistant's own program; return what it reads last."""
    command = mcp.StdioServerParameters(
        command=sys.executable,
        args=["-m", "cardhub", "mcp"],
        env={**os.environ, "CARDHUB_HOME": str(home)},
    )
    async with asyncio.timeout(MOST_SECONDS), mcp.Client(command) as client:
        call = caller(client)
        return await play_out(call, await call("sit", link=link, name="Robot"))


@pytest.mark.soak(reason="a whole game by clicks in a browser")
def test_a_person_an_assistant_and_bots_finish_a_game_of_gargon(
    people: Visitors, tmp_path: Path
) -> None:
    anna = make_table(people, "gargon", ["", "", "easy", "easy"])
    link = people.origin + path_of(anna)
    with ThreadPoolExecutor(1) as pool:
        last = pool.submit(lambda: asyncio.run(play_as_robot(link, tmp_path)))
        expect(anna.locator(".on-chair").nth(1)).to_contain_text("Robot")
        start(anna)
        assert anna.evaluate(PLAY_ON) > 0
        anna.locator(".ch-result").wait_for()
        text = last.result()
    assert "# The result" in text
    assert anna.locator(".ch-result .ch-sentence").first.inner_text().lower() in text.lower()
