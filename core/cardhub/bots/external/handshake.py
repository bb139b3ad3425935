"""The handshake: the first message to a program and its answer."""

from functools import cache
from importlib.metadata import version
from typing import Any, NamedTuple

from cardhub.bots.external.program import Program
from cardhub.errors import BotFaultError, BotHelloError, BotRefusalError
from cardhub.errors.printable import printable
from cardhub.errors.quoting import clip

PROTOCOL = 1
"""The version of the protocol; increased by incompatible changes only."""
EXAMPLE = '{"name": "my bot", "protocol": 1}'


class Hello(NamedTuple):
    """A program's answer to the handshake; `games` is None if it plays any."""

    name: str
    games: tuple[str, ...] | None = None

    def plays(self, game: str) -> bool:
        """Return whether the program plays the game of this name."""
        return self.games is None or game in self.games


def greet(program: Program, seconds: float) -> Hello:
    """Perform the handshake with a program; raises BotFaultError."""
    greeting = {"type": "hello", "protocol": PROTOCOL, "cardhub": _version()}
    answer = program.ask(greeting, seconds)
    if "error" in answer:
        raise refused(answer)
    name, protocol, games = answer.get("name"), answer.get("protocol"), answer.get("games")
    if not isinstance(name, str) or not name.strip():
        raise _bad(answer, "it lacks a name")
    if type(protocol) is not int or protocol != PROTOCOL:
        raise _bad(answer, f"it speaks protocol {printable(repr(protocol))}, not {PROTOCOL}")
    if games is not None and not _are_names(games):
        raise _bad(answer, "'games' is a list of names, or left out for a bot that plays any game")
    return Hello(clip(printable(name)), None if games is None else tuple(games))


def refused(answer: dict[str, Any]) -> BotFaultError:
    """Return the fault of a program that answers with an error."""
    return BotRefusalError(f"it says: {clip(printable(str(answer['error'])))}", answer)


def _bad(answer: dict[str, Any], what: str) -> BotFaultError:
    return BotHelloError(f"its answer to hello is wrong: {what}. An answer: {EXAMPLE}", answer)


def _are_names(games: object) -> bool:
    return isinstance(games, list) and all(isinstance(name, str) for name in games)


@cache
def _version() -> str:
    return version("cardhub")
