"""The table of a lesson: scripted bots, and a session that objects to other choices once."""

from contextlib import ExitStack
from functools import partial
from typing import Any

import msgspec
from typing_extensions import override

from cardhub.base.errors import PluginError
from cardhub.bots.asking import choose
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.play.host.lessons.lesson_file import Lesson, read_lesson
from cardhub.play.host.lessons.tutor import LEARNER, Tutor, find_spots
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.host.table_host import Host
from cardhub.play.host.viewer_session import ViewerSession
from cardhub.play.records.reading import Record
from cardhub.play.records.replaying import open_record, replayed
from cardhub.play.referee import Referee
from cardhub.play.seating import HUMAN, Player
from cardhub.play.seeds import commitment_to
from cardhub.play.setup import seated, set_up
from cardhub.play.table_commands import Act, TableCommand
from cardhub.play.table_messages import LessonComment, OnReply, Refused, TableMessage
from cardhub.play.workers.bot_messages import Lineup, advisers_of
from cardhub.play.workers.client import BotClient, InlineBotClient, OnAnswer
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

    @override
    def table_message(self) -> TableMessage:
        message = super().table_message()
        if not message.view.choices:
            return message
        comment = self.tutor.comment()
        spots = list(find_spots(message.view, self.catalogue, comment.see))
        areas = {spot.area for spot in spots if spot.kind == "area"}
        shown = LessonComment(
            lines=tuple(comment.lines),
            suggested=comment.suggested,
            # One mark for an area, not another one for each of its cards.
            spots=tuple(s for s in spots if s.kind in ("area", "seat") or s.area not in areas),
        )
        return msgspec.structs.replace(message, comment=shown)


class LessonHost(Host):
    """A table at which bots follow the script of a lesson as long as it lasts."""

    is_lesson = True
    tutor: Tutor

    @override
    def _new_session(self, seat: int) -> ViewerSession:
        if seat != LEARNER:
            return super()._new_session(seat)
        session = LessonSession(self, self._referee, self._hints, seat)
        session.tutor = self.tutor
        return session


class ScriptedClient(BotClient):
    """A client of bots who follow the script of a lesson; off the script it asks `client`."""

    def __init__(self, tutor: Tutor, client: BotClient) -> None:
        self._tutor = tutor
        self._client = client

    @override
    def start(self) -> None:
        self._client.start()

    @override
    def ask(self, observation: Observation[Any], on_answer: OnAnswer) -> None:
        scripted = self._tutor.scripted()
        if scripted is None:
            self._client.ask(observation, on_answer)
        else:
            on_answer(scripted)

    @override
    def reseat(self, lineup: Lineup) -> None:
        self._client.reseat(lineup)

    @override
    def hurry(self) -> None:
        self._client.hurry()

    @override
    def stop(self) -> None:
        self._client.stop()


def lesson_of(game: Game[Any]) -> Lesson:
    """Return the lesson of a game; raises PluginError if it has none, and LessonFileError."""
    path = game.display.lesson()
    if path is None:
        raise PluginError(f"{game.title} has no lesson. fix: `cardhub rules {game.name}`")
    return read_lesson(path, game.phases)


def set_up_lesson(game: Game[Any], lesson: Lesson) -> Referee[Any]:
    """Return the referee of a new lesson; raises as `open_lesson`."""
    kinds = (HUMAN, *(lesson.bot for _ in lesson.players[1:]))
    players = [Player(player, kind) for player, kind in zip(lesson.players, kinds, strict=True)]
    return set_up(game, players, lesson.options, lesson.seed, commitment_to(lesson.seed))


def resumed_tutor(game: Game[Any], lesson: Lesson, record: Record, referee: Referee[Any]) -> Tutor:
    """Return the tutor of a lesson that goes on from its record; raises RecordError.

    `referee` has come to the end of the record.
    """
    past = open_record(game, record)
    tutor = Tutor(lesson, past)
    replayed(record, past)
    tutor.move_to(referee)
    return tutor


def open_lesson(
    registry: PluginRegistry, name: str, scheduler: Scheduler, pace: float = 0
) -> LessonHost:
    """Return the table of a game's lesson, without a record; `begin` on it starts the bots.

    Raises PluginError, OptionError, BotError or LessonFileError if it cannot be opened.
    """
    game = registry.game(name)
    lesson = lesson_of(game)
    referee = set_up_lesson(game, lesson)
    referee.proceed()
    with ExitStack() as stack:
        bots = stack.enter_context(seated(registry, referee))
        tutor = Tutor(lesson, referee)
        choosing = InlineBotClient(lambda seen: choose(bots[seen.seat], seen))
        scripted = ScriptedClient(tutor, choosing)
        hint = registry.default_hint(name)
        advise = partial(ask_adviser, advisers_of(referee, registry, hint), registry)
        adviser = InlineBotClient(advise)
        host = LessonHost(referee, scripted, adviser, scheduler, hint=hint, pace=pace)
        host.tutor = tutor
        host.resources = stack.pop_all()
    return host
