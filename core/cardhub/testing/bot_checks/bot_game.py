"""Sittings: random games in which a bot has one seat, kept so that they can be gone through again.

No sitting holds a position, so a bot that searches the memory for the true state finds that of the
game it plays and no other.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any, Generic

from cardhub.game.game import Game, S
from cardhub.hidden.shuffles.snapshots import face_snapshots
from cardhub.play.entries import Entry, Shuffled, Taken
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.table.state import State
from cardhub.testing.deal_replay import outcomes_of
from cardhub.testing.location import Place, unusual
from cardhub.testing.random_play import Trial, trials


@dataclass(slots=True)
class Sitting(Generic[S]):
    """A game in which a bot sits at `seat` and everybody else acts at random.

    `faces` is the deal in token order, `entries` is the history after it. `answers` holds what the
    bot answered, by the number of entries before.
    """

    game: Game[S]
    trial: Trial
    seat: int
    faces: list[int] = field(default_factory=list)
    entries: list[Entry] = field(default_factory=list)
    answers: dict[int, str] = field(default_factory=dict)

    def begin(self) -> Referee[S]:
        """Return the referee of this game, with the cards dealt, who notes here what happens."""
        referee = set_up(self.game, self._players(), self.trial.settings, self.trial.seed)
        self.faces = list(referee.dealt.deal.faces)
        referee.subscribe(self.entries.append)
        referee.proceed()
        return referee

    def decisions(self) -> Iterator[tuple[int, Referee[S]]]:
        """Go through the game again: yield the referee at each answer, and the number before it."""
        referee = self._again()
        for number, entry in enumerate(self.entries):
            if number in self.answers:
                yield number, referee
            referee.apply_entry(entry)
        if len(self.entries) in self.answers:
            yield len(self.entries), referee

    def replayed(self) -> Referee[S]:
        """Return a referee to whom all of this has happened."""
        referee = self._again()
        for entry in self.entries:
            referee.apply_entry(entry)
        return referee

    def until(self, number: int) -> "Sitting[S]":
        """Return this sitting as it was after so many entries."""
        answers = {n: a for n, a in self.answers.items() if n <= number}
        return replace(self, entries=self.entries[:number], answers=answers)

    def elsewhere(self, drawn: State) -> "Sitting[S]":
        """Return the game with the same actions in another world: a determinization of its end."""
        outcomes = iter(outcomes_of(drawn))
        entries: list[Entry] = [
            Shuffled(next(outcomes)) if isinstance(entry, Shuffled) else entry
            for entry in self.entries
        ]
        # Nothing is drawn any more; but a bot that finds the true seed could deal again from it.
        other = replace(self.trial, seed=self.trial.seed + 1)
        return replace(self, trial=other, faces=face_snapshots(drawn)[0], entries=entries)

    def place(self, number: int) -> Place:
        """Return where the bot was after so many entries."""
        taken = (entry for entry in self.entries[:number] if isinstance(entry, Taken))
        actions = ((entry.seat, entry.notation) for entry in taken)
        options = unusual(self.game, self.trial)
        return Place(self.trial.seed, self.trial.seats, options, self.seat, tuple(actions))

    def _again(self) -> Referee[S]:
        return Referee(self.game, self._players(), self.trial.settings, self.trial.seed, self.faces)

    def _players(self) -> list[Player]:
        return [Player(name, "random") for name in NAMES[: self.trial.seats]]


def sittings(game: Game[S], seed: int) -> Iterator[Sitting[S]]:
    """Yield sittings without end, each with another seed.

    Every other one is with default options, the rest with one of them changed; the number of seats
    changes, and so does the seat of the bot.
    """
    tables = _tables(game, seed)
    taken = Counter[int]()
    number = 0
    while True:
        for kind in tables:
            trial = kind[number // len(tables) % len(kind)]
            seat = (taken[trial.seats] + trial.seats - game.seats.low) % trial.seats
            taken[trial.seats] += 1
            yield Sitting(game, replace(trial, seed=seed + number), seat)
            number += 1


def _tables(game: Game[Any], seed: int) -> list[list[Trial]]:
    """Return the trials with default options, then the others in an order that the seed decides."""
    usual: list[Trial] = []
    varied: list[Trial] = []
    for trial in trials(game, 1, seed):
        (varied if unusual(game, trial) else usual).append(trial)
    Random(f"{seed} options").shuffle(varied)
    return [kind for kind in (usual, varied) if kind]
