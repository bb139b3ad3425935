"""Playing one game of a match: the function that worker processes run."""

import os
import socket
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from itertools import count
from pathlib import Path
from random import Random
from time import monotonic
from typing import Any

from msgspec import structs

from cardhub.base.errors import (
    BotFaultError,
    BotProviderError,
    MatchError,
    OptionError,
    PluginError,
    RulesError,
)
from cardhub.bots import CMD, LLM, Bot, RandomBot, parse_spec
from cardhub.bots.deadline import TIMER, deadlines
from cardhub.bots.language.exchanges import KeepsAnswers
from cardhub.bots.processes.control_groups import ResourceLimits
from cardhub.bots.processes.sandbox import Sandbox
from cardhub.lab.match.adjudication import is_decided
from cardhub.lab.match.log.transcript import cards_of, disagreements, moves_of
from cardhub.lab.match.run.match_bots import (
    BOOT,
    WARM_UP,
    BotProgram,
    IsolatedBot,
    TimedBot,
    end_bot_processes,
)
from cardhub.lab.match.run.rules_proof import changed_rules, proof_of
from cardhub.lab.match.seat_scores import final_places
from cardhub.lab.match.suites import referee_of
from cardhub.lab.match.task import (
    DrawnAction,
    End,
    FaultNote,
    GameResult,
    GameTask,
    Played,
    SeparateBot,
    Spent,
    Timing,
)
from cardhub.lab.match.variance.corrections import Corrector
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.state import OVER
from cardhub.play.fault_report import reproduce
from cardhub.play.referee import Referee, final_sides
from cardhub.play.setup import legal_action
from cardhub.play.workers.bot_messages import Lineup
from cardhub.plugins.bot_files import anchored, files_of, spec_at, takes_long, warm_up
from cardhub.plugins.registry import PluginRegistry, find_plugins

NO_PROVIDER = (
    "{cause}.\nThis is no decision of {bot}, so the match has stopped, and its games are kept. "
    "fix: start it again later with the same command"
)

_REGISTRIES: list[PluginRegistry] = []


def play_all(*tasks: GameTask) -> tuple[Played, ...]:
    """Play games in sequence; see `play`. The rules are proved once for all of them."""
    last = {task.game: number for number, task in enumerate(tasks)}
    return tuple(
        play(task, is_proved=number == last[task.game]) for number, task in enumerate(tasks)
    )


def play(task: GameTask, *, is_proved: bool = True) -> Played:
    """Play a game with new bots and return its result.

    Equal tasks give equal results in any process. Raises PluginError or OptionError if a game or a
    bot is not installed here, and RulesError if the rules are not those of the match. Unless
    `is_proved`, this is only checked if bots of others run in this process.
    """
    begun, lost = monotonic(), TIMER.lost
    with _Game(task, _registry_of(task)).opened() as game:
        result = game.play_to_result()
    seconds = monotonic() - begun - (TIMER.lost - lost)
    game.prove(result, is_proved=is_proved)  # its bots are closed, so none runs any more
    result = game.corrected(result)
    timing = Timing(task.id, seconds, game.spent(), socket.gethostname(), os.getpid())
    return Played(result, timing, tuple(game.reproductions), game.remarks())


def _registry_of(task: GameTask) -> PluginRegistry:
    isolation = task.isolation
    # A referee that imports no plugin with only bots has rules that no bot has changed.
    third_party = () if isolation.is_complete else None
    return plugins_in(
        task.directories,
        isolation.sandbox,
        third_party,
        has_fresh_programs=isolation.is_fresh,
        limits=isolation.limits,
    )


@cache
def plugins_in(
    directories: tuple[Path, ...],
    sandbox: Sandbox | None = None,
    third_party: tuple[str, ...] | None = None,
    *,
    has_fresh_programs: bool = False,
    limits: ResourceLimits | None = None,
) -> PluginRegistry:
    """Return the plugin registry of this process; it keeps idle programs for the next game.

    The arguments are those of `find_plugins`.
    """
    registry = find_plugins(
        directories, sandbox, third_party, has_fresh_programs=has_fresh_programs, limits=limits
    )
    _REGISTRIES.append(registry)
    return registry


def end_programs() -> None:
    """End the idle programs and bot processes of this process; they restart on demand."""
    end_bot_processes()
    for registry in _REGISTRIES:
        registry.close()


@cache
def _corrector_of(registry: PluginRegistry) -> Corrector:
    return Corrector(registry)


