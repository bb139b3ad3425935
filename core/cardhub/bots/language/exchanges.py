"""The answers of language models in a match, in files: each answer is paid once."""

import os
from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from time import monotonic
from types import MappingProxyType
from typing import NamedTuple, Protocol, runtime_checkable

import msgspec

from cardhub.base.errors import BotProviderError
from cardhub.base.files import sync
from cardhub.bots.language.provider import Reply

# The answers are private to the folder of the match.
PRIVATE_FOLDER, PRIVATE_FILE = 0o700, 0o600
SUFFIX = ".jsonl"
# The name of the file with a model's answers in all states of small games.
STATES = "states"
NO_REPLIES: Mapping[str, Reply] = MappingProxyType({})
NOT_STORED = "the answer cannot be stored in {path}: {cause}"
NOT_KEPT = "{path} has no answer to a request of this game"


class Refused(NamedTuple):
    """Why an answer is not an action: the kind of refusal, and the reason that the model reads.

    Both are empty for an answer that is accepted.
    """

    kind: str = ""
    reason: str = ""


class Exchange(msgspec.Struct, frozen=True, omit_defaults=True):
    """An answer of a model with the SHA-256 of its request, and the seconds that it took.

    `sample`: its number among the answers to one decision, from 1; 0 if there is only one.
    """

    request: str
    reply: Reply
    seconds: float
    refused: Refused = Refused()
    sample: int = 0


class Exchanges:
    """The answers of one model in one game, each in the file before its action is played.

    A game that is played again gets its answers from the file, so only requests that are new are
    sent. `is_complete`: raise an error for these instead. `serves_all`: equal requests have the
    same answer. `shared`: such answers of another file, by request. Nothing is stored if the folder
    of the match is not on this machine.
    """

    def __init__(
        self,
        path: Path,
        *,
        is_complete: bool = False,
        serves_all: bool = False,
        shared: Mapping[str, Reply] = NO_REPLIES,
    ) -> None:
        self._path = path
        self._is_complete, self._serves_all = is_complete, serves_all
        self._shared = shared
        self._kept: defaultdict[str, deque[Reply]] = defaultdict(deque)
        data = path.read_bytes() if path.exists() else b""
        for exchange in parse_exchanges(data):
            self._kept[exchange.request].append(exchange.reply)
        # A line that a killed process left unfinished is ended, and then ignored.
        self._before = b"" if data[-1:] in (b"", b"\n") else b"\n"

    def answer(
        self,
        request: str,
        ask: Callable[[], Reply],
        judge: Callable[[Reply], Refused] = lambda reply: Refused(),
        sample: int = 0,
    ) -> Reply:
        """Return the answer to a request, which is asked for unless the file has it.

        `judge` returns whether an answer is refused, which is stored with it. Raises
        BotProviderError if the answer cannot be stored.
        """
        kept = self._kept[request]
        if kept:
            return kept[0] if self._serves_all else kept.popleft()
        if request in self._shared:
            return self._shared[request]
        if self._is_complete:
            raise BotProviderError(NOT_KEPT.format(path=self._path))
        begun = monotonic()
        reply = ask()
        seconds = round(monotonic() - begun, 3)
        self._store(Exchange(request, reply, seconds, judge(reply), sample))
        if self._serves_all:
            kept.append(reply)
        return reply

    def _store(self, exchange: Exchange) -> None:
        folder = self._path.parent
        if not folder.parent.parent.is_dir():
            return
        try:
            for private in (folder.parent, folder):
                private.mkdir(PRIVATE_FOLDER, exist_ok=True)
            line = self._before + msgspec.json.encode(exchange) + b"\n"
            number = os.open(self._path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, PRIVATE_FILE)
            with os.fdopen(number, "ab") as file:
                file.write(line)
                sync(file)
        except OSError as error:
            cause = error.strerror or type(error).__name__
            raise BotProviderError(NOT_STORED.format(path=self._path, cause=cause)) from error
        self._before = b""


def parse_exchanges(data: bytes) -> Iterator[Exchange]:
    """Yield the answers in the bytes of a file; lines that are no answer are left out."""
    for line in data.splitlines():
        with suppress(ValueError, RecursionError):
            yield msgspec.json.decode(line, type=Exchange)


@lru_cache(maxsize=16)
def _replies(path: Path, size: int) -> Mapping[str, Reply]:
    """Return the answers in a file of this size by request."""
    data = path.read_bytes()[:size]
    return {exchange.request: exchange.reply for exchange in parse_exchanges(data)}


class Answers(NamedTuple):
    """The folder with the answers of the models of a match: a file for each bot and game.

    A file more has the answers in all states of small games, which serve all games. `is_complete`:
    whether models may not be asked, because a match is verified.
    """

    folder: Path
    is_complete: bool = False

    def of_game(self, bot: str, game: str) -> Exchanges:
        """Return the answers of a bot in a game."""
        states = self._states(bot)
        shared = _replies(states, states.stat().st_size) if states.exists() else NO_REPLIES
        path = self.folder / bot / f"{game}{SUFFIX}"
        return Exchanges(path, is_complete=self.is_complete, shared=shared)

    def of_states(self, bot: str) -> Exchanges:
        """Return the answers of a bot in all states of small games."""
        return Exchanges(self._states(bot), is_complete=self.is_complete, serves_all=True)

    def has_states(self, bot: str) -> bool:
        """Return whether a bot was asked in all states of small games."""
        return self._states(bot).exists()

    def has(self, bot: str) -> bool:
        """Return whether there are answers of a bot."""
        return (self.folder / bot).is_dir()

    def _states(self, bot: str) -> Path:
        return self.folder / bot / f"{STATES}{SUFFIX}"


@runtime_checkable
class KeepsAnswers(Protocol):
    """A bot that takes answers from a file as far as it has them, and adds the others."""

    def keep_answers(self, exchanges: Exchanges) -> None:
        """Use the answers of a game."""
        ...
