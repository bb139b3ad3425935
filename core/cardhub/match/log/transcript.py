"""Transcript of a game in a match, and its conversion to a record."""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from cardhub.game.game import Game
from cardhub.hidden.chance import Outcome
from cardhub.hidden.labels import Labels
from cardhub.match.match_spec import Match
from cardhub.match.task import GameResult, player_names
from cardhub.play.records.notation import write_faces
from cardhub.play.records.reading import Record, parse_record
from cardhub.play.records.recording import FORMAT, as_line
from cardhub.table.scoring import places, returns
from cardhub.table.state import CHANCE

CHANCES = "chance"
_Said = tuple[Any, Any, Labels | None, Sequence[int]]


class GameTranscript:
    """Journal that stores the deal and all moves."""

    def __init__(self, game: Game[Any]) -> None:
        self._game = game
        self.cards: tuple[str, ...] = ()
        self.steps = 0
        self._said: list[_Said] = []

    def open(self, deal: Outcome) -> None:
        """See Journal."""
        self.cards = tuple(write_faces(self._game, deal.faces, deal.backs))

    @property
    def moves(self) -> tuple[tuple[Any, Any], ...]:
        """Moves in the format of a GameResult."""
        said = [
            (seat, what if labels is None else labels.notation(what, legal))
            for seat, what, labels, legal in self._said
        ]
        return tuple(said)

    def take(self, seat: int, action: int, labels: Labels, legal: Sequence[int]) -> None:
        """See Journal; the notation is computed by `moves`, once the game is over."""
        self._said.append((CHANCES if seat == CHANCE else seat, action, labels, legal))
        self.steps += 1

    def shuffle(self, outcome: Outcome) -> None:
        """See Journal."""
        names = write_faces(self._game, outcome.faces, outcome.backs)
        self._said.append((CHANCES, tuple(names), None, ()))

    def undo(self, seat: int) -> None:
        """See Journal; matches have no undo."""
        raise AssertionError(seat)

    def hint(self, seat: int, bot: str) -> None:
        """See Journal; matches have no hints."""
        raise AssertionError(seat, bot)

    def end(self, scores: list[int], places: list[int], returns: list[float]) -> None:
        """See Journal; a match has its own places."""


def record_of(match: Match, result: GameResult, game: Game[Any], path: Path) -> Record:
    """Return a game as a record with the file name `path`; see record_text."""
    return parse_record(path, record_text(match, result, game).encode())


def record_text(match: Match, result: GameResult, game: Game[Any]) -> str:
    """Return a game as the text of a record that `cardhub replay` opens.

    Its places are derived from the game's scores. The record of a game ended by a fault is
    unfinished.
    """
    return "".join(as_line(line) for line in _lines(match, result, game))


def _lines(match: Match, result: GameResult, game: Game[Any]) -> Iterator[Mapping[str, Any]]:
    contest = match.contest(result.contest)
    kinds = [
        match.faults.substitute if seat in result.absent else match.entrant(bot).use
        for seat, bot in enumerate(result.seats)
    ]
    names = player_names(result.seats)
    yield {
        "cardhub_record": FORMAT,
        "game": contest.game,
        "version": contest.version,
        "options": {**contest.rules, **result.vary},
        "players": [{"name": n, "kind": k} for n, k in zip(names, kinds, strict=True)],
        "seed": result.seed,
        "deal": list(result.cards),
    }
    for who, what in result.moves:
        yield {"seat": who, "action" if isinstance(what, str) else "shuffle": what}
    if result.end == "over":
        scores = list(result.scores)
        lowest_wins = game.lowest_wins
        yield {
            "scores": scores,
            "places": places(scores, lowest_wins=lowest_wins),
            "returns": returns(scores, lowest_wins=lowest_wins),
        }
