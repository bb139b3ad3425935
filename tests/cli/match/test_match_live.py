"""The live table of a match: content, cost, and when it is not shown."""

import io
import re
import sys
from dataclasses import replace
from pathlib import Path
from textwrap import dedent

import pytest
from click.testing import CliRunner
from rich.console import Console, ConsoleDimensions
from tests.cli.conftest import ENTRANTS
from tests.lab.match.results import seated_result
from typing_extensions import override

from cardhub.bots.language.exchanges import Answers
from cardhub.bots.language.provider import Reply
from cardhub.bots.language.spending import Price, SpendingMeter
from cardhub.cli.main import cli
from cardhub.cli.match.live_display import (
    ContestScores,
    LiveState,
    can_draw,
    clock,
    drawn_live,
    progress_text,
    render,
    scale,
)
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import read_match
from cardhub.lab.match.run.runner import RunOptions, run
from cardhub.plugins.registry import PluginRegistry, find_plugins

CUP = """
    cardhub_match: 1
    salt: none
    isolate: no
    name: small-cup
    seed: 3
    bots:
      - {id: one, use: first}
      - {id: two, use: random}
      - {id: bad, use: "cheat:after=9"}
    games:
      - {game: leduc, score: rank}
      - {game: pig, players: 2}
    schedule: {blocks: 30}
    stop: {sprt: {a: two, b: one, game: leduc, nelo: [0, 1]}}
    workers: 1
"""


class Seconds:
    """A clock that advances by a tenth of a second each time it is read."""

    now = 0.0

    def __call__(self) -> float:
        """Return the time."""
        self.now += 0.1
        return self.now


class Terminal(io.StringIO):
    """A terminal that records its output."""

    @override
    def isatty(self) -> bool:
        return True


@pytest.fixture(scope="module")
def registry() -> PluginRegistry:
    """Return the installed games, and bots for matches."""
    return find_plugins([ENTRANTS])


@pytest.fixture(scope="module")
def match(registry: PluginRegistry, tmp_path_factory: pytest.TempPathFactory) -> Match:
    """Return a match of three bots, one of which cheats."""
    path = tmp_path_factory.mktemp("match") / "cup.yaml"
    path.write_text(dedent(CUP), "utf-8")
    return read_match(path, registry)


@pytest.fixture(scope="module")
def honest(
    match: Match, registry: PluginRegistry, tmp_path_factory: pytest.TempPathFactory
) -> LiveState:
    """Return how a match without the cheat stands at its end."""
    return played(replace(match, entrants=match.entrants[:2]), registry, tmp_path_factory)


@pytest.fixture(scope="module")
def whole(
    match: Match, registry: PluginRegistry, tmp_path_factory: pytest.TempPathFactory
) -> LiveState:
    """Return how the match stands at its end."""
    return played(match, registry, tmp_path_factory)


def played(match: Match, registry: PluginRegistry, folders: pytest.TempPathFactory) -> LiveState:
    """Return how a match stands after it was played."""
    live_state = LiveState(match, Seconds())
    run(match, registry, folders.mktemp("out"), RunOptions(watcher=live_state))
    return live_state


def open_terminal(monkeypatch: pytest.MonkeyPatch, kind: str = "xterm-256color") -> Terminal:
    """Have stderr be a terminal from now on; pytest would take it back between two phases."""
    terminal = Terminal()
    monkeypatch.setattr(sys, "stderr", terminal)
    monkeypatch.setenv("TERM", kind)
    return terminal


def drawn(live_state: LiveState, width: int, height: int) -> list[str]:
    """Return the lines of the table."""
    console = Console(file=io.StringIO(), width=width, height=height)
    with console.capture() as captured:
        console.print(render(live_state, ConsoleDimensions(width, height)))
    return captured.get().splitlines()


def test_it_shows_progress_speed_and_standings(honest: LiveState) -> None:
    lines = drawn(honest, 80, 24)
    assert lines[0] == "small-cup: 60 of 60 blocks, 120 games, computing the statistics"
    assert lines[1] == "━" * 80
    assert lines[2].split("  ")[0] == "game"
    assert "95 % anytime-valid" in lines[2]
    assert lines[3].startswith("leduc  two ")
    assert " to " in lines[3]
    assert lines[-2] == "two against one in leduc: undecided"
    assert lines[-1].startswith("LLR ")
    assert max(map(len, lines)) <= 80


def test_it_shows_what_language_models_have_used(match: Match, tmp_path: Path) -> None:
    """Also before the first game, when they may be asked in all states of a small game."""
    answers = Answers(tmp_path / "answers")
    live_state = LiveState(match, Seconds(), SpendingMeter(answers))
    assert progress_text(live_state) == "reading its log"
    answers.of_game("one", "game").answer("request", lambda: Reply("yes", tokens_in=2000))
    assert progress_text(live_state) == "asking its language models, 1 answer for 2,000 tokens"
    prices = {"one": Price(read=500.0, written=1.0)}
    live_state = LiveState(match, Seconds(), SpendingMeter(answers, prices=prices))
    assert progress_text(live_state) == "asking its language models, 1 answer for $1.00"


