"""The page of a running match for browsers."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen

import pytest
from click.testing import Result

from cardhub.base.errors import MatchError
from cardhub.cli.match.live_display import LiveState
from cardhub.cli.match.live_page import live_page, page_server
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.plugins.registry import find_plugins

CUP = """
cardhub_match: 1
salt: none
name: small-cup
seed: 3
bots: [{id: one, use: random}, {id: two, use: random}]
games: [kuhn]
blocks: 20
stop: {sprt: {a: two, b: one}}
"""


@pytest.fixture(scope="module")
def match(tmp_path_factory: pytest.TempPathFactory) -> Match:
    path = tmp_path_factory.mktemp("match") / "cup.yaml"
    path.write_text(CUP, "utf-8")
    return read_match(path, find_plugins())


@pytest.fixture
def address(match: Match) -> Iterator[str]:
    """Serve the page of a match that has not begun, and return its address."""
    with page_server(LiveState(match), 0) as address:
        yield address


def test_the_page_shows_a_match_as_it_is_now(match: Match, tmp_path: Path) -> None:
    """At first the log is read; later there are scores, intervals and the test."""
    live_state = LiveState(match)
    with page_server(live_state, 0) as address:
        assert "<p>reading its log</p>" in _read(address)
        run(match, find_plugins(), tmp_path / "out", RunOptions(watcher=live_state))
        page = _read(address)
    assert "<p>20 of 20 blocks, 40 games" in page
    assert '<progress max="20" value="20">' in page
    assert "<td>kuhn</td>" in page
    assert "two against one in kuhn: " in page


def test_there_is_no_other_page(address: str) -> None:
    for path in ("report.html", "../cup.yaml", "?all"):
        with pytest.raises(HTTPError, match="404"):
            urlopen(address + path)


def test_after_the_match_nothing_answers(match: Match) -> None:
    """The page itself says that the match has ended."""
    with page_server(LiveState(match), 0) as address:
        assert 'id="ended" hidden' in _read(address)
    with pytest.raises(URLError):
        urlopen(address)


def test_names_are_only_text(match: Match) -> None:
    page = live_page(LiveState(replace(match, name="<b>cup</b>")))
    assert "<b>" not in page
    assert "&lt;b&gt;cup" in page


def test_a_port_that_is_in_use_is_an_error(match: Match, address: str) -> None:
    port = int(address.rpartition(":")[2].rstrip("/"))
    with (
        pytest.raises(MatchError, match="fix: --serve with another port"),
        page_server(LiveState(match), port),
    ):
        pass


def test_the_command_says_where_the_page_is(run_match: Callable[..., Result]) -> None:
    Path("cup.yaml").write_text(CUP, "utf-8")
    result = run_match("cup.yaml", "--serve", "0", "--pages", "none")
    assert "Page: http://127.0.0.1:" in result.stderr
    assert Path("runs/small-cup/report.html").exists()


def _read(address: str) -> str:
    with urlopen(address) as answer:
        return str(answer.read().decode())
