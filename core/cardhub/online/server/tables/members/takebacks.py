"""Takeback requests, which the other people accept or refuse."""

from dataclasses import dataclass

from cardhub.base.errors import IllegalActionError
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.online.wire.client_messages import AnswerTakeback
from cardhub.online.wire.server_messages import TakebackState
from cardhub.play.host.scheduler import Timer
from cardhub.play.table_messages import Refused

# The timeout in seconds for the others to agree.
AGREE_WITHIN = 60.0


@dataclass
class _Request:
    """A takeback request of a seat, with the seats that have agreed and that have not answered."""

    seat: int
    agreed: list[int]
    missing: list[int]
    timer: Timer


class Takebacks:
    """At most one takeback request. Bots agree, and absent people are not asked."""

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._request: _Request | None = None

    @property
    def state(self) -> TakebackState | None:
        """The current takeback request, or None."""
        request = self._request
        if request is None:
            return None
        return TakebackState(seat=request.seat, missing=tuple(request.missing))

    def ask(self, client: Client) -> None:
        """Ask the other people, or take the action back immediately if there are none."""
        context = self._context
        seat, host = context.own_seat(client), context.playing
        context.check_length()
        if self._request is not None:
            raise RefusedError("a takeback is already requested. fix: wait for the answers")
        if why := host.why_no_takeback(seat):
            raise RefusedError(why)
        others = [
            other
            for other in context.people()
            if other != seat and context.plays(other) and context.is_here(other)
        ]
        timer = context.later(AGREE_WITHIN, lambda: self._refuse("they did not answer in time"))
        self._request = _Request(seat, [], others, timer)
        self._settle()
        context.changed()

    def answer(self, client: Client, message: AnswerTakeback) -> None:
        """Handle the answer of another person."""
        seat, request = self._context.own_seat(client), self._request
        if request is None or seat not in request.missing:
            raise RefusedError("this takeback request has expired")
        if not message.agrees:
            self._refuse(f"{self._context.chairs[seat].name} does not agree")
            return
        request.missing.remove(seat)
        request.agreed.append(seat)
        self._settle()
        self._context.changed()

    def cancel(self) -> None:
        """Cancel the request, because a person has acted or the game is over."""
        if self._request is not None:
            self._request.timer.cancel()
            self._request = None
            self._context.changed()

    def _settle(self) -> None:
        request = self._request
        if request is None or request.missing:
            return
        self.cancel()
        try:
            self._context.playing.take_back(request.seat, sorted(request.agreed))
        except IllegalActionError as error:
            raise RefusedError(str(error)) from error

    def _refuse(self, why: str) -> None:
        request = self._request
        if request is None:
            return
        self.cancel()
        token = self._context.chairs[request.seat].token
        for client in self._context.clients.values():
            if client.token == token:
                client.channel.send(Refused(why=f"the action is not taken back: {why}"))
