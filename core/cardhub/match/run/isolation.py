"""Bots in processes of their own: a crash ends only the bot's process."""

from collections.abc import Callable
from pathlib import Path
from queue import SimpleQueue
from typing import Any

from cardhub.bots.processes.launch import Confinement
from cardhub.bots.processes.sandbox import Sandbox, python_files
from cardhub.errors import BotFaultError
from cardhub.hidden.observation import Observation
from cardhub.play.bot_process.client import Hear
from cardhub.play.bot_process.lineup import Lineup
from cardhub.play.bot_process.process import BotProcess

BOOT = 30.0
"""Limit in seconds for starting a process."""


class Isolated:
    """Bot that runs in another process and chooses the same actions as in this one.

    It reuses an idle process or starts a new one. Raises BotFaultError if the bot cannot be made.
    """

    def __init__(self, lineup: Lineup, seat: int, sandbox: Sandbox | None = None) -> None:
        self._key = (lineup.directories, lineup.specs[seat], sandbox)
        self._process = _taken(self._key, lineup)
        try:
            _heard(lambda hear: self._process.prepare(seat, hear))
        except BaseException:
            self._process.stop()  # its answer is not needed any more
            self.close()
            raise

    def choose(self, observation: Observation[Any], /) -> int:
        """See Bot; raises BotFaultError."""
        return int(_heard(lambda hear: self._process.ask(observation, hear)))

    def interrupt(self) -> None:
        """Stop the current search, whose action is not needed any more."""
        self._process.stop()

    def close(self) -> None:
        """End the game and keep the process for the next one."""
        self._process.rest()
        _IDLE.setdefault(self._key, []).append(self._process)


Key = tuple[tuple[Path, ...], str, Sandbox | None]

_IDLE: dict[Key, list[BotProcess]] = {}
"""Idle bot processes of this process."""


def end_processes() -> None:
    """End the idle bot processes; new ones start on demand."""
    for processes in _IDLE.values():
        for process in processes:
            process.close()
    _IDLE.clear()


def _taken(key: Key, lineup: Lineup) -> BotProcess:
    idle = _IDLE.get(key)
    if not idle:
        directories, _, sandbox = key
        readable = (*python_files(), *directories) if sandbox else ()
        return BotProcess(lineup, Confinement(sandbox=sandbox, readable=readable))
    process = idle.pop()
    process.renew(lineup)
    return process


def _heard(ask: Callable[[Hear], None]) -> Any:
    """Send a request, wait for the answer and return it; raises BotFaultError."""
    heard: SimpleQueue[Any] = SimpleQueue()
    ask(heard.put)
    answer = heard.get()
    if isinstance(answer, BotFaultError):
        raise answer
    return answer
