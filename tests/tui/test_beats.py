"""Beats on the screen: a complete trick stays on the table until people have read it."""

from collections.abc import Callable
from typing import Any

import pytest
from tests.play.host.conftest import Table
from tests.play.host.test_beats import TRICK, cards_in_front

from cardhub.model.table import beats
from cardhub.play.table_messages import BeatView
from cardhub.tui import keys
from cardhub.tui.table import beats as table_beats
from cardhub.tui.table.beats import BeatPlayer, log_until
from cardhub.view.view import LogLine, View
from hearts import Hearts, sentences
from nosegay import Nosegay

SAMPLE = 0.1
LEAST = 0.8
# A corner of the cursor's frame.
HEAVY = "┏"


class Stage:
    """What the screen of a viewer shows, with the clock of a table."""

    def __init__(self, game: Table, viewer: int, *, draws: bool = True) -> None:
        self.model = game.host.model(viewer)
        self.shown: View = self.model.view()
        self._clock = game.clock
        self.player = BeatPlayer(self._set_timer, self._draw, self.refresh)
        self.player.ignore_past(self.model)
        game.host.subscribe(self.refresh if draws else lambda: self.player.note(self.model))

    def refresh(self) -> None:
        """Show the next beat, or the table."""
        if not self.player.show_next(self.model):
            self.shown = self.model.view()

    def _draw(self, beat: BeatView) -> None:
        self.shown = beat.view

    def _set_timer(self, seconds: float, callback: Callable[[], None]) -> Any:
        timer = self._clock.call_later(seconds, callback)
        return type("Stoppable", (), {"stop": staticmethod(timer.cancel)})()


def play_and_sample(game: Table, stage: Stage, tricks: int) -> list[int]:
    """Return the number of cards in front in each tenth of a second of some tricks."""
    samples: list[int] = []
    while sum(map(len, game.referee._state.taken)) < TRICK * tricks or stage.player.is_showing:
        if game.bots.question is not None:
            game.bots.answer()
        game.clock.wait(SAMPLE)
        samples.append(cards_in_front(stage.shown))
        if not game.host.is_bots_turn and not stage.player.is_showing:
            game.act(game.referee.seat)
    return samples


def longest_stays(samples: list[int]) -> list[float]:
    """Return for each complete trick the seconds for which it was on the table."""
    stays, count = [], 0
    for cards in [*samples, 0]:
        if cards == TRICK:
            count += 1
        elif count:
            stays.append(count * SAMPLE)
            count = 0
    return stays


def test_a_complete_trick_is_visible_for_at_least_0_8_seconds() -> None:
    for people in ((0,), ()):
        game = Table(Hearts(), people=people, seats=4, pace=0.6)
        stage = Stage(game, 0 if people else 4)
        game.begin()
        stays = longest_stays(play_and_sample(game, stage, tricks=5))
        assert len(stays) == 5
        assert min(stays) >= LEAST


def test_a_trick_is_swept_at_once_when_a_person_goes_on() -> None:
    game = Table(Hearts(), people=(0,), seats=4, pace=0.6)
    stage = Stage(game, 0)
    game.begin()
    while not stage.player.is_showing:
        if game.bots.question is not None:
            game.bots.answer()
        game.clock.wait(SAMPLE)
        if not game.host.is_bots_turn and not stage.player.is_showing:
            game.act(game.referee.seat)
    stage.player.go_on()
    assert not stage.player.is_showing
    assert cards_in_front(stage.shown) < TRICK


def test_a_beat_is_shown_by_a_terminal_that_draws_late() -> None:
    game = Table(Hearts(), people=(), seats=4, pace=0.1)
    stage = Stage(game, 4, draws=False)
    game.begin()
    while len(game.referee.entries) < 20:
        if game.bots.question is not None:
            game.bots.answer()
        game.clock.wait(SAMPLE)
    assert game.referee._state.laid != [[]] * 4
    stage.refresh()
    assert stage.player.is_showing
    assert cards_in_front(stage.shown) == TRICK


def test_the_log_at_a_beat_does_not_say_what_happens_after_it() -> None:
    texts = ((4, "Anna plays 5♣"), (5, "Bob plays 9♣"), (5, "Bob takes the trick"))
    after = ((5, "Bob leads"), (6, "Bob plays 2♥"))
    log = [LogLine(step=step, seat=0, kind="action", text=text) for step, text in (*texts, *after)]
    assert log_until(log, 5, "Bob takes the trick") == log[:3]
    assert log_until(log, 5, "A sentence without a line") == log[:4]
    assert log_until(log, 4, "Bob takes the trick") == log[:1]


async def play_to_beat(terminal: Any) -> None:
    """Act until a beat is on the screen."""
    while not terminal.screen._beats.is_showing:
        if terminal.screen.session.view().choices:
            await terminal.act()
        await terminal.pilot.pause()


async def test_the_trick_stays_on_the_screen_until_a_key(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beats, "LEAST_SECONDS", 1000.0)
    async with setting(Hearts(), seats=4, seed=3, pace=0.1).running() as terminal:
        screen = terminal.screen
        await play_to_beat(terminal)
        await terminal.until_shown("takes the trick")
        assert cards_in_front(screen.shown_view) == TRICK
        # Not a description of a card: spots are described as they are after the beat.
        await terminal.until(lambda: terminal.detail == "Press any key to continue.")
        assert HEAVY not in terminal.text
        await terminal.press("x")
        await terminal.until(lambda: "takes the trick" not in terminal.text)
        assert HEAVY in terminal.text
        assert cards_in_front(screen.shown_view) < TRICK


async def test_a_key_that_was_meant_for_the_table_before_a_beat_does_not_end_it(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beats, "LEAST_SECONDS", 1000.0)
    async with setting(Hearts(), seats=4, seed=3, pace=0.1).running() as terminal:
        screen = terminal.screen
        await play_to_beat(terminal)
        monkeypatch.setattr(keys, "REACTION", 1000.0)
        await terminal.pilot.press("x", "enter")
        assert screen._beats.is_showing
        monkeypatch.setattr(keys, "REACTION", float("-inf"))
        await terminal.pilot.press("x")
        await terminal.until(lambda: "takes the trick" not in terminal.text)


async def test_a_sentence_too_long_for_the_bar_is_read_below_the_table(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A bar of 60 columns cannot hold who called what, and what the card is."""
    monkeypatch.setattr(beats, "LEAST_SECONDS", 1000.0)
    text = "{player} sweeps the table with the most beautiful trick of the whole evening"
    monkeypatch.setattr(sentences, "TAKES_TRICK", text)
    async with setting(Hearts(), seats=4, seed=3, pace=0.1).running(size=(60, 20)) as terminal:
        await play_to_beat(terminal)
        end = "with the most beautiful trick of the whole evening. Press any key to continue."
        await terminal.until(lambda: terminal.detail.endswith(end))


async def test_the_last_step_of_a_game_is_seen_before_the_result(
    setting: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(table_beats, "END_SECONDS", 1000.0)
    # The bot takes the last card.
    async with setting(Nosegay(), seats=2, seed=3, pace=0.1, left=1).running() as terminal:
        await terminal.until_shown("Press any key to continue.")
        assert "GAME OVER" not in terminal.text
        await terminal.press("x")
        await terminal.until_shown("GAME OVER")
