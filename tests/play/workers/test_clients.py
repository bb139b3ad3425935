"""Bots in a separate process: answers, interruption, termination and loss."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from queue import Empty, SimpleQueue
from random import Random
from typing import Any

import pytest
from tests.kit.processes import is_running
from tests.kit.waiting import PATIENCE, wait_until

from cardhub.base.errors import BotCrashError, BotExceptionError, BotFaultError, PluginError
from cardhub.bots import Rated
from cardhub.bots.asking import choose
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import seated, set_up
from cardhub.play.workers.bot_messages import advisers_of, bots_of
from cardhub.play.workers.client import BotClient
from cardhub.play.workers.process import BotProcess
from cardhub.plugins.registry import find_plugins

THINKERS = Path(__file__).with_name("thinkers")
REGISTRY = find_plugins([THINKERS])
_, HOG, LEAVE, VANISH, KILL, RAISE, BEAR = range(7)


def table(bot: str, seats: int = 3, game: str = "gargon") -> Referee[Any]:
    """Return a table at which one kind of bot has all seats."""
    players = [Player(name, bot) for name in NAMES[:seats]]
    referee = set_up(REGISTRY.game(game), players, {}, seed=4)
    referee.proceed()
    return referee


def ask(thinker: BotClient, referee: Referee[Any], seconds: float = PATIENCE) -> Any:
    """Return a bot's answer for the seat to act."""
    heard = SimpleQueue[Any]()
    thinker.ask(referee.observe(referee.seat), heard.put)
    return heard.get(timeout=seconds)


Begin = Callable[..., tuple[BotProcess, Referee[Any]]]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """Return a function that seats a bot in a separate process, which ends with the test."""
    processes = []

    def begin(bot: str) -> tuple[BotProcess, Referee[Any]]:
        referee = table(bot)
        processes.append(BotProcess(REGISTRY.directories, bots_of(referee, REGISTRY)))
        return processes[-1], referee

    yield begin
    for process in processes:
        process.close()


@pytest.mark.parametrize("bot", ["counting", "drawing"])
def test_a_game_is_the_same_in_a_process_of_its_own(begin: Begin, bot: str) -> None:
    """The bots' seeds and memory are the same; their output on stdout and stderr is dropped."""
    process, referee = begin(bot)
    here = table(bot)
    with seated(REGISTRY, here) as bots:
        for _ in range(30):
            action = ask(process, referee)
            assert action == choose(bots[here.seat], here.observe(here.seat))
            referee.apply(action)
            here.apply(action)


def test_a_bot_can_be_hurried_and_a_later_question_overtakes_the_one_before(begin: Begin) -> None:
    """A hurried bot answers with its best action; the answer to a cancelled question is dropped."""
    process, referee = begin("ponder:20000")
    heard = SimpleQueue[Any]()
    process.ask(referee.observe(0), heard.put)
    process.hurry()
    assert heard.get(timeout=PATIENCE) == referee.observe(0).legal()[0]
    process.ask(referee.observe(0), heard.put)
    with pytest.raises(Empty):
        heard.get(timeout=0.3)
    process.hurry()
    assert heard.get(timeout=PATIENCE) == referee.observe(0).legal()[0]
    first, second = SimpleQueue[Any](), SimpleQueue[Any]()
    for heard in (first, second):
        process.ask(referee.observe(0), heard.put)
        with pytest.raises(Empty):
            heard.get(timeout=0.3)
    process.hurry()
    assert second.get(timeout=PATIENCE) == referee.observe(0).legal()[0]
    assert first.empty()


def test_advice_is_the_same_whenever_it_is_asked_for() -> None:
    """Its bot is created for each question, with a seed that follows from the state of the game."""
    referee = table("human")
    process = BotProcess(REGISTRY.directories, advisers_of(referee, REGISTRY, "drawing"))
    try:
        answers = [ask(process, referee) for _ in range(3)]
    finally:
        process.close()
    assert answers[0] == answers[1] == answers[2]
    ((action, visits, value, _),) = answers[0]
    assert (visits, value) == (0, 0.0)
    assert action in referee.observe(0).legal()


