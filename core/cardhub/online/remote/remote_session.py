"""The session of a person or a spectator at a table of a server, and its open questions."""

from collections.abc import Callable, Sequence
from itertools import count
from typing import NamedTuple

from msgspec.structs import replace
from typing_extensions import override

from cardhub.online.remote.view_checks import check_view
from cardhub.online.remote.view_matching import read_choice
from cardhub.online.wire.client_messages import AnyClientMessage
from cardhub.online.wire.wire_codec import WireError
from cardhub.play.session import Hint, OnReply, Session
from cardhub.play.table_commands import (
    Act,
    AskConsequence,
    AskExplain,
    AskHint,
    AskPast,
    AskWhy,
    PaceCommand,
    PaceRequest,
    PlayForced,
    SetPace,
    Undo,
)
from cardhub.play.table_messages import (
    AnswerMessage,
    GameInfo,
    HintMessage,
    LogMessage,
    PastView,
    TableMessage,
    TableStatus,
)
from cardhub.view.result_view import ResultView
from cardhub.view.view import CardCatalogue, LogLine, Spot, SummaryView, View

# Sends a message, which replaces an unsent message with the same key.
Send = Callable[[AnyClientMessage, str], None]
ShowPast = Callable[[View], None]


class _Question(NamedTuple):
    key: str
    message: AnyClientMessage
    on_reply: OnReply | None
    on_view: ShowPast | None


class OpenQuestions:
    """Questions without an answer yet, which are sent again after a lost connection.

    Questions about spots follow the cursor, so only the latest question of each kind stays open.
    Answers about the present view are cached until the view changes.
    """

    def __init__(self, send: Send) -> None:
        self._send = send
        self._numbers = count(1)
        self._open: dict[int, _Question] = {}
        self._answers: dict[tuple[str, object], str] = {}
        self._asked: dict[int, tuple[str, object]] = {}

    @property
    def is_waiting(self) -> bool:
        """Whether a question is open."""
        return bool(self._open)

    def number(self) -> int:
        """Return the number of the next message."""
        return next(self._numbers)

    def drop(self, number: int) -> None:
        """Forget a question that the server refused."""
        self._open.pop(number, None)
        self._asked.pop(number, None)

    def explain(self, spot: Spot, on_reply: OnReply) -> None:
        """Ask for the description of a spot."""
        self._ask("explain", spot, lambda number: AskExplain(id=number, spot=spot), on_reply)

    def consequence(self, action: int, on_reply: OnReply) -> None:
        """Ask for the consequence of an action."""
        self._ask(
            "consequence", action, lambda number: AskConsequence(id=number, action=action), on_reply
        )

    def why(self, subject: Spot | str, on_reply: OnReply) -> None:
        """Ask why a spot or a text is not a legal action."""
        self._ask("why", subject, lambda number: AskWhy(id=number, subject=subject), on_reply)

    def past(self, step: int, on_view: ShowPast) -> None:
        """Ask for the view after a step."""
        number = next(self._numbers)
        self._put(number, _Question("past", AskPast(id=number, step=step), None, on_view))

    def answer(self, message: AnswerMessage) -> None:
        """Pass an answer on to its question; ignore it if the question is not open."""
        question = self._open.pop(message.id, None)
        asked = self._asked.pop(message.id, None)
        if question is not None and question.on_reply is not None:
            if asked is not None:
                self._answers[asked] = message.text
            question.on_reply(message.text)

    def show_past(self, message: PastView) -> None:
        """Pass a past view on to its question; ignore it if the question is not open.

        If the step does not exist, the question is closed without an answer.
        """
        question = self._open.pop(message.id, None)
        if question is not None and question.on_view is not None and message.view is not None:
            question.on_view(message.view)

    def outdate(self) -> None:
        """Discard all cached answers, because the view has changed."""
        self._answers.clear()
        self._asked.clear()

    def send_again(self) -> None:
        """Send all open questions again over a new connection."""
        for question in tuple(self._open.values()):
            self._send(question.message, question.key)

    def _ask(
        self, key: str, about: object, message: Callable[[int], AnyClientMessage], on_reply: OnReply
    ) -> None:
        if (key, about) in self._answers:
            on_reply(self._answers[key, about])
            return
        number = next(self._numbers)
        self._asked[number] = (key, about)
        self._put(number, _Question(key, message(number), on_reply, None))

    def _put(self, number: int, question: _Question) -> None:
        dropped = [n for n, other in self._open.items() if other.key == question.key]
        for other in dropped:
            del self._open[other]
            self._asked.pop(other, None)
        self._open[number] = question
        self._send(question.message, question.key)


