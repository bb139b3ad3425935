"""A front end's model of a table fetches once after a change, and matches answers to questions."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import pytest
from msgspec.structs import replace
from tests.play.host.conftest import Table

from cardhub.play.host.viewer_session import ViewerSession
from cardhub.play.table_commands import (
    Act,
    AskConsequence,
    AskExplain,
    AskHint,
    AskPast,
    AskWhy,
    PaceCommand,
    TableCommand,
    Undo,
)
from cardhub.play.table_messages import (
    AnswerMessage,
    HintMessage,
    OnReply,
    PastView,
    Refused,
    TableMessage,
    TableStatus,
)
from cardhub.play.table_model import LOST, TableModel
from cardhub.view.view import CardCatalogue, LogLine, Spot, View


@dataclass
class SilentLink:
    """A link that keeps commands instead of answering them, and counts how often it is read."""

    table: TableMessage
    viewer: int = 0
    sent: list[TableCommand] = field(default_factory=list)
    fetched: int = 0
    catalogue: CardCatalogue = field(default_factory=lambda: CardCatalogue(faces=(), backs=()))

    def send(self, command: TableCommand, on_reply: OnReply) -> None:
        """Keep a command."""
        self.sent.append(command)

    def rules(self) -> str:
        """Return rules."""
        return "# Rules"

    def table_message(self) -> TableMessage:
        """Return the table."""
        self.fetched += 1
        return self.table

    def status(self) -> TableStatus:
        """Return the status of the table."""
        return self.table.status

    def log(self, since: int = 0) -> Sequence[LogLine]:
        """Return an empty log."""
        return []


@pytest.fixture
def link() -> SilentLink:
    """Return the link of a person to act at a table of two people."""
    session: ViewerSession = Table(people=(0, 1)).begin().host.session(0)
    return SilentLink(session.table_message())


def next_view(link: SilentLink, model: TableModel) -> None:
    """Let the table change."""
    view = replace(link.table.view, revision=link.table.view.revision + 1)
    link.table = replace(link.table, view=view)
    model.outdate()


def test_the_table_is_fetched_once_after_a_change_and_only_if_somebody_looks(
    link: SilentLink,
) -> None:
    model = TableModel(link)
    for _ in range(3):
        next_view(link, model)
    assert link.fetched == 0
    assert model.view() is model.view() is model.table.view
    assert (link.fetched, model.seed()) == (1, link.table.seed)


def test_an_action_is_sent_once_for_each_revision(link: SilentLink) -> None:
    model, refusals = TableModel(link), list[str]()
    revision = model.view().revision
    for _ in range(2):
        model.act(1, revision, refusals.append)
    assert link.sent == [Act(action=1, rev=revision, id=1)]
    assert model.is_answering
    model.receive(Refused(why="no", id=1))
    assert refusals == ["no"]
    assert not model.is_answering
    model.act(1, revision, refusals.append)
    next_view(link, model)
    assert not model.is_answering
    assert len(link.sent) == 2


def test_a_refusal_belongs_to_the_action_only_if_it_has_its_number(link: SilentLink) -> None:
    model, refusals, notices = TableModel(link), list[str](), list[str]()
    model.on_notice = notices.append
    model.undo(refusals.append)
    assert link.sent == [Undo(id=1)]
    model.receive(Refused(why="another message", id=9))
    model.receive(Refused(why="a message without a number"))
    assert (notices, refusals) == (["another message"], ["a message without a number"])


def test_an_answer_reaches_the_latest_question_of_its_kind(link: SilentLink) -> None:
    model, answers = TableModel(link), list[str]()
    for seat in (0, 1):
        model.explain(Spot("seat", seat), answers.append)
    model.why_not("dance", answers.append)
    model.receive(AnswerMessage(id=1, text="a seat left by the cursor"))
    model.receive(AnswerMessage(id=2, text="Bob"))
    assert answers == ["Bob"]
    assert model.is_answering
    model.receive(AnswerMessage(id=3, text="not legal"))
    assert answers == ["Bob", "not legal"]
    assert not model.is_answering
    kinds = [type(command) for command in link.sent]
    assert kinds == [AskExplain, AskExplain, AskWhy]


def test_answers_are_cached_until_the_view_changes(link: SilentLink) -> None:
    model, answers = TableModel(link), list[str]()
    model.consequence(1, answers.append)
    model.receive(AnswerMessage(id=1, text="it gains"))
    model.consequence(1, answers.append)
    assert answers == ["it gains", "it gains"]
    assert link.sent == [AskConsequence(id=1, action=1)]
    next_view(link, model)
    model.consequence(1, answers.append)
    assert len(link.sent) == 2


def test_an_answer_about_an_earlier_view_is_not_cached(link: SilentLink) -> None:
    model, answers = TableModel(link), list[str]()
    model.consequence(1, answers.append)
    next_view(link, model)
    model.view()
    model.receive(AnswerMessage(id=1, text="late"))
    model.consequence(1, answers.append)
    assert answers == ["late"]
    assert len(link.sent) == 2


def test_a_past_view_is_passed_on_and_a_missing_step_closes_its_question(
    link: SilentLink,
) -> None:
    model, views = TableModel(link), list[View]()
    model.view_at(0, views.append)
    model.receive(PastView(id=1, view=link.table.view))
    model.view_at(99, views.append)
    model.receive(PastView(id=2, view=None))
    assert views == [link.table.view]
    assert not model.is_answering
    assert link.sent == [AskPast(id=1, step=0), AskPast(id=2, step=99)]


def test_a_cancelled_hint_is_dropped(link: SilentLink) -> None:
    model, hints = TableModel(link), list[HintMessage]()
    model.cancel_hint()
    assert link.sent == []
    model.hint(hints.append)
    model.cancel_hint()
    model.receive(HintMessage(why_none="late"))
    assert hints == []
    assert link.sent == [AskHint(), AskHint(request="cancel")]


def test_the_table_is_fetched_again_after_a_request(link: SilentLink) -> None:
    """Summaries that were just acknowledged must not be shown once more."""
    model = TableModel(link)
    model.view()
    model.request("read")
    model.view()
    assert link.fetched == 2
    assert link.sent == [PaceCommand(command="read")]


def test_after_a_lost_connection_questions_are_sent_again_and_actions_are_reported(
    link: SilentLink,
) -> None:
    model, texts, hints = TableModel(link), list[str](), list[HintMessage]()
    model.act(1, model.view().revision, texts.append)
    model.hint(hints.append)
    model.explain(Spot("seat", 0), texts.append)
    model.connect_again()
    assert texts == [hint.why_none for hint in hints] == [LOST]
    assert link.sent[-1] == AskExplain(id=2, spot=Spot("seat", 0))
    model.receive(AnswerMessage(id=2, text="Anna"))
    assert texts == [LOST, "Anna"]
    assert not model.is_answering
