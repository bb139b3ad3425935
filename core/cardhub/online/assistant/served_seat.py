"""A seat at a table of a server; it stands apart because its imports need the extra `web`."""

from collections.abc import Sequence

from typing_extensions import override

from cardhub.base.errors import RemoteError
from cardhub.online.assistant.assistant_seat import NO_ANSWER, PATIENCE, AssistantSeat
from cardhub.online.remote.remote_client import RemoteClient
from cardhub.online.remote.table_address import parse_address
from cardhub.online.remote.table_client import connect_in_thread, open_table
from cardhub.online.remote.table_texts import seat_lines, table_facts
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.seating import check_player_name
from cardhub.play.table_model import TableModel


class ServedSeat(AssistantSeat):
    """A seat at a table of a server."""

    def __init__(self, client: RemoteClient, scheduler: BlockingScheduler) -> None:
        super().__init__(scheduler)
        self._client = client
        self._notices: list[str] = []
        client.on_notice = self._notices.append
        connect_in_thread(client)
        self.wait(PATIENCE, lambda: self.is_received or bool(self.trouble))

    @property
    def key(self) -> str:
        """The key of the seat, whose holder controls it."""
        return self._client.token

    @property
    def is_received(self) -> bool:
        """Whether the server has answered."""
        return self._client.state is not None and not self._client.is_sitting_down

    @property
    @override
    def model(self) -> TableModel | None:
        return self._client.model

    @property
    @override
    def trouble(self) -> str:
        client = self._client
        if client.failure is not None:
            return str(client.failure)
        status = None if client.model is None else client.model.status()
        return (status.failure or status.fault or "") if status else ""

    @property
    @override
    def room(self) -> Sequence[str]:
        state = self._client.state
        lines = [*seat_lines(state, self._client.viewer), *table_facts(state)] if state else []
        notices, self._notices[:] = [*self._notices], []
        return [*filter(None, [self._client.banner]), *notices, *lines]

    @property
    @override
    def is_watching(self) -> bool:
        return not self._client.is_seated

    @property
    @override
    def turn_patience(self) -> float:
        return 0.0  # people may take long, so the assistant decides how long it waits

    @override
    def close(self) -> None:
        self._client.leave()


def join_seat(link: str, name: str | None, *, saves: bool = True) -> ServedSeat:
    """Return a seat at the table of a link; raises RemoteError or SeatingError.

    `name`: None for a link with the key of a seat. `saves`: as for `open_table`.
    """
    if name is not None:
        check_player_name(name)
    scheduler = BlockingScheduler()
    client = open_table(parse_address(link), scheduler, name=name, saves=saves)
    seat = ServedSeat(client, scheduler)
    if not seat.is_received:
        seat.close()
        raise RemoteError(seat.trouble or NO_ANSWER)
    return seat
