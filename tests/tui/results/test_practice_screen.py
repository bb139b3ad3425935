"""Choosing again at the costliest moves, from the result and back to it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from tests.kit.waiting import until_holds
from textual.pilot import Pilot

from cardhub.bots import Rated
from cardhub.play.host.opening import Opener
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.host.turns.move_reviews import TableAdviser
from cardhub.play.records.recording import record_to
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.play.table_model import TableModel
from cardhub.plugins.registry import find_plugins
from cardhub.tui.app import TableApp
from cardhub.tui.dialogs.help_screen import HelpScreen
from cardhub.tui.keys import KeyRepeat
from cardhub.tui.results.screen import ResultScreen
from cardhub.tui.table import game_over
from cardhub.tui.table.comment_dialog import CommentDialog
from cardhub.tui.table.practice_screen import PracticeScreen
from cardhub_gargon import Gargon
from holdem import Holdem

PLAYERS = [Player("Anna", "human"), Player("Bob", "random"), Player("Chris", "random")]


class Result(NamedTuple):
    """The result screen of a finished game."""

    app: TableApp
    pilot: Pilot[Any]

    @property
    def text(self) -> str:
        """The text of the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(s.text for s in strip).rstrip() for strip in strips)

    async def press(self, key: str, kind: type) -> None:
        """Press a key that leads to another kind of screen."""
        self.app.key_repeat = KeyRepeat()
        await self.pilot.press(key)
        await until_holds(lambda: isinstance(self.app.screen, kind))
        await self.pilot.pause()


def rate_at(adviser: TableAdviser, step: int, viewer: int, _: str, rate: Any, __: Any) -> None:
    """Rate the last legal action best and the first one worst, in place of a search.

    Late decisions matter most, so a practice soon ends.
    """
    seen = adviser.replay.steps[step].observe(viewer)
    legal, share = seen.legal()[::-1], step / len(adviser.replay.steps)
    rate(seen, [Rated(a, 500, (0.5 - n / len(legal)) * share) for n, a in enumerate(legal)])


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """Return the path of a finished game."""
    path = tmp_path / "game.jsonl"
    referee = set_up(Gargon(), PLAYERS, {}, 5)
    record_to(referee, path)
    referee.proceed()
    rng = Random(1)
    while not referee.is_over:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    return path


@asynccontextmanager
async def shown(
    record: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Result]:
    """Yield the result of a finished game, with its costliest moves."""
    monkeypatch.setattr(TableAdviser, "ask", rate_at)
    monkeypatch.setattr(game_over, "Opener", partial(Opener, is_inline=True))
    host = Opener(find_plugins(), LoopScheduler(), pace=0, is_inline=True).reopen(record)
    app = TableApp(host)
    async with app.run_test(size=size) as pilot:
        result = Result(app, pilot)
        await until_holds(lambda: isinstance(app.screen, ResultScreen))
        await result.press("a", ResultScreen)
        await until_holds(lambda: "3. Step " in result.text)
        yield result
    host.close()


@pytest.mark.parametrize("size", [(80, 24), (120, 40)])
async def test_the_result_names_the_three_costliest_moves_in_words(
    record: Path, monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    async with shown(record, monkeypatch, size) as result:
        text = " ".join(result.text.split())
        assert "1. Step " in text
        assert "more wins in 10 games than" in text
        assert "4. Step" not in text
        assert "1-3 try again" in text
        await result.press("question_mark", HelpScreen)
        assert "│  1   " in result.text  # the help has a line for each of these keys


async def test_a_game_that_keeps_cards_hidden_says_why_no_move_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.jsonl"
    referee = set_up(Holdem(), PLAYERS[:2], {"hands": 2}, 5)
    record_to(referee, path)
    referee.proceed()
    while not referee.is_over:
        # Not the last action, which is rated best.
        referee.apply(referee.observe(referee.seat).legal()[0])
    monkeypatch.setattr(TableAdviser, "ask", rate_at)
    monkeypatch.setattr(game_over, "Opener", partial(Opener, is_inline=True))
    host = Opener(find_plugins(), LoopScheduler(), pace=0, is_inline=True).reopen(path)
    app = TableApp(host)
    async with app.run_test(size=(80, 24)) as pilot:
        result = Result(app, pilot)
        await until_holds(lambda: isinstance(app.screen, ResultScreen))
        await result.press("a", ResultScreen)
        await until_holds(lambda: "1. Step " in result.text)
        assert "try again" not in result.text
        assert "You cannot choose again at these moves" in result.text
    host.close()


async def test_a_key_opens_the_position_to_choose_again_and_leads_back_to_the_moves(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = record.read_bytes()
    async with shown(record, monkeypatch) as result:
        await result.press("1", CommentDialog)
        assert "In the game you chose" in result.text
        await result.press("enter", PracticeScreen)
        assert "PRACTICE" in result.text
        await result.press("enter", CommentDialog)
        assert "You chose" in result.text
        assert "?" not in result.text.partition("You chose")[2].partition("│")[0]
        assert "│ Press u to try another choice" in result.text
        await result.press("enter", PracticeScreen)
        await result.press("q", ResultScreen)
        assert "1. Step " in result.text
    assert record.read_bytes() == before


async def test_undo_tries_another_choice(record: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    async with shown(record, monkeypatch) as result:
        await result.press("2", CommentDialog)
        await result.press("enter", PracticeScreen)
        await result.press("enter", CommentDialog)
        await result.press("enter", PracticeScreen)
        screen = result.app.screen
        assert isinstance(screen, PracticeScreen)
        assert screen.host.practice.has_chosen  # type: ignore[attr-defined]  # a PracticeHost
        await result.press("u", PracticeScreen)
        assert not screen.host.practice.has_chosen  # type: ignore[attr-defined]  # a PracticeHost
        await result.press("enter", CommentDialog)


async def play_to_end(result: Result, model: TableModel) -> None:
    """Act where the cursor is until the practice is over."""

    def waits() -> bool:
        view = model.view()
        return bool(view.choices or view.is_over or model.unread_summaries())

    while True:
        await until_holds(waits)
        if model.view().is_over and not model.unread_summaries():
            break
        result.app.key_repeat = KeyRepeat()
        await result.pilot.press("enter")
        await result.pilot.pause()
    await until_holds(lambda: "The practice is over" in result.text)


async def test_undo_takes_the_end_of_a_practice_back(
    record: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with shown(record, monkeypatch) as result:
        await result.press("3", CommentDialog)
        await result.press("enter", PracticeScreen)
        screen = result.app.screen
        assert isinstance(screen, PracticeScreen)
        await play_to_end(result, screen.session)
        await result.press("enter", PracticeScreen)
        await result.press("u", PracticeScreen)
        assert "YOUR TURN" in result.text
        await play_to_end(result, screen.session)  # whose result is shown again
