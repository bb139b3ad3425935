"""Playing one game of a match: all that a worker does."""

import os
import socket
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache, partial
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from cardhub.bots import CMD, Bot, RandomBot, parse_spec
from cardhub.bots.external.sandbox import Sandbox
from cardhub.errors import BotFaultError, BotIllegalError, IllegalActionError
from cardhub.hidden.observation import Observation
from cardhub.match.log.transcript import Transcript
from cardhub.match.run.deadline import BELL, alarms
from cardhub.match.run.isolation import BOOT, Isolated, end_processes
from cardhub.match.run.timed_bot import Guarded
from cardhub.match.scoring import final_places
from cardhub.match.task import (
    End,
    FaultNote,
    GameResult,
    GameTask,
    Played,
    Spent,
    Timing,
    player_names,
)
from cardhub.play.bot_process.lineup import Lineup
from cardhub.play.fault_report import reproduce
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.discovery import find_plugins
from cardhub.plugins.registry import PluginRegistry
from cardhub.table.state import OVER

_KNOWN: list[PluginRegistry] = []


def play_all(*tasks: GameTask) -> tuple[Played, ...]:
    """Play games one after the other; see `play`."""
    return tuple(map(play, tasks))


def play(task: GameTask) -> Played:
    """Play a game with new bots and return what came of it.

    The same task gives the same result in any process. Raises PluginError or OptionError if a game
    or a bot is not installed here.
    """
    begun, lost = monotonic(), BELL.lost
    with _Sitting(task, plugins_in(task.directories, task.confined.sandbox)).seated() as sitting:
        sitting.play_out()
        result = sitting.result()
    seconds = monotonic() - begun - (BELL.lost - lost)
    timing = Timing(task.id, seconds, sitting.spent(), *_here())
    return Played(result, timing, tuple(sitting.reproductions))


@cache
def plugins_in(directories: tuple[Path, ...], sandbox: Sandbox | None = None) -> PluginRegistry:
    """Return the plugins as this process knows them; their programs wait for the next game."""
    registry = find_plugins(directories, sandbox)
    _KNOWN.append(registry)
    return registry


def end_programs() -> None:
    """End what waits for a game here: programs and processes; they start again if need be."""
    end_processes()
    for registry in _KNOWN:
        registry.close()


