"""A replay on the screen, by keyboard and mouse."""

import errno
import os
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.kit.replay_texts import decompressed
from tests.kit.waiting import until_holds
from textual.pilot import Pilot
from typing_extensions import override

from cardhub import Game
from cardhub.play.host.opening import Opener
from cardhub.play.host.replays.replay import Replay, open_replay
from cardhub.play.host.replays.stepping.replay_session import ReplaySession, StepNotes
from cardhub.play.host.scheduler import LoopScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins
from cardhub.tui.app import TerminalApp
from cardhub.tui.replay.screen import ReplayScreen, replay_view
from cardhub_gamon import Gamon
from cardhub_gargon import Gargon
from cardhub_garner import Garner
from goofspiel import Goofspiel
from hearts import Hearts

NAMES = ("Anna", "Bob", "Chris", "David")
# The first chapter of Garner, which has no number.
GARNER = "0 cards collected, suits 0 : 0"


class ReplayApp(TerminalApp[None]):
    """An app with one replay; `opened`: the hosts of games that continue from it."""

    def __init__(self, replay: Replay) -> None:
        super().__init__()
        self.opened: list[Host] = []
        opener = Opener(find_plugins(), LoopScheduler(), pace=0, is_inline=True)
        self.replay_screen = ReplayScreen(replay, self.glyphs, opener, self.opened.append)

    @override
    def open_first_screen(self) -> None:
        self.push_screen(self.replay_screen)


