"""Fair shares of a pool: the order of questions, and the time for each of them."""

from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest

from cardhub.play.workers.bot_messages import Lineup
from cardhub.play.workers.pool.bot_pool import QuestionQueue
from cardhub.play.workers.pool.fair_shares import FairShares, TableShare, crowds_of
from cardhub.play.workers.pool.worker_slot import PooledQuestion, QuestionBudgets, WorkerSlot

LINEUP = Lineup("kuhn", {}, {})
HOG, HONEST = TableShare("hog"), TableShare("honest")


def question(table: int, share: TableShare) -> PooledQuestion:
    """Return a question of a table."""
    return PooledQuestion(table, LINEUP, b"", None, lambda _: None, share=share)


class Workers:
    """A queue with workers that answer as soon as a test says, with a clock that tests move."""

    def __init__(self, number: int) -> None:
        self.queue = QuestionQueue()
        self.slots = list[WorkerSlot]()
        for _ in range(number):
            slot = WorkerSlot(list[Path](), lambda *_: None, lambda *_: None)
            slot.is_ready = True
            self.slots.append(slot)
        self.now = 0.0

    @property
    def asked(self) -> list[str]:
        """The networks of the questions that workers are asked."""
        return [slot.question.share.network for slot in self.slots if slot.question is not None]

    def put(self, *questions: PooledQuestion) -> None:
        """Put questions into the queue, and ask idle workers."""
        for new in questions:
            self.queue.put(new)
        self.queue.assign(self.slots, self.now)

    def answer(self, seconds: float) -> list[PooledQuestion]:
        """Answer all questions after so many seconds, ask the next ones, and return the former."""
        self.now += seconds
        answered = [slot.question for slot in self.slots if slot.question is not None]
        for slot in self.slots:
            if slot.question is not None:
                self.queue.count_time(slot.question, self.now)
                slot.question = None
        self.queue.assign(self.slots, self.now)
        return answered


def test_a_question_of_another_network_waits_for_one_answer_only() -> None:
    """Even if a network has asked for ten tables before."""
    workers = Workers(1)
    workers.put(*(question(table, HOG) for table in range(10)))
    workers.put(question(99, HONEST))
    workers.answer(2.0)
    assert workers.asked == ["honest"]


def test_networks_get_the_same_seconds_not_the_same_number_of_answers() -> None:
    """Here the answers of one network take ten times as long."""
    workers, answers = Workers(1), Counter[str]()
    workers.put(*(question(table, HOG) for table in range(5)))
    workers.put(*(question(10 + table, HONEST) for table in range(5)))
    for _ in range(220):
        seconds = 1.0 if workers.asked == ["hog"] else 0.1
        [answered] = workers.answer(seconds)
        answers[answered.share.network] += 1
        workers.put(question(answered.table, answered.share))
    assert answers["honest"] == pytest.approx(10 * answers["hog"], rel=0.2)


def test_a_network_that_asks_for_the_first_time_does_not_take_both_workers() -> None:
    """Questions count from the moment when they are asked, not when they are answered."""
    workers = Workers(2)
    workers.put(*(question(table, HOG) for table in range(4)), question(99, HONEST))
    assert sorted(workers.asked) == ["hog", "honest"]


def test_a_network_saves_nothing_up() -> None:
    """After an hour without a question it has no more than its share."""
    workers = Workers(1)
    workers.put(*(question(table, HOG) for table in range(3)))
    for _ in range(3600):
        [answered] = workers.answer(1.0)
        workers.put(question(answered.table, HOG))
    workers.put(*(question(10 + table, HONEST) for table in range(3)))
    order = list[str]()
    for _ in range(6):
        [answered] = workers.answer(1.0)
        order.append(answered.share.network)
        workers.put(question(answered.table, answered.share))
    assert Counter(order[1:5]) == {"hog": 2, "honest": 2}


def test_tables_of_one_network_are_served_in_the_order_of_their_questions() -> None:
    workers = Workers(1)
    workers.put(*(question(table, TableShare()) for table in (3, 1, 2)))
    order = [workers.answer(seconds)[0].table for seconds in (5.0, 0.1, 2.0)]
    assert order == [3, 1, 2]


def test_the_people_who_are_present_count_up_to_four() -> None:
    """One person can connect many times."""
    shares = FairShares()
    for people, account in ((1, 8.0), (4, 2.0)):
        shares.begin(f"{people}", people)
        shares.end(f"{people}", people, 8.0)
        assert shares.account(f"{people}") == account
    many, few = [TableShare("many", 10)] * 4, TableShare("few", 1)
    assert crowds_of([*many, few]) == {"many": 5.0, "few": 5.0}


@pytest.mark.parametrize(
    ("tables", "expected"),
    [([("a", 1)] * 6, {"a": 6}), ([("a", 1)] * 4 + [("b", 4)] * 1, {"a": 8, "b": 2})],
)
def test_a_network_shortens_its_own_searches_only(
    tables: Sequence[tuple[str, int]], expected: dict[str, float]
) -> None:
    """Alone a network has as many questions as it asked."""
    crowds = crowds_of([TableShare(*share) for share in tables])
    assert crowds == expected
    budgets = QuestionBudgets(alone=5, turn=4, least=0.1)
    assert budgets.of(crowds["a"], 1) < budgets.of(2, 1) <= budgets.of(crowds.get("b", 2), 1)


def test_accounts_are_bounded() -> None:
    shares = FairShares()
    for number in range(5000):
        shares.begin(f"{number}", 1)
        shares.end(f"{number}", 1, 0.001)
    assert len(shares._used) <= 1001
