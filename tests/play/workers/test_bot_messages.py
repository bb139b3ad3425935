"""The output of a bot's process is data that is checked, not trusted."""

import pickle
from collections.abc import Iterator
from queue import SimpleQueue
from typing import Any

import pytest
from tests.kit.waiting import PATIENCE

from cardhub.base.errors import BotFaultError, BotGarbageError, BotIllegalError
from cardhub.bots.processes.child_process import FrameError
from cardhub.bots.processes.python_process import Ready, build_failed, frame, read_frame
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.play.workers.bot_messages import (
    LONGEST,
    ORDER_DECODER,
    REPLY_CODEC,
    Advised,
    Chosen,
    Reply,
    advisers_of,
    bots_of,
)
from cardhub.play.workers.process import BotProcess
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()
HOSTILE = """
import sys
sys.stdin.buffer.raw.readline()
sys.stdout.buffer.write({written!r})
sys.stdout.buffer.flush()
sys.stdin.buffer.read()
"""


class Bomb:
    """An object that runs code when unpickled."""

    def __reduce__(self) -> Any:
        return pytest.fail, ("code that came with data was run",)


def framed(data: bytes) -> bytes:
    """Return bytes as the content of a frame."""
    return len(data).to_bytes(4, "big") + data


GARBAGE = {
    "text": b"Traceback (most recent call last)",
    "huge": b"\xff\xff\xff\xff",
    "too long": (LONGEST + 1).to_bytes(4, "big"),
    "pickle": framed(pickle.dumps((1, Bomb()))),
    "bare pickle": pickle.dumps((1, Bomb())),
    "nested": framed(b"\x91" * 20_000),
    "huge array": framed(b"\xdd\xff\xff\xff\xff"),
    "empty": framed(b""),
    "another type": framed(b"\x81\xa4type\xa5Setup"),
    "text for a number": frame(Chosen("0", 0)),  # type: ignore[arg-type]  # wrong on purpose
    "no such question": frame(Chosen(2, 0)),
    "old question": frame(Chosen(0, 0)),
    "unasked": frame(Chosen(1, 0)) + frame(Chosen(1, 0)),
}


class Reader:
    """Bytes to be read piece by piece."""

    def __init__(self, data: bytes) -> None:
        self._data = data

    def read(self, most: int) -> bytes:
        """Return a few of the next bytes."""
        size = min(most, 1000)
        part, self._data = self._data[:size], self._data[size:]
        return part


def received(data: bytes) -> list[Reply]:
    """Return the messages of a process that writes these bytes."""
    return list(REPLY_CODEC.decode(Reader(data).read))


@pytest.fixture
def referee() -> Referee[Any]:
    """Return a game of Kuhn poker in which seat 0 is to act."""
    players = [Player("Anna", "random"), Player("Bob", "human")]
    referee = set_up(REGISTRY.game("kuhn"), players, {}, seed=3)
    referee.proceed()
    return referee


@pytest.fixture
def process(referee: Referee[Any]) -> Iterator[BotProcess]:
    """Return the process of its bot."""
    process = BotProcess(REGISTRY.directories, bots_of(referee, REGISTRY))
    yield process
    process.close()


def asked(process: BotProcess, referee: Referee[Any]) -> Any:
    """Return the answer to the question of the moment."""
    heard = SimpleQueue[Any]()
    process.ask(referee.observe(referee.seat), heard.put)
    return heard.get(timeout=PATIENCE)


@pytest.mark.parametrize("name", [name for name in GARBAGE if name != "unasked"])
def test_garbage_costs_its_bot_the_answer_and_nothing_else(
    process: BotProcess, referee: Referee[Any], monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    """It is neither run nor kept; a new process answers the next question."""
    with monkeypatch.context() as patch:
        program = HOSTILE.format(written=GARBAGE[name])
        patch.setattr("cardhub.bots.processes.python_process.BOOT", program)
        assert isinstance(asked(process, referee), BotGarbageError)
    if name == "text":  # once is enough: it takes the time in which Python starts
        assert asked(process, referee) in referee.observe(0).legal()


def test_an_unexpected_answer_ends_the_process(
    process: BotProcess, referee: Referee[Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer before it counts; the next question gets the error."""
    program = HOSTILE.format(written=GARBAGE["unasked"])
    monkeypatch.setattr("cardhub.bots.processes.python_process.BOOT", program)
    assert asked(process, referee) == 0
    assert isinstance(asked(process, referee), BotFaultError)


@pytest.mark.parametrize("rated", [[], [(7, 1, 0.5, [])], [(0, 1, float("nan"), [])]])
def test_advice_of_a_process_is_checked(
    referee: Referee[Any],
    monkeypatch: pytest.MonkeyPatch,
    rated: list[tuple[int, int, float, list[tuple[int, int]]]],
) -> None:
    """An adviser's own process cannot be believed to have done so."""
    program = HOSTILE.format(written=frame(Advised(1, rated)))
    monkeypatch.setattr("cardhub.bots.processes.python_process.BOOT", program)
    referee.apply(0)
    process = BotProcess(REGISTRY.directories, advisers_of(referee, REGISTRY, "random"))
    assert isinstance(asked(process, referee), BotIllegalError)
    process.close()


def test_messages_arrive_as_they_were_sent() -> None:
    sent: list[Reply] = [
        Ready(1),
        Chosen(2, -5),
        Advised(3, [(1, 2, 0.5, [(1, 4)])]),
        build_failed(4, "crash", "é\ud800", "x"),
    ]
    data = b"".join(frame(reply) for reply in sent)
    assert received(data) == [*sent[:3], build_failed(4, "crash", "é?", "x")]


def test_the_longest_texts_fit_into_a_frame() -> None:
    """Longer texts are cut to the limit."""
    data = frame(build_failed(1, "exception", "\U0001f0a1" * LONGEST, "\U0001f0a1" * LONGEST))
    assert len(data) < LONGEST
    assert len(received(data)) == 1


def test_half_a_message_is_none() -> None:
    for data in (frame(Ready(1))[:-1], frame(Ready(1))[:2]):
        with pytest.raises(FrameError):
            received(data)
    with pytest.raises(FrameError):
        read_frame(Reader(frame(Ready(1))).read, ORDER_DECODER, None)
