"""Reviews of a finished game at its table: the adviser finds a person's costliest moves."""

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

import msgspec

from cardhub.base.errors import BotFaultError
from cardhub.bots.bot import Rated
from cardhub.model.hidden.determinize import why_no_determinizations
from cardhub.model.hidden.observation import Observation
from cardhub.play.host.replays.replay import Replay, replay_so_far
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.referee import Referee
from cardhub.play.table_messages import ReviewMessage
from cardhub.play.workers.client import BotClient

if TYPE_CHECKING:
    from cardhub.play.host.replays.results.game_analysis import GameAnalysis
    from cardhub.play.host.replays.results.replay_adviser import Rate, Refuse
    from cardhub.play.review import RatedDecision

IS_BUSY = "Another player's moves are being reviewed. Try again in a minute."
NOT_OVER = "Your moves can be reviewed once the game is over."

TOO_LONG = "This game has too many steps for a review."
# The most steps of a game that is reviewed, to bound the time of a server.
LONGEST_REVIEW = 5000

FindGiven = Callable[[Observation[Any]], list[Rated] | None]
OnReview = Callable[[ReviewMessage], None]


class TableAdviser:
    """Asks the adviser of a table at decisions of its finished game, one at a time.

    `find_given` returns the ratings of a hint that was given at a decision: a review must not
    contradict it.
    """

    def __init__(
        self, replay: Replay, client: BotClient, scheduler: Scheduler, find_given: FindGiven
    ) -> None:
        self.replay = replay
        self._client = client
        self._find_given = find_given
        self._scheduler = scheduler
        self._is_open = True

    def ask(self, step: int, viewer: int, bot: str, rate: "Rate", refuse: "Refuse") -> None:
        """Ask at a step; `rate` gets the ratings, `refuse` the fault of the bot."""
        seen = self.replay.steps[step].observe(viewer)

        def receive(answer: object) -> None:
            if not self._is_open:
                return
            if isinstance(answer, list):
                rate(seen, answer)
            elif isinstance(answer, BotFaultError):
                refuse(f"{bot} failed: {answer}")

        if given := self._find_given(seen):
            self._scheduler.call_soon(partial(receive, given))
            return
        # The client answers in a thread of its own.
        self._client.ask(seen, lambda answer: self._scheduler.call_soon(partial(receive, answer)))

    def close(self) -> None:
        """Drop the pending question."""
        self._is_open = False
        self._client.stop()


class MoveReviews:
    """Reviews the moves of one person at a time; a finished review is kept for its person."""

    def __init__(
        self, adviser: BotClient, bot: str, scheduler: Scheduler, find_given: FindGiven
    ) -> None:
        self._adviser = adviser
        self._find_given = find_given
        self._bot = bot
        self._scheduler = scheduler
        self._finished: dict[int, ReviewMessage] = {}
        self._costly: dict[int, list[RatedDecision]] = {}  # of the last review, even if it goes on
        self._seat: int | None = None
        self._asking: TableAdviser | None = None

    def ask(self, referee: Referee[Any], seat: int, on_review: OnReview) -> None:
        """Review the moves of a seat; `on_review` gets the progress, and the moves at the end."""
        if seat in self._finished:
            on_review(self._finished[seat])
        elif why := why_no_determinizations(referee.game):
            on_review(ReviewMessage(why_none=f"No review: {why}"))
        elif self._asking is not None and self._seat != seat:
            on_review(ReviewMessage(why_none=IS_BUSY))
        else:
            # Imported on use, because few tables have a review.
            from cardhub.play.host.replays.results.game_analysis import Analyst

            self.cancel(seat)
            self._seat = seat
            replay = replay_so_far(referee, (seat,))
            self._asking = adviser = TableAdviser(
                replay, self._adviser, self._scheduler, self._find_given
            )
            on_change = partial(self._on_change, referee.game.opens_at_end, seat, on_review)
            Analyst(adviser, seat, self._bot, on_change).begin()

    def find_costly(self, seat: int, step: int) -> "RatedDecision | None":
        """Return the decision at a step that the review of a seat has named so far, or None."""
        costly = self._costly.get(seat, ())
        return next((decision for decision in costly if decision.move.step == step), None)

    def cancel(self, seat: int) -> None:
        """End the review of a seat."""
        if self._asking is not None and self._seat == seat:
            self._asking.close()
            self._asking = None

    def close(self) -> None:
        """End the review that is running."""
        if self._seat is not None:
            self.cancel(self._seat)

    def _on_change(
        self, can_play_on: bool, seat: int, on_review: OnReview, analysis: "GameAnalysis"
    ) -> None:
        message = msgspec.structs.replace(review_of(analysis), can_play_on=can_play_on)
        if analysis.failure or message.done == message.total:
            self._asking = None
            if not analysis.failure:
                self._finished[seat] = message
        self._costly[seat] = analysis.costliest
        on_review(message)


def review_of(analysis: "GameAnalysis") -> ReviewMessage:
    """Return the state of an analysis as a message."""
    return ReviewMessage(
        bot=analysis.bot,
        done=len(analysis.decisions),
        total=analysis.total,
        moves=tuple(decision.move for decision in analysis.costliest),
        agreed=analysis.agreed,
        why_none=analysis.failure,
    )
