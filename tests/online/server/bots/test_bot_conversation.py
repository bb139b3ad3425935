"""A program at the server: the token of its seat, and the bot protocol over a WebSocket."""

from collections.abc import Iterator
from contextlib import contextmanager
from queue import SimpleQueue
from typing import Any

import pytest
from tests.kit.waiting import PATIENCE, wait_until
from tests.online.server.conftest import BOT_TOKEN, RunningServer, heard, say
from websockets.sync.client import ClientConnection, connect

from cardhub.online.server.bots.network_bot import NetworkBot
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon


@contextmanager
def program(live: RunningServer, **first: object) -> Iterator[ClientConnection]:
    """Connect a program that sends a first message."""
    with connect(f"ws://{live.address}/bot/abc", max_size=None) as client:
        say(client, **first)
        yield client


@contextmanager
def introduced(live: RunningServer) -> Iterator[ClientConnection]:
    """Connect a program that answers the greeting."""
    with program(live, type="seat", token=BOT_TOKEN) as client:
        assert heard(client)["type"] == "hello"
        say(client, name="my bot", protocol=1)
        wait_until(lambda: bot_of(live).is_connected)
        yield client


def bot_of(live: RunningServer) -> NetworkBot:
    """Return the bot of the table."""
    assert live.table.bot is not None
    return live.table.bot


@pytest.fixture(scope="module")
def referee() -> Referee[Any]:
    """Return a game in which seat 0 is to act."""
    players = [Player(name, "network") for name in ("Anna", "Bob", "Chris")]
    made: Referee[Any] = set_up(Gargon(), players, {}, seed=2)
    made.proceed()
    return made


def test_a_program_plays_its_seat(live: RunningServer, referee: Referee[Any]) -> None:
    """It is asked by the table and answers; unknown keys of its messages are ignored."""
    answers = SimpleQueue[object]()
    with introduced(live) as client:
        observation = referee.observe(0)
        live.table.scheduler.call_soon(lambda: bot_of(live).ask(observation, answers.put))
        assert heard(client)["type"] == "game"
        turn = heard(client)
        say(client, action=turn["legal"][-1]["notation"], comment="easy")
        assert answers.get(timeout=PATIENCE) == observation.legal()[-1]
    wait_until(lambda: not bot_of(live).is_connected)


def test_a_fault_ends_the_connection_with_the_reason(live: RunningServer) -> None:
    """The program's author reads it in two messages."""
    with introduced(live) as client:
        say(client, action=0)
        assert heard(client)["fault"] == "garbage"
        closed = heard(client)
        assert closed["type"] == "closed"
        assert "without being asked" in closed["why"]


@pytest.mark.parametrize(
    ("first", "why"),
    [
        ({"type": "seat", "token": "wrong"}, "this token is unknown. fix: ask the owner"),
        ({"type": "seat"}, "the first message is invalid"),
        ({"type": "seat", "token": "x" * 65}, "the first message is invalid"),
        ({"type": "enter", "version": 2, "token": BOT_TOKEN}, "the first message is invalid"),
        ({"name": "my bot", "protocol": 1}, "the first message is invalid"),
    ],
)
def test_a_program_without_a_seat_is_sent_away(
    live: RunningServer, first: dict[str, object], why: str
) -> None:
    """It hears no greeting, only the reason."""
    with program(live, **first) as client:
        closed = heard(client)
    assert closed["type"] == "closed"
    assert why in closed["why"]
