"""Tables as front ends know them, in this process or on another machine."""

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from cardhub.play.host.session import Session
from cardhub.play.seating import Player


class TableAccess(Protocol):
    """A table with the sessions of its people at this terminal; `Host` is the local one.

    A gate is a condition under which bots wait; only several people at one terminal need any.
    Without `stops_at_summaries` bots do not wait until summaries have been read.
    """

    stops_at_summaries: bool
    gates: list[Callable[[], bool]]

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
    def forced(self) -> Collection[int]:
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