class _Game:
    """State of a game in progress, with its bots and substitutes."""

    def __init__(self, task: GameTask, registry: PluginRegistry) -> None:
        self._task = task
        self._registry = registry
        self._corrector = _corrector_of(registry)
        game = registry.game(task.game)
        # Before any bot is looked up, because that may import its plugin.
        self._proof = proof_of(registry.game(task.game), task.directories)
        self._proof.require_version(task.version)
        self._guests: set[str] = set()
        self._referee = referee_of(task, game)
        self._bots = [
            self._timed(number, seat.use, seat.generator) for number, seat in enumerate(task.seats)
        ]
        self._absent = [number for number, seat in enumerate(task.seats) if seat.is_absent]
        self._substitutes: dict[int, TimedBot] = {}
        self._faults: list[FaultNote] = []
        self._drawn: list[DrawnAction] = []
        self._end: End = "over"
        self.reproductions: list[dict[str, Any]] = []

    @contextmanager
    def opened(self) -> Iterator["_Game"]:
        """Yield this game; close all bots on exit."""
        with deadlines():
            try:
                yield self
            finally:
                # Within the deadlines, because `close` is third-party code.
                for bot in (*self._bots, *self._substitutes.values()):
                    bot.close()

    def play_to_result(self) -> GameResult:
        """Play the game and return its result."""
        try:
            self.play_out()
            return self.result()
        except Exception:
            self._proof.check(self._guests)  # rules that a bot has changed may raise anything
            raise

    def prove(self, result: GameResult, *, is_proved: bool) -> None:
        """Raise RulesError unless the rules are the same as before the game, and give this result.

        Without bots of others in this process this is only checked if it `is_proved` now.
        """
        guests = self._guests
        if guests or is_proved:
            self._proof.check(guests)
        # A bot could change the rules for a moment: they must give the same result again.
        if guests:
            # The terms are not there yet: changed rules must not compute them.
            task, game = replace(self._task, corrections=None), self._referee.game
            if problem := next(disagreements(task, result, game, self._corrector), ""):
                raise RulesError(changed_rules(task.game, [problem], guests))

    def corrected(self, result: GameResult) -> GameResult:
        """Return the result with the terms against luck, if the task has a plan for them."""
        corrections = self._corrector.of(self._task, self._referee, result.faults, result.drawn)
        return structs.replace(result, corrections=corrections) if corrections else result

    def play_out(self) -> None:
        """Apply actions until the game is over, a fault ends it, or the limit is reached."""
        referee, most = self._referee, self._task.limits.budget.most_steps
        referee.proceed()
        # Absent bots are withdrawn; their seats stay, because the deals must follow the schedule.
        for seat in self._absent:
            self._replace(seat)
        for turn in count():
            if (seat := referee.seat) == OVER or self._end != "over":
                break
            if is_decided(self._task, referee):
                self._end = "decided"
                break
            # Turns are also counted here, because rules that a bot has changed might not act.
            if max(referee.action_count, turn - len(self._bots)) >= most:
                self._end = "steps"
            elif seat in self._substitutes:
                referee.apply(self._ask_substitute(seat))
            else:
                self._ask(seat)

    def result(self) -> GameResult:
        """Return the result of the game in its current state."""
        result = game_result(self._task, self._referee, self._end, self._absent, self._faults)
        return structs.replace(result, drawn=tuple(self._drawn))

    def spent(self) -> dict[str, Spent]:
        """Return the time of each bot."""
        spent: dict[str, Spent] = {}
        for seat, bot in zip(self._task.seats, self._bots, strict=True):
            spent[seat.bot] = spent.get(seat.bot, Spent()).joined(bot.spent)
        return spent

    def remarks(self) -> dict[int, str]:
        """Return by seat what the programs of teams have written; their bots are closed."""
        seats = enumerate(zip(self._task.seats, self._bots, strict=True))
        return {n: bot.remarks for n, (seat, bot) in seats if seat.is_team and bot.remarks}

    def _ask(self, seat: int) -> None:
        try:
            action = self._answer(self._bots[seat], self._referee.observe(seat))
        except BotProviderError as error:
            if self._task.answers and self._task.answers.is_complete:
                raise MatchError(str(error)) from error
            # Not a decision of the bot, so it must not count: the match waits for another day.
            raise MatchError(
                NO_PROVIDER.format(bot=self._task.seats[seat].bot, cause=error)
            ) from error
        except BotFaultError as fault:
            self._note(seat, fault)
        else:
            self._keep_policy(self._bots[seat].weights)
            self._referee.apply(action)

    def _keep_policy(self, weights: Mapping[int, int]) -> None:
        plan = self._task.corrections
        if weights and plan is not None and plan.with_policies:
            drawn = DrawnAction(self._referee.action_count, tuple(sorted(weights.items())))
            self._drawn.append(drawn)

    def _answer(self, bot: TimedBot, observation: Observation[Any]) -> int:
        return legal_action(self._referee, bot.ask(observation))

    def _note(self, seat: int, fault: BotFaultError) -> None:
        plan = self._task.seats[seat]
        # Without a secret the bot's seed would reveal the match seed by brute force.
        generator = plan.generator if self._task.is_salted else None
        reproduction = reproduce(self._referee, fault, plan.use, generator)
        self.reproductions.append(reproduction.as_json())
        self._faults.append(FaultNote(seat, plan.bot, fault.fault, self._referee.action_count))
        # Closed now, not at the end of the game: its process could go on computing.
        self._bots[seat].close()
        if self._task.limits.policy == "substitute":
            self._replace(seat)
        else:
            self._end = "fault"

    def _replace(self, seat: int) -> None:
        spec, generator = self._task.limits.substitute, self._task.seats[seat].substitute
        self._substitutes[seat] = self._timed(seat, spec, generator)

    def _ask_substitute(self, seat: int) -> int:
        """Ask a substitute for an action; if it also fails, a random bot replaces it."""
        observation = self._referee.observe(seat)
        try:
            return self._answer(self._substitutes[seat], observation)
        except BotFaultError:
            # This is not an entrant's fault, and the game has to end: a random bot cannot fail.
            self._substitutes[seat].close()
            rng = Random(self._task.seats[seat].substitute)
            self._substitutes[seat] = TimedBot(partial(RandomBot, rng), self._task.limits.budget)
            return self._substitutes[seat].ask(observation).chosen()

    def _timed(self, seat: int, spec: str, generator: str) -> TimedBot:
        # The factory must not refer to self: a cycle would keep bots alive until the next GC.
        task, budget = self._task, self._task.limits.budget
        table = len(task.seats), {**task.rules, **task.vary}
        if parse_spec(spec).name == LLM.name:
            # It limits its own time, because a slow server is not the fault of the model.
            budget = replace(budget, guard_seconds=None, bank_seconds=None)
            probe = partial(warm_up, self._registry, spec, task.game, *table)
            is_asked = task.answers is None or not task.answers.is_complete
            ask = partial(_make_model, self._registry, task, seat)
            return TimedBot(ask, budget, warm_up=probe if is_asked else None)
        if bot := self._separate_bot(spec):
            seats = {seat: bot.spec}, {seat: generator}
            lineup = Lineup(task.game, *seats, False, *table)
            isolation = task.isolation
            program = BotProgram(
                task.directories,
                bot,
                isolation.sandbox,
                isolation.is_fresh,
                isolation.limits,
                keeps_output=task.seats[seat].is_team,
            )
            make = partial(IsolatedBot, lineup, seat, program)
            return TimedBot(make, budget, BOOT + (WARM_UP if bot.is_long else 0.0))
        registry, game = self._registry, task.game
        bot = separate_bot(registry, spec, game)
        is_long = bot.is_long
        if bot.third_party or bot.files:
            self._guests.add(task.seats[seat].bot)
        load = partial(warm_up, registry, spec, game, *table) if is_long else None
        return TimedBot(
            lambda: registry.make_bot(
                spec_at(registry, spec, game, *table), game, Random(generator)
            ),
            budget,
            warm_up=load,
        )

    def _separate_bot(self, spec: str) -> SeparateBot | None:
        """Return a bot if it runs in a separate process, else None."""
        task = self._task
        if bot := task.isolation.bots.get((task.game, spec)):
            return bot
        # Programs are separate processes anyway.
        is_forced = task.in_processes and parse_spec(spec).name != CMD.name
        return separate_bot(self._registry, spec, task.game) if is_forced else None