class _Sitting:
    """One game with its bots, and those who play on for them."""

    def __init__(self, task: GameTask, registry: PluginRegistry) -> None:
        self._task = task
        self._registry = registry
        game = registry.game(task.game)
        names = player_names([seat.bot for seat in task.seats])
        players = [
            Player(name, task.limits.substitute if seat.is_absent else seat.use)
            for name, seat in zip(names, task.seats, strict=True)
        ]
        self._referee = set_up(game, players, {**task.rules, **task.vary}, task.seed)
        self._transcript = Transcript(game)
        self._bots = [
            self._guarded(number, seat.use, seat.generator)
            for number, seat in enumerate(task.seats)
        ]
        self._absent = [number for number, seat in enumerate(task.seats) if seat.is_absent]
        self._stand_ins: dict[int, Guarded] = {}
        self._faults: list[FaultNote] = []
        self._end: End = "over"
        self.reproductions: list[dict[str, Any]] = []

    @contextmanager
    def seated(self) -> Iterator["_Sitting"]:
        """Close all bots when the block is left."""
        with alarms():
            try:
                yield self
            finally:
                for bot in (*self._bots, *self._stand_ins.values()):
                    bot.close()

    def play_out(self) -> None:
        """Play until the game is over, or has to end for another reason."""
        referee, transcript, most = self._referee, self._transcript, self._task.limits.most_steps
        referee.record_in(transcript)
        referee.proceed()
        for seat in self._absent:
            self._replace(seat)
        while (seat := referee.seat) != OVER and self._end == "over":
            if transcript.steps >= most:
                self._end = "steps"
            elif seat in self._stand_ins:
                referee.act(self._ask_stand_in(seat))
            else:
                self._ask(seat)

    def result(self) -> GameResult:
        """Return the game as it is now."""
        task, referee = self._task, self._referee
        scores = tuple(map(int, referee.scores()))
        out = {*self._absent, *(note.seat for note in self._faults)}
        lowest_wins, has_ended = referee.game.lowest_wins, self._end != "fault"
        places = final_places(scores, out, lowest_wins=lowest_wins, has_ended=has_ended)
        return GameResult(
            id=task.id,
            contest=task.contest,
            deal=task.deal,
            bots=task.bots,
            vary=dict(task.vary),
            seed=task.seed,
            seats=tuple(seat.bot for seat in task.seats),
            absent=tuple(self._absent),
            cards=self._transcript.cards,
            moves=self._transcript.moves,
            end=self._end,
            steps=self._transcript.steps,
            scores=scores,
            places=places,
            faults=tuple(self._faults),
        )

    def spent(self) -> dict[str, Spent]:
        """Return how long each bot has taken."""
        found: dict[str, Spent] = {}
        for seat, bot in zip(self._task.seats, self._bots, strict=True):
            found[seat.bot] = found.get(seat.bot, Spent()).joined(bot.spent)
        return found

    def _ask(self, seat: int) -> None:
        """Have a bot act, or note that it did not."""
        try:
            action = self._answer(self._bots[seat], self._referee.observe(seat))
        except BotFaultError as fault:
            self._note(seat, fault)
        else:
            self._referee.carry_out(action)

    def _answer(self, bot: Guarded, observation: Observation[Any]) -> int:
        """Return the legal action that a bot chooses; raises BotFaultError."""
        action = bot.choose(observation)
        try:
            return self._referee.check(action)
        except IllegalActionError:
            # Observed anew, as a bot may have changed what it was shown.
            seen = self._referee.observe(self._referee.seat)
            raise BotIllegalError(seen.refusal(action), action) from None

    def _note(self, seat: int, fault: BotFaultError) -> None:
        """Keep a fault with all that led to it, and let the game end or go on without the bot."""
        plan = self._task.seats[seat]
        # Without a secret all deals follow from a number that could be found by trying.
        generator = plan.generator if self._task.is_salted else None
        kept = reproduce(self._referee, fault, plan.use, generator)
        self.reproductions.append(kept.as_json())
        self._faults.append(FaultNote(seat, plan.bot, fault.fault, self._transcript.steps))
        self._bots[seat].close()
        if self._task.limits.policy == "substitute":
            self._replace(seat)
        else:
            self._end = "fault"

    def _replace(self, seat: int) -> None:
        spec, generator = self._task.limits.substitute, self._task.seats[seat].substitute
        self._stand_ins[seat] = self._guarded(seat, spec, generator)

    def _ask_stand_in(self, seat: int) -> int:
        """Return the action of whoever plays a seat on; if that one fails, too, of anybody."""
        observation = self._referee.observe(seat)
        try:
            return self._answer(self._stand_ins[seat], observation)
        except BotFaultError:
            self._stand_ins[seat].close()
            lots = Random(self._task.seats[seat].substitute)
            self._stand_ins[seat] = Guarded(partial(RandomBot, lots), self._task.limits)
            return self._stand_ins[seat].choose(observation)

    def _guarded(self, seat: int, spec: str, generator: str) -> Guarded:
        # What makes a bot does not know this game: as a cycle, it would wait for the collector.
        task = self._task
        if self._is_apart(spec):
            lineup = Lineup(task.directories, task.game, {seat: spec}, {seat: generator})
            make = partial(Isolated, lineup, seat, task.confined.sandbox)
            return Guarded(make, task.limits, BOOT)
        return Guarded(partial(_made, self._registry, task.game, spec, generator), task.limits)

    def _is_apart(self, spec: str) -> bool:
        """Return whether a bot gets a process of its own; a program has one anyway."""
        task = self._task
        is_meant = task.in_processes and parse_spec(spec).name != CMD.name
        return is_meant or (task.game, spec) in task.confined.bots


def _made(registry: PluginRegistry, game: str, use: str, generator: str) -> Bot:
    return registry.make_bot(use, game, Random(generator))


def _here() -> tuple[str, int]:
    return socket.gethostname(), os.getpid()
