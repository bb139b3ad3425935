"""The session of a person, or of a spectator, at a table of a server."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace
from typing_extensions import override

from cardhub.online.remote.view_checks import check_view
from cardhub.online.remote.view_matching import read_choice
from cardhub.online.wire.client_messages import (
    Act,
    AnyClientMessage,
    AskExplain,
    AskHint,
    AskPast,
    AskConsequence,
    AskWhy,
    PaceCommand,
    PlayForced,
    SetPace,
    Undo,
)
from cardhub.online.wire.server_messages import (
    AnswerMessage,
    GameInfo,
    HintMessage,
    LogMessage,
    PastView,
    TableMessage,
)
from cardhub.online.wire.wire_codec import WireError
from cardhub.play.session import Hint, OnReply, PaceRequest, Session, TableStatus
from cardhub.view.result_view import ResultView
from cardhub.view.view import CardCatalogue, LogLine, Spot, SummaryView, View

# Sends a message. One with the same key that has not left yet is replaced.
Send = Callable[[AnyClientMessage, str], None]
ShowPast = Callable[[View], None]


class _Question(NamedTuple):
    key: str
    message: AnyClientMessage
    tell: OnReply | None
    show: ShowPast | None


class OpenQuestions:
    """Sends questions of a person, and again after a lost connection.

    Of questions about spots, which follow the cursor, only the last one of each kind is open.
    Answers about the present view are kept until it changes.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._numbers = count(1)
        self._open: dict[int, _Question] = {}
        self._told: dict[tuple[str, object], str] = {}
        self._asked: dict[int, tuple[str, object]] = {}

    @property
    def is_waiting(self) -> bool:
        """Whether an answer is missing."""
        return bool(self._open)

    def number(self) -> int:
        """Return the number of the next message."""
        return next(self._numbers)

    def drop(self, number: int) -> None:
        """Forget a question that was refused."""
        self._open.pop(number, None)
        self._asked.pop(number, None)

    def explain(self, spot: Spot, tell: OnReply) -> None:
        """Ask for the description of a spot."""
        self._ask("explain", spot, lambda number: AskExplain(id=number, spot=spot), tell)

    def consequence(self, action: int, tell: OnReply) -> None:
        """Ask for the consequence of an action."""
        self._ask(
            "consequence", action, lambda number: AskConsequence(id=number, action=action), tell
        )

    def why(self, asked: Spot | str, tell: OnReply) -> None:
        """Ask why a spot or a text is no legal action."""
        self._ask("why", asked, lambda number: AskWhy(id=number, subject=asked), tell)

    def past(self, step: int, show: ShowPast) -> None:
        """Ask for the view after a step."""
        number = next(self._numbers)
        self._put(number, _Question("past", AskPast(id=number, step=step), None, show))

    def answer(self, message: AnswerMessage) -> None:
        """Give an answer to its question, if that is open."""
        question = self._open.pop(message.id, None)
        asked = self._asked.pop(message.id, None)
        if question is not None and question.tell is not None:
            if asked is not None:
                self._told[asked] = message.text
            question.tell(message.text)

    def show_past(self, message: PastView) -> None:
        """Give a past view to its question, if that is open; no view is no answer."""
        question = self._open.pop(message.id, None)
        if question is not None and question.show is not None and message.view is not None:
            question.show(message.view)

    def outdate(self) -> None:
        """Forget answers: they were about an earlier view."""
        self._told.clear()
        self._asked.clear()

    def send_again(self) -> None:
        """Send all open questions over a new connection."""
        for question in tuple(self._open.values()):
            self._send(question.message, question.key)

    def _ask(
        self, key: str, about: object, message: Callable[[int], AnyClientMessage], tell: OnReply
    ) -> None:
        if (key, about) in self._told:
            tell(self._told[key, about])
            return
        number = next(self._numbers)
        self._asked[number] = (key, about)
        self._put(number, _Question(key, message(number), tell, None))

    def _put(self, number: int, question: _Question) -> None:
        dropped = [n for n, other in self._open.items() if other.key == question.key]
        for other in dropped:
            del self._open[other]
            self._asked.pop(other, None)
        self._open[number] = question
        self._send(question.message, question.key)


LOST = "The connection was lost. fix: try again."
NO_TAKEBACK = "There is no action of yours that could be taken back now."
# The most lines of a log that are kept.
MOST_LINES = 100_000


