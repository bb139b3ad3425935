"""Questions to the people at a table: takebacks, and visitors who want to sit in a running game.

People are asked whether they are connected or not.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress

import msgspec

from cardhub.base.errors import CardhubError, IllegalActionError, RecordError
from cardhub.online.server.tables.members.seating import Seating
from cardhub.online.server.tables.storage.table_store import AskedTakeback
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.online.wire.client_messages import AnswerNewcomer, AnswerTakeback, Sit
from cardhub.online.wire.server_messages import NewcomerState, TakebackState
from cardhub.play.host.scheduler import Timer
from cardhub.play.table_messages import Refused

# The timeout in seconds for people who are connected.
AGREE_WITHIN = 60.0
LATE = "the others did not answer in time"


class Poll:
    """A question that all people but the `requester` must agree to.

    Silence is never consent: while a person is away the question waits, and once all who have not
    answered are connected, it is refused after a while. A table by days sets no such limit.
    `agreed`, `missing`: the seats that have and have not answered. `requester`: a seat, or None if
    a visitor asks. `on_refused` is called with the reason.
    """

    def __init__(
        self,
        context: TableContext,
        requester: int | None,
        on_refused: Callable[[str], object],
        agreed: Iterable[int] = (),
    ) -> None:
        self.agreed = [*agreed]
        self.missing: list[int] = []
        self._context = context
        self._requester = requester
        self._on_refused = on_refused
        self._timer: Timer | None = None
        self.follow()

    def answer(self, seat: int, *, agrees: bool) -> None:
        """Count the answer of a seat that has not answered."""
        if not agrees:
            self.cancel()
            self._on_refused(f"{self._context.chairs[seat].name} does not agree")
            return
        self.agreed.append(seat)
        self.follow()

    def follow(self) -> None:
        """Ask the people who have a seat now, and limit the time if all of them are here."""
        others = [seat for seat in self._context.people() if seat != self._requester]
        # The next person at a seat has not agreed yet.
        self.agreed = [seat for seat in self.agreed if seat in others]
        self.missing = [seat for seat in others if seat not in self.agreed]
        is_limited = not self._context.is_by_days and all(map(self._context.is_here, self.missing))
        if not is_limited or not self.missing:
            self.cancel()
        elif self._timer is None:
            self._timer = self._context.later(AGREE_WITHIN, lambda: self._on_refused(LATE))

    def cancel(self) -> None:
        """Stop the time limit."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None


def call_absent(context: TableContext, seats: Iterable[int]) -> None:
    """Call the webhook for the people of some seats who are away."""
    file = context.file
    for seat in seats if file.webhook else ():
        if not context.is_here(seat):
            title, name = context.playing.title, context.chairs[seat].name
            call = context.services.call_person
            call(file.webhook, file.table, title, name, context.share.network)


