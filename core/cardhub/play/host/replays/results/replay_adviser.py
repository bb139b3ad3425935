"""Bots' choices at the steps of a replay, asked one at a time in the background."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from cardhub.base.errors import BotFaultError, OptionError, PluginError
from cardhub.bots.bot import Rated
from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub.play.host.replays.replay import Replay
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.seeds import bot_seed
from cardhub.play.workers.bot_messages import Lineup, search_workers
from cardhub.play.workers.process import BotProcess
from cardhub.plugins.registry import PluginRegistry

# Gets the observation of the seat to act and the bot's ratings, or why there are none.
Rate = Callable[[Observation[Any], Sequence[Rated]], None]
Refuse = Callable[[str], None]


class ReplayAdviser:
    """Asks a bot for its ratings at steps of a replay, by the observation of the seat then."""

    def __init__(self, replay: Replay, registry: PluginRegistry, scheduler: Scheduler) -> None:
        self.replay = replay
        self._registry = registry
        self._scheduler = scheduler
        self._process: BotProcess | None = None
        self._bot = ""
        self._number = 0

    @property
    def default_bot(self) -> str:
        """The spec of the bot that gives hints in this game."""
        return self._registry.default_hint(self.replay.game.name)

    def why_not(self, step: int, viewer: int, bot: str) -> str:
        """Return why a bot cannot be asked at a step for a viewer; empty if it can."""
        seat = self.replay.steps[step].full.state.seat
        if seat < 0:
            return "No player acts at this step."
        if viewer not in (seat, EVERYTHING):
            name = self.replay.players[seat].name
            return (
                f"{name} is to act. Only {name}'s view and the view of all cards show the choice."
            )
        try:
            self._registry.settings_of(bot, self.replay.game.name)
        except (PluginError, OptionError) as error:
            return str(error)
        return ""

    def ask(self, step: int, viewer: int, bot: str, rate: Rate, refuse: Refuse) -> None:
        """Ask a bot at a step; an earlier question is dropped."""
        if reason := self.why_not(step, viewer, bot):
            refuse(reason)
            return
        self._number += 1
        # A scheduler uses the event loop of its first call, which must not be in another thread.
        self._scheduler.call_soon(lambda: None)
        seen = self.replay.steps[step].observe(self.replay.steps[step].full.state.seat)
        on_answer = partial(self._on_ratings, self._number, seen, rate, refuse)
        self._process_of(bot).ask(seen, on_answer)

    def cancel(self) -> None:
        """Cancel the pending question."""
        self._number += 1
        if self._process is not None:
            self._process.stop()

    def hurry(self) -> None:
        """Ask the bot to stop searching and answer with its current ratings."""
        if self._process is not None:
            self._process.hurry()

    def close(self) -> None:
        """End the bot's process."""
        self._number += 1
        if self._process is not None:
            self._process.close()
            self._process = None

    def _process_of(self, bot: str) -> BotProcess:
        if self._process is None:
            directories, lineup = self._registry.directories, self._lineup(bot)
            self._process = BotProcess(directories, lineup, workers=search_workers())
        elif bot != self._bot:
            self._process.renew(self._lineup(bot))
        self._bot = bot
        return self._process

    def _lineup(self, bot: str) -> Lineup:
        seats = range(len(self.replay.players))
        # Seeded differently from the players: a bot that samples must not repeat its own choices.
        seed = self.replay.referee.seed
        seeds = {seat: f"{bot_seed(seed, seat)} analysis" for seat in seats}
        game, options = self.replay.game.name, dict(self.replay.referee.settings)
        specs, table = dict.fromkeys(seats, bot), (len(seats), options)
        return Lineup(game, specs, seeds, True, *table)

    def _on_ratings(
        self, number: int, seen: Observation[Any], rate: Rate, refuse: Refuse, answer: object
    ) -> None:
        # Called by a thread of the process's client: only the scheduler is safe from there.
        self._scheduler.call_soon(partial(self._receive, number, seen, rate, refuse, answer))

    def _receive(
        self, number: int, seen: Observation[Any], rate: Rate, refuse: Refuse, answer: object
    ) -> None:
        if number != self._number:
            return
        if isinstance(answer, list):
            rate(seen, answer)
        elif isinstance(answer, BotFaultError):
            refuse(f"{self._bot} failed: {answer}")
