"""Hints: a bot's rated actions for a person, asked for one at a time."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any
from weakref import ref

from cardhub.bots.bot import Rated
from cardhub.model.hidden.observation import Observation
from cardhub.play.advice import alternatives, expectation, hinted_actions, rated_actions
from cardhub.play.host.running_table import RunningTable
from cardhub.play.host.turns.move_reviews import MoveReviews
from cardhub.play.mixtures import mixture_of
from cardhub.play.table_messages import HintMessage
from cardhub.play.workers.bot_messages import Lineup
from cardhub.play.workers.client import BotClient


@dataclass(frozen=True, slots=True, eq=False)
class _Request:
    """A person's request: the observation, the table's revision, and the callback.

    `on_answer` gets a hint, or the reason why there is none.
    """

    observation: Observation[Any]
    revision: int
    on_answer: Callable[[HintMessage], None]


class HintRequests:
    """Asks the adviser of a table, a bot, for hints; the record notes each before it is shown.

    Each person has at most one request; the answer to an earlier one is dropped. People who choose
    at the same time get their hints one after another.
    """

    def __init__(self, table: RunningTable, adviser: BotClient, bot: str) -> None:
        self.bot = bot
        # A weak reference, because a cycle would keep both until a full garbage collection.
        self._table = ref(table)
        self._adviser = adviser
        self._requests: list[_Request] = []  # the adviser has been asked for the first
        # The ratings of the hints given, for reviews, by seat and number of actions before.
        self._given: dict[tuple[int, int], tuple[Observation[Any], list[Rated]]] = {}
        # After the end of the game the adviser reviews the moves of people.
        self.reviews = MoveReviews(adviser, bot, table.scheduler, self._find_given)
        table.subscribe(self._drop_stale)

    def ask(self, observation: Observation[Any], on_answer: Callable[[HintMessage], None]) -> None:
        """Ask for a hint for a seat to act, instead of a hint asked for earlier."""
        self.cancel(observation.seat)
        if why := observation.game.no_determinizations:
            on_answer(HintMessage(why_none=f"There are no hints in this game: {why}."))
            return
        table = self._table()
        assert table is not None  # the session that asks keeps it
        revision = table.revision_of(observation.seat)
        self._requests.append(_Request(observation, revision, on_answer))
        if len(self._requests) == 1:
            self._ask_next()

    def _find_given(self, seen: Observation[Any]) -> list[Rated] | None:
        """Return the ratings of a hint given at this decision, or None."""
        earlier, ratings = self._given.get((seen.seat, len(seen.history)), (None, None))
        # A takeback may have led to another decision after as many actions.
        return ratings if earlier is not None and earlier.history == seen.history else None

    def reseat(self, lineup: Lineup) -> None:
        """Give hints to the people of another lineup from now on."""
        self._adviser.reseat(lineup)

    def hurry(self, seat: int) -> None:
        """Finish the search for a seat early."""
        if self._requests and self._requests[0].observation.seat == seat:
            self._adviser.hurry()

    def cancel(self, *seats: int) -> None:
        """Cancel the requests of these seats, by default all, and stop their search."""
        self._drop([r for r in self._requests if not seats or r.observation.seat in seats])

    def _drop(self, dropped: Sequence[_Request]) -> None:
        first = self._requests[:1]
        self._requests = [request for request in self._requests if request not in dropped]
        if first and first[0] in dropped:
            # Stopped, because a bot that ignores a request to hurry would delay the next hint.
            self._adviser.stop()
            self._ask_next()

    def _ask_next(self) -> None:
        for request in self._requests[:1]:
            self._adviser.ask(request.observation, partial(self._on_ratings, request))

    def _drop_stale(self) -> None:
        table = self._table()
        # Called after every action, and a request is rare.
        if table is not None and self._requests:
            self._drop(
                [
                    request
                    for request in self._requests
                    if table.why_no_action(request.observation.seat, request.revision)
                ]
            )

    def _on_ratings(self, request: _Request, advice: object) -> None:
        # Called by a thread of the client: only the scheduler is safe from there.
        table = self._table()
        if table is not None:
            table.scheduler.call_soon(partial(self._receive, request, advice))

    def _receive(self, request: _Request, advice: object) -> None:
        table = self._table()
        if table is None or self._requests[:1] != [request]:
            return
        del self._requests[0]
        self._ask_next()
        if not isinstance(advice, list):
            request.on_answer(HintMessage(why_none=f"No hint: {self.bot} failed. {advice}"))
            return
        # Before it can be seen: a hint that cannot be recorded is not shown.
        seen = request.observation
        table.note_hint(seen.seat, self.bot)
        self._given[seen.seat, len(seen.history)] = (seen, advice)
        if table.activity.failure is None:
            players = [player.name for player in table.players]
            request.on_answer(hint_of(self.bot, advice, request.observation, players))


def hint_of(
    bot: str,
    rated: Sequence[Rated],
    observation: Observation[Any],
    players: Sequence[str],
    *,
    says_you: bool = True,
) -> HintMessage:
    """Return rated actions as text for the seat of an observation; `says_you` to its person."""
    mixture = mixture_of(observation, rated)
    if not mixture.shares:
        # Actions that were hardly tried are left out.
        rated = alternatives(rated, observation.game)
    return HintMessage(
        bot=bot,
        actions=tuple(hinted_actions(rated, observation, players)),
        ratings=tuple(rated_actions(rated, observation, players)),
        why=mixture.why or expectation(rated, observation, players, says_you=says_you),
    )
