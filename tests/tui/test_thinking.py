"""Bots that think for a long time, and a bot process that fails."""

from collections.abc import Iterator
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any

import pytest
from tests.kit.paths import TESTS
from tests.kit.waiting import PATIENCE

from cardhub.model.hidden.observation import Observation
from cardhub.play.referee import Referee
from cardhub.play.workers.bot_messages import advisers_of, bots_of
from cardhub.play.workers.process import BotProcess
from cardhub.plugins.registry import find_plugins

THINKERS = TESTS / "play" / "workers" / "thinkers"
REGISTRY = find_plugins([THINKERS])
KILL = 4


class Slow:
    """A bot that thinks until the test interrupts or releases it."""

    def __init__(self, *, listens: bool = True) -> None:
        self.listens = listens
        self.let_go = Event()

    def choose(self, observation: Observation[Any], /) -> int:
        """Return the first legal action after the test releases it."""
        self.let_go.wait(60)
        self.let_go.clear()
        return observation.legal()[0]

    def interrupt(self) -> None:
        """Release `choose`, if the bot listens."""
        if self.listens:
            self.let_go.set()


@pytest.mark.parametrize(("glyphs", "sign"), [("auto", "·"), ("ascii", ".")])
async def test_a_bot_that_thinks_for_long_is_seen_to(setting: Any, glyphs: str, sign: str) -> None:
    table = setting(seats=3, bot=Slow(), glyphs=glyphs)
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        assert "s turn  Lay 1 card, or pass" in terminal.text
        seen = set[str]()
        end = monotonic() + PATIENCE
        while len(seen) < 4 and monotonic() < end:
            first = terminal.text.splitlines()[0]
            if "thinks" in first:
                seen.add(first.partition(" thinks ")[2].partition(" s")[0])
                assert first.startswith(f"  Bob (random) thinks {sign}")
                assert " s  Lay 1 card, or pass" in first
            await terminal.pilot.pause(0.05)
        assert len(seen) == 4
        assert glyphs == "auto" or terminal.text.isascii()
        await terminal.press("full_stop")


async def test_a_bot_that_listens_plays_at_once(setting: Any) -> None:
    table = setting(seats=3, bot=Slow())
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.until(lambda: table.referee.seat == 1)
        await terminal.press("full_stop")
        await terminal.until(lambda: table.referee.seat == 2)
        await terminal.pilot.pause(0.2)
        assert table.referee.seat == 2
        await terminal.press("full_stop")
        assert await terminal.my_turn()


async def test_all_keys_work_while_a_bot_thinks(setting: Any) -> None:
    table = setting(seats=3, bot=Slow())
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        before = terminal.board.cursor
        await terminal.press("up")
        assert terminal.board.cursor != before
        await terminal.press("L")
        assert "Anna lays W0" in terminal.text
        assert "Anna lays no more cards" in terminal.text
        await terminal.press("escape", "u")
        assert "YOUR TURN" in terminal.text
        assert table.referee.seat == 0


async def test_a_bot_that_does_not_listen_is_broken_off(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("cardhub.play.host.turns.bot_turns.UNRESPONSIVE_AFTER", 0.2)
    bot = Slow(listens=False)
    table = setting(seats=3, bot=bot)
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.press("full_stop", "full_stop")
        assert "failed" not in terminal.text
        await terminal.until_shown("press . again to stop it")
        await terminal.press("full_stop")
        await terminal.until_shown("Bob (random) failed")
        assert "The bot Bob (random) did not answer in time." in terminal.text
        bot.let_go.set()
        bot.listens = True
        await terminal.pilot.click("#retry")
        await terminal.press("full_stop")
        await terminal.until(lambda: table.referee.seat != 1)
        bot.let_go.set()


@pytest.fixture
def stuck(setting: Any, monkeypatch: pytest.MonkeyPatch) -> tuple[Slow, Any]:
    """Return a bot that does not listen, and its table, which soon asks whether to wait."""
    monkeypatch.setattr("cardhub.play.host.turns.bot_turns.ASK_TO_WAIT_AFTER", 0.3)
    bot = Slow(listens=False)
    return bot, setting(seats=3, bot=bot)


@pytest.mark.parametrize("button", ["wait", "stop"])
async def test_after_a_long_time_people_are_asked_whether_to_wait(
    stuck: tuple[Slow, Any], button: str
) -> None:
    bot, table = stuck
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.until_shown("Bob (random) has been thinking for")
        await terminal.pilot.click(f"#{button}")
        if button == "wait":
            bot.let_go.set()
            await terminal.until(lambda: table.referee.seat != 1)
        else:
            await terminal.until_shown("Bob (random) failed")
        bot.let_go.set()


async def test_an_answer_ends_the_question_whether_to_wait(
    stuck: tuple[Slow, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, table = stuck
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.until_shown("has been thinking for")
        await terminal.pilot.pause(1)  # nor is it asked again meanwhile
        monkeypatch.setattr("cardhub.play.host.turns.bot_turns.ASK_TO_WAIT_AFTER", 60)
        bot.let_go.set()
        await terminal.until(lambda: table.referee.seat == 2)
        await terminal.until(lambda: "has been thinking for" not in terminal.text)
        bot.let_go.set()


@pytest.fixture
def beside(setting: Any) -> Iterator[Any]:
    """Return a factory of tables whose bots run in a separate process."""
    with ExitStack() as processes:

        def begin(referee: Referee[Any]) -> tuple[BotProcess, BotProcess]:
            lineups = bots_of(referee, REGISTRY), advisers_of(referee, REGISTRY, "ponder:1")
            bots, adviser = (
                processes.enter_context(closing(BotProcess(REGISTRY.directories, lineup)))
                for lineup in lineups
            )
            return bots, adviser

        yield lambda kind: setting(seats=3, kind=kind, thinkers=begin)


async def test_a_game_is_played_with_bots_in_a_process_of_their_own(beside: Any) -> None:
    table = beside("ponder:1")
    async with table.running() as terminal:
        await terminal.press("i")
        await terminal.until_shown("Hint by the helper bot")
        for _ in range(2):
            assert await terminal.my_turn()
            await terminal.press("enter")


async def test_a_bot_whose_process_ended_is_named_and_the_game_goes_on(
    beside: Any, trouble: Path
) -> None:
    table = beside(f"failing:{KILL}")
    async with table.running() as terminal:
        await terminal.press("enter", "1")
        await terminal.until_shown("failed")
        assert "ended while it was asked" in " ".join(terminal.text.replace("│", " ").split())
        trouble.unlink()
        await terminal.pilot.click("#retry")
        assert await terminal.my_turn()
