"""Running a match, from the state at the end of its log to the end of the match."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from cardhub.base.errors import MatchError, RulesError
from cardhub.bots.deadline import Interrupted
from cardhub.bots.language.exchanges import Answers
from cardhub.lab.match.blocks import Block, Games
from cardhub.lab.match.log.log_reader import ANSWERS, GAMES, has_header, read_games
from cardhub.lab.match.log.log_writer import Log, header_of, open_log, reserved
from cardhub.lab.match.log.result_file import (
    Analyse,
    forget_result,
    no_statistics,
    result_of,
    write_result,
)
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.provenance import changed_sources, clock_dependent_bots, versions_of
from cardhub.lab.match.run.asked_states import ask_states
from cardhub.lab.match.run.deferred_signals import DeferredSignals, interruptible
from cardhub.lab.match.run.dispatcher import Dispatcher
from cardhub.lab.match.run.executors import AHEAD, InProcess, MakeExecutor, make_executor
from cardhub.lab.match.run.hidden_memory import hidden_memory
from cardhub.lab.match.run.match_state import MatchState
from cardhub.lab.match.run.preflight import (
    find_isolation,
    lookup_registry,
    with_own_deals,
    with_stated_freshness,
)
from cardhub.lab.match.run.run_secrets import RunSecrets
from cardhub.lab.match.secret import has_third_party_bots
from cardhub.lab.match.task import GameResult, Played, Timing
from cardhub.plugins.registry import PluginRegistry


class Watcher:
    """Observer of a running match, such as a live display; by default without effect."""

    def begin(self, state: MatchState) -> None:
        """Receive the state of the match before its first game."""

    def block(self, block: Block, results: Sequence[GameResult]) -> None:
        """Receive a finished block; games may be missing after a withdrawal."""

    def game(self, result: GameResult, timing: Timing | None) -> None:
        """Receive a game; `timing` is None if it was decoded from the log."""

    def wait(self) -> None:
        """Do other work; called several times a second while the match waits for a game."""


@dataclass(frozen=True)
class RunOptions:
    """Parameters of running a match, which do not change games.

    `ahead` is the number of games, or chunks of short games, that may be in flight.
    `is_enough` is called before each deal but the first of a run, with its number; the run ends
    there if it returns True, and another run continues the match. `key`: the operator's key, from
    which drawn secrets follow, or None.
    """

    make: MakeExecutor = InProcess
    ahead: int = 1
    watcher: Watcher = field(default_factory=Watcher)
    analyse: Analyse = no_statistics
    is_enough: Callable[[int], bool] = lambda deal: False
    key: bytes | None = None


SERIAL = RunOptions()


@contextmanager
def shared_workers(workers: int) -> Iterator[RunOptions]:
    """Yield options for matches that all play in the same processes."""
    if workers == 1:
        yield SERIAL
        return
    with make_executor(workers)() as executor:
        yield RunOptions(lambda: nullcontext(executor), AHEAD * workers)


def run(
    match: Match, registry: PluginRegistry, folder: Path, options: RunOptions = SERIAL
) -> MatchState:
    """Play the remaining games of a match and return its final state.

    Every block is in the log of `folder` before the next one counts. `result.json` is written at
    the end, even if a signal or an error ends the run. Signals with a handler, such as Ctrl-C, are
    delivered at safe points. Raises MatchError.
    """
    registry = lookup_registry(match, registry, folder)
    match = with_own_deals(with_stated_freshness(match, registry, folder), folder)
    clock_dependent = clock_dependent_bots(match, registry)
    versions = versions_of(match, registry)
    isolation = find_isolation(match, registry, folder)
    has_strangers = has_third_party_bots(match, registry)
    registry.close()  # the processes of plugins have answered all questions
    with reserved(folder):
        sandbox = match.sandbox if has_strangers else None
        secrets = RunSecrets(match, folder, options.key, sandbox)
        has_begun = has_header(folder)
        if not has_begun:
            ask_states(match, registry, folder, partial(options.is_enough, 0))
        match = secrets.open_match(match)
        with open_log(folder, header_of(match, versions)) as log:
            if has_begun:
                match = _play_on(match, log, secrets)
            secrets.record()
            answers = Answers(folder.absolute() / ANSWERS)
            games = Games(match, registry.directories, isolation, versions["games"], answers)
            sources = partial(changed_sources, versions, match.contests, registry)
            return _run(match, games, log, clock_dependent, options, sources, secrets)


def _play_on(match: Match, log: Log, secrets: RunSecrets) -> Match:
    """Return a match that has begun with the secret of its next games."""
    state = replay_log(match, Games(match), log.folder, Watcher())
    if state.is_over:
        return match
    resumed = secrets.play_on(match, state.next_block)
    if resumed.salt != match.salt:
        # The games of a block have one deal, and this secret has another one.
        log.drop_last(state.unfinished)
    return resumed


def _run(
    match: Match,
    games: Games,
    log: Log,
    clock_dependent: list[str],
    options: RunOptions,
    find_changed: Callable[[], list[str]],
    secrets: RunSecrets,
) -> MatchState:
    folder = log.folder
    state = replay_log(match, games, folder, options.watcher)
    hiding = hidden_memory() if match.salt is not None else nullcontext()
    with hiding, DeferredSignals() as signals:
        has_same_rules = True
        try:
            _play(state, log, options, signals)
            _refuse_changed_sources(find_changed(), folder)
        except RulesError:
            has_same_rules = False
            raise
        finally:
            with nullcontext() if signals.has_received else interruptible():
                # A signal during the clean-up must not be lost, but the result is written first.
                if log.is_behind:  # interrupted within a block, which is not in the log
                    state = replay_log(match, games, folder, Watcher())
                secrets.end(is_over=state.is_over)
                if has_same_rules:
                    write_result(
                        folder, result_of(match, state, folder, clock_dependent, options.analyse)
                    )
    return state


def _refuse_changed_sources(names: list[str], folder: Path) -> None:
    if names:
        forget_result(folder)
        raise RulesError(
            f"the sources of {', '.join(names)} have changed while the match was played, so it has "
            f"no result; the games are in {folder / GAMES}\n"
            "fix: restore the sources, and start the match again to get its result; if nobody has "
            "edited them, a bot has: use the sandbox"
        )


def replay_log(match: Match, games: Games, folder: Path, watcher: Watcher) -> MatchState:
    """Return the state of a match after all games of its log.

    Raises MatchError at the first line that is not the next game.
    """
    state = MatchState(match, games, watcher.block)
    watcher.begin(state)
    for number, result in read_games(folder):
        try:
            state.record(result)
        except MatchError as error:
            raise MatchError(f"{folder / GAMES}:{number}: {error}") from error
        watcher.game(result, None)
    return state


def _play(state: MatchState, log: Log, options: RunOptions, signals: DeferredSignals) -> None:
    if not state.is_over:
        forget_result(log.folder)  # it becomes outdated with the next game

    def tick() -> None:
        signals.deliver()
        options.watcher.wait()

    dropped: list[Played] = []  # their deals stay secret until the match is over
    deal = None
    with Dispatcher(options.make, tick, options.ahead) as dispatcher:
        try:
            while tasks := state.upcoming(dispatcher.reach):
                if deal not in (None, tasks[0].deal) and options.is_enough(tasks[0].deal):
                    return
                deal = tasks[0].deal
                dropped += dispatcher.want(tasks)
                _record(state, log, dispatcher.result(tasks[0]), options.watcher)
                signals.deliver()
        except (Interrupted, KeyboardInterrupt, SystemExit):
            # Finished games are recorded if they are next in the schedule.
            while (tasks := state.upcoming(1)) and dispatcher.is_played(tasks[0]):
                _record(state, log, dispatcher.result(tasks[0]), options.watcher)
            raise
        for played in (*dropped, *dispatcher.want(())):
            log.set_aside(played)


def _record(state: MatchState, log: Log, played: Played, watcher: Watcher) -> None:
    log.hold(played)
    state.record(played.result)
    if _may_publish(state, played.result):
        log.commit()
    watcher.game(played.result, played.timing)


def _may_publish(state: MatchState, result: GameResult) -> bool:
    """Return whether the cards of the last game may be published."""
    if not state.is_between_blocks:
        return False
    # Other groups of bots may play the same deal next, and could look it up in the log. Without a
    # secret there is no reason to wait: the deal can be derived from the match file.
    tasks = state.upcoming(1)
    return not (tasks and tasks[0].is_salted and tasks[0].seed == result.seed)
