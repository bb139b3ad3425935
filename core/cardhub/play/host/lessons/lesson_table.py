"""The table of a lesson: scripted bots, and a session that objects to other choices once."""

from contextlib import ExitStack
from functools import partial
from typing import Any

from typing_extensions import override

from cardhub.base.errors import PluginError
from cardhub.bots.asking import choose
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.play.host.lessons.lesson_file import Lesson, read_lesson
from cardhub.play.host.lessons.tutor import LEARNER, Tutor
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.host.table_host import Host
from cardhub.play.host.viewer_session import ViewerSession
from cardhub.play.seating import Player
from cardhub.play.seeds import commitment_to
from cardhub.play.setup import seated, set_up
from cardhub.play.table_commands import Act, TableCommand
from cardhub.play.table_messages import OnReply, Refused
from cardhub.play.workers.client import InlineBotClient
from cardhub.play.workers.lineup import advisers_of
from cardhub.play.workers.lineup_bots import ask_adviser
from cardhub.plugins.registry import PluginRegistry


class LessonSession(ViewerSession):
    """The learner's session: the first time, another choice than the suggested one is refused."""

    tutor: Tutor

    @override
    def send(self, command: TableCommand, on_reply: OnReply) -> None:
        if isinstance(command, Act) and command.rev == self.view().revision:
            objection = self.tutor.objection(command.action)
            if objection is not None:
                on_reply(Refused(why=objection, id=command.id))
                return
        super().send(command, on_reply)


class LessonHost(Host):
    """A table without a record, at which bots follow the script of a lesson as long as it lasts."""

    is_lesson = True
    tutor: Tutor

    @override
    def _new_session(self, seat: int) -> ViewerSession:
        if seat != LEARNER:
            return super()._new_session(seat)
        session = LessonSession(self, self._referee, self._hints, seat)
        session.tutor = self.tutor
        return session


def lesson_of(game: Game[Any]) -> Lesson:
    """Return the lesson of a game; raises PluginError if it has none, and LessonFileError."""
    path = game.display.lesson()
    if path is None:
        raise PluginError(f"{game.title} has no lesson. fix: `cardhub rules {game.name}`")
    return read_lesson(path, game.phases)


def open_lesson(
    registry: PluginRegistry, name: str, scheduler: Scheduler, pace: float = 0
) -> LessonHost:
    """Return the table of a game's lesson; call `begin` on it to start the bots.

    Raises PluginError, OptionError, BotError or LessonFileError if it cannot be opened.
    """
    game = registry.game(name)
    lesson = lesson_of(game)
    kinds = ("human", *(lesson.bot for _ in lesson.players[1:]))
    players = [Player(player, kind) for player, kind in zip(lesson.players, kinds, strict=True)]
    referee = set_up(game, players, lesson.options, lesson.seed, commitment_to(lesson.seed))
    referee.proceed()
    with ExitStack() as stack:
        bots = stack.enter_context(seated(registry, referee))
        tutor = Tutor(lesson, referee)

        def ask(observation: Observation[Any]) -> int:
            scripted = tutor.scripted()
            return choose(bots[observation.seat], observation) if scripted is None else scripted

        hint = registry.default_hint(name)
        advise = partial(ask_adviser, advisers_of(referee, registry, hint), registry)
        adviser = InlineBotClient(advise)
        host = LessonHost(referee, InlineBotClient(ask), adviser, scheduler, hint=hint, pace=pace)
        host.tutor = tutor
        host.resources = stack.pop_all()
    return host