class Takebacks:
    """At most one takeback request, which is also in the file of the table. Bots agree.

    All other people with a seat are asked, also those who are away and those for whom a bot plays,
    because actions are public: each of them has seen the action that would be undone.
    """

    def __init__(self, context: TableContext) -> None:
        self._context = context
        self._request: tuple[AskedTakeback, Poll] | None = None
        # The requests since the table was loaded: an answer may meet the next one.
        self._count = 0
        # The game and its number of actions at the last call of the webhook, and who was called.
        self._called: tuple[int, int, set[int]] = (0, 0, set())

    @property
    def state(self) -> TakebackState | None:
        """The current takeback request, or None."""
        if self._request is None:
            return None
        asked, poll = self._request
        missing = tuple(poll.missing)
        return TakebackState(seat=asked.seat, missing=missing, request=self._count)

    def load(self) -> None:
        """Ask again about a request from before a restart, unless the game has gone on since."""
        asked = self._context.file.takeback
        if asked is not None:
            self._open(asked)
            self.follow()

    def ask(self, client: Client) -> None:
        """Ask the other people, or take the action back if there are none."""
        context = self._context
        seat, host = context.own_seat(client), context.playing
        context.check_length()
        if self._request is not None:
            raise RefusedError("a takeback is already requested. fix: wait for the answers")
        if why := host.why_no_takeback(seat) or host.why_not_again(seat):
            raise RefusedError(why)
        number, actions = context.file.number, len(host.acting_seats())
        asked = AskedTakeback(number=number, actions=actions, seat=seat)
        others = [other for other in context.people() if other != seat]
        if others:
            context.update(takeback=asked)
            self._call_once(asked, others)
        self._open(asked)
        self.follow()

    def answer(self, client: Client, message: AnswerTakeback) -> None:
        """Handle the answer of another person."""
        seat, request = self._context.own_seat(client), self._request
        is_another = message.request not in (0, self._count)
        if request is None or is_another or seat not in request[1].missing:
            raise RefusedError("this takeback request has expired")
        asked, poll = request
        if message.agrees:
            self._save(asked, [*poll.agreed, seat])
        poll.answer(seat, agrees=message.agrees)
        self.follow()

    def follow(self) -> None:
        """Drop the request if the game has gone on, and find out whether all have agreed."""
        if self._request is None:
            return
        asked, poll = self._request
        if self._is_obsolete(asked):
            self.cancel()
            return
        poll.follow()
        with suppress(RecordError):
            self._save(asked, poll.agreed)
        if not poll.missing:
            # Not here: the table may be about to tell its listeners about another change.
            self._context.scheduler.call_soon(self._settle)

    def cancel(self) -> None:
        """Cancel the request, because a person has acted or the game is over."""
        if self._request is None:
            return
        self._request[1].cancel()
        self._request = None
        # A request that stays in the file is obsolete when the table is loaded.
        with suppress(RecordError):
            if self._context.file.takeback is not None:
                self._context.update(takeback=None)
        self._context.changed()

    def _open(self, asked: AskedTakeback) -> None:
        self._count += 1
        self._request = asked, Poll(self._context, asked.seat, self._refuse, asked.agreed)

    def _save(self, asked: AskedTakeback, agreed: Sequence[int]) -> None:
        """Save who has agreed, if the request is in the file; raises RecordError."""
        saved = self._context.file.takeback
        if saved is not None and saved.agreed != tuple(agreed):
            takeback = msgspec.structs.replace(asked, agreed=tuple(agreed))
            self._context.update(takeback=takeback)

    def _settle(self) -> None:
        if self._request is None:
            return
        asked, poll = self._request
        if self._is_obsolete(asked) or poll.missing:
            self.follow()
            return
        self.cancel()
        try:
            self._context.playing.take_back(asked.seat, sorted(poll.agreed))
        except IllegalActionError as error:
            self._send_refusal(asked.seat, str(error))

    def _is_obsolete(self, asked: AskedTakeback) -> bool:
        """Return whether a person has acted or undone an action since, or the game is over.

        Also whether the person who asked has given up the seat.
        """
        context = self._context
        people = context.people()
        if context.host is None or context.stage != "playing" or asked.seat not in people:
            return True
        seats = context.host.acting_seats()
        has_acted = not set(people).isdisjoint(seats[asked.actions :])
        return asked.number != context.file.number or len(seats) < asked.actions or has_acted

    def _call_once(self, asked: AskedTakeback, seats: list[int]) -> None:
        """Call people who are away, once at a position: a request can be repeated at will."""
        if self._called[:2] != (asked.number, asked.actions):
            self._called = asked.number, asked.actions, set()
        called = self._called[2]
        call_absent(self._context, [seat for seat in seats if seat not in called])
        called.update(seats)

    def _refuse(self, why: str) -> None:
        if self._request is not None:
            seat = self._request[0].seat
            self.cancel()
            self._send_refusal(seat, f"the action is not taken back: {why}")

    def _send_refusal(self, seat: int, why: str) -> None:
        token = self._context.chairs[seat].token
        for client in self._context.clients.values():
            if client.token == token:
                client.channel.send(Refused(why=why))


NOBODY_KNOWS = (
    "nobody else at this table can confirm who you are. "
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
            raise RefusedError("a visitor is already asking for a seat. fix: wait for the answers")
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
