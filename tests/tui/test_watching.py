"""Games of bots on the screen: pauses, steps, viewpoints, and back in time."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from tests.tui.conftest import Terminal
from tests.tui.test_whole_games import assert_keeps_secrets

from cardhub.model.hidden.observation import EVERYTHING
from cardhub.plugins.registry import find_plugins
from cardhub.tui.results.screen import ResultScreen
from cardhub.view.view import AreaView
from cardhub_garner import Garner

SPECTATOR = 3


@asynccontextmanager
async def watching(setting: Any, *, pace: float = 0.1, **options: Any) -> AsyncIterator[Terminal]:
    """Yield a game of three bots after some actions."""
    async with setting(humans=(), seats=3, pace=pace, **options).running() as terminal:
        await terminal.until(lambda: terminal.host.step >= 2)
        yield terminal


async def paused(terminal: Terminal) -> int:
    """Pause the game; return its last step."""
    await terminal.press("space")
    await terminal.until_shown("▸ PAUSED")
    return terminal.host.step


async def test_space_pauses_and_goes_on_and_an_arrow_is_one_action(setting: Any) -> None:
    async with watching(setting) as terminal:
        assert "▸ WATCHING" in terminal.text
        step = await paused(terminal)
        assert "paused · 0.1 s" in terminal.text
        await terminal.pilot.pause(0.1)
        assert terminal.host.step == step
        await terminal.press("right")
        await terminal.until(lambda: terminal.host.step == step + 1)
        assert "▸ PAUSED" in terminal.text
        await terminal.press("space")
        await terminal.until(lambda: terminal.host.step > step + 2)
        assert "▸ WATCHING" in terminal.text


async def test_no_hand_is_shown_until_another_view_is_chosen(setting: Any) -> None:
    async with watching(setting) as terminal:
        await paused(terminal)
        assert_keeps_secrets(terminal.text, terminal.referee, SPECTATOR)
        for key, viewer in (("2", 1), ("0", EVERYTHING), ("p", SPECTATOR)):
            await terminal.press(key)
            assert terminal.watch.session.viewer == viewer
            areas = [a for a in terminal.watch.shown_view.areas if isinstance(a, AreaView)]
            hand = next(a for a in areas if a.seat == 1 and a.caption == "hand")
            is_open = all(card.face is not None for card in hand.cards)
            assert is_open == (viewer != SPECTATOR)


async def test_an_earlier_step_pauses_the_game_and_playing_leads_to_the_present(
    setting: Any,
) -> None:
    async with watching(setting) as terminal:
        await terminal.press("left")
        await terminal.until_shown("▸ STEP")
        last = terminal.host.step
        await terminal.press("home")
        assert f"▸ STEP 0 of {last}" in terminal.text
        await terminal.pilot.pause(0.1)
        assert terminal.host.step == last
        await terminal.press("end")
        assert "▸ PAUSED" in terminal.text
        await terminal.press("left", "space")
        await terminal.until_shown("▸ WATCHING")
        await terminal.until(lambda: terminal.host.step > last)


@pytest.mark.parametrize("size", [(60, 20), (120, 40), (200, 50)])
async def test_it_fits_every_size(setting: Any, size: tuple[int, int]) -> None:
    table = setting(Garner(), humans=(), seats=2, pace=60)
    async with table.running(size) as terminal:
        await terminal.until_shown("▸ WATCHING")
        await terminal.press("space")
        lines = terminal.text.splitlines()
        assert all(len(line) <= size[0] for line in lines)
        assert any("view  1 Anna  2 Bob  0 all  p public" in line for line in lines)
        assert "paused" in terminal.text
        assert all(key in lines[-1] for key in ("q leave", "→ step", "space pause"))


async def test_the_pace_is_that_of_the_bots(setting: Any) -> None:
    async with watching(setting) as terminal:
        await terminal.press("minus")
        assert terminal.host.turns.pace == pytest.approx(0.4)
        await terminal.until_shown("playing · 0.4 s")


async def test_a_full_stop_skips_to_the_end_and_the_result(setting: Any) -> None:
    async with watching(setting) as terminal:
        await terminal.press("full_stop")
        await terminal.until(lambda: isinstance(terminal.app.screen, ResultScreen))
        await terminal.press("v")
        await terminal.until_shown("▸ GAME OVER")
        await terminal.press("left")
        assert "▸ STEP" in terminal.text
        await terminal.press("v")
        await terminal.until(lambda: isinstance(terminal.app.screen, ResultScreen))


async def test_a_person_may_take_a_seat_of_the_game_that_is_watched(
    setting: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path))
    table = setting(humans=(), seats=3, pace=0.1, kind="random")
    table.host.registry = find_plugins()
    opened: list[Any] = []
    table.app._on_opened = opened.append
    async with table.running() as terminal:
        await terminal.until(lambda: terminal.host.step >= 2)
        await paused(terminal)
        await terminal.press("2", "o")
        await terminal.until(lambda: bool(opened))
        assert opened[0].people == (1,)
    opened[0].close()
