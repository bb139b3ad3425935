"""The session of one person: all that a front end asks of a table, local or remote.

Answers are given to callbacks, as those of a remote table arrive later; a local one calls them
before the method returns where it can.
"""

from collections.abc import Callable, Collection, Sequence
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct

from cardhub.play.advice import RatedAction
from cardhub.play.seating import Player
from cardhub.view.result_view import ResultView
from cardhub.view.view import CardCatalogue, LogLine, Spot, SummaryView, View

# Gets a text for the person.
OnReply = Callable[[str], None]

# A wish about the course of the game. `skip`: let bots act at once until the person's turn, or one
# of them while paused; it also retries after a fault, and stops a bot that ignored an earlier one.
# `step`: let one action count; `retry` and `stop`: the bot that failed or does not answer; `wait`:
# go on waiting for a slow bot; `read`: the unread summaries have been read, so bots may go on.
PaceRequest = Literal["pause", "resume", "step", "skip", "retry", "stop", "wait", "read"]


class Hint(NamedTuple):
    """A bot's rated actions as text, the best first, and one sentence of why.

    A `value_text` is in the game's unit or a percentage, with "about equal" if it nearly equals the
    best one.
    """

    bot: str
    rows: Sequence[RatedAction]
    why: str


class TableStatus(Struct, frozen=True, gc=False, kw_only=True, omit_defaults=True):
    """How a game is going on: whether it is paused, the pace, and the bot that is asked.

    `pace` is in seconds for each action of a bot. `thinking` is the number of seconds since the bot
    to act was asked, None if none is. `is_slow`: it has not answered for so long that people are
    asked whether to wait; `is_unresponsive`: it ignored the wish to hurry. `fault` is the public
    text of a bot's fault that the table waits for a decision on. `failure` tells why the table
    cannot go on at all: the record cannot be written.
    """

    is_paused: bool = False
    is_waiting: bool = False
    pace: float = 0
    thinking: float | None = None
    is_slow: bool = False
    is_unresponsive: bool = False
    fault: str | None = None
    failure: str | None = None


class Session(Protocol):
    """The view and the actions of one person at a table; no other interface reaches the referee.

    `viewer` is the own seat, the number of seats for a spectator, or -1 for a viewer who sees all.
    """

    viewer: int

    @property
    def catalogue(self) -> CardCatalogue:
        """All faces and backs of the game."""
        ...

    def view(self) -> View:
        """Return the present view."""
        ...

    def view_at(self, step: int, on_view: Callable[[View], None]) -> None:
        """Tell the view after a past step, a number from 0 for the deal; it has no choices."""
        ...

    def log(self, since: int = 0) -> Sequence[LogLine]:
        """Return the lines of the log of the steps after `since`; by default all so far."""
        ...

    def status(self) -> TableStatus:
        """Return how the game is going on."""
        ...

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Call `listener` after every change of view, log or course."""
        ...

    def act(self, action: int, revision: int, on_refusal: OnReply) -> None:
        """Carry out an action chosen at a revision of the view; a refusal has its reason."""
        ...

    def undo(self, on_refusal: OnReply) -> None:
        """Take the person's last action back, or tell why not."""
        ...

    def why_no_undo(self) -> str:
        """Return why no action can be taken back; empty if one can."""
        ...

    def why_no_takeback(self) -> str:
        """Return why the person cannot ask the others for a takeback; empty if they can."""
        ...

    def hint(self, on_answer: Callable[[Hint | str], None]) -> None:
        """Ask the bot for hints; the record notes it. Without a hint the answer says why."""
        ...

    def cancel_hint(self) -> None:
        """Drop a hint that was asked for."""
        ...

    def hurry_hint(self) -> None:
        """Have the bot answer with its best action so far."""
        ...

    def explain(self, spot: Spot, on_reply: OnReply) -> None:
        """Describe a spot: its title, and in a second line a card's text, faces and place."""
        ...

    def consequence(self, action: int, on_reply: OnReply) -> None:
        """Describe the consequence of a legal action; the text may be empty."""
        ...

    def why_not(self, asked: Spot | str, on_reply: OnReply) -> None:
        """Tell why a spot or a typed text is no legal action, or which actions it has."""
        ...

    def read(self, text: str) -> int | str:
        """Return the action that a typed text means, or why it means none."""
        ...

    def unseen(self) -> Sequence[str]:
        """Return lines with the faces that the viewer has not seen, one for each back."""
        ...

    def unread_summaries(self) -> Sequence[SummaryView]:
        """Return the summaries since the last wish `read`, which bots wait for."""
        ...

    def request(self, request: PaceRequest) -> None:
        """Wish for a change of the course; a table without people's bots may ignore it."""
        ...

    def set_pace(self, seconds: float) -> None:
        """Set the least number of seconds for each action of a bot."""
        ...

    def play_only_choices(self, is_on: bool) -> None:
        """Choose whether the person's turns with one legal action are played at once."""
        ...

    def result(self) -> ResultView | None:
        """Return the result with scores by cause; None while the game goes on."""
        ...

    def rules(self) -> str:
        """Return the rules of the game and the options in use, in Markdown."""
        ...

    def seed(self) -> str:
        """Return the seed as text: a drawn one only at the end, its commitment before."""
        ...

    def leave(self) -> None:
        """Leave the table; the record is complete at any time."""
        ...


class TableAccess(Protocol):
    """A table with the sessions of its people at this terminal; `Host` is the local one.

    A gate is a condition under which bots wait; only several people at one terminal need any.
    Without `stops_at_summaries` bots do not wait until summaries have been read.
    """

    stops_at_summaries: bool
    blockers: list[Callable[[], bool]]

    @property
    def title(self) -> str:
        """The title of the game."""
        ...

    @property
    def players(self) -> Sequence[Player]:
        """The players by seat."""
        ...

    @property
    def people(self) -> tuple[int, ...]:
        """The seats of the people at this terminal."""
        ...

    @property
    def seat(self) -> int:
        """The seat to act, as of a state."""
        ...

    @property
    def revision(self) -> int:
        """The number of changes of the state."""
        ...

    @property
    def step(self) -> int:
        """The number of the last step."""
        ...

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        ...

    @property
    def is_waiting_for_people(self) -> bool:
        """Whether the table stands still until a person at this terminal acts or decides."""
        ...

    @property
    def is_answering(self) -> bool:
        """Whether an action or a question has been sent and not been answered yet."""
        ...

    @property
    def is_paced(self) -> bool:
        """Whether actions follow slowly enough for telling each one at once."""
        ...

    @property
    def only_choice_seats(self) -> Collection[int]:
        """The seats whose turns with one legal action are played at once."""
        ...

    @property
    def shows_spectators_hands(self) -> bool:
        """Whether spectators see hands that their owners do not see."""
        ...

    def session(self, viewer: int) -> Session:
        """Return the session of a viewer, the same one each time; raises ValueError."""
        ...

    def spectator(self) -> Session:
        """Return the session of a spectator."""
        ...

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after every change; return the callback that ends this."""
        ...

    def notify(self) -> None:
        """Call all listeners."""
        ...

    def begin(self) -> None:
        """Let the game go on; called once, in the thread of the scheduler."""
        ...

    def go_on(self) -> None:
        """Let bots act again, once a gate has opened."""
        ...
