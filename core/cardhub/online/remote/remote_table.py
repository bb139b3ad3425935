"""The table of a server for a front end: the remote counterpart of a host."""

from collections.abc import Callable, Sequence

from cardhub.online.remote.remote_session import RemoteSession
from cardhub.online.remote.table_model import JoinedTable
from cardhub.play.seating import HUMAN, Player
from cardhub.play.session import Session


class RemoteTable:
    """One game of a table at a server, as one viewer sees it; it is the remote TableAccess.

    Another game, or another seat in it, is another RemoteTable. Without `stops_at_summaries`
    summaries count as read when they arrive. Nobody else sits at this terminal, so gates are never
    closed.
    """

    def __init__(self, client: JoinedTable, session: RemoteSession) -> None:
        self.stops_at_summaries = True
        self.gates: list[Callable[[], bool]] = []
        self.client = client
        self._session = session

    @property
    def title(self) -> str:
        """The title of the game."""
        return self._session.view().title

    @property
    def players(self) -> Sequence[Player]:
        """The players by seat."""
        return [Player(each.name, each.bot or HUMAN) for each in self._session.view().players]

    @property
    def people(self) -> tuple[int, ...]:
        """The own seat, if there is one."""
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
        return self._session.heard()

    @property
    def is_over(self) -> bool:
        """Whether the game has ended."""
        return self._session.view().is_over

    @property
    def is_waiting_for_people(self) -> bool:
        """Whether the own person is to act, the game is over, or the connection has ended."""
        return bool(self._session.view().choices) or self.is_over or self.has_ended

    @property
    def has_ended(self) -> bool:
        """Whether the connection has ended, or another game or seat has replaced this one."""
        return self.client.failure is not None or self.client.session is not self._session

    @property
    def is_answering(self) -> bool:
        """Whether an action or a question has been sent and not been answered yet."""
        return self._session.is_answering and not self.has_ended

    @property
    def is_paced(self) -> bool:
        """Always: people take their time."""
        return True

    @property
    def forced(self) -> tuple[int, ...]:
        """The own seat, if its turns with one legal action are played at once."""
        return self.people if self._session.is_forced else ()

    @property
    def shows_spectators_hands(self) -> bool:
        """Always False: a spectator at this terminal plays at no other seat of it."""
        return False

    def session(self, viewer: int) -> Session:
        """Return the session, which is that of the only viewer; raises ValueError."""
        if viewer != self._session.viewer:
            raise ValueError(f"viewer {viewer} is not at this terminal")
        return self._session

    def spectator(self) -> Session:
        """Return the session of a spectator; raises ValueError for a client with a seat."""
        return self.session(len(self._session.view().players))

    def subscribe(self, listener: Callable[[], None]) -> Callable[[], None]:
        """Call `listener` after every change; return the callback that ends this."""
        return self.client.subscribe(listener)

    def notify(self) -> None:
        """Do nothing: there is no change but the server's."""

    def begin(self) -> None:
        """Count summaries as read, if they do not stop at them: the server has begun the game."""
        if not self.stops_at_summaries:
            self.client.subscribe(self._read)

    def go_on(self) -> None:
        """Do nothing: the server lets bots act."""

    def _read(self) -> None:
        if self._session.unread_summaries():
            self._session.wish("read")
