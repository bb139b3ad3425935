"""The order of blocks."""

from collections.abc import Callable, Collection
from random import Random

import pytest
from tests.lab.match.match_files import KUHN_AND_GARGON

from cardhub.lab.match.blocks import Block
from cardhub.lab.match.match_spec import Match, Order
from cardhub.lab.match.run.schedule import LATER, FixedOrder, RaceChooser, RaceOrder, schedule_of

CUP = KUHN_AND_GARGON.replace("blocks: 5", "blocks: 2").replace(
    "    games:\n", "      - {id: d, use: first, plays: [kuhn]}\n    games:\n"
)
Pair = tuple[str, str]


class Recorder:
    """A Chooser that names pairs in turn and records the scores known at each choice."""

    def __init__(self, pairs: list[Pair]) -> None:
        self._pairs = pairs
        self.told: list[float] = []
        self.known: list[int] = []
        self.without: list[Collection[str]] = []

    def record(self, pair: Pair, score: float) -> None:
        """Store the score."""
        self.told.append(score)

    def next_pair(self, without: Collection[str]) -> Pair | None:
        """Store the number of known scores, and return the next pair."""
        self.known.append(len(self.told))
        self.without.append(without)
        return self._pairs.pop(0) if self._pairs else None


def all_of(schedule: FixedOrder) -> list[Block]:
    """Return all blocks of an order that is fixed."""
    return list(iter(schedule.next, None))


def test_a_round_robin_goes_deal_by_deal(match: Callable[[str], Match]) -> None:
    blocks = all_of(FixedOrder(match(CUP)))
    assert blocks[:7] == [
        Block("kuhn", 0, ("a", "b")),
        Block("kuhn", 0, ("a", "c")),
        Block("kuhn", 0, ("a", "d")),
        Block("kuhn", 0, ("b", "c")),
        Block("kuhn", 0, ("b", "d")),
        Block("kuhn", 0, ("c", "d")),
        Block("gargon", 0, ("a", "b", "c")),
    ]
    assert blocks[7:] == [block._replace(deal=1) for block in blocks[:7]]


def test_more_blocks_come_after_those_there_were(match: Callable[[str], Match]) -> None:
    short, long = match(CUP), match(CUP.replace("blocks: 2", "blocks: 5"))
    assert all_of(FixedOrder(long))[:14] == all_of(FixedOrder(short))


def test_in_a_gauntlet_only_challengers_meet_others(match: Callable[[str], Match]) -> None:
    cup = match(CUP.replace("{blocks: 2}", "{mode: gauntlet, challengers: [c, d], blocks: 1}"))
    blocks = all_of(FixedOrder(cup))
    assert [block.bots for block in blocks if block.contest == "kuhn"] == [
        ("a", "c"),
        ("a", "d"),
        ("b", "c"),
        ("b", "d"),
    ]
    assert [block.bots for block in blocks if block.contest == "gargon"] == [("a", "b", "c")]


def run_race(race: RaceOrder, ahead: int, score: Callable[[Block], float]) -> list[Block]:
    """Return all blocks of a race that keeps `ahead` blocks unfinished."""
    given: list[Block] = []
    finished = 0
    while True:
        block = race.next() if len(given) - finished < ahead else LATER
        if isinstance(block, Block):
            given.append(block)
        elif finished < len(given):
            race.finish(given[finished], score(given[finished]), ())
            finished += 1
        else:
            return given


def test_a_race_knows_all_but_the_last_batch_when_it_chooses() -> None:
    chooser = Recorder([("a", "b")] * 4)
    blocks = run_race(RaceOrder({"x": chooser}, 100, 3), 1, lambda block: block.deal / 10)
    assert blocks == [Block("x", deal, ("a", "b")) for deal in range(12)]
    assert chooser.known == [0, 0, 3, 6, 9]
    assert chooser.told == [n / 10 for n in range(9)]


def test_a_race_tells_choosers_who_is_withdrawn() -> None:
    chooser = Recorder([("a", "b")] * 3)
    race = RaceOrder({"x": chooser}, 100, 1)
    for without in ((), ("c",), ("c", "d")):
        block = race.next()
        assert isinstance(block, Block)
        race.finish(block, None, without)
    assert race.next() is None
    assert list(map(sorted, chooser.without)) == [[], [], [], ["c"]]
    assert chooser.told == []


def test_contests_race_in_turn_and_blocks_are_limited() -> None:
    """Each has its own chooser; the deals of a pair are counted for themselves."""
    choosers = {"x": Recorder([("a", "b"), ("a", "c")]), "y": Recorder([("a", "b")] * 9)}
    race = RaceOrder(choosers, 7, 1)
    blocks = run_race(race, 2, lambda block: 0.5)
    assert [(block.contest, *block.bots, block.deal) for block in blocks] == [
        ("x", "a", "b", 0),
        ("y", "a", "b", 0),
        ("x", "a", "c", 0),
        ("y", "a", "b", 1),
        ("y", "a", "b", 2),
        ("y", "a", "b", 3),
        ("y", "a", "b", 4),
    ]


@pytest.mark.parametrize("ahead", [2, 7, 50])
def test_a_race_is_the_same_however_far_ahead_it_is_asked(ahead: int) -> None:
    def race() -> RaceOrder:
        order = Order(margin=0.05)
        return RaceOrder({"x": RaceChooser(("a", "b", "c"), order, 0.9, in_points=False)}, 300, 4)

    def score(block: Block) -> float:
        rng = Random(str(block))
        middle = {"ab": 0.25, "bc": 0.75, "ac": 0.5}["".join(block.bots)]
        return min(max(rng.gauss(middle, 0.1), 0), 1)

    one = run_race(race(), 1, score)
    assert run_race(race(), ahead, score) == one
    assert {block.bots for block in one} == {("a", "b"), ("a", "c"), ("b", "c")}
    assert len(one) < 300


def test_a_match_file_says_which_order(match: Callable[[str], Match]) -> None:
    """A race has a chooser for each contest."""
    assert isinstance(schedule_of(match(CUP)), FixedOrder)
    cup = match(CUP.replace("{blocks: 2}", "{mode: racing, blocks: 20, batch: 2}"))
    schedule = schedule_of(cup)
    blocks = [schedule.next() for _ in range(5)]
    assert [block.contest for block in blocks[:4] if isinstance(block, Block)] == [
        "kuhn",
        "kuhn",
        "gargon",
        "gargon",
    ]
    assert blocks[4] is LATER
