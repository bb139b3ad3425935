"""What language models said at their actions in a finished game of a match, from stored answers."""

from collections.abc import Iterator
from math import inf
from operator import attrgetter
from pathlib import Path
from typing import NamedTuple

from cardhub.base.errors.quoting import printable
from cardhub.base.writing import clipped
from cardhub.bots.language.exchanges import SUFFIX, parse_exchanges
from cardhub.lab.match.log.log_reader import ANSWERS, explained
from cardhub.lab.match.task import GameResult

# The most characters of an answer that are shown.
MOST_SAID = 600


class ModelWords(NamedTuple):
    """An answer as plain text: the seat, and the number of its action in the game, from 1.

    `refused`: how many answers to the same question were refused before it.
    """

    action: int
    seat: int
    text: str
    refused: int


def model_words(folder: Path, result: GameResult) -> list[ModelWords]:
    """Return what models said in a game, in its order; raises MatchError."""
    # A shuffle has the names of its cards instead of a notation, and does not count as an action.
    actions = [mover for mover, notation in result.moves if isinstance(notation, str)]
    words = [
        said
        for seat, bot in enumerate(result.seats)
        for said in _of_seat(folder / ANSWERS / bot / f"{result.id}.{seat}{SUFFIX}", seat, actions)
    ]
    return sorted(words, key=attrgetter("action"))


def _of_seat(path: Path, seat: int, actions: list[int | str]) -> Iterator[ModelWords]:
    if not path.exists():
        return
    with explained(path):
        # A probability that was asked for is no word of the model.
        exchanges = [e for e in parse_exchanges(path.read_bytes()) if not e.reply.log_probability]
    turns = (number for number, mover in enumerate(actions, 1) if mover == seat)
    refused, turn, is_complete = 0, None, True
    sample: float = inf
    for exchange in exchanges:
        # The samples of a decision are numbered from 1, and each has one answer at its end.
        if exchange.sample < sample or (exchange.sample == sample and is_complete):
            turn = next(turns, None)
        sample, is_complete = exchange.sample, not exchange.refused.kind
        # After a fault another bot may have played the rest of the seat's turns.
        if turn is None:
            return
        if not is_complete:
            refused += 1
            continue
        text = clipped(printable(exchange.reply.text.strip(), lines=True), MOST_SAID)
        yield ModelWords(turn, seat, text, refused)
        refused = 0