class RemoteSession(Session):
    """The session of the viewer of a game at a server, made of the last messages about it.

    `now` returns the time in seconds. A refusal that answers no action or undo goes to `notice`.
    """

    def __init__(
        self, game: GameInfo, table: TableMessage, send: Send, now: Callable[[], float]
    ) -> None:
        self.viewer = table.view.viewer
        self.notice: OnReply = lambda text: None
        self._game, self._send, self._now = game, send, now
        self._questions = OpenQuestions(send)
        self._lines: list[LogLine] = []
        self._listeners: list[Callable[[], None]] = []
        # The revision of an action that has been sent, and the callback for a refusal.
        self._acting: int | None = None
        self._number = 0
        self._refused: OnReply | None = None
        self._hinted: Callable[[Hint | str], None] | None = None
        self._read: tuple[SummaryView, ...] = ()
        self._thinking_since = now()
        self._table = table
        self.show(table)

    @property
    def is_answering(self) -> bool:
        """Whether an action or a question has not been answered yet."""
        return bool(self._refused or self._hinted or self._questions.is_waiting)

    @property
    def is_forced(self) -> bool:
        """Whether own turns with one legal action are played at once."""
        return self._table.is_forced

    def show(self, table: TableMessage) -> None:
        """Take a new message of the table; raises WireError if it cannot be drawn."""
        check_view(table.view, self._game.catalogue)
        if table.view.viewer != self.viewer:
            raise WireError("a view of another viewer")
        is_next = self._table.view.revision != table.view.revision
        if is_next:
            self._questions.outdate()
        if is_next or self._table.status.thinking is None:
            self._thinking_since = self._now()
        self._table = table
        if self._acting != table.view.revision:
            self._acting = self._refused = None
        if self._read != table.summaries[: len(self._read)]:
            self._read = ()
        self._tell_all()

    def change_game(self, game: GameInfo) -> None:
        """Take the same game again, told after a new connection."""
        check_view(self._table.view, game.catalogue)
        self._game = game

    def add_log(self, message: LogMessage) -> None:
        """Replace the end of the log; raises WireError if it gets too long."""
        kept = [line for line in self._lines if line.step < message.since] if message.since else []
        if len(kept) + len(message.lines) > MOST_LINES:
            raise WireError("the log is too long")
        self._lines = [*kept, *message.lines]
        self._tell_all()

    def answer(self, message: AnswerMessage) -> None:
        """Take the answer to a question."""
        self._questions.answer(message)
        self._tell_all()

    def show_past(self, message: PastView) -> None:
        """Take a past view; raises WireError if it cannot be drawn."""
        if message.view is not None:
            check_view(message.view, self._game.catalogue)
        self._questions.show_past(message)

    def show_hint(self, message: HintMessage) -> None:
        """Take a hint, or the reason why there is none; one that was dropped is ignored."""
        answer, self._hinted = self._hinted, None
        if answer is not None:
            answer(message.why_none or Hint(message.bot, message.rows, message.why))

    def refuse(self, why: str, number: int = 0) -> None:
        """Take the refusal of a message with a number, or of one without, such as an action's."""
        refused: OnReply | None = None
        if number in (0, self._number):
            refused, self._refused, self._acting = self._refused, None, None
        self._questions.drop(number)
        (refused or self.notice)(why)
        self._tell_all()

    def connect_again(self) -> None:
        """Ask again over a new connection; an action that may be lost has to be taken again."""
        waiting = self._refused, self._hinted
        self._refused = self._acting = self._hinted = None
        for told in filter(None, waiting):
            told(LOST)
        self._questions.send_again()

    def heard(self) -> int:
        """Return the number of the last step of the log, 0 without one."""
        return self._lines[-1].step if self._lines else 0

    @property
    @override
    def catalogue(self) -> CardCatalogue:
        return self._game.catalogue

    @override
    def view(self) -> View:
        return self._table.view

    @override
    def view_at(self, step: int, tell: ShowPast) -> None:
        self._questions.past(step, tell)

    @override
    def log(self, since: int = 0) -> Sequence[LogLine]:
        return [line for line in self._lines if line.step > since] if since else self._lines

    @override
    def course(self) -> TableStatus:
        status = self._table.status
        if status.thinking is None:
            return status
        # The server reports that a bot is thinking, but not since when.
        passed = self._now() - self._thinking_since
        return replace(status, thinking=status.thinking + passed)

    @override
    def subscribe(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    @override
    def act(self, action: int, revision: int, refused: OnReply) -> None:
        if self._acting == revision:
            return  # a key that was pressed twice
        self._acting, self._refused, self._number = revision, refused, self._questions.number()
        self._send(Act(action=action, rev=revision, id=self._number), "")

    @override
    def undo(self, refused: OnReply) -> None:
        number, revision = self._questions.number(), self.view().revision
        self._acting, self._refused, self._number = revision, refused, number
        self._send(Undo(id=number), "")

    @override
    def why_no_undo(self) -> str:
        return self._table.why_no_undo

    @override
    def why_no_takeback(self) -> str:
        return "" if self._table.can_take_back else NO_TAKEBACK

    @override
    def hint(self, answer: Callable[[Hint | str], None]) -> None:
        self._hinted = answer
        self._send(AskHint(), "")

    @override
    def cancel_hint(self) -> None:
        if self._hinted is not None:
            self._hinted = None
            self._send(AskHint(request="cancel"), "")

    @override
    def hurry_hint(self) -> None:
        self._send(AskHint(request="hurry"), "")

    @override
    def explain(self, spot: Spot, tell: OnReply) -> None:
        self._questions.explain(spot, tell)

    @override
    def consequence(self, action: int, tell: OnReply) -> None:
        self._questions.consequence(action, tell)

    @override
    def why_not(self, asked: Spot | str, tell: OnReply) -> None:
        self._questions.why(asked, tell)

    @override
    def read(self, text: str) -> int | str:
        return read_choice(self.view(), text)

    @override
    def unseen(self) -> Sequence[str]:
        return self._table.unseen

    @override
    def unread_summaries(self) -> Sequence[SummaryView]:
        return self._table.summaries[len(self._read) :]

    @override
    def wish(self, wish: PaceRequest) -> None:
        if wish == "read":
            self._read = self._table.summaries
        self._send(PaceCommand(command=wish), "")

    @override
    def set_pace(self, seconds: float) -> None:
        self._send(SetPace(seconds=seconds), "pace")

    @override
    def plays_forced(self, is_on: bool) -> None:
        self._send(PlayForced(is_on=is_on), "forced")

    @override
    def result(self) -> ResultView | None:
        return self._table.result

    @override
    def rules(self) -> str:
        return self._game.rules

    @override
    def seed(self) -> str:
        return self._table.seed

    @override
    def leave(self) -> None:
        self._listeners.clear()

    def _tell_all(self) -> None:
        for listener in tuple(self._listeners):
            listener()
