"""The questions that wait for a worker of a pool, and the worker of each table."""

from collections import Counter, deque
from collections.abc import Iterator
from math import inf

from cardhub.play.workers.pool.fair_shares import MOST_PEOPLE, FairShares, weights_of
from cardhub.play.workers.pool.worker_slot import PooledQuestion, WorkerSlot

# Seconds for which a worker is busy with another table before a question goes to an idle worker,
# where its bots are created again.
MOVES_AFTER = 0.25
# Number of questions that wait for one worker, from which they go to an idle worker immediately.
MOVES_FROM = 2


class QuestionQueue:
    """Questions of networks in fair turns; each table has at most one.

    Tables of one network are served in the order of their questions. The worker that has answered a
    table's last question is its home. `most_people`: the number of people that counts for the
    share of a network.
    """

    def __init__(self, most_people: int = MOST_PEOPLE) -> None:
        self._most_people = most_people
        self._waiting: deque[PooledQuestion] = deque()
        self._homes: dict[int, WorkerSlot] = {}
        self._shares = FairShares()

    def __len__(self) -> int:
        return len(self._waiting)

    def __iter__(self) -> Iterator[PooledQuestion]:
        return iter(self._waiting)

    def put(self, question: PooledQuestion) -> None:
        """Put a question at the end."""
        self._waiting.append(question)

    def hurry(self, table: int) -> None:
        """Request a quick answer to the question of a table, once it is asked."""
        for question in self._waiting:
            if question.table == table:
                question.is_hurried = True

    def drop(self, table: int) -> None:
        """Remove the question of a table."""
        kept = [question for question in self._waiting if question.table != table]
        if len(kept) < len(self._waiting):
            self._waiting = deque(kept)

    def forget(self, table: int) -> None:
        """Remove the question of a table, and close its bots."""
        self.drop(table)
        home = self._homes.pop(table, None)
        if home is not None:
            home.forget(table)

    def clear(self) -> None:
        """Remove all questions."""
        self._waiting.clear()

    def pop(self) -> PooledQuestion | None:
        """Remove and return the oldest question."""
        return self._waiting.popleft() if self._waiting else None

    def assign(self, slots: list[WorkerSlot], now: float) -> None:
        """Ask idle workers the questions that they may be asked."""
        homed = Counter(self._homes.values())
        # A new table goes to the worker with the fewest tables.
        for slot in sorted(slots, key=homed.__getitem__):
            question = self._next_for(slot, now) if slot.is_idle else None
            if question is not None:
                network = question.share.network
                question.weight = weights_of(self._waiting, self._most_people)[network]
                self._shares.begin(network, question.weight)
                self._waiting.remove(question)
                self._settle(question.table, slot)
                slot.ask(question, now)

    def count_time(self, question: PooledQuestion, now: float) -> None:
        """Count the time of a question that a worker has finished, answered or not."""
        self._shares.end(question.share.network, question.weight, now - question.started_at)

    def moves_at(self, slots: list[WorkerSlot], now: float) -> float:
        """Return when a question may move to an idle worker."""
        if not self._waiting or not any(slot.is_idle for slot in slots):
            return inf
        busy = filter(None, (slot.question for slot in slots))
        moves = (asked.started_at + MOVES_AFTER for asked in busy)
        return min((moment for moment in moves if moment > now), default=inf)

    def _next_for(self, slot: WorkerSlot, now: float) -> PooledQuestion | None:
        """Return the first question in fair order that an idle worker may be asked."""
        queued = Counter(self._homes.get(question.table) for question in self._waiting)
        # Sorting is stable, so that questions of one network keep their order.
        for question in sorted(self._waiting, key=self._account_of):
            home = self._homes.get(question.table)
            if home is None or home is slot:
                return question
            is_busy = not home.is_ready or home.is_busy_since(now - MOVES_AFTER)
            if is_busy or (not home.is_idle and queued[home] >= MOVES_FROM):
                return question
        return None

    def _account_of(self, question: PooledQuestion) -> float:
        return self._shares.account(question.share.network)

    def _settle(self, table: int, slot: WorkerSlot) -> None:
        home = self._homes.get(table)
        if home is not None and home is not slot:
            home.forget(table)
        self._homes[table] = slot
