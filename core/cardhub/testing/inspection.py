"""The inspection of one bot in one game: it is made, seated, asked, and asked again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from random import Random
from typing import Any

from cardhub.bots.bot import Bot
from cardhub.errors import BotError
from cardhub.game.game import Game
from cardhub.play.referee import Referee
from cardhub.play.setup import close
from cardhub.play.signals import noted_signals
from cardhub.testing.asking import Answer, ask
from cardhub.testing.faults import explained
from cardhub.testing.findings import BotReport, Findings
from cardhub.testing.sitting import Sitting

Make = Callable[[Random], Bot]
"""Makes the bot that is inspected; the generator is its only source of randomness."""


@dataclass(slots=True)
class Inspection:
    """What an inspection goes by, and what it has come to so far.

    See check_bot for what is given. `sat` are the games the bot sat in, `seconds` the times it took
    to answer in them.
    """

    make: Make
    game: Game[Any]
    seed: int
    limit: float | None
    renew: Callable[[], None] | None
    watch: Callable[[int], None]
    findings: Findings
    sat: list[Sitting[Any]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    asked: int = 0

    @contextmanager
    def made(self, rng: Random) -> Iterator[Bot]:
        """Make a bot for one game and close it afterwards; raises BotError if that fails."""
        with noted_signals() as received:
            try:
                bot = self.make(rng)
            except (Exception, SystemExit) as error:  # third-party code may raise anything
                if received:
                    raise
                is_told = isinstance(error, BotError)  # in words of the registry
                raise BotError(
                    str(error) if is_told else f"it cannot be made: {explained(error)}"
                ) from error
        try:
            yield bot
        finally:
            close(bot)

    def ask(self, bot: Bot, referee: Referee[Any]) -> Answer:
        """Return the answer of a bot whose seat is to act."""
        self.asked += 1
        self.watch(self.asked)
        return ask(bot, referee)

    def again(self, sitting: Sitting[Any], rng: Random) -> Iterator[tuple[int, str]]:
        """Have a new bot go through a sitting; yield where it is asked, and what it answers."""
        with self.made(rng) as bot:
            for number, referee in sitting.decisions():
                yield number, self.ask(bot, referee).told

    def report(self) -> BotReport:
        """Return what the inspection has come to."""
        return BotReport(
            self.game.name,
            len(self.sat),
            tuple(self.seconds),
            self.findings.in_order(),
            self.findings.skipped,
        )
