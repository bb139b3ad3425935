"""Opening tables: new games and resumed ones, with their bots, record and lock."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack, closing, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

from cardhub.base.errors import PluginError, RecordExistsError
from cardhub.base.files import reserve
from cardhub.bots.asking import advise, choose
from cardhub.bots.bot import Rated
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import Seed
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Value
from cardhub.play.host.practice import PracticeHost, practice_players
from cardhub.play.host.replays.replay import Replay, open_replay
from cardhub.play.host.replays.stepping.playing_on import continued, players_from
from cardhub.play.host.retaken_decision import Practice
from cardhub.play.host.saved.editions import Editions
from cardhub.play.host.saved.saves import save_paths
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.host.table_host import Host
from cardhub.play.records.edition import edition_of
from cardhub.play.records.reading import Record, read_record
from cardhub.play.records.recording import BUSY, Sync, record_to
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.seeds import commitment_to, draw_seed
from cardhub.play.setup import close, set_up
from cardhub.play.workers.bot_messages import Lineup, advisers_of, bots_of, search_workers
from cardhub.play.workers.client import BotClient, InlineBotClient
from cardhub.play.workers.lineup_bots import LineupBots
from cardhub.play.workers.pool.bot_pool import BotPool
from cardhub.play.workers.pool.fair_shares import TableShare
from cardhub.play.workers.process import BotProcess
from cardhub.play.workers.table_client import RoutedClient, TableClient
from cardhub.plugins.registry import PluginRegistry

# Lessons and analyses are imported on use, because few tables need them.
if TYPE_CHECKING:
    from cardhub.play.host.lessons.tutor import Tutor
    from cardhub.play.review import RatedDecision

# Default for the minimum number of seconds between actions of bots on the screen.
PACE = 0.6

# Returns the record to continue, or raises an exception if it must not be continued.
Admit = Callable[[Record], Record]


@dataclass(frozen=True, slots=True)
class NewGame:
    """A game to start: its name, the player of every seat, and the options that are not default.

    `seed` is drawn if it is None. `record` is the path of the record, None for a saved game.
    `hint` is the spec of the adviser, None for the game's adviser; without `helps` the table
    refuses hints, undo and takebacks.
    """

    game: str
    players: Sequence[Player]
    settings: Mapping[str, Value] = field(default_factory=dict)
    seed: Seed | None = None
    record: Path | None = None
    hint: str | None = None
    helps: bool = True


def next_game(host: Host, *, is_same_deal: bool = False) -> NewGame:
    """Return the game after the current game of a host, with the same players and options.

    With `is_same_deal` the cards are the same, and every player moves to the next seat.
    """
    players, settings = host.players, dict(host.settings)
    if is_same_deal:
        return NewGame(host.game, moved_on(players), settings, host.deal_seed, helps=host.helps)
    return NewGame(host.game, players, settings, helps=host.helps)


def moved_on(players: Sequence[Player]) -> list[Player]:
    """Return the players, each one seat further; the last one in the first seat."""
    return [players[-1], *players[:-1]]


@dataclass(frozen=True, slots=True)
class Opener:
    """Starts and resumes games for one front end.

    `pace` is in seconds for each action of a bot. Bots run in separate processes, with a `pool` in
    its workers, or with `is_inline` in the scheduler's thread, which waits for them. `elsewhere`
    has by seat the clients of bots over the network, and may change during a game. `share`: the
    table's claim to the pool. `sync` syncs records after lines that concern people. `editions`: the
    cards and rules that games were played with, and whether games go on with other ones.
    """

    registry: PluginRegistry
    scheduler: Scheduler
    pace: float = PACE
    is_inline: bool = False
    pool: BotPool | None = None
    share: TableShare | None = None
    elsewhere: Mapping[int, BotClient] = field(default_factory=dict)
    sync: Sync | None = None
    editions: Editions = field(default_factory=Editions)

    def start(self, new: NewGame) -> Host:
        """Start a game and its record; call `begin` on the host to start the bots.

        Raises PluginError, OptionError or BotError if the game or a bot cannot be created, and
        RecordError if the record cannot be created.
        """
        seed = draw_seed() if new.seed is None else new.seed
        game = self.registry.game(new.game)
        referee = set_up(game, new.players, new.settings, seed, commitment_to(seed))
        referee.helps = new.helps
        return self._recorded(referee, new.hint, new.record)

    def start_lesson(self, name: str, path: Path) -> Host:
        """Start the lesson of a game with its record; raises as `start` and LessonFileError."""
        from cardhub.play.host.lessons.lesson_table import lesson_of, set_up_lesson
        from cardhub.play.host.lessons.tutor import Tutor

        game = self.registry.game(name)
        lesson = lesson_of(game)
        referee = set_up_lesson(game, lesson)
        return self._recorded(referee, None, path, Tutor(lesson, referee))

    def resume_lesson(self, path: Path) -> Host:
        """Continue the lesson of a record; raises as `resume` and LessonFileError."""
        from cardhub.play.host.lessons.lesson_table import lesson_of, resumed_tutor

        with ExitStack() as stack:
            stack.enter_context(reserve(path, BUSY))
            record = read_record(path)
            game = recorded_game(self.registry, record)
            referee = self.editions.resume(game, record, self.sync)
            tutor = resumed_tutor(game, lesson_of(game), record, referee)
            clients = self._clients(referee, None, stack)
            return self._host(referee, clients, path, stack, tutor)

    def resume(self, path: Path, hint: str | None = None, admit: Admit | None = None) -> Host:
        """Continue the unfinished game of a record; raises as `start`.

        Also raises RecordError if the game has other cards or rules now, unless they are accepted.
        """
        with ExitStack() as stack:
            # Reserved before it is read: another process may be appending to it.
            stack.enter_context(reserve(path, BUSY))
            record = read_record(path)
            if admit is not None:
                record = admit(record)
            referee = self.editions.resume(recorded_game(self.registry, record), record, self.sync)
            return self._host(referee, self._clients(referee, hint, stack), path, stack)

    def reopen(self, path: Path) -> Host:
        """Open a finished game again, for its views and its result; raises as `start`.

        No seat is to act, so the table has no bots, and the record is not locked.
        """
        record = read_record(path)
        game = recorded_game(self.registry, record)
        with self.editions.explained(game, record):
            referee = replayed(record, open_record(game, record))
        nobody, hint = InlineBotClient(lambda _: None), self.registry.default_hint(game.name)
        host = Host(referee, nobody, nobody, self.scheduler, hint=hint, path=path)
        host.registry = self.registry
        return host

    def replay(self, path: Path) -> Replay:
        """Open the replay of a record; raises PluginError or RecordError."""
        record = read_record(path)
        game = recorded_game(self.registry, record)
        with self.editions.explained(game, record):
            return open_replay(game, record)

    def play_on(self, replay: Replay, step: int, viewer: int, hint: str | None = None) -> Host:
        """Start a game that continues a finished one after a step; raises as `start`.

        The people of the old game play, or without any a person in the seat of the viewer.
        """
        referee = continued(replay, step, players_from(replay, viewer))
        return self._recorded(referee, hint, None)

    def practise(self, replay: Replay, seat: int, decision: "RatedDecision") -> PracticeHost:
        """Open a practice table at a decision of a seat in a finished game; raises as `start`."""
        bot = self.registry.default_bot(replay.game.name)
        referee = continued(replay, decision.move.step, practice_players(replay, seat, bot))
        referee.is_practice = True
        with ExitStack() as stack:
            bots, adviser, hint = self._clients(referee, None, stack)
            host = PracticeHost(referee, bots, adviser, self.scheduler, hint=hint, pace=self.pace)
            host.practice = Practice(referee, seat, decision)
            host.resources, host.registry = stack.pop_all(), self.registry
        return host

    def _recorded(
        self,
        referee: Referee[Any],
        hint: str | None,
        path: Path | None,
        tutor: "Tutor | None" = None,
    ) -> Host:
        with ExitStack() as stack:
            clients = self._clients(referee, hint, stack)
            # Before the first action: a game can be resumed even if it is killed before it.
            path = self._begin_record(referee, path)
            stack.enter_context(reserve(path, BUSY))
            return self._host(referee, clients, path, stack, tutor)

    def _begin_record(self, referee: Referee[Any], path: Path | None) -> Path:
        """Begin a record at a path, or as a new save if it is None; return the path."""
        self.editions.begin(referee)
        if path is not None:
            record_to(referee, path, self.sync)
            return path
        for unused in save_paths(referee):
            # Another program may have begun a game in the same second.
            with suppress(RecordExistsError):
                record_to(referee, unused, self.sync)
                return unused
        raise AssertionError("the names of saves never end")

    def _host(
        self,
        referee: Referee[Any],
        clients: "_Clients",
        path: Path,
        stack: ExitStack,
        tutor: "Tutor | None" = None,
    ) -> Host:
        referee.proceed()  # chance may act before the first seat
        bots, adviser, hint = clients
        if tutor is None:
            host = Host(
                referee, bots, adviser, self.scheduler, hint=hint, pace=self.pace, path=path
            )
        else:
            from cardhub.play.host.lessons.lesson_table import LessonHost, ScriptedClient

            scripted = ScriptedClient(tutor, bots)
            host = lesson = LessonHost(
                referee, scripted, adviser, self.scheduler, hint=hint, pace=self.pace, path=path
            )
            lesson.tutor = tutor
        host.resources, host.registry = stack.pop_all(), self.registry
        return host

    def _clients(self, referee: Referee[Any], hint: str | None, stack: ExitStack) -> "_Clients":
        """Return the clients of bots and adviser, and the spec of the adviser."""
        game = referee.game.name
        if hint is not None:
            self.registry.settings_of(hint, game)
        hint = hint or self.registry.default_hint(game)
        advisers = advisers_of(referee, self.registry, hint)
        lineup = bots_of(referee, self.registry)
        if self.is_inline:
            workers = search_workers()
            here = stack.enter_context(closing(LineupBots(lineup, self.registry, workers)))
            for seat in lineup.specs:
                here.prepare(seat)
            hints = stack.enter_context(closing(LineupBots(advisers, self.registry, workers)))
            choosing = InlineBotClient(partial(_choice, here), here.reseat)
            advising = InlineBotClient(partial(_advice, hints), hints.reseat)
            return RoutedClient(choosing, self.elsewhere), advising, hint
        self._start_programs(lineup)
        # Hints have a separate client: stopping a hint must not end the bots, which remember
        # their game.
        bots = stack.enter_context(closing(self._client(lineup)))
        adviser = stack.enter_context(closing(self._client(advisers)))
        return RoutedClient(bots, self.elsewhere), adviser, hint

    def _client(self, lineup: Lineup) -> BotProcess | TableClient:
        if self.pool is None:
            return BotProcess(self.registry.directories, lineup, workers=search_workers())
        return TableClient(lineup, self.registry, self.pool, self.share)

    def _start_programs(self, lineup: Lineup) -> None:
        # Before the screen is taken over, to report a broken program at the shell. Once per kind,
        # because the handshake starts the program, which may take long.
        kinds = dict.fromkeys(lineup.specs.values())
        with closing(self.registry):
            for kind in kinds:
                if self.registry.is_program(kind, lineup.game):
                    # Any generator will do: this bot is closed before its first action.
                    close(self.registry.make_bot(kind, lineup.game, Random(kind)))


def _choice(bots: LineupBots, observation: Observation[Any]) -> int:
    with bots.bot_for(observation) as bot:
        return choose(bot, observation)


def _advice(bots: LineupBots, observation: Observation[Any]) -> list[Rated]:
    with bots.bot_for(observation) as bot:
        return advise(bot, observation)


_Clients = tuple[BotClient, BotClient, str]


def recorded_game(registry: PluginRegistry, record: Record) -> Game[Any]:
    """Return the game of a record; raises PluginError, naming the record, if it is missing.

    Of games of several packages that have the recorded name, it is the one with the recorded cards
    and rules.
    """
    name = record.header.game
    fitting = []
    for namesake in registry.namesakes(name):
        with suppress(PluginError):
            game = registry.game(namesake)
            fitting += [game] if edition_of(game) == record.edition else []
    try:
        return fitting[0] if len(fitting) == 1 else registry.game(name)
    except PluginError as error:
        raise PluginError(f"{record.path}:1: {error}") from error
