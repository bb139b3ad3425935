"""A question to the people at a table, who are asked whether they are connected or not.

This module stands apart because takebacks and newcomers ask in the same way.
"""

from collections.abc import Callable, Iterable

from cardhub.online.server.tables.table_context import TableContext
from cardhub.play.host.scheduler import Timer

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