LOST = "The connection was lost. fix: try again."
NO_TAKEBACK = "You have no action that can be taken back now."
# The maximum length of a log, in lines.
MOST_LINES = 100_000


class RemoteSession(Session):
    """One viewer's session of a game at a server, based on the server's latest messages.

    `now`: a function that returns the time in seconds. `on_notice` is called with every refusal
    that does not answer an action or an undo.
    """

    def __init__(
        self, game: GameInfo, table: TableMessage, send: Send, now: Callable[[], float]
    ) -> None:
        self.viewer = table.view.viewer
        self.on_notice: OnReply = lambda text: None
        self._game, self._send, self._now = game, send, now
        self._questions = OpenQuestions(send)
        self._lines: list[LogLine] = []
        self._listeners: list[Callable[[], None]] = []
        # The revision at which an action was sent, and the callback for its refusal.
        self._sent_revision: int | None = None
        self._number = 0
        self._on_refusal: OnReply | None = None
        self._on_hint: Callable[[Hint | str], None] | None = None
        self._read: tuple[SummaryView, ...] = ()
        self._thinking_since = now()
        self._table = table
        self.show(table)

    @property
    def is_answering(self) -> bool:
        """Whether the server still has to answer an action or a question."""
        return bool(self._on_refusal or self._on_hint or self._questions.is_waiting)

    @property
    def is_forced(self) -> bool:
        """Whether the server plays the person's turns with a single legal action automatically."""
        return self._table.is_forced

    def show(self, table: TableMessage) -> None:
        """Show a new message of the table. Raises WireError if the view cannot be drawn."""
        check_view(table.view, self._game.catalogue)
        if table.view.viewer != self.viewer:
            raise WireError("a view of another viewer")
        is_next = self._table.view.revision != table.view.revision
        if is_next:
            self._questions.outdate()
        if is_next or self._table.status.thinking is None:
            self._thinking_since = self._now()
        self._table = table
        if self._sent_revision != table.view.revision:
            self._sent_revision = self._on_refusal = None
        if self._read != table.summaries[: len(self._read)]:
            self._read = ()
        self._notify()

    def change_game(self, game: GameInfo) -> None:
        """Adopt the game's description after a reconnect."""
        check_view(self._table.view, game.catalogue)
        self._game = game

    def add_log(self, message: LogMessage) -> None:
        """Replace the end of the log. Raises WireError if the log gets too long."""
        earlier = (
            [line for line in self._lines if line.step < message.since] if message.since else []
        )
        if len(earlier) + len(message.lines) > MOST_LINES:
            raise WireError("the log is too long")
        self._lines = [*earlier, *message.lines]
        self._notify()

    def answer(self, message: AnswerMessage) -> None:
        """Handle the answer to a question."""
        self._questions.answer(message)
        self._notify()

    def show_past(self, message: PastView) -> None:
        """Handle a past view. Raises WireError if the view cannot be drawn."""
        if message.view is not None:
            check_view(message.view, self._game.catalogue)
        self._questions.show_past(message)

    def show_hint(self, message: HintMessage) -> None:
        """Handle a hint, or the reason why none is available; ignore it after a cancellation."""
        on_hint, self._on_hint = self._on_hint, None
        if on_hint is not None:
            on_hint(message.why_none or Hint(message.bot, message.rows, message.why))

    def refuse(self, why: str, number: int = 0) -> None:
        """Handle the refusal of message `number`, or of an unnumbered message if it is 0."""
        on_refusal: OnReply | None = None
        if number in (0, self._number):
            on_refusal, self._on_refusal, self._sent_revision = self._on_refusal, None, None
        self._questions.drop(number)
        (on_refusal or self.on_notice)(why)
        self._notify()

    def connect_again(self) -> None:
        """Send all open questions again over a new connection.

        An action or a hint request in flight may be lost, so its callback gets `LOST` and the
        person has to repeat it.
        """
        waiting = self._on_refusal, self._on_hint
        self._on_refusal = self._sent_revision = self._on_hint = None
        for callback in filter(None, waiting):
            callback(LOST)
        self._questions.send_again()

    def last_step(self) -> int:
        """Return the number of the last step of the log, or 0 if the log is empty."""
        return self._lines[-1].step if self._lines else 0

    @property
    @override
    def catalogue(self) -> CardCatalogue:
        return self._game.catalogue

    @override
    def view(self) -> View:
        return self._table.view

    @override
    def view_at(self, step: int, on_view: ShowPast) -> None:
        self._questions.past(step, on_view)

    @override
    def log(self, since: int = 0) -> Sequence[LogLine]:
        return [line for line in self._lines if line.step > since] if since else self._lines

    @override
    def status(self) -> TableStatus:
        status = self._table.status
        if status.thinking is None:
            return status
        # The server reports that a bot is thinking, but not since when.
        elapsed = self._now() - self._thinking_since
        return replace(status, thinking=status.thinking + elapsed)

    @override
    def subscribe(self, listener: Callable[[], None]) -> None:
        self._listeners.append(listener)

    @override
    def act(self, action: int, revision: int, on_refusal: OnReply) -> None:
        if self._sent_revision == revision:
            return  # a double press of a key
        self._sent_revision, self._on_refusal, self._number = (
            revision,
            on_refusal,
            self._questions.number(),
        )
        self._send(Act(action=action, rev=revision, id=self._number), "")

    @override
    def undo(self, on_refusal: OnReply) -> None:
        number, revision = self._questions.number(), self.view().revision
        self._sent_revision, self._on_refusal, self._number = revision, on_refusal, number
        self._send(Undo(id=number), "")

    @override
    def why_no_undo(self) -> str:
        return self._table.why_no_undo

    @override
    def why_no_takeback(self) -> str:
        return "" if self._table.can_take_back else NO_TAKEBACK

    @override
    def hint(self, on_answer: Callable[[Hint | str], None]) -> None:
        self._on_hint = on_answer
        self._send(AskHint(), "")

    @override
    def cancel_hint(self) -> None:
        if self._on_hint is not None:
            self._on_hint = None
            self._send(AskHint(request="cancel"), "")

    @override
    def hurry_hint(self) -> None:
        self._send(AskHint(request="hurry"), "")

    @override
    def explain(self, spot: Spot, on_reply: OnReply) -> None:
        self._questions.explain(spot, on_reply)

    @override
    def consequence(self, action: int, on_reply: OnReply) -> None:
        self._questions.consequence(action, on_reply)

    @override
    def why_not(self, subject: Spot | str, on_reply: OnReply) -> None:
        self._questions.why(subject, on_reply)

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
    def request(self, request: PaceRequest) -> None:
        if request == "read":
            self._read = self._table.summaries
        self._send(PaceCommand(command=request), "")

    @override
    def set_pace(self, seconds: float) -> None:
        self._send(SetPace(seconds=seconds), "pace")

    @override
    def play_only_choices(self, is_on: bool) -> None:
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

    def _notify(self) -> None:
        for listener in tuple(self._listeners):
            listener()
