"""A viewer's model of a game in play, for all front ends, at a local table and over a network.

Commands go in, messages come out: answers to questions go to callbacks. A table of this process
answers before `send` returns if it can; the answers of a server arrive later.
"""

from collections.abc import Callable, Sequence
from itertools import count
from typing import NamedTuple, Protocol

from cardhub.model.game.scene import Summary
from cardhub.play.table_commands import (
    Act,
    AskConsequence,
    AskExplain,
    AskHint,
    AskPast,
    AskReview,
    AskWhy,
    PaceCommand,
    PaceRequest,
    Question,
    TableCommand,
    Undo,
)
from cardhub.play.table_messages import (
    AnswerMessage,
    HintMessage,
    OnReply,
    PastView,
    Refused,
    Reply,
    ReviewMessage,
    TableMessage,
    TableStatus,
)
from cardhub.view.view import CardCatalogue, LogLine, ResultView, Spot, View

# Called with a text for the person, with a hint, or with a past view.
OnText = Callable[[str], None]
OnHint = Callable[[HintMessage], None]
OnReview = Callable[[ReviewMessage], None]
OnView = Callable[[View], None]

LOST = "The connection was lost. fix: try again."


class TableReader(Protocol):
    """What a front end shows of a table, in play or in a replay."""

    @property
    def catalogue(self) -> CardCatalogue:
        """All faces and backs of the game."""
        ...

    def view(self) -> View:
        """Return the view that is shown."""
        ...

    def log(self, since: int = 0) -> Sequence[LogLine]:
        """Return the lines of the log of the steps after `since`; by default all lines."""
        ...

    def rules(self) -> str:
        """Return the rules of the game and the options in use, in Markdown."""
        ...

    def seed(self) -> str:
        """Return the seed as text; before the end of the game, a drawn seed's commitment."""
        ...

    def result(self) -> ResultView | None:
        """Return the result with scores by cause, or None before the end of the game."""
        ...

    def explain(self, spot: Spot, on_text: OnText) -> None:
        """Describe a spot: its title, and for a card a second line with text, faces and place."""
        ...

    def consequence(self, action: int, on_text: OnText) -> None:
        """Describe the consequence of a legal action; the text may be empty."""
        ...


class TableLink(Protocol):
    """One viewer's link to a table: commands go in, messages come out.

    `viewer` is the person's seat, the number of seats for a spectator, or -1 for a viewer who sees
    all cards. The view and the log are fetched, because a table of this process builds them only
    when a front end looks.
    """

    viewer: int

    def send(self, command: TableCommand, on_reply: OnReply) -> None:
        """Send a command; `on_reply` gets its answer or refusal, and later hints."""
        ...

    @property
    def catalogue(self) -> CardCatalogue:
        """All faces and backs of the game."""
        ...

    def rules(self) -> str:
        """Return the rules of the game and the options in use, in Markdown."""
        ...

    def table_message(self) -> TableMessage:
        """Return the current view with everything that depends on it."""
        ...

    def status(self) -> TableStatus:
        """Return the current status, with the seconds for which a bot has been thinking."""
        ...

    def log(self, since: int = 0) -> Sequence[LogLine]:
        """Return the lines of the log of the steps after `since`; by default all lines."""
        ...


class _Open(NamedTuple):
    """A question without an answer yet; `about` is its key for the cache of answers."""

    command: Question
    about: object
    on_text: OnText | None = None
    on_view: OnView | None = None


