"""Questions to a server that have not been answered yet, and their answers by number."""

from collections.abc import Callable
from itertools import count
from typing import NamedTuple

from cardhub.online.wire.client_messages import (
    AnyClientMessage,
    AskExplain,
    AskPast,
    AskSays,
    AskWhy,
)
from cardhub.online.wire.server_messages import AnswerMessage, PastView
from cardhub.play.host.session import Tell
from cardhub.view.spots import Spot
from cardhub.view.view import View

# Sends a message. One with the same key that has not left yet is replaced.
Send = Callable[[AnyClientMessage, str], None]
ShowPast = Callable[[View], None]


class _Question(NamedTuple):
    key: str
    message: AnyClientMessage
    tell: Tell | None
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

    def explain(self, spot: Spot, tell: Tell) -> None:
        """Ask for the description of a spot."""
        self._ask("explain", spot, lambda number: AskExplain(id=number, spot=spot), tell)

    def says(self, action: int, tell: Tell) -> None:
        """Ask for the consequence of an action."""
        self._ask("says", action, lambda number: AskSays(id=number, action=action), tell)

    def why(self, asked: Spot | str, tell: Tell) -> None:
        """Ask why a spot or a text is no legal action."""
        self._ask("why", asked, lambda number: AskWhy(id=number, asked=asked), tell)

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
        self, key: str, about: object, message: Callable[[int], AnyClientMessage], tell: Tell
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