def test_an_adviser_rates_all_that_it_likes() -> None:
    """Its numbers arrive as they are, the best action first."""
    referee = table("human")
    process = BotProcess(REGISTRY.directories, advisers_of(referee, REGISTRY, "ponder:1"))
    try:
        rated = ask(process, referee)
    finally:
        process.close()
    assert rated[0] == Rated(referee.observe(0).legal()[-1], 100, 0.5)
    assert len(rated) == len(referee.observe(0).legal())


@pytest.mark.parametrize(
    ("way", "kind", "why"),
    [
        (LEAVE, BotExceptionError, "SystemExit: enough"),
        (RAISE, BotExceptionError, r"ValueError: no idea \[/what\]"),
        (VANISH, BotCrashError, "its process ended with code 7"),
        pytest.param(
            KILL,
            BotCrashError,
            "was killed by signal 9",
            marks=pytest.mark.skipif(os.name != "posix", reason="signals are POSIX"),
        ),
    ],
)
def test_a_bot_that_fails_is_asked_again(
    begin: Begin, trouble: Path, way: int, kind: type[BotFaultError], why: str
) -> None:
    process, referee = begin(f"failing:{way}")
    fault = ask(process, referee)
    assert isinstance(fault, kind)
    with pytest.raises(BotFaultError, match=why):
        raise fault
    trouble.unlink()
    assert ask(process, referee) in referee.observe(0).legal()


def test_a_process_that_ended_unasked_is_told_of_with_the_next_question(
    begin: Begin, trouble: Path
) -> None:
    """Its bots have lost their memory of the game, which people should know."""
    process, referee = begin(f"failing:{RAISE},then=counting")
    ask(process, referee)
    pid = int(trouble.read_text())
    trouble.unlink()
    assert ask(process, referee) == referee.observe(0).legal()[0]
    os.kill(pid, 9)
    # The public names do not show that the end was noticed; an earlier question has another answer.
    wait_until(lambda: process._running is None)
    assert isinstance(ask(process, referee), BotCrashError)
    assert ask(process, referee) == referee.observe(0).legal()[0]


@pytest.mark.parametrize("way", [HOG, BEAR])
def test_a_bot_that_never_ends_is_killed_with_all_that_it_started(
    begin: Begin, trouble: Path, way: int
) -> None:
    process, referee = begin(f"failing:{way}")
    heard = SimpleQueue[Any]()
    process.ask(referee.observe(0), heard.put)
    wait_until(lambda: len(trouble.read_text().split()) == (2 if way == BEAR else 1))
    process.stop()
    pids = [int(word) for word in trouble.read_text().split()]
    wait_until(lambda: not any(map(is_running, pids)))
    trouble.unlink()
    assert ask(process, referee) in referee.observe(0).legal()
    assert heard.empty()


def test_closing_does_not_wait_for_a_bot_that_never_ends(begin: Begin, trouble: Path) -> None:
    """The process is gone soon afterwards, though no other thread of it can run."""
    process, referee = begin(f"failing:{HOG}")
    process.ask(referee.observe(0), lambda _: None)
    wait_until(lambda: bool(trouble.read_text()))
    start = time.monotonic()
    process.close()
    assert time.monotonic() - start < 30
    wait_until(lambda: not is_running(int(trouble.read_text())))


def test_a_process_that_cannot_begin_is_told_of(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every question is answered, whenever the process ended."""
    monkeypatch.setattr("cardhub.bots.processes.python_process.BOOT", "import sys; sys.exit(5)")
    referee = table("human")
    process = BotProcess(REGISTRY.directories, advisers_of(referee, REGISTRY, "drawing"))
    for _ in range(3):
        assert isinstance(ask(process, referee), BotCrashError)
    process.close()
    monkeypatch.setattr("sys.executable", "/nowhere/python")
    assert isinstance(ask(process, referee), BotCrashError)


def test_an_unknown_bot_is_refused_before_a_process_is_started() -> None:
    with pytest.raises(PluginError, match="unknown bot 'ruel'"):
        bots_of(table("ruel"), REGISTRY)


def test_a_lineup_does_not_hold_the_seed_of_the_game() -> None:
    """A bot could deal again from it."""
    referee = set_up(REGISTRY.game("gargon"), table("random").players, {}, seed=987654321)
    lineup = bots_of(referee, REGISTRY)
    assert "987654321" not in str(lineup)
    assert Random(lineup.seeds[0]).random() != Random(lineup.seeds[1]).random()