class OpenQuestions:
    """Questions without an answer yet, which are sent again after a lost connection.

    Questions about spots follow the cursor, so only the latest question of each kind stays open.
    Answers about the present view are cached until the view changes.
    """

    def __init__(self) -> None:
        self._open: dict[int, _Open] = {}
        self._answers: dict[object, str] = {}

    @property
    def is_waiting(self) -> bool:
        """Whether a question is open."""
        return bool(self._open)

    @property
    def commands(self) -> Sequence[Question]:
        """The open questions in the order of asking."""
        return [question.command for question in self._open.values()]

    def cached(self, kind: type[Question], subject: object) -> str | None:
        """Return the answer about the present view, or None if it is not cached."""
        return self._answers.get((kind, subject))

    def add(
        self, command: Question, subject: object, on_text: OnText | None, on_view: OnView | None
    ) -> None:
        """Open a question instead of the earlier one of its kind."""
        for number, other in tuple(self._open.items()):
            if type(other.command) is type(command):
                del self._open[number]
        about = type(command), subject
        self._open[command.id] = _Open(command, about, on_text, on_view)

    def drop(self, number: int) -> None:
        """Forget a question that the table refused."""
        self._open.pop(number, None)

    def answer(self, message: AnswerMessage) -> None:
        """Pass an answer on to its question; ignore it if the question is not open."""
        question = self._open.pop(message.id, None)
        if question is not None and question.on_text is not None:
            if question.about is not None:
                self._answers[question.about] = message.text
            question.on_text(message.text)

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
        for number, question in self._open.items():
            self._open[number] = question._replace(about=None)


