"""The inspection of a bot: make it, play random games with it, and repeat its questions."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import Any

from cardhub.base.errors import BotError
from cardhub.bots.bot import Bot
from cardhub.bots.deadline import record_signals
from cardhub.model.game.game import Game
from cardhub.play.referee import Referee
from cardhub.play.setup import bot_generator, close
from cardhub.testing.bot_checks.bot_findings import BotFindings, BotReport
from cardhub.testing.bot_checks.bot_game import BotGame, CheckedAnswer, bot_games, check_answer
from cardhub.testing.checking import error_line
from cardhub.testing.random_play import MOST_ACTIONS

# Makes the inspected bot; the generator is its only source of randomness.
Make = Callable[[Random], Bot]

# The inspection stops after as many games that a fault of the bot ended.
MOST_FAULTY_GAMES = 3


@dataclass(slots=True)
class Inspection:
    """Arguments of check_bot, and its results.

    `played` are the games of the bot, `seconds` the times of its answers in them, and `asked` the
    number of all answers.
    """

    make: Make
    game: Game[Any]
    seed: int
    limit: float | None
    renew: Callable[[], None] | None
    watch: Callable[[int], None]
    findings: BotFindings
    played: list[BotGame[Any]] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    asked: int = 0

    @contextmanager
    def made(self, rng: Random) -> Iterator[Bot]:
        """Make a bot for one game and close it afterwards; raises BotError if that fails."""
        with record_signals() as received:
            try:
                bot = self.make(rng)
            except (Exception, SystemExit) as error:  # third-party code may raise anything
                if received:  # a signal to this program, not a fault of the bot
                    raise
                is_explained = isinstance(error, BotError)
                why = str(error) if is_explained else f"it cannot be made: {error_line(error)}"
                raise BotError(why) from error
        try:
            yield bot
        finally:
            close(bot)

    def ask(self, bot: Bot, referee: Referee[Any]) -> CheckedAnswer:
        """Return the answer of the bot in the seat to act."""
        self.asked += 1
        self.watch(self.asked)
        return check_answer(bot, referee)

    def play(self, positions: int) -> None:
        """Play random games with the bot until it has been asked at `positions` positions."""
        faulty = 0
        # A bot may get no turn in a game: as many games as positions bound the search for them.
        for game in islice(bot_games(self.game, self.seed), positions):
            self.played.append(game)
            faulty += not self._play(game, positions)
            if len(self.seconds) >= positions or faulty == MOST_FAULTY_GAMES:
                break

    def play_again(self, game: BotGame[Any], rng: Random) -> Iterator[tuple[int, str]]:
        """Replay a game with a new bot; yield the number of entries and text of each answer."""
        with self.made(rng) as bot:
            for number, referee in game.decisions():
                yield number, self.ask(bot, referee).text

    def report(self) -> BotReport:
        """Return the results."""
        return BotReport(
            self.game.name,
            len(self.played),
            tuple(self.seconds),
            self.findings.in_order(),
            self.findings.skipped,
        )

    def _play(self, game: BotGame[Any], positions: int) -> bool:
        """Play one random game; return whether all answers were actions."""
        others = Random(f"{game.trial.seed} others")
        with self.made(bot_generator(game.trial.seed, game.seat)) as bot:
            # The referee is local: a bot cannot reach the true state of an earlier game.
            referee = game.begin()
            while not referee.is_over and len(game.entries) < MOST_ACTIONS:
                if referee.seat != game.seat:
                    referee.apply(others.choice(referee.observe(referee.seat).legal()))
                    continue
                answer = self.ask(bot, referee)
                self._note(game, answer)
                if answer.action is None:
                    return False
                referee.apply(answer.action)
                if len(self.seconds) >= positions:
                    break
        return True

    def _note(self, game: BotGame[Any], answer: CheckedAnswer) -> None:
        number, limit = len(game.entries), self.limit
        self.seconds.append(answer.seconds)
        if answer.action is not None:
            game.answers[number] = answer.text
        for check, problem, expected in answer.flaws:
            self.findings.add(check, problem, expected, game.location(number))
        if limit is not None and answer.seconds > allowed(limit):
            problem = f"it takes {answer.seconds:.2f} s to answer"
            expected = f"{limit:g} s, or at most {allowed(limit):.2f} s on a busy computer"
            self.findings.add("time", problem, expected, game.location(number))


def allowed(limit: float) -> float:
    """Return the longest accepted time in seconds, with a margin for other processes."""
    # In seconds. The constant is for short limits, where a pause of the system is longer than 20 %.
    return limit * 1.2 + 0.25