def game_result(
    task: GameTask,
    referee: Referee[Any],
    end: End = "over",
    absent: Sequence[int] = (),
    faults: Sequence[FaultNote] = (),
) -> GameResult:
    """Return the result of a game in its current state; `absent`: the seats of withdrawn bots."""
    scores = tuple(map(int, referee.scores()))
    out = {*absent, *(note.seat for note in faults)}
    places = final_places(scores, out, referee.scoring, has_ended=end != "fault")
    return GameResult(
        id=task.id,
        contest=task.contest,
        deal=task.deal,
        bots=task.bots,
        vary=dict(task.vary),
        seed=task.seed,
        seats=tuple(seat.bot for seat in task.seats),
        absent=tuple(absent),
        cards=cards_of(referee),
        moves=moves_of(referee),
        end=end,
        steps=referee.action_count,
        scores=scores,
        places=places,
        faults=tuple(faults),
        teams=referee.scoring.shared_teams,
        sides=final_sides(referee),
        opening=len(task.opening.moves) if task.opening else 0,
    )


def _make_model(registry: PluginRegistry, task: GameTask, seat: int) -> Bot:
    """Return a language model that takes stored answers, and stores new ones."""
    plan = task.seats[seat]
    bot = registry.make_bot(plan.use, task.game, Random(plan.generator))
    if isinstance(bot, KeepsAnswers) and (answers := task.answers_of(seat)):
        bot.keep_answers(answers)
    return bot


def find_separate_bot(registry: PluginRegistry, spec: str, game: str) -> SeparateBot:
    """Return what a separate process needs for a bot; errors are raised when the bot is made.

    The files of its spec are in the working folder.
    """
    try:
        parts = list(registry.parts(spec, game))
        origins = (part.origin for part in parts)
        return SeparateBot(
            anchored(registry, spec, game),
            files_of(registry, spec, game),
            takes_long(registry, spec, game),
            tuple(sorted({origin.name for origin in origins if origin and origin.is_guest})),
        )
    except (PluginError, OptionError):
        return SeparateBot(spec, (), is_long=False, third_party=None)


separate_bot = cache(find_separate_bot)  # needed for every game, and constant