class TableModel:
    """One viewer's game in play: its messages, the open questions, and the commands.

    Front ends must not use the referee in any other way. `on_notice` gets the refusals that do
    not answer an action or an undo.
    """

    def __init__(self, link: TableLink) -> None:
        self.viewer = link.viewer
        self.on_notice: OnText = lambda text: None
        self._link = link
        self._table: TableMessage | None = None
        self._revision = -1
        self._questions = OpenQuestions()
        self._numbers = count(1)
        # The action or undo whose effect is still to come: its revision, number, and the callback
        # for its refusal.
        self._sent_revision: int | None = None
        self._number = 0
        self._on_refusal: OnText | None = None
        self._on_hint: OnHint | None = None
        self._on_review: OnReview | None = None

    @property
    def table(self) -> TableMessage:
        """The current view with everything that depends on it, fetched once after a change."""
        if self._table is None:
            self._table = self._link.table_message()
            revision = self._table.view.revision
            if self._revision != revision:
                self._questions.outdate()
            if self._sent_revision != revision:
                self._sent_revision = self._on_refusal = None
            self._revision = revision
        return self._table

    @property
    def catalogue(self) -> CardCatalogue:
        """All faces and backs of the game."""
        return self._link.catalogue

    @property
    def is_answering(self) -> bool:
        """Whether the answer to an action or a question is pending."""
        has_acted = self._sent_revision == self.view().revision
        return has_acted or self._on_hint is not None or self._questions.is_waiting

    def view(self) -> View:
        """Return the current view."""
        return self.table.view

    def log(self, since: int = 0) -> Sequence[LogLine]:
        """Return the lines of the log of the steps after `since`; by default all lines."""
        return self._link.log(since)

    def status(self) -> TableStatus:
        """Return the status of the game."""
        return self._link.status()

    def rules(self) -> str:
        """Return the rules of the game and the options in use, in Markdown."""
        return self._link.rules()

    def seed(self) -> str:
        """Return the seed as text; before the end of the game, a drawn seed's commitment."""
        return self.table.seed

    def result(self) -> ResultView | None:
        """Return the result with scores by cause, or None before the end of the game."""
        return self.table.result

    def unread_summaries(self) -> Sequence[Summary]:
        """Return the summaries since the last request `read`; bots wait until they are read."""
        return self.table.summaries

    def send(self, command: TableCommand) -> None:
        """Send a command; a refusal goes to `on_notice`."""
        self._link.send(command, self.receive)

    def act(self, action: int, revision: int, on_refusal: OnText) -> None:
        """Take an action chosen at a revision of the view; a refusal states its reason."""
        if self._sent_revision == revision == self.view().revision:
            return  # a double press of a key
        self._number = next(self._numbers)
        self._sent_revision, self._on_refusal = revision, on_refusal
        self._link.send(Act(action=action, rev=revision, id=self._number), self.receive)

    def undo(self, on_refusal: OnText) -> None:
        """Undo the person's last action, or pass the reason against it to `on_refusal`."""
        self._number = next(self._numbers)
        self._sent_revision, self._on_refusal = self.view().revision, on_refusal
        self._link.send(Undo(id=self._number), self.receive)

    def hint(self, on_hint: OnHint) -> None:
        """Ask the bot for a hint, and note it in the record."""
        self._on_hint = on_hint
        self.send(AskHint())

    def cancel_hint(self) -> None:
        """Cancel the pending request for a hint, if any."""
        if self._on_hint is not None:
            self._on_hint = None
            self.send(AskHint(request="cancel"))

    def review(self, on_review: OnReview) -> None:
        """Have a bot review the person's moves; `on_review` is called after each decision."""
        self._on_review = on_review
        self.send(AskReview())

    def cancel_review(self) -> None:
        """End the review, if any."""
        if self._on_review is not None:
            self._on_review = None
            self.send(AskReview(request="cancel"))

    def request(self, request: PaceRequest) -> None:
        """Request a change of the pace; a server's table carries out those of its owner."""
        self.send(PaceCommand(command=request))
        self.outdate()  # summaries that were acknowledged are read from now on

    def explain(self, spot: Spot, on_text: OnText) -> None:
        """Describe a spot: its title, and for a card a second line with text, faces and place."""
        self._ask(AskExplain(id=next(self._numbers), spot=spot), spot, on_text)

    def consequence(self, action: int, on_text: OnText) -> None:
        """Describe the consequence of a legal action; the text may be empty."""
        self._ask(AskConsequence(id=next(self._numbers), action=action), action, on_text)

    def why_not(self, subject: Spot | str, on_text: OnText) -> None:
        """Explain why a spot or typed text is not legal, or list the actions that it has."""
        self._ask(AskWhy(id=next(self._numbers), subject=subject), subject, on_text)

    def view_at(self, step: int, on_view: OnView) -> None:
        """Pass the view after a past step to `on_view`; step 0 is the deal. It has no choices."""
        question = AskPast(id=next(self._numbers), step=step)
        self._questions.add(question, None, None, on_view)
        self.send(question)

    def receive(self, message: Reply) -> None:
        """Handle the answer to a command."""
        match message:
            case AnswerMessage():
                self._questions.answer(message)
            case PastView():
                self._questions.show_past(message)
            case Refused():
                self._refuse(message)
            case HintMessage() if self._on_hint is not None:  # not cancelled
                on_hint, self._on_hint = self._on_hint, None
                on_hint(message)
            case ReviewMessage() if self._on_review is not None:  # not cancelled
                self._on_review(message)

    def outdate(self) -> None:
        """Fetch the table again before it is shown next."""
        self._table = None

    def connect_again(self) -> None:
        """Send all open questions again over a new connection.

        An action or a hint request in flight may be lost, so its callback gets `LOST` and the
        person has to repeat it.
        """
        on_refusal, on_hint = self._on_refusal, self._on_hint
        self._on_refusal = self._sent_revision = self._on_hint = None
        if on_refusal is not None:
            on_refusal(LOST)
        if on_hint is not None:
            on_hint(HintMessage(why_none=LOST))
        for command in self._questions.commands:
            self.send(command)

    def _ask(self, command: Question, subject: object, on_text: OnText) -> None:
        self.table  # noqa: B018  # fetched first: an answer about an earlier view is not cached
        answer = self._questions.cached(type(command), subject)
        if answer is not None:
            on_text(answer)
            return
        self._questions.add(command, subject, on_text, None)
        self.send(command)

    def _refuse(self, message: Refused) -> None:
        """Handle the refusal of a numbered message, or of one without a number if it is 0."""
        on_refusal: OnText | None = None
        if message.id in (0, self._number):
            on_refusal, self._on_refusal, self._sent_revision = self._on_refusal, None, None
        self._questions.drop(message.id)
        (on_refusal or self.on_notice)(message.why)
