"""Takeback requests, which the other people accept or refuse."""

from collections.abc import Sequence
from contextlib import suppress

import msgspec

from cardhub.base.errors import IllegalActionError, RecordError
from cardhub.online.server.tables.members.consent import Poll, call_absent
from cardhub.online.server.tables.storage.table_store import AskedTakeback
from cardhub.online.server.tables.table_context import Client, RefusedError, TableContext
from cardhub.online.wire.client_messages import AnswerTakeback
from cardhub.online.wire.server_messages import TakebackState
from cardhub.play.table_messages import Refused


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
