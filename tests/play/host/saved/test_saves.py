"""Saved games: every game has a file of its own."""

import json
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from pathlib import Path
from threading import Barrier

import pytest
from typing_extensions import override

from cardhub.play.host.opening import NewGame, Opener
from cardhub.play.host.saved import saves
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.seating import Player
from cardhub.plugins.registry import find_plugins

PLAYERS = [Player("Anna", "human"), Player("Bob", "random")]


class OneSecond(datetime):
    """A clock that stands still, so all games begin in the same second."""

    @classmethod
    @override
    def now(cls, tz: object = None) -> "OneSecond":
        return cls(2026, 1, 2, 3, 4, 5)


@pytest.fixture
def opener(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Opener:
    monkeypatch.setenv("CARDHUB_HOME", str(tmp_path))
    monkeypatch.setattr(saves, "datetime", OneSecond)
    return Opener(find_plugins(), BlockingScheduler(), pace=0, is_inline=True)


def test_games_that_begin_in_the_same_second_have_a_file_each(
    opener: Opener, tmp_path: Path
) -> None:
    count = 24
    start = Barrier(count)

    def begin(number: int) -> Path | None:
        start.wait()
        host = opener.start(NewGame("leduc", PLAYERS, seed=number))
        host.close()
        return host.path

    with ThreadPoolExecutor(count) as pool:
        paths = list(pool.map(begin, range(count)))
    names = sorted(path.name for path in (tmp_path / "games").glob("*.jsonl"))
    assert len({*paths}) == len(names) == count
    headers = [(tmp_path / "games" / name).read_text().splitlines()[0] for name in names]
    assert {json.loads(header)["seed"] for header in headers} == {*range(count)}
    assert "2026-01-02T03-04-05_leduc.jsonl" in names
    assert "2026-01-02T03-04-05_leduc_24.jsonl" in names
