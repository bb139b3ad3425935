"""Requests of visitors to sit down in a running game, which the seated people accept or refuse."""

from cardhub.base.errors import CardhubError
from cardhub.online.server.tables.members.consent import Poll, call_absent
from cardhub.online.server.tables.members.seating import Seating
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.online.wire.client_messages import AnswerNewcomer, Sit
from cardhub.online.wire.server_messages import NewcomerState
from cardhub.play.table_messages import Refused

NOBODY_KNOWS = (
    "nobody else at this table can tell who you are. "
    "fix: open your own link to the seat, or make a new table"
)


class Newcomers:
    """At most one request to sit down in the running game.

    Whoever sits down sees the hand of the seat, and a visitor may be anybody, also the owner. So
    all people with a seat are asked, also those who are away. A person who has lost the link asks
    for the own seat in the same way: only the others can tell who asks.
    """

    def __init__(self, context: TableContext, seating: Seating) -> None:
        self._context = context
        self._seating = seating
        self._request: tuple[Client, Sit, Poll] | None = None
        self._is_return = False

    @property
    def state(self) -> NewcomerState | None:
        """The current request, or None."""
        if self._request is None:
            return None
        _, message, poll = self._request
        return NewcomerState(
            seat=message.seat or 0,
            name=message.name,
            missing=tuple(poll.missing),
            is_return=self._is_return,
        )

    def sit(self, client: Client, message: Sit) -> None:
        """Give a client a seat, or ask the seated people first if a game is running."""
        context = self._context
        if context.stage != "playing" or not context.people():
            self._seating.sit(client, message)
            return
        is_return = message.seat in context.people() and not client.token
        if is_return and message.seat is not None:
            self._seating.check_return(client, message.seat)
            seat, name = message.seat, context.chairs[message.seat].name
        else:
            seat, name = self._seating.find_seat(client, message), message.name
        if self._request is not None:
            raise RefusedError("a visitor already asks for a seat. fix: wait for the answers")
        # Nobody knows who asks for a seat at which only the absent person plays.
        if is_return and context.people() == [seat]:
            raise RefusedError(NOBODY_KNOWS)
        poll = Poll(context, seat if is_return else None, self._refuse)
        self._is_return = is_return
        self._request = client, Sit(name=name, seat=seat), poll
        call_absent(context, poll.missing)
        context.changed()

    def answer(self, client: Client, message: AnswerNewcomer) -> None:
        """Handle the answer of a seated person."""
        seat, request = self._context.own_seat(client), self._request
        if request is None or request[1].name != message.name or seat not in request[2].missing:
            raise RefusedError("this request for a seat has expired")
        request[2].answer(seat, agrees=message.agrees)
        self.follow()
        self._context.changed()

    def follow(self) -> None:
        """Drop the request of a visitor who has gone, or seat the visitor if all have agreed."""
        if self._request is None:
            return
        client, message, poll = self._request
        if self._context.stage != "playing" or client.channel not in self._context.clients:
            self._drop()
            return
        if self._is_return and self._context.is_here(message.seat or 0):
            self._refuse(f"{message.name} is connected")
            return
        poll.follow()
        if not poll.missing:
            # Not here: the table may be about to tell its listeners about another change.
            self._context.scheduler.call_soon(self._settle)

    def _settle(self) -> None:
        if self._request is None or self._request[2].missing:
            return
        (client, message, poll), is_return = self._request, self._is_return
        self._drop()
        try:
            if is_return:
                self._seating.return_person(client, message.seat or 0, poll.agreed)
            else:
                self._seating.sit(client, message, poll.agreed)
        except CardhubError as error:
            client.channel.send(Refused(why=self._context.public(error)))

    def _drop(self) -> None:
        if self._request is not None:
            self._request[2].cancel()
            self._request = None
            self._context.changed()

    def _refuse(self, why: str) -> None:
        if self._request is not None:
            client = self._request[0]
            self._drop()
            client.channel.send(Refused(why=f"you do not get the seat: {why}"))
