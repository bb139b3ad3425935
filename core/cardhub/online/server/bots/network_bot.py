"""The network bot of a seat: its questions, answers, timeouts and faults."""

import json
from base64 import b64encode
from collections.abc import Callable, Mapping
from contextlib import suppress
from random import Random, SystemRandom
from typing import Any, Protocol

from typing_extensions import override

from cardhub.base.errors import (
    BotCrashError,
    BotFaultError,
    BotGarbageError,
    BotHelloError,
    BotTimeoutError,
)
from cardhub.bots.external.answers import read_answer, read_hello
from cardhub.bots.external.messages import (
    OVER_MESSAGE,
    game_message,
    greeting,
    is_later,
    turn_message,
)
from cardhub.bots.external.program import Hello, parse_message
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.serialization import serialize
from cardhub.online.server.client import ClientChannel
from cardhub.play.host.scheduler import Scheduler, Timer
from cardhub.play.workers.bot_messages import Lineup
from cardhub.play.workers.client import BotClient, OnAnswer

# Seconds for an answer, and for a disconnected program to reconnect in its turn.
ANSWER_WITHIN = 10.0
RETURN_WITHIN = 60.0
SEED_BITS = 32

Seen = Observation[Any]


class BotSeats(Protocol):
    """The seats of a table's network bots."""

    def on_change(self) -> None:
        """Handle that a program has connected or disconnected."""
        ...

    def on_return(self) -> None:
        """Handle that a program has connected too late for a question."""
        ...


