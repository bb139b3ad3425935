"""The inspection of one bot in one game: it is made, seated, asked, and asked again."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

from cardhub.bots.bot import Bot
from cardhub.bots.signals import record_signals
from cardhub.errors import BotError
from cardhub.game.game import Game
from cardhub.play.referee import Referee
from cardhub.play.setup import bot_generator, close
from cardhub.testing.bot_checks.answers import Answer, ask
from cardhub.testing.bot_checks.bot_findings import BotReport, Findings
from cardhub.testing.bot_checks.bot_game import Sitting, sittings
from cardhub.testing.checking import explained
from cardhub.testing.random_play import MOST_ACTIONS

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
        with record_signals() as received:
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


FAULTY_GAMES = 3
"""After so many games that a fault of the bot has ended, no more are played."""


def allowed(limit: float) -> float:
    """Return how many seconds an answer may take at a limit, on a computer that is shared."""
    return limit * 1.2 + 0.25


def sit_in_games(inspection: Inspection, positions: int) -> None:
    """Have the bot sit in games until it has been asked at so many positions."""
    faulty = 0
    for sitting in islice(sittings(inspection.game, inspection.seed), positions):
        inspection.sat.append(sitting)
        faulty += not _sit(inspection, sitting, positions)
        if len(inspection.seconds) >= positions or faulty == FAULTY_GAMES:
            break


def _sit(inspection: Inspection, sitting: Sitting[Any], positions: int) -> bool:
    """Play a random game to its end, or until there are positions enough.

    Returns False if the bot does not answer with an action; that ends the game, too.
    """
    others = Random(f"{sitting.trial.seed} others")
    with inspection.made(bot_generator(sitting.trial.seed, sitting.seat)) as bot:
        referee = sitting.begin()
        while not referee.is_over and len(sitting.entries) < MOST_ACTIONS:
            if referee.seat != sitting.seat:
                referee.apply(others.choice(referee.observe(referee.seat).legal()))
                continue
            answer = inspection.ask(bot, referee)
            _note(inspection, sitting, answer)
            if answer.action is None:
                return False
            referee.apply(answer.action)
            if len(inspection.seconds) >= positions:
                break
    return True


def _note(inspection: Inspection, sitting: Sitting[Any], answer: Answer) -> None:
    """Keep an answer and its time, and whatever is wrong with them."""
    number, limit, findings = len(sitting.entries), inspection.limit, inspection.findings
    inspection.seconds.append(answer.seconds)
    if answer.action is not None:
        sitting.answers[number] = answer.told
    for check, what, expected in answer.flaws:
        findings.add(check, what, expected, sitting.place(number))
    if limit is not None and answer.seconds > allowed(limit):
        what = f"it takes {answer.seconds:.2f} s to answer"
        expected = f"{limit:g} s, or at most {allowed(limit):.2f} s on a busy computer"
        findings.add("time", what, expected, sitting.place(number))
