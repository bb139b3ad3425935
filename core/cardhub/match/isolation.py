"""A bot in a process of its own: if that ends, nobody else comes to harm."""

from collections.abc import Sequence
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from cardhub.errors import BotFaultError
from cardhub.hidden.observation import Observation
from cardhub.play.bot_process import BotProcess
from cardhub.play.lineup import Lineup

BOOT = 30.0
"""Seconds that a process may take to begin."""


class Isolated:
    """A Bot that has another process answer; it plays as it would have played in this one."""

    def __init__(
        self, directories: Sequence[Path], game: str, seat: int, spec: str, generator: str
    ) -> None:
        lineup = Lineup(tuple(directories), game, {seat: spec}, {seat: generator})
        self._process = BotProcess(lineup)

    def choose(self, observation: Observation[Any], /) -> int:
        """See Bot; raises BotFaultError."""
        heard: SimpleQueue[Any] = SimpleQueue()
        self._process.ask(observation, heard.put)
        answer = heard.get()
        if isinstance(answer, BotFaultError):
            raise answer
        return int(answer)

    def interrupt(self) -> None:
        """Break off what nobody waits for any more."""
        self._process.stop()

    def close(self) -> None:
        """End the process."""
        self._process.close()
