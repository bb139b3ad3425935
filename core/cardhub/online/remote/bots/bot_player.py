"""A bot of this machine as a program of the bot protocol: it answers a server's messages."""

import asyncio
from base64 import b64decode
from contextlib import suppress
from typing import Any

import msgspec

from cardhub.base.errors import BotFaultError, CardhubError, RemoteError
from cardhub.base.errors.quoting import printable, quoted
from cardhub.base.writing import clipped
from cardhub.bots.external import PROTOCOL
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.serialization import deserialize
from cardhub.model.table.settings import Value
from cardhub.play.workers.bot_messages import Lineup
from cardhub.play.workers.process import BotProcess
from cardhub.plugins.registry import PluginRegistry

# The share of the time limit after which the bot is asked to answer with its best action.
HURRY_AFTER = 0.7
UPDATE = "fix: install the same version of cardhub and of the game on both machines"


class GameStart(msgspec.Struct):
    """The fields of a `game` message that a bot of this machine needs."""

    game: str
    version: str
    seat: int
    seed: int
    seats: int | None = None
    options: dict[str, Value] = {}


class TurnToAct(msgspec.Struct):
    """A `turn` message; `observation` is the serialized observation in base64."""

    observation: str = ""
    budget_ms: float = 10_000


class BotPlayer:
    """The bot of a spec in a separate process, which plays one game after another."""

    def __init__(self, registry: PluginRegistry, spec: str) -> None:
        self.spec = spec
        self._registry = registry
        self._game: Game[Any] | None = None
        self._process: BotProcess | None = None

    async def reply(self, kind: str, data: str | bytes) -> dict[str, Any] | None:
        """Return the answer to a message of a type, or None if none is due. Raises RemoteError."""
        try:
            match kind:
                case "hello":
                    return {"name": clipped(self.spec), "protocol": PROTOCOL}
                case "game":
                    self._begin(msgspec.json.decode(data, type=GameStart))
                case "turn":
                    return await self._act(msgspec.json.decode(data, type=TurnToAct))
                case "over":
                    self.rest()
        except (msgspec.MsgspecError, ValueError, RecursionError) as error:
            why = printable(str(error))
            raise RemoteError(f"the server sent an invalid message: {why}. {UPDATE}") from error
        return None

    def rest(self) -> None:
        """Stop the game and its bot process, if one is running."""
        process, self._process, self._game = self._process, None, None
        if process is not None:
            process.stop()
            process.close()

    def _begin(self, start: GameStart) -> None:
        self.rest()
        name = quoted(start.game)
        try:
            game = self._registry.game(start.game)
            self._registry.settings_of(self.spec, start.game)
        except CardhubError as error:
            raise RemoteError(f"the table plays {name}: {error}") from error
        if game.version != start.version:
            theirs = quoted(start.version)
            raise RemoteError(
                f"the server has version {theirs} of {name}, here is {game.version!r}. {UPDATE}"
            )
        self._game = game
        specs, seeds = {start.seat: self.spec}, {start.seat: str(start.seed)}
        table = start.seats, start.options
        lineup = Lineup(start.game, specs, seeds, False, *table)
        self._process = BotProcess(self._registry.directories, lineup)

    async def _act(self, turn: TurnToAct) -> dict[str, Any]:
        if self._game is None or self._process is None or not turn.observation:
            raise RemoteError(f"the server sends turns without observations. {UPDATE}")
        observation = deserialize(self._game, b64decode(turn.observation, validate=True))
        answer = await self._ask(self._process, observation, turn.budget_ms / 1000)
        if isinstance(answer, BotFaultError):
            return {"error": clipped(str(answer), 1000)}
        return {"action": answer}

    async def _ask(self, process: BotProcess, observation: Observation[Any], limit: float) -> Any:
        loop = asyncio.get_running_loop()
        answered: asyncio.Future[object] = loop.create_future()

        def set_answer(answer: object) -> None:
            if not answered.done():
                answered.set_result(answer)

        def on_answer(answer: object) -> None:
            with suppress(RuntimeError):  # the loop was closed in the meantime
                loop.call_soon_threadsafe(set_answer, answer)

        process.ask(observation, on_answer)
        hurry = loop.call_later(HURRY_AFTER * limit, process.hurry)
        try:
            return await answered
        finally:
            hurry.cancel()
