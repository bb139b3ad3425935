"""Pages of finished games, and responses with compression and ETags."""

import gzip
from pathlib import Path
from random import Random
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.online.server.conftest import EchoTables
from typing_extensions import override

from cardhub.online.server.server_options import ServerOptions
from cardhub.online.server.table_interface import FinishedGame, LoadError
from cardhub.online.server.web import pages as replay_pages
from cardhub.online.server.web.web_app import build_app
from cardhub.play.records.recording import record_to
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins

PATH = "/t/abc/replay/1.html"


class OneGame(EchoTables):
    """Tables with one finished game."""

    def __init__(self, record: Path) -> None:
        super().__init__()
        self.game = FinishedGame(record, record.with_suffix(".html"), ())

    @override
    def replay(self, table: str, number: int) -> FinishedGame | None:
        return self.game if number == 1 else None


def finished(record: Path) -> OneGame:
    """Return tables with a game that was played at random."""
    players = [Player("Anna", "human"), Player("Bob", "human")]
    referee, rng = set_up(find_plugins().game("kuhn"), players, {}, 1), Random(1)
    record_to(referee, record)
    referee.proceed()
    while not referee.is_over:
        referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    return OneGame(record)


def site(tables: EchoTables) -> TestClient:
    """Return a client of a server."""
    return TestClient(build_app(tables, ServerOptions()), "http://localhost", False)


def test_a_replay_of_an_archived_table_without_a_place_is_refused_with_the_reason(
    tmp_path: Path,
) -> None:
    class NoPlace(OneGame):
        @override
        def replay(self, table: str, number: int) -> FinishedGame | None:
            raise LoadError("there is no place for it. fix: try again later")

    answer = site(NoPlace(tmp_path / "game-1.jsonl")).get(PATH)
    assert answer.status_code == 503
    assert answer.json() == {"why": "there is no place for it. fix: try again later"}


def test_the_page_of_a_game_is_built_once_and_kept_beside_its_record(tmp_path: Path) -> None:
    """A restart of the server does not build it again."""
    tables = finished(tmp_path / "game-1.jsonl")
    first = site(tables).get(PATH)
    assert first.status_code == 200
    assert "Anna" in first.text
    assert tables.game.page.read_bytes() == first.content
    tables.game.page.write_text("kept")
    assert site(tables).get(PATH).text == "kept"
    assert site(tables).get("/t/abc/replay/2.html").status_code == 404


@pytest.mark.parametrize(("content", "within"), [("no record", 60.0), ("", 0.0)])
def test_a_page_that_cannot_be_built_is_no_page(
    tmp_path: Path, content: str, within: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = finished(tmp_path / "game-1.jsonl")
    if content:
        tables.game.record.write_text(content)
    monkeypatch.setattr(replay_pages, "BUILD_WITHIN", within)
    answer = site(tables).get(PATH)
    assert answer.status_code == 500
    assert str(tmp_path) not in answer.text
    assert not tables.game.page.exists()


def test_the_lobby_is_sent_again_only_if_it_has_changed() -> None:
    """Compressed for those who can read that, and checked each time."""
    client = site(EchoTables())
    plain = client.get("/lobby", headers={"accept-encoding": "identity"})
    packed: Any = client.get("/lobby", headers={"accept-encoding": "gzip"})
    assert packed.headers["Content-Encoding"] == "gzip"
    assert "Content-Encoding" not in plain.headers
    assert packed.content == plain.content
    assert int(packed.headers["Content-Length"]) == len(gzip.compress(plain.content, 6, mtime=0))
    assert plain.headers["Cache-Control"] == "no-cache"
    assert plain.headers["Vary"] == "Accept-Encoding"
    again = client.get("/lobby", headers={"if-none-match": plain.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    other = client.get("/lobby", headers={"if-none-match": 'W/"other"'})
    assert (other.status_code, other.content) == (200, plain.content)
