"""A seat at a table, for an assistant that asks in its own time."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from typing_extensions import override

from cardhub.base.errors import SeatingError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.writing import listed
from cardhub.bots import RANDOM
from cardhub.model.game.game import Game
from cardhub.model.table.settings import Value
from cardhub.play.host.opening import NewGame, Opener
from cardhub.play.host.scheduler import BlockingScheduler
from cardhub.play.host.table_host import Host
from cardhub.play.seating import HUMAN, NAMES, Player, check_player_name, seat_players
from cardhub.play.table_model import TableModel
from cardhub.plugins.registry import RULE, PluginRegistry

# Seconds for the answer of a table to an action or a question.
PATIENCE = 30.0
# Seconds for the turns of all bots of a table.
BOT_PATIENCE = 300.0


class AssistantSeat(ABC):
    """A seat with the scheduler in whose thread all of its methods are called."""

    def __init__(self, scheduler: BlockingScheduler) -> None:
        self._scheduler = scheduler

    @property
    @abstractmethod
    def model(self) -> TableModel | None:
        """The game at the table, or None before it begins."""

    @property
    @abstractmethod
    def trouble(self) -> str:
        """Why the game cannot go on now, or an empty text."""

    @property
    @abstractmethod
    def room(self) -> Sequence[str]:
        """The lines on the table before a game."""

    @abstractmethod
    def close(self) -> None:
        """Leave the table."""

    @property
    def is_watching(self) -> bool:
        """Whether the assistant has no seat, and watches."""
        return False

    @property
    @abstractmethod
    def turn_patience(self) -> float:
        """The seconds to wait for the next turn after an action."""

    @property
    def is_own_turn(self) -> bool:
        """Whether the assistant is to act."""
        return self.model is not None and bool(self.model.view().choices)

    @property
    def is_over(self) -> bool:
        """Whether the game at the table has ended."""
        return self.model is not None and self.model.view().is_over

    def refresh(self) -> None:
        """Take in what has happened at the table since the last request."""
        self._scheduler.run_until(lambda: True)

    def wait(self, seconds: float, holds: Callable[[], bool]) -> bool:
        """Wait until a condition holds or the time is over; return whether it holds."""
        end = self._scheduler.now() + seconds
        timer = self._scheduler.call_later(seconds, lambda: None)
        self._scheduler.run_until(lambda: holds() or self._scheduler.now() >= end)
        timer.cancel()
        return holds()

    def wait_for_turn(self, seconds: float) -> bool:
        """Wait until the assistant is to act, the game is over, or it cannot go on."""
        return self.wait(seconds, self._has_turn)

    def _has_turn(self) -> bool:
        # The log has the summary of a round, so others need not wait until it is read.
        if self.model is not None and self.model.unread_summaries():
            self.model.request("read")
        return self.is_own_turn or self.is_over or bool(self.trouble)

    def act(self, action: int) -> str:
        """Take an action; return why it is refused, or an empty text."""
        model, refusals = self.model, list[str]()
        if model is None:
            return NO_GAME
        model.act(action, model.view().revision, refusals.append)
        self.wait(PATIENCE, lambda: not model.is_answering or bool(refusals or self.trouble))
        return refusals[0] if refusals else ""

    def why_not(self, text: str) -> str:
        """Return the rules' reason why a text is not a legal action."""
        model, answers = self.model, list[str]()
        if model is None:
            return NO_GAME
        model.why_not(text, answers.append)
        self.wait(PATIENCE, lambda: bool(answers or self.trouble))
        return answers[0] if answers else self.trouble or NO_ANSWER


NO_GAME = "No game has begun at this table."
NO_ANSWER = "The table does not answer."


class LocalSeat(AssistantSeat):
    """The only seat at a table of this process that is not a bot's."""

    def __init__(self, host: Host, scheduler: BlockingScheduler) -> None:
        super().__init__(scheduler)
        self._host = host
        # Nobody has to confirm that a summary is read: all lines stay readable.
        host.stops_at_summaries = False
        self._model = host.model(next(iter(host.people)))
        host.begin()

    @property
    @override
    def model(self) -> TableModel:
        return self._model

    @property
    @override
    def trouble(self) -> str:
        status = self._host.status()
        return status.failure or status.fault or ""

    @property
    @override
    def room(self) -> Sequence[str]:
        return [str(player) for player in self._host.players]

    @property
    @override
    def turn_patience(self) -> float:
        return BOT_PATIENCE

    @override
    def close(self) -> None:
        self._host.close()


def open_seat(
    registry: PluginRegistry,
    name: str,
    game: Game[Any],
    players: int | None,
    opponents: Sequence[str],
    options: Mapping[str, Value],
) -> LocalSeat:
    """Return the first seat at a new table against bots.

    `opponents`: the bots of the other seats in order, the default bot for those that are missing.
    Raises SeatingError for a bot that an assistant may not choose.
    """
    seats = players or max(game.seats.default, len(opponents) + 1)
    if seats not in game.seats:
        raise SeatingError(f"{game.title} is for {game.seats} players, not for {seats}")
    # An assistant repeats what it has read, so it must not start programs or load files.
    allowed = allowed_bots(registry, game.name)
    for bot in opponents:
        if bot not in allowed:
            hint = did_you_mean(bot, allowed)
            raise SeatingError(f"{bot!r} is not one of {listed(allowed, 'or')}.{hint}")
    check_player_name(name)
    others = [other for other in NAMES if other != name]
    seated = [Player(name, HUMAN), *map(Player, others, opponents)]
    bot = registry.default_bot(game.name)
    scheduler = BlockingScheduler()
    opener = Opener(registry, scheduler, pace=0, is_inline=True)
    new = NewGame(game.name, seat_players(seated, seats, bot, others), options)
    return LocalSeat(opener.start(new), scheduler)


def allowed_bots(registry: PluginRegistry, game: str) -> list[str]:
    """Return the bots that an assistant may choose: levels, the game's own bot, and `random`."""
    own = [RULE] if registry.has_bot(RULE, game) else []
    return [*registry.levels(game), *own, RANDOM.name]
