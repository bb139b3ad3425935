"""Unfinished and unusual matches: the statistics exist, and are always JSON."""

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

from cardhub.lab.match.task import GameTask

Data = dict[str, Any]
Analysed = Callable[..., Data]
Cup = Callable[..., str]

KUHN, TABLE = "[{game: kuhn, score: rank}]", "[{game: gargon, players: 3}]"
BOTH = "[{game: kuhn, score: rank}, {game: leduc, score: rank}]"
MIRROR = "[{game: gargon, players: 3, fill: mirror}]"
FILLED = "[{game: gargon, players: 3, fill: [c]}]"
TEST = "stop: {sprt: {a: b, b: a, game: kuhn, nelo: [0, 50]}}"
RACE = "schedule: {mode: racing, blocks: 12, batch: 2}"
GAUNTLET = "schedule: {mode: gauntlet, blocks: 4}"
SOME = "bots: [{id: a, use: random, plays: [kuhn]}, {id: b, use: random}, {id: c, use: random}]"


def by_name(task: GameTask) -> list[int]:
    """Return scores by which a is better than b, and so on, always."""
    return [-ord(seat.bot[0]) for seat in task.seats]


def by_luck(task: GameTask) -> list[int]:
    """Return scores that depend on the deal and the seat."""
    return [(int(task.seed, 16) >> 3 * seat) % 5 for seat in range(len(task.seats))]


def even(task: GameTask) -> list[int]:
    """Return scores that are all the same."""
    return [0 for _ in task.seats]


def of_b(task: GameTask) -> list[int]:
    """Return the seats of b, which is at fault whenever it plays."""
    return [seat for seat, who in enumerate(task.seats) if who.bot == "b" and not who.is_absent]


def numbers(data: Any) -> Iterator[Any]:
    """Yield all estimates in some data."""
    if isinstance(data, dict):
        if data.keys() == {"value", "low", "high"}:
            yield data
        for value in data.values():
            yield from numbers(value)
    elif isinstance(data, list):
        for value in data:
            yield from numbers(value)


def check(statistics: Data) -> None:
    """See that all numbers are finite, and that estimates are in their order."""
    assert json.loads(json.dumps(statistics, allow_nan=False)) == statistics
    for number in numbers(statistics["games"]):
        low, value, high = (number[key] for key in ("low", "value", "high"))
        assert low is None or high is None or low <= high
        assert value is None or low is None or low <= value + 1e-12


KINDS = [(KUHN, TEST), (BOTH, ""), (BOTH, RACE), (BOTH, GAUNTLET), (TABLE, ""), (MIRROR, "")]


@pytest.mark.parametrize("most", [0, 1, 3, 7])
@pytest.mark.parametrize(("games", "more"), KINDS)
def test_a_match_may_be_broken_off_anywhere(
    analysed: Analysed, cup: Cup, most: int, games: str, more: str
) -> None:
    statistics = analysed(
        cup("ab" if games == MIRROR else "abc", games, 3, more), by_luck, most=most
    )
    check(statistics)
    left_out = [row["games"] for game in statistics["games"] for row in game["left_out"]]
    assert sum(game["games"] for game in statistics["games"]) + sum(left_out) == most
    if most == 0:
        assert statistics["games"][0]["notes"] == ["No block is finished yet."]


@pytest.mark.parametrize("scores", [by_name, even])
@pytest.mark.parametrize(("games", "more"), KINDS)
def test_a_match_may_be_as_plain_as_it_likes(
    analysed: Analysed,
    cup: Cup,
    scores: Callable[[GameTask], Sequence[int]],
    games: str,
    more: str,
) -> None:
    """The same bot always wins, so no Elo is finite, or all games are drawn."""
    statistics = analysed(cup("ab" if games == MIRROR else "abc", games, 3, more), scores)
    check(statistics)
    for game in statistics["games"]:
        elos = [row["elo"]["value"] for row in game["bots"]]
        bots = [row["bot"] for row in game["bots"]]
        assert bots == sorted(bots)
        if scores is even:
            assert elos == pytest.approx([0] * len(bots), abs=1e-6)
            continue
        assert elos[0] is None
        best = game["bots"][0]["elo"]
        assert (best["low"] is None) == (game["p_value_of"] == "sequence")
        assert best["high"] is None
