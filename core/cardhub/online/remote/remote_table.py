"""A table of a server for front ends: the remote counterpart of `Host`."""

from collections.abc import Callable, Sequence

from cardhub.online.remote.remote_session import RemoteSession
from cardhub.online.remote.table_model import TableModel
from cardhub.play.seating import HUMAN, Player
from cardhub.play.session import Session


class RemoteTable:
    """One game of a table at a server for one viewer: the remote `TableAccess`.

    Each game, and each seat in it, has its RemoteTable. Unless `stops_at_summaries` is
    set, summaries are acknowledged when they arrive. Gates are never closed, because only one
    person sits at this terminal.
    """

    def __init__(self, client: TableModel, session: RemoteSession) -> None:
        self.stops_at_summaries = True
        self.blockers: list[Callable[[], bool]] = []
        self.client = client
        self._session = session

    @property
    def title(self) -> str:
        """The title of the game."""
        return self._session.view().title

    @property
    def players(self) -> Sequence[Player]:
        """The players by seat."""
        return [Player(player.name, player.bot or HUMAN) for player in self._session.view().players]

    @property
    def people(self) -> tuple[int, ...]:
        """The person's seat as a tuple, which is empty for a spectator."""
        view = self._session.view()
        return (view.viewer,) if 0 <= view.viewer < len(view.players) else ()

    @property
    def seat(self) -> int:
        """The seat to act."""
        return self._session.view().to_act

    @property
    def revision(self) -> int:
        """The revision of the view."""
        return self._session.view().revision

    @property
    def step(self) -> int:
        """The number of the last step of the log."""
        return self._session.last_step()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._session.view().is_over

    @property
    def is_waiting_for_people(self) -> bool:
        """Whether the person has to act, the game is over, or the connection has ended."""
        return bool(self._session.view().choices) or self.is_over or self.has_ended

    @property
    def has_ended(self) -> bool:
        """Whether the connection has ended, or another game or seat has replaced this one."""
        return self.client.failure is not None or self.client.session is not self._session

    @property
    def is_answering(self) -> bool:
        """Whether the server still has to answer an action or a question."""
        return self._session.is_answering and not self.has_ended

    @property
    def is_paced(self) -> bool:
        """Always True, because people take their time."""
        return True

    @property
    def only_choice_seats(self) -> tuple[int, ...]:
        """The person's seat, if its turns with a single legal action are played automatically."""
        return self.people if self._session.is_forced else ()

    @property
    def shows_spectators_hands(self) -> bool:
        """Always False: a spectator at this terminal does not hold another seat of the table."""
        return False

    def session(self, viewer: int) -> Session:
        """Return the session of `viewer`. Raises ValueError for any viewer but this terminal's."""
        if viewer != self._session.viewer:
            raise ValueError(f"viewer {viewer} is not at this terminal")
        return self._session

    def spectator(self) -> Session:
        """Return the session of a spectator. Raises ValueError if the client has a seat."""
        return self.session(len(self._session.view().players))

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after every change; return a function that ends the subscription."""
        return self.client.subscribe(listener)

    def notify(self) -> None:
        """No-op, because only the server changes the table."""

    def begin(self) -> None:
        """Start to acknowledge summaries on arrival, unless `stops_at_summaries` is set.

        The server has begun the game itself.
        """
        if not self.stops_at_summaries:
            self.client.subscribe(self._read)

    def go_on(self) -> None:
        """No-op, because the server drives the bots."""

    def _read(self) -> None:
        if self._session.unread_summaries():
            self._session.request("read")
