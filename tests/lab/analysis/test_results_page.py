"""docs/results.md names every key of the statistics."""

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from msgspec import Struct
from tests.kit.paths import ROOT

from cardhub.lab.analysis.schema import AdHocRow, PartnersRow
from cardhub.lab.match.task import GameTask

PAGE = ROOT / "docs" / "results.md"
GAMES = "[{game: kuhn, score: rank}, {game: leduc, score: rank}]"
MORE = """
    stop: {sprt: {a: a, b: b, game: kuhn, nelo: [0, 5]}}
    rating: {bootstrap: 100, missing: loss, anchor: {a: 0}}
"""


def keys(data: Any) -> Iterator[str]:
    """Yield all keys in some data."""
    if isinstance(data, dict):
        yield from data
        for value in data.values():
            yield from keys(value)
    elif isinstance(data, list):
        for value in data:
            yield from keys(value)


def explained() -> set[str]:
    """Return all words in code on the page."""
    return set(re.findall(r"\w+", " ".join(re.findall(r"`([^`]*)`", PAGE.read_text("utf-8")))))


def test_every_key_of_the_statistics_is_explained(
    analysed: Callable[..., dict[str, Any]], cup: Callable[..., str]
) -> None:
    def scores(task: GameTask) -> list[int]:
        return [(int(task.seed, 16) >> 3 * seat) % 3 for seat in (0, 1)]

    def faulty(task: GameTask) -> list[int]:
        return [0] if task.deal == 3 else []

    text = cup("abc", GAMES, blocks=5, more=MORE).replace(
        "{id: c, use: random}", "{id: c, use: random, plays: [kuhn]}"
    )
    found = analysed(text, scores, faulty, most=29)
    assert found["games"][0]["transitivity"]
    assert found["overall"]["assumed"]
    assert found["games"][0]["faults"]
    assert found["test"]["course"]
    assert any(game["left_out"] for game in found["games"])
    assert set(keys(found)) - explained() == set()


@pytest.mark.parametrize("row", [PartnersRow, AdHocRow])
def test_the_keys_of_partners_are_explained(row: type[Struct]) -> None:
    """Matches of teams and common causes have them."""
    assert set(row.__struct_fields__) - explained() == set()
