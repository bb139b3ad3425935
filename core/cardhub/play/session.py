"""One person's access to a table, local or remote, as front ends use it.

Answers go to callbacks, because the answers of a remote table arrive later; a local table calls
them before the method returns if it can.
"""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple, Protocol

from cardhub.play.advice import RatedAction
from cardhub.play.seating import Player
from cardhub.play.table_commands import PaceRequest
from cardhub.play.table_messages import TableStatus
from cardhub.view.result_view import ResultView
from cardhub.view.view import CardCatalogue, LogLine, Spot, SummaryView, View

# Called with a text for the person.
OnReply = Callable[[str], None]


class Hint(NamedTuple):
    """A bot's rated actions as text, the best first, and one sentence that gives the reason.

    A `value_text` is in the game's unit or a percentage, with "about equal" if the value nearly
    equals the best.
    """

    bot: str
    rows: Sequence[RatedAction]
    why: str


class Session(Protocol):
    """One person's access to a table. Front ends must not use the referee in any other way.

    `viewer` is the person's seat, the number of seats for a spectator, or -1 for a viewer who sees
    all cards.
    """

    viewer: int

    @property
    def catalogue(self) -> CardCatalogue:
        """All faces and backs of the game."""
        ...

    def view(self) -> View:
        """Return the current view."""
        ...

    def view_at(self, step: int, on_view: Callable[[View], None]) -> None:
        """Pass the view after a past step to `on_view`; step 0 is the deal. It has no choices."""
        ...

    def log(self, since: int = 0) -> Sequence[LogLine]:
        """Return the lines of the log of the steps after `since`; by default all lines."""
        ...

    def status(self) -> TableStatus:
        """Return the status of the game."""
        ...

    def subscribe(self, listener: Callable[[], None]) -> None:
        """Call `listener` after every change of view, log or status."""
        ...

    def act(self, action: int, revision: int, on_refusal: OnReply) -> None:
        """Take an action chosen at a revision of the view; a refusal states its reason."""
        ...

    def undo(self, on_refusal: OnReply) -> None:
        """Undo the person's last action, or pass the reason against it to `on_refusal`."""
        ...

    def why_no_undo(self) -> str:
        """Return why the person cannot undo an action; empty if they can."""
        ...

    def why_no_takeback(self) -> str:
        """Return why the person cannot ask the others for a takeback; empty if they can."""
        ...

    def hint(self, on_answer: Callable[[Hint | str], None]) -> None:
        """Ask the bot for a hint, and note it in the record. Answer a hint or why there is none."""
        ...

    def cancel_hint(self) -> None:
        """Cancel the request for a hint."""
        ...

    def hurry_hint(self) -> None:
        """Ask the bot of the hint to stop searching and answer."""
        ...

    def explain(self, spot: Spot, on_reply: OnReply) -> None:
        """Describe a spot: its title, and for a card a second line with text, faces and place."""
        ...

    def consequence(self, action: int, on_reply: OnReply) -> None:
        """Describe the consequence of a legal action; the text may be empty."""
        ...

    def why_not(self, asked: Spot | str, on_reply: OnReply) -> None:
        """Explain why a spot or typed text is not legal, or list the actions that it has."""
        ...

    def read(self, text: str) -> int | str:
        """Return the action that a typed text means, or why it does not mean an action."""
        ...

    def unseen(self) -> Sequence[str]:
        """Return the faces that the viewer has not seen, one line for each back."""
        ...

    def unread_summaries(self) -> Sequence[SummaryView]:
        """Return the summaries since the last request `read`; bots wait until they are read."""
        ...

    def request(self, request: PaceRequest) -> None:
        """Request a change of the pace; a table that does not run its bots may ignore it."""
        ...

    def set_pace(self, seconds: float) -> None:
        """Set the minimum number of seconds for each action of a bot."""
        ...

    def play_only_choices(self, is_on: bool) -> None:
        """Set whether the table plays the person's turns with one legal action."""
        ...

    def result(self) -> ResultView | None:
        """Return the result with scores by cause, or None before the end of the game."""
        ...

    def rules(self) -> str:
        """Return the rules of the game and the options in use, in Markdown."""
        ...

    def seed(self) -> str:
        """Return the seed as text; before the end of the game, a drawn seed's commitment."""
        ...

    def leave(self) -> None:
        """Leave the table; the record is complete at any time."""
        ...


class TableAccess(Protocol):
    """A table with the sessions of its people at this terminal; `Host` is the local table.

    A blocker is a condition under which bots wait, for several people at one terminal. If
    `stops_at_summaries` is False, bots do not wait until summaries have been read.
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
        """The seat to act, CHANCE or OVER."""
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
        """Whether the table waits until a person at this terminal acts or decides."""
        ...

    @property
    def is_answering(self) -> bool:
        """Whether the answer to an action or a question is pending."""
        ...

    @property
    def is_paced(self) -> bool:
        """Whether the pace is slow enough to announce every action immediately."""
        ...

    @property
    def only_choice_seats(self) -> Collection[int]:
        """The seats whose turns with one legal action the table plays."""
        ...

    @property
    def shows_spectators_hands(self) -> bool:
        """Whether spectators see hands that their owners do not see."""
        ...

    def session(self, viewer: int) -> Session:
        """Return the session of a viewer, the same at every call; raises ValueError."""
        ...

    def spectator(self) -> Session:
        """Return the session of a spectator."""
        ...

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after every change; return a function that unsubscribes it."""
        ...

    def notify(self) -> None:
        """Call all listeners."""
        ...

    def begin(self) -> None:
        """Start the game; called once, in the thread of the scheduler."""
        ...

    def go_on(self) -> None:
        """Resume bot turns after a blocker is removed."""
        ...
