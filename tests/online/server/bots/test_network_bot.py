"""The network bot of a seat: its messages to its table and to its program."""

import base64
import json
from random import Random
from typing import Any

import pytest
from tests.play.host.conftest import FakeScheduler
from typing_extensions import override

from cardhub.base.errors import BotCrashError, BotFaultError, BotTimeoutError
from cardhub.model.hidden.serialization import deserialize
from cardhub.online.server.bots.network_bot import (
    ANSWER_WITHIN,
    RETURN_WITHIN,
    SEED_BITS,
    NetworkBot,
)
from cardhub.online.server.client import ClientChannel
from cardhub.online.wire.server_messages import AnyServerMessage
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub_gargon import Gargon

HELLO = '{"name": "my bot", "protocol": 1}'
SEED = Random(7).getrandbits(SEED_BITS)


class Program(ClientChannel):
    """A connected program: the messages that it got, and why its connection ended."""

    def __init__(self) -> None:
        self.got: list[dict[str, Any]] = []
        self.closed = ""

    @override
    def send(self, message: AnyServerMessage | bytes) -> None:
        assert isinstance(message, bytes)
        self.got.append(json.loads(message))

    @override
    def show(self, table: bytes) -> None:
        raise AssertionError("bots get no views")

    @override
    def close(self, why: str, *, is_final: bool = True) -> None:
        self.closed = why

    def kinds(self) -> list[str]:
        """Return the types of all messages, which then are forgotten."""
        kinds = [message["type"] for message in self.got]
        self.got.clear()
        return kinds


class Seat:
    """A game of Gargon, the network bot of seat 0, and what the table heard of it."""

    def __init__(self) -> None:
        self.scheduler = FakeScheduler()
        self.changes = 0
        self.returns = 0
        self.bot = NetworkBot(self.scheduler, self, Random(7))
        self.heard: list[object] = []
        players = [Player("Anna", "network"), Player("Bob", "random"), Player("Chris", "random")]
        self.referee: Referee[Any] = set_up(Gargon(), players, {}, seed=2)
        self.referee.proceed()

    def on_change(self) -> None:
        """Count the connections and disconnections."""
        self.changes += 1

    def on_return(self) -> None:
        """Count the late returns."""
        self.returns += 1

    def connect(self, *, has_observations: bool = False) -> Program:
        """Connect a program that introduces itself."""
        program = Program()
        self.bot.connect(program, has_observations=has_observations)
        self.bot.receive(program, HELLO)
        return program

    def ask(self) -> list[int]:
        """Ask the bot; return the legal actions."""
        observation = self.referee.observe(0)
        self.bot.ask(observation, self.heard.append)
        return list(observation.legal())

    def fault(self) -> BotFaultError:
        """Return the only answer, a fault."""
        (answer,) = self.heard
        assert isinstance(answer, BotFaultError)
        return answer


@pytest.fixture
def seat() -> Seat:
    """Return a seat that no program has connected for."""
    return Seat()


def action(number: int) -> str:
    """Return the answer with an action."""
    return json.dumps({"action": number})


def test_a_program_is_greeted_and_asked(seat: Seat) -> None:
    """It gets the game once and then its turns; its answer reaches the table."""
    program = seat.connect()
    assert (program.kinds(), seat.bot.name, seat.changes) == (["hello"], "my bot", 1)
    legal = seat.ask()
    assert program.got[0]["seed"] == SEED
    assert [row["action"] for row in program.got[1]["legal"]] == legal
    assert program.kinds() == ["game", "turn"]
    seat.bot.receive(program, action(legal[-1]))
    assert seat.heard == [legal[-1]]
    seat.referee.apply(legal[-1])
    while seat.referee.seat != 0:
        seat.referee.apply(seat.referee.observe(seat.referee.seat).legal()[0])
    seat.ask()
    assert program.kinds() == ["turn"]
    seat.bot.over()
    assert program.kinds() == ["over"]
    seat.ask()
    assert program.kinds() == ["game", "turn"]


def test_a_program_that_comes_back_gets_the_game_again(seat: Seat) -> None:
    program = seat.connect()
    legal = seat.ask()
    seat.bot.disconnect(program)
    assert not seat.bot.is_connected
    seat.scheduler.wait(RETURN_WITHIN - 1)
    assert seat.heard == []
    again = seat.connect()
    assert again.got[1] == program.got[1]
    assert again.kinds() == ["hello", "game", "turn"]
    seat.bot.receive(again, action(legal[0]))
    assert seat.heard == [legal[0]]


def test_a_program_that_does_not_come_back_is_a_fault(seat: Seat) -> None:
    seat.ask()
    seat.scheduler.wait(RETURN_WITHIN)
    assert isinstance(seat.fault(), BotCrashError)