class Watcher:
    """A running replay with its keyboard."""

    def __init__(self, app: ReplayApp, pilot: Pilot[Any]) -> None:
        self.app = app
        self.pilot = pilot

    @property
    def step(self) -> int:
        """The current step."""
        return self.app.replay_screen.session.step

    @property
    def text(self) -> str:
        """The text of the screen."""
        # The compositor is private, but Textual has no public way to read the screen.
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(s.text for s in strip).rstrip() for strip in strips)

    async def press(self, *keys: str) -> None:
        """Press keys and wait for their effects."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, holds: Callable[[], bool]) -> None:
        """Wait until a condition holds."""
        await until_holds(holds, lambda: self.text)
        await self.pilot.pause()


def recorded(tmp_path: Path, game: Game[Any], seats: int, most: int = 10_000) -> Replay:
    """Return the replay of a random game with a person in seat 0."""
    path = tmp_path / f"{game.name}.jsonl"
    kinds = ["human", *["random"] * (seats - 1)]
    players = [Player(*pair) for pair in zip(NAMES, kinds, strict=False)]
    referee = set_up(game, players, {}, 5)
    record_to(referee, path)
    referee.proceed()
    rng = Random(1)
    while not referee.is_over and referee.action_count < most:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    return open_replay(game, read_record(path))


@asynccontextmanager
async def watching(replay: Replay, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Watcher]:
    """Yield a running replay."""
    app = ReplayApp(replay)
    async with app.run_test(size=size) as pilot:
        watcher = Watcher(app, pilot)
        await watcher.until(lambda: "REPLAY 0 of" in watcher.text)
        # The first frame is drawn again once the size is known.
        await pilot.pause(0.1)
        yield watcher


@pytest.mark.parametrize(
    ("game", "seats", "status"),
    [(Gargon(), 4, "round 1 of 9"), (Goofspiel(), 2, "prize 1 of 13"), (Garner(), 2, GARNER)],
)
def test_the_number_of_chapters_follows_the_number_of_one(
    tmp_path: Path, game: Game[Any], seats: int, status: str
) -> None:
    session = ReplaySession(recorded(tmp_path, game, seats))
    assert replay_view(session).status == status


async def test_keys_go_by_steps_chapters_and_ends(tmp_path: Path) -> None:
    replay = recorded(tmp_path, Gargon(), 4)
    async with watching(replay) as watcher:
        assert "round 1 of 9" in watcher.text
        await watcher.press("right", "right", "left")
        assert (watcher.step, "REPLAY 1 of" in watcher.text) == (1, True)
        await watcher.press("right_square_bracket")
        assert watcher.step == replay.chapters(-1)[1].first
        assert "round 2 of 9" in watcher.text
        await watcher.press("end")
        assert watcher.step == replay.last
        assert "the game is over" in watcher.text
        await watcher.press("home")
        assert watcher.step == 0


async def test_the_timeline_and_the_viewpoints_can_be_clicked(tmp_path: Path) -> None:
    replay = recorded(tmp_path, Gargon(), 4)
    async with watching(replay) as watcher:
        lines = watcher.text.splitlines()
        line = next(y for y, text in enumerate(lines) if "●━" in text)
        await watcher.pilot.click(offset=(40, line))
        await watcher.pilot.pause()
        assert abs(watcher.step - replay.last // 2) < 5
        row = next(y for y, text in enumerate(lines) if "view  1 Anna" in text)
        await watcher.pilot.click(offset=(lines[row].index("2 Bob") + 2, row))
        await watcher.pilot.pause()
        assert watcher.app.replay_screen.session.viewer == 1
        await watcher.press("p")
        assert watcher.app.replay_screen.session.viewer == 4
        await watcher.press("0")
        assert watcher.app.replay_screen.session.viewer == -1


async def test_a_view_that_is_not_permitted_is_refused(tmp_path: Path) -> None:
    async with watching(recorded(tmp_path, Gargon(), 4, most=30)) as watcher:
        await watcher.press("2")
        await watcher.until(lambda: "not permitted" in watcher.text)
        assert watcher.app.replay_screen.session.viewer == 0
        assert "2 Bob" not in watcher.text


async def test_it_plays_by_itself_until_a_key_or_the_end(tmp_path: Path) -> None:
    async with watching(recorded(tmp_path, Gamon(), 2)) as watcher:
        await watcher.press("plus", "plus", "plus", "space")
        assert "playing · 0.1 s" in watcher.text
        await watcher.until(lambda: watcher.step >= 3)
        await watcher.press("left")
        assert "paused" in watcher.text
        watcher.app.replay_screen.session.go(watcher.app.replay_screen.replay.last - 1)
        await watcher.press("space")
        await watcher.until(lambda: "paused" in watcher.text)
        assert watcher.step == watcher.app.replay_screen.replay.last


async def test_a_trick_lies_there_until_the_next_key(tmp_path: Path) -> None:
    replay = recorded(tmp_path, Hearts(), 4)
    trick = next(number for number, step in enumerate(replay.steps) if step.beats)
    async with watching(replay) as watcher:
        watcher.app.replay_screen.session.go(trick - 1)
        for key, is_beat, step in (
            ("right", True, trick),
            ("right", False, trick),
            ("left", True, trick),
            ("left", False, trick - 1),
        ):
            await watcher.press(key)
            assert bool(re.search(r"Hearts · \w+ takes the trick", watcher.text)) == is_beat
            assert watcher.step == step


async def test_notes_and_finding(tmp_path: Path) -> None:
    replay = recorded(tmp_path, Gamon(), 2)
    async with watching(replay) as watcher:
        await watcher.press("right", "right", "m", *"bad", "enter")
        assert "Note: bad." in watcher.text
        assert StepNotes(replay.path).at(2) == "bad"
        await watcher.press("home", "slash", *"GAMON!", "enter")
        step = watcher.step
        assert step > 0
        assert any("GAMON!" in line.text for line in replay.log(-1) if line.step == step)


async def test_a_page_is_saved_beside_the_record(tmp_path: Path) -> None:
    own = tmp_path / "gamon.html"
    own.write_text("mine", "utf-8")
    async with watching(recorded(tmp_path, Gamon(), 2), (200, 30)) as watcher:
        await watcher.press("2", "w")
        assert "is saved as" in watcher.text
        assert "gamon_2.html" in watcher.text
        await watcher.press("w")
    assert own.read_text("utf-8") == "mine"
    page = (tmp_path / "gamon_2.html").read_text("utf-8")
    assert "The game as seen by Bob" in page
    assert (tmp_path / "gamon_3.html").read_text("utf-8") == page


async def test_the_page_of_an_unfinished_game_has_one_hand(tmp_path: Path) -> None:
    """The page has the hand of the person who saves it, and what spectators saw."""
    async with watching(recorded(tmp_path, Gamon(), 2, most=5), (200, 30)) as watcher:
        await watcher.press("w")
    page = (tmp_path / "gamon.html").read_text("utf-8")
    packed = re.search(r'id="replay-data">([^<]*)<', page)
    assert packed is not None
    assert [viewer.viewer for viewer in decompressed(packed[1]).viewers] == [0, 2]


async def test_a_page_that_cannot_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fsync(_number: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    async with watching(recorded(tmp_path, Gamon(), 2), (200, 30)) as watcher:
        monkeypatch.setattr(os, "fsync", fsync)
        await watcher.press("w")
        assert "cannot be saved: No space left" in watcher.text
    assert not list(tmp_path.glob("*.html*"))


async def test_a_bot_is_asked_for_its_choice(tmp_path: Path) -> None:
    async with watching(recorded(tmp_path, Gamon(), 2)) as watcher:
        await watcher.press("c", *"rule", "enter")
        await watcher.until(lambda: "Hint by the rule bot" in watcher.text)
        # The line beside it is drawn with the next frame.
        await watcher.until(lambda: "Played:" in watcher.text or "did the same" in watcher.text)
        await watcher.press("right")
        assert "Hint by" not in watcher.text
        await watcher.press("c", *"nonsense", "enter")
        await watcher.until(lambda: "nonsense" in watcher.text)


async def test_play_on_opens_a_new_game(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path / "home"))
    async with watching(recorded(tmp_path, Gamon(), 2)) as watcher:
        await watcher.press("right", "right", "o")
        (host,) = watcher.app.opened
        assert host.path is not None
        played = read_record(host.path).header.played_on
        assert played is not None
        assert (played.record, played.step) == ("gamon.jsonl", 2)
        host.close()


@pytest.mark.parametrize("size", [(60, 20), (80, 24), (120, 40), (200, 50)])
async def test_it_fits_every_size(tmp_path: Path, size: tuple[int, int]) -> None:
    async with watching(recorded(tmp_path, Gargon(), 4), size) as watcher:
        await watcher.press("right")
        lines = watcher.text.splitlines()
        assert all(len(line) <= size[0] for line in lines)
        assert any("┼━" in line for line in lines)
        assert any("view  1 Anna" in line for line in lines)
        assert "q leave" in lines[-1]