class NetworkBot(BotClient):
    """A BotClient for one seat, whose program may connect, disconnect and reconnect.

    All methods must be called in the scheduler's thread. A program that reconnects gets the game
    and its whole log. A fault closes the connection; it is reported to the table only while a
    question is pending. `seats` hears of connections. `rng`: the generator of the program's
    seeds, and of actions that are drawn from its probabilities.
    """

    def __init__(
        self,
        scheduler: Scheduler,
        seats: BotSeats | None = None,
        rng: Random | None = None,
    ) -> None:
        self._scheduler = scheduler
        self._seats = seats
        self._is_missed = False
        self._rng = rng or SystemRandom()
        self._seed = self._rng.getrandbits(SEED_BITS)
        self._link: ClientChannel | None = None
        self._hello: Hello | None = None
        self._has_observations = False
        self._question: tuple[Seen, OnAnswer] | None = None
        # The observation of the last sent turn, and the number of outstanding answers.
        self._before: Seen | None = None
        self._due = 0
        self._timer: Timer | None = None

    @property
    def is_connected(self) -> bool:
        """Whether a program is connected and has sent its `hello`."""
        return self._hello is not None

    @property
    def name(self) -> str:
        """The name of the program, or an empty text if none is connected."""
        return "" if self._hello is None else self._hello.name

    def connect(self, link: ClientChannel, *, has_observations: bool = False) -> None:
        """Greet a program, which replaces an earlier one.

        `has_observations`: its turns also contain serialized observations.
        """
        if self._link is not None:
            self.disconnect(self._link, "another program has connected for this seat")
        self._link, self._has_observations = link, has_observations
        self._send(greeting())
        if self._question is None:
            self._start_timer(ANSWER_WITHIN, self._time_out)

    def disconnect(self, link: ClientChannel, why: str = "", *, is_final: bool = True) -> None:
        """Detach a program; with a reason in `why`, close its connection."""
        if link is not self._link:
            return
        if why:
            link.close(why, is_final=is_final)
        was_connected = self.is_connected
        self._link = self._hello = self._before = None
        self._due = 0
        self._stop_timer()
        if self._question is not None:
            self._start_timer(RETURN_WITHIN, self._time_out)
        if was_connected and self._seats is not None:
            self._seats.on_change()

    def close(self, why: str, *, is_final: bool = True) -> None:
        """Close the connection of the program, if any, and drop its question.

        `is_final`: the program must not reconnect.
        """
        self.stop()
        if self._link is not None:
            self.disconnect(self._link, why, is_final=is_final)

    def over(self) -> None:
        """Notify the program that the game is over."""
        self.stop()
        self._before = None
        self._seed = self._rng.getrandbits(SEED_BITS)
        if self.is_connected:
            self._send(OVER_MESSAGE)

    def receive(self, link: ClientChannel, text: str) -> None:
        """Handle a message of a program."""
        if link is not self._link:
            return
        try:
            answer = parse_message(text)
            if self._hello is None:
                self._introduce(read_hello(answer))
            else:
                self._handle_answer(answer)
        except BotFaultError as fault:
            self._fail(fault)

    @override
    def start(self) -> None:
        pass  # programs connect without being started

    @override
    def ask(self, observation: Observation[Any], on_answer: OnAnswer) -> None:
        self._question, self._is_missed = (observation, on_answer), False
        if self._hello is not None:
            self._send_question(self._hello)
        elif self._timer is None or self._link is None:
            self._start_timer(RETURN_WITHIN, self._time_out)

    @override
    def reseat(self, lineup: Lineup) -> None:
        pass  # a network bot is not part of a lineup

    @override
    def hurry(self) -> None:
        pass  # the protocol has no such message: a program knows its time limit

    @override
    def stop(self) -> None:
        # The outstanding answer is dropped when it arrives.
        self._question, self._is_missed = None, False
        if self.is_connected and not self._due:
            self._stop_timer()

    def _introduce(self, hello: Hello) -> None:
        self._hello = hello
        self._stop_timer()
        self._send_question(hello)
        is_missed, self._is_missed = self._is_missed, False
        if self._seats is not None:
            self._seats.on_change()
            if is_missed:
                self._seats.on_return()

    def _handle_answer(self, answer: dict[str, Any]) -> None:
        if not self._due:
            raise BotGarbageError("it sent a message without being asked", json.dumps(answer))
        question = self._question if self._due == 1 else None  # earlier questions were dropped
        action = -1
        if question is not None:
            action = read_answer(answer, question[0], self._rng).action
        self._due -= 1
        if not self._due:
            self._stop_timer()
        if question is not None:
            self._question = None
            question[1](action)

    def _send_question(self, hello: Hello) -> None:
        if self._question is None:
            return
        observation, _ = self._question
        game = observation.game.name
        if not hello.plays(game):
            self._fail(BotHelloError(f"the program {hello.name} does not play {game}"))
            return
        if self._before is not None and not is_later(observation, self._before):
            self._before = None
        if self._before is None:
            self._send(game_message(observation, self._seed))
        self._send(self._turn(observation))
        self._before = observation
        self._due += 1
        # Programs answer in order, so allow time for the answers to dropped questions as well.
        self._start_timer(self._due * ANSWER_WITHIN, self._time_out)

    def _turn(self, observation: Seen) -> dict[str, Any]:
        message = turn_message(observation, self._before, ANSWER_WITHIN)
        if self._has_observations:
            with suppress(TypeError):  # this game has a state that cannot be serialized
                message["observation"] = b64encode(serialize(observation)).decode()
        return message

    def _time_out(self) -> None:
        self._timer = None
        if self._link is None:
            self._is_missed = True
            self._fail(BotCrashError("no program is connected for its seat"))
        elif self._hello is None:
            self._fail(BotTimeoutError(f"no answer to hello within {ANSWER_WITHIN:g} seconds"))
        else:
            self._fail(BotTimeoutError(f"no answer within {ANSWER_WITHIN:g} seconds"))

    def _fail(self, fault: BotFaultError) -> None:
        """Close the connection, and report the fault to the table if a question is pending."""
        was_asked = self._link is None or self._due > 0
        question = self._question if was_asked else None
        if was_asked:
            self._question = None
        if self._link is not None:
            self._send({"type": "fault", "fault": fault.fault, "message": str(fault)})
            # A program with an invalid `hello` would send the same one again, others may reconnect.
            self.disconnect(self._link, str(fault), is_final=isinstance(fault, BotHelloError))
        if question is not None:
            question[1](fault)

    def _send(self, message: Mapping[str, Any]) -> None:
        if self._link is not None:
            self._link.send(json.dumps(message, separators=(",", ":")).encode())

    def _start_timer(self, seconds: float, callback: Callable[[], None]) -> None:
        self._stop_timer()
        self._timer = self._scheduler.call_later(seconds, callback)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
