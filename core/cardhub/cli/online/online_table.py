"""One game of a table at a server in plain text."""

from typing_extensions import override

from cardhub.cli.online.room_commands import explain_room
from cardhub.cli.session.painter import Painter
from cardhub.cli.session.plain_commands import read_line
from cardhub.cli.session.plain_table import PlainTable
from cardhub.online.remote.remote_table import RemoteTable
from cardhub.play.host.scheduler import BlockingScheduler

OVER_HELP = "`rematch` plays again, `save` saves the replay as a page, `quit` leaves."


class OnlineTable(PlainTable):
    """One game of a table at a server, for one viewer."""

    def __init__(self, host: RemoteTable, scheduler: BlockingScheduler, painter: Painter) -> None:
        super().__init__(host, scheduler, painter)
        self._shown = -1
        self._is_end_shown = False
        self._fault: str | None = None
        host.begin()

    @property
    def is_own_turn(self) -> bool:
        """Whether the person is to act."""
        return bool(self._session.view().choices)

    def tell_all(self) -> None:
        """Tell the log from its beginning, in a game that was awaited."""
        self._told[self._session.viewer] = 0

    def show_news(self) -> None:
        """Print new events, and the table where the person is to act or the game is over."""
        self._tell()
        view, fault = self._session.view(), self._session.course().fault
        if fault is not None and fault != self._fault:
            self._painter.say(f"{fault}. The owner of the table can `retry`.")
        self._fault = fault
        if view.is_over and not self._is_end_shown:
            self._is_end_shown = True
            self._show_end()
            self._painter.say(OVER_HELP)
        elif view.choices and view.revision != self._shown:
            self._shown = view.revision
            self._painter.show_view(view, self._session.catalogue)

    def show_last(self) -> None:
        """Print the table, unless it has been printed as it is."""
        view = self._session.view()
        if view.revision != self._shown and not view.is_over:
            self._painter.show_view(view, self._session.catalogue)

    def obey(self, text: str) -> bool:
        """Carry out a typed line; return False if the person leaves."""
        typed = read_line(text or "help", self._session)
        if typed.command == "quit":
            return False
        self._carry_out(typed, self._session)
        if typed.command == "help":
            self._painter.say(*explain_room())
        self._wait_for_answer()
        return True

    @override
    def _stands_still(self) -> bool:
        return self._host.is_over  # faults are for the owner of the table
