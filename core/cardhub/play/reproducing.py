"""Asking a bot again at the decision in which it was at fault."""

from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

from cardhub.bots.bot import Bot
from cardhub.errors import BotFaultError, RecordError
from cardhub.game.game import Game
from cardhub.play.reading import Record
from cardhub.play.referee import Referee
from cardhub.play.replaying import open_record, replay
from cardhub.play.reproduction import Reproduction, reproduce, write_reproduction
from cardhub.play.seeds import bot_seed
from cardhub.play.table import ask, closing

Make = Callable[[Random], Bot]
SAME = ("game", "version", "options", "players")
"""What the header of a redacted record has in common with that of the whole one."""


class Again(NamedTuple):
    """What came of asking a bot again.

    `fault` is what it did wrong this time, or None; then `chosen` is its legal action as records
    write it. It was asked `asked` times in all, of `decisions`, and in `changed` of those before
    the last it chose otherwise than in the game.
    """

    fault: BotFaultError | None
    chosen: str
    asked: int
    decisions: int
    changed: int

    @property
    def is_last(self) -> bool:
        """Whether it got as far as the decision in which it was at fault before."""
        return self.asked == self.decisions


def decisions(referee: Referee[Any]) -> Counter[int]:
    """Return how many actions each seat has taken so far."""
    return Counter(step.seat for step in referee.observe(len(referee.players)).history)


def save_fault(
    referee: Referee[Any], fault: BotFaultError, record: Path, missed: Counter[int]
) -> Path:
    """Write the reproduction of a fault of the bot that is to act beside the game's record.

    `missed` are the `decisions` before the bots sat down. Returns the path; raises RecordError.
    """
    seat, bot = referee.seat, referee.players[referee.seat].kind
    # Without a commitment the seed was chosen, or follows from one that was, as in a match.
    generator = bot_seed(referee.seed, seat) if referee.commitment else None
    return write_reproduction(reproduce(referee, fault, bot, generator, missed[seat]), record)


def generator_from(record: Record, reproduction: Reproduction) -> str:
    """Return what seeded a bot's generator, by the whole record of the game it failed in.

    Raises RecordError if it is no such record.
    """
    seed = record.header.seed
    if seed is None:
        raise record.wrong(1, "a redacted record has no seed: the whole one is needed")
    failed = reproduction.as_record(record.path).header
    if any(getattr(failed, key) != getattr(record.header, key) for key in SAME):
        raise record.wrong(1, "this is not the game in which the bot failed")
    return bot_seed(seed, reproduction.seat)


def ask_again(game: Game[Any], reproduction: Reproduction, path: Path, make: Make) -> Again:
    """Have a new bot choose wherever the one before did, up to the decision of its fault.

    The game goes on as it did, whatever the new bot chooses. Without a generator it gets a fresh
    one. Raises RecordError, naming `path`, if
    the record does not replay, and BotError if the bot cannot be made.
    """
    bot = make(Random(reproduction.generator))
    with closing({reproduction.seat: bot}):
        return _ask_again(game, reproduction, path, bot)


def _ask_again(game: Game[Any], reproduction: Reproduction, path: Path, bot: Bot) -> Again:
    record, seat = reproduction.as_record(path), reproduction.seat
    referee = open_record(game, record)
    lines = replay(record, referee)
    own = ["action" in line and line.get("seat") == seat for _, line in record.lines]
    total, asked, changed = own.count(True) - reproduction.missed + 1, 0, 0
    try:
        for number, is_own in enumerate(own):
            chosen = None
            if is_own and own[:number].count(True) >= reproduction.missed:
                asked += 1
                chosen = ask(referee, bot)
            next(lines)
            if chosen is not None:
                changed += chosen != referee.observe(seat).history[-1].action
        if referee.seat != seat:
            raise RecordError(f"{path}: at its end seat {seat} is not to act")
        asked += 1
        action = ask(referee, bot)
    except BotFaultError as fault:
        return Again(fault, "", asked, total, changed)
    return Again(None, _words(referee, action), asked, total, changed)


def _words(referee: Referee[Any], action: int) -> str:
    observation = referee.observe(referee.seat)
    return observation.naming().notation(action, observation.legal())
