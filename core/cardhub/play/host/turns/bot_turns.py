"""Turns of bots: one question at a time, answered at a pace that people can follow."""

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import Any

from cardhub.model.hidden.observation import Observation
from cardhub.play.host.scheduler import Scheduler, Timer
from cardhub.play.workers.client import BotClient
from cardhub.play.workers.lineup import Lineup

# Seconds after which a bot that was asked to hurry can be stopped.
UNRESPONSIVE_AFTER = 1.0
# Seconds without an answer after which people are asked whether to wait.
ASK_TO_WAIT_AFTER = 60.0
MAX_PACE = 3.0

# Gets an action or a BotFaultError.
Receive = Callable[[object], None]


class BotTurns:
    """Asks one bot at a time, and passes its answer on when the pace allows.

    Turns are numbered: the answer of a cancelled turn carries an old number and is dropped.
    `receive` gets an answer; `delayed` is called when a bot has become slow or unresponsive.
    """

    def __init__(
        self,
        bots: BotClient,
        scheduler: Scheduler,
        pace: float,
        receive: Receive,
        delayed: Callable[[], None],
    ) -> None:
        self.pace = pace
        self.is_paused = False
        self._bots = bots
        self._scheduler = scheduler
        self._receive = receive
        self._delayed = delayed
        self._slow_after = ASK_TO_WAIT_AFTER
        self._watch: Timer | None = None
        self._turn = 0
        self._started_at = 0.0
        self._is_thinking = False
        self._hurried_at: float | None = None
        self._timer: Timer | None = None
        self._delayed_answer: list[object] = []  # the answer held back until the pace allows it
        self._is_skipping = False

    def prepare(self) -> None:
        """Start the bots' process before the first turn, which then does not wait for it."""
        with suppress(OSError):  # reported when a bot is asked
            self._bots.start()

    def reseat(self, lineup: Lineup) -> None:
        """Ask the bots of another lineup from now on."""
        self._bots.reseat(lineup)

    def start(self, observation: Observation[Any]) -> None:
        """Begin a turn: `receive` gets the bot's action or fault."""
        self.cancel()
        self._started_at = self._scheduler.now()
        self._is_thinking = True
        self._slow_after = ASK_TO_WAIT_AFTER
        self._watch_for(self._slow_after)
        self._bots.ask(observation, partial(self._on_answer, self._turn))

    def cancel(self) -> None:
        """Drop the current turn; the bots' process goes on."""
        # First the number: an answer that is already under way must not count.
        self._turn += 1
        self._delayed_answer.clear()
        self._hurried_at = None
        self._stop_timer()
        self._watch_for(None)
        if self._is_thinking:
            self._is_thinking = False
            self._bots.hurry()  # its answer is dropped: do not let it compute on

    def close(self) -> None:
        """Drop the current turn, and stop all callbacks."""
        self.cancel()
        self._receive, self._delayed = lambda _: None, lambda: None

    def stop(self) -> None:
        """Drop the current turn and stop the bots' process."""
        # First, because `cancel` must not ask a stopped process to hurry.
        self._is_thinking = False
        self._bots.stop()
        self.cancel()

    @property
    def thinking(self) -> float | None:
        """Seconds since the bot was asked; None if no bot is thinking."""
        return self._scheduler.now() - self._started_at if self._is_thinking else None

    @property
    def is_slow(self) -> bool:
        """Whether to ask people whether to keep waiting."""
        return (self.thinking or 0.0) >= self._slow_after

    def wait_on(self) -> None:
        """Keep waiting for a slow bot, until twice the time has passed."""
        thinking = self.thinking or 0.0
        self._slow_after = 2 * max(thinking, self._slow_after)
        self._watch_for(self._slow_after - thinking)

    @property
    def is_unresponsive(self) -> bool:
        """Whether a bot is still thinking although it was asked to hurry."""
        if not self._is_thinking or self._hurried_at is None:
            return False
        return self._scheduler.now() - self._hurried_at > UNRESPONSIVE_AFTER

    @property
    def is_waiting(self) -> bool:
        """Whether each action is shown before the next one."""
        return self.is_paused or (self.pace > 0 and not self._is_skipping)

    def skip(self) -> None:
        """Finish the bot's search early and skip pacing until `rest`."""
        self._is_skipping = True
        self.step()

    def step(self) -> None:
        """Finish the bot's search early and let its answer count."""
        if self._is_thinking:
            # The first time counts: pressing the key again must not prolong the wait.
            self._hurried_at = self._hurried_at or self._scheduler.now()
            self._watch_for(UNRESPONSIVE_AFTER + 0.1)
            self._bots.hurry()
        self._deliver()

    def pause(self, is_paused: bool) -> None:
        """Hold back answers, or deliver them again."""
        self.is_paused = is_paused
        self._stop_timer()
        if not is_paused:
            self._deliver()

    def rest(self) -> None:
        """Return to the usual pace after skipping."""
        self._is_skipping = False

    def set_pace(self, seconds: float) -> None:
        """Set the minimum number of seconds of a turn, at most MAX_PACE."""
        # Rounded: sums of 0.3 would be shown as 0.8999999999999999.
        self.pace = round(min(max(seconds, 0.0), MAX_PACE), 1)

    def _on_answer(self, turn: int, answer: object) -> None:
        # Called by a thread of the client: only the scheduler is safe from there.
        self._scheduler.call_soon(partial(self._receive_in_turn, turn, answer))

    def _receive_in_turn(self, turn: int, answer: object) -> None:
        if turn != self._turn:
            return
        self._is_thinking = False
        self._watch_for(None)
        self._delayed_answer.append(answer)
        # The pace counts from the start of the turn: thinking time is part of it.
        left = self._started_at + self.pace - self._scheduler.now()
        if self.is_paused:
            if self._hurried_at is not None:
                self._deliver()
        elif self._is_skipping or left <= 0:
            self._deliver()
        else:
            self._timer = self._scheduler.call_later(left, self._deliver)

    def _deliver(self) -> None:
        self._stop_timer()
        if self._delayed_answer:
            self._receive(self._delayed_answer.pop())

    def _watch_for(self, seconds: float | None) -> None:
        if self._watch is not None:
            self._watch.cancel()
        later = self._scheduler.call_later
        self._watch = None if seconds is None else later(seconds, self._delayed)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