def test_it_has_no_intervals_once_a_bot_is_withdrawn(whole: LiveState) -> None:
    """The others meet other rivals from then on than before."""
    text = "\n".join(drawn(whole, 100, 24))
    assert "illegal, withdrawn" in text
    assert " to " not in text


@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 24), (50, 8), (20, 6)])
def test_it_fits_on_small_terminals(whole: LiveState, width: int, height: int) -> None:
    """No line is longer; omitted rows are counted."""
    lines = drawn(whole, width, height)
    assert max(map(len, lines)) <= width
    if height == 8:
        assert len(lines) <= height
        assert any("more" in line for line in lines)


def test_intervals_wait_if_they_would_cost_too_much(match: Match) -> None:
    live_state = LiveState(match, Seconds())
    scores = live_state.scores["leduc"]
    # The queue is private, because a queue filled by games would add scores during the test.
    scores._waiting.extend([("one", 0.5)] * 100)
    for _ in range(50):
        live_state.count_game(is_new=True)
    assert len(scores._waiting) > 95
    assert scores.interval("one") is not None


def test_speed_and_time_left_are_those_of_the_last_half_minute(match: Match) -> None:
    """Games read from the log do not count."""
    live_state = LiveState(match, Seconds())
    for _ in range(200):
        live_state.count_game(is_new=False)
    assert live_state.speed() is None
    for _ in range(2000):
        live_state.count_game(is_new=True)
    speed = live_state.speed()
    assert speed is not None
    assert 2 < speed < 10


def test_times_and_scales_are_drawn() -> None:
    """A clock has minutes and hours, a scale marks the value."""
    assert [clock(seconds) for seconds in (5, 65.4, 3725)] == ["0:05", "1:05", "1:02:05"]
    assert scale(0, -3, 3) == "----------o----------"
    assert scale(9, -3, 3) == "--------------------o"


def test_the_terminal_is_left_clean(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = open_terminal(monkeypatch)
    with pytest.raises(KeyboardInterrupt), drawn_live(LiveState(match)):
        raise KeyboardInterrupt
    written = terminal.getvalue()
    assert -1 < written.rfind("\x1b[?25l") < written.rfind("\x1b[?25h")
    assert "small-cup: reading its log" in written.rpartition("\x1b[?25h")[0]
    assert "\x1b[1A" not in written.rpartition("log")[2]


def test_colours_are_left_out_on_request(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    terminal = open_terminal(monkeypatch)
    with drawn_live(LiveState(match)):
        pass
    assert "small-cup" in terminal.getvalue()
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", terminal.getvalue())


def test_terminals_that_only_write_get_no_table(monkeypatch: pytest.MonkeyPatch) -> None:
    open_terminal(monkeypatch)
    assert can_draw()
    open_terminal(monkeypatch, "dumb")
    assert not can_draw()


def test_a_pipe_gets_no_control_codes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = CUP.replace("blocks: 30", "blocks: 2")
    Path("cup.yaml").write_text(dedent(text), "utf-8")
    words = ["--plugins-dir", str(ENTRANTS), "match", "cup.yaml", "--pages", "none"]
    result = CliRunner().invoke(cli, words, prog_name="cardhub")
    assert result.exit_code == 2, result.output
    assert "\x1b" not in result.output + result.stderr


def test_scores_in_points_have_a_sign(
    match: Match, registry: PluginRegistry, tmp_path_factory: pytest.TempPathFactory
) -> None:
    leduc = replace(match.contests[0], score="points", unit="chips")
    duel = replace(
        match,
        entrants=tuple(replace(bot, plays=("leduc",)) for bot in match.entrants[:2]),
        contests=(leduc,),
        order=replace(match.order, blocks=9),
        sprt=None,
    )
    live_state = played(duel, registry, tmp_path_factory)
    best, last = (line.split() for line in drawn(live_state, 100, 20)[3:5])
    assert best[3].startswith("+")
    assert best[3] == last[1].replace("-", "+")


def test_the_interval_of_a_mean_in_points_comes_late(match: Match) -> None:
    contest = replace(match.contests[0], score="points")
    scores = ContestScores(replace(match, entrants=match.entrants[:2]), contest)
    for deal in range(70):
        ahead = (deal % 7) - 2
        bots, points = ("one", "two"), (ahead, -ahead)
        scores.block([seated_result(bots, points)], has_withdrawn=False)
        while scores.catch_up():
            pass
        interval = scores.interval("one")
        assert interval is not None
        assert (interval.low is None) == (deal < 63)


def test_intervals_have_the_level_of_the_match(match: Match) -> None:
    widths = {}
    for level in (0.5, 0.95):
        rated = replace(match, rating=replace(match.rating, level=level))
        scores = ContestScores(rated, rated.contests[0])
        for deal in range(20):
            for _ in range(3):
                result = seated_result(("one", "two"), (deal % 2, 1 - deal % 2))
                scores.block([result], has_withdrawn=False)
        while scores.catch_up():
            pass
        interval = scores.interval("one")
        assert interval is not None
        assert interval.low is not None
        assert interval.high is not None
        widths[level] = interval.high - interval.low
    assert widths[0.5] < widths[0.95]
