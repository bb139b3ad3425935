"""Hints: a bot's rated actions for a person, asked for one at a time."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from weakref import ref

from msgspec.structs import replace

from cardhub.bots.bot import Rated
from cardhub.model.game.initial_state import game_scoring
from cardhub.model.hidden.determinize import why_no_determinizations
from cardhub.model.hidden.observation import Observation
from cardhub.play.advice import RatedAction, equal_to_best, expectation, rated_actions
from cardhub.play.host.running_table import RunningTable
from cardhub.play.table_messages import HintMessage
from cardhub.play.workers.client import BotClient
from cardhub.play.workers.lineup import Lineup

# Called with a hint, or with the reason why there is none.
Answered = Callable[[HintMessage], None]


class HintRequests:
    """Asks the adviser of a table, a bot, for hints; the record notes each before it is shown.

    Questions are numbered: the answer to a dropped one carries an old number and is ignored.
    """

    def __init__(self, table: RunningTable, adviser: BotClient, bot: str) -> None:
        self.bot = bot
        # A weak reference, because a cycle would keep both until a full garbage collection.
        self._table = ref(table)
        self._adviser = adviser
        self._number = 0
        self._is_thinking = False
        table.subscribe(self._drop_stale)
        self._revision = -1

    def ask(self, observation: Observation[Any], answer: Answered) -> None:
        """Ask for a hint for the seat to act, instead of a hint asked for earlier."""
        self.cancel()
        if why := why_no_determinizations(observation.game):
            answer(HintMessage(why_none=f"No hint: {why}"))
            return
        table = self._table()
        assert table is not None  # the session that asks keeps it
        self._is_thinking, self._revision = True, table.revision
        self._adviser.ask(observation, partial(self._on_ratings, self._number, observation, answer))

    def reseat(self, lineup: Lineup) -> None:
        """Give hints to the people of another lineup from now on."""
        self._adviser.reseat(lineup)

    def hurry(self) -> None:
        """Finish the search early."""
        self._adviser.hurry()

    def cancel(self) -> None:
        """Cancel the pending hint, and stop its search."""
        self._number += 1
        if self._is_thinking:
            self._is_thinking = False
            # Stopped, because a bot that ignores a request to hurry would delay the next hint.
            self._adviser.stop()

    def _drop_stale(self) -> None:
        table = self._table()
        if table is None or table.revision != self._revision:
            self.cancel()

    def _on_ratings(
        self, number: int, observation: Observation[Any], answer: Answered, advice: object
    ) -> None:
        # Called by a thread of the client: only the scheduler is safe from there.
        receive = partial(self._receive, number, observation, answer, advice)
        table = self._table()
        if table is not None:
            table.scheduler.call_soon(receive)

    def _receive(
        self, number: int, observation: Observation[Any], answer: Answered, advice: object
    ) -> None:
        table = self._table()
        if table is None or number != self._number:
            return
        self._is_thinking = False
        if not isinstance(advice, list):
            answer(HintMessage(why_none=f"No hint: {self.bot} failed. {advice}"))
            return
        # Before it can be seen: a hint that cannot be recorded is not shown.
        table.note_hint(self.bot)
        if table.failure is None:
            players = [player.name for player in table.players]
            answer(hint_of(self.bot, advice, observation, players))


def hint_of(
    bot: str,
    rated: Sequence[Rated],
    observation: Observation[Any],
    players: Sequence[str],
    *,
    says_you: bool = True,
) -> HintMessage:
    """Return rated actions as text for the seat of an observation; `says_you` to its person."""
    state, rows = observation.state, rated_actions(rated, observation, players)
    goal = game_scoring(observation.game, state.settings, state.seats).goal
    rows = [
        replace(row, value_text=f"{row.value_text}, about equal") if is_equal else row
        for row, is_equal in zip(rows, equal_to_best(rated, goal), strict=True)
    ]
    why = expectation(rated, observation, players, says_you=says_you)
    return HintMessage(bot=bot, rows=tuple(rows), why=why or _comparison(rows))


def _comparison(rows: Sequence[RatedAction]) -> str:
    if len(rows) < 2 or not rows[0].value_text or not rows[1].value_text:
        return ""
    best, second = rows[:2]
    if second.value_text.endswith("about equal"):
        return f"By these tries, {best.name} and {second.name} are about equal."
    other = f"{second.name} {second.value_text}"
    return f"By these tries, {best.name} is worth {best.value_text}, and {other}."