def test_the_table_hears_of_a_program_that_came_too_late(seat: Seat) -> None:
    """Once, and not of others: so it asks again, and a program at fault is not asked for ever."""
    seat.connect()
    assert seat.returns == 0
    seat.bot.close("another table")
    seat.ask()
    seat.scheduler.wait(RETURN_WITHIN)
    program = seat.connect()
    assert seat.returns == 1
    seat.ask()
    seat.bot.receive(program, action(999))
    seat.connect()
    assert seat.returns == 1


def test_a_program_that_does_not_answer_in_time_is_a_fault(seat: Seat) -> None:
    """Its connection ends; it may come back and is asked again."""
    program = seat.connect()
    seat.ask()
    seat.scheduler.wait(ANSWER_WITHIN)
    assert isinstance(seat.fault(), BotTimeoutError)
    assert program.got[-1]["fault"] == "timeout"
    assert program.closed
    seat.connect()
    legal = seat.ask()
    assert seat.bot.is_connected
    assert legal


@pytest.mark.parametrize(
    ("answer", "fault"),
    [
        (action(999), "illegal"),
        ('{"action": true}', "illegal"),
        ("lay R14", "garbage"),
        ("[1]", "garbage"),
        ("[" * 4000, "garbage"),
        ("{}", "garbage"),
        ('{"error": "I give up"}', "refusal"),
    ],
)
def test_invalid_answers_are_faults(seat: Seat, answer: str, fault: str) -> None:
    program = seat.connect()
    seat.ask()
    seat.bot.receive(program, answer)
    assert seat.fault().fault == fault
    assert program.got[-1]["type"] == "fault"
    assert program.got[-1]["fault"] == fault
    assert program.closed
    seat.bot.receive(program, action(0))
    assert len(seat.heard) == 1


@pytest.mark.parametrize(
    "hello", ['{"name": "", "protocol": 1}', '{"name": "new", "protocol": 2}', "[]", HELLO[:-1]]
)
def test_a_program_that_introduces_itself_badly_is_no_fault_of_the_game(
    seat: Seat, hello: str
) -> None:
    """It is sent away, and the question waits for another program."""
    seat.ask()
    program = Program()
    seat.bot.connect(program)
    seat.bot.receive(program, hello)
    assert program.closed
    assert seat.heard == []
    legal = seat.ask()
    seat.bot.receive(seat.connect(), action(legal[0]))
    assert seat.heard == [legal[0]]


def test_a_message_without_a_question_ends_the_connection(seat: Seat) -> None:
    program = seat.connect()
    seat.bot.receive(program, action(0))
    assert program.got[-1]["fault"] == "garbage"
    assert program.closed
    assert seat.heard == []


def test_a_program_that_does_not_introduce_itself_is_sent_away(seat: Seat) -> None:
    program = Program()
    seat.bot.connect(program)
    seat.scheduler.wait(ANSWER_WITHIN)
    assert program.closed


def test_another_program_takes_the_place_of_the_first(seat: Seat) -> None:
    """A computer that was switched off may leave a connection that looks alive."""
    first = seat.connect()
    legal = seat.ask()
    second = seat.connect()
    assert first.closed
    seat.bot.receive(first, action(legal[0]))
    assert seat.heard == []
    seat.bot.receive(second, action(legal[1]))
    assert seat.heard == [legal[1]]


def test_the_answer_to_a_dropped_question_is_not_taken_for_another(seat: Seat) -> None:
    """Programs answer in order, so the answers due are counted."""
    program = seat.connect()
    seat.ask()
    seat.bot.stop()
    legal = seat.ask()
    seat.bot.receive(program, action(legal[0]))
    assert seat.heard == []
    seat.bot.receive(program, action(legal[1]))
    assert seat.heard == [legal[1]]


def test_a_program_that_does_not_play_the_game_is_sent_away(seat: Seat) -> None:
    """Its answer to hello names its games."""
    seat.ask()
    program = Program()
    seat.bot.connect(program)
    seat.bot.receive(program, '{"name": "kuhn bot", "protocol": 1, "games": ["kuhn"]}')
    assert program.got[-1]["fault"] == "hello"
    assert "does not play gargon" in program.closed


def test_observations_are_sent_to_those_who_want_them(seat: Seat) -> None:
    program = seat.connect(has_observations=True)
    seat.ask()
    packed = base64.b64decode(program.got[-1]["observation"])
    assert deserialize(Gargon(), packed).state == seat.referee.observe(0).state


def test_a_closed_bot_answers_no_more(seat: Seat) -> None:
    program = seat.connect()
    seat.ask()
    seat.bot.close("the seat has another token")
    assert program.closed == "the seat has another token"
    seat.scheduler.wait(1000)
    assert seat.heard == []
