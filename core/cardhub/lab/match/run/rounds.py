"""Schedules in rounds: Swiss, in which bots with similar results meet, and knock-out."""

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from math import fsum
from typing import Literal, NamedTuple, Protocol

from msgspec import Struct
from typing_extensions import override

from cardhub.lab.match.blocks import count_rounds, rivals
from cardhub.lab.match.match_spec import Contest, Match
from cardhub.lab.match.pairings import bracket, pair_neighbours

# Mean scores that differ by less are equal, because rounding makes such differences.
SAME = 1e-9

Ruling = Literal["score", "further blocks", "order", "withdrawal", "bye"]


class EncounterRow(Struct, frozen=True):
    """Two bots that met in a round, or one that had a bye; a part of `result.json`.

    `score`: the mean score of the first against the second. `winner`: who goes on in a knock-out,
    and `ruling`: by what that was decided.
    """

    round: int
    bots: tuple[str, ...]
    blocks: int
    score: float | None
    winner: str | None
    ruling: Ruling | None


class PlaceRow(Struct, frozen=True):
    """The place of a bot; bots may share one.

    `points`: in a Swiss schedule the sum over rounds of the mean score above an even one, in a
    knock-out the number of rounds won, byes included.
    """

    bot: str
    place: int
    points: float


class RoundsRow(Struct, frozen=True):
    """The rounds of a game: its `mode`, who met, and the places; a part of `result.json`."""

    game: str
    mode: str
    encounters: tuple[EncounterRow, ...]
    places: tuple[PlaceRow, ...]


@dataclass(slots=True)
class Encounter:
    """Two bots that meet in a round, or one that has a bye, and the results of their blocks.

    `bots` are in the order of the match file, as in blocks.
    `leads`: by block, the score of the first bot above an even one.
    """

    round: int
    bots: tuple[str, ...]
    leads: list[float] = field(default_factory=list)
    winner: str = ""
    ruling: Ruling | None = None

    @property
    def lead(self) -> float:
        """The mean score of the first bot above an even one, 0 without blocks."""
        return fsum(self.leads) / len(self.leads) if self.leads else 0.0

    def decide(self, winner: str, ruling: Ruling) -> None:
        """Set who goes on, and why."""
        self.winner, self.ruling = winner, ruling

    def row(self, even: float) -> EncounterRow:
        """Return the row of the result; `even`: the score of equal bots."""
        return EncounterRow(
            round=self.round,
            bots=self.bots,
            blocks=len(self.leads),
            score=even + self.lead if self.leads else None,
            winner=self.winner or None,
            ruling=self.ruling,
        )


class Wave(NamedTuple):
    """Bots that meet next, and the number of deals that they play."""

    encounters: Sequence[Encounter]
    deals: int


class Rounds(Protocol):
    """The rounds of one game, planned from the results before."""

    encounters: list[Encounter]

    def next_wave(self, withdrawn: Collection[str]) -> Wave | None:
        """Return who meets next, None after the last round."""
        ...

    def points(self) -> dict[str, float]:
        """Return what places go by: the more the better, for each bot."""
        ...


class SwissRounds(Rounds):
    """In each round bots meet that are next to each other in points and have not met before.

    With an odd number, the last bot of those with the fewest byes has a bye, which gives no points.
    Bots with equal points keep their order.
    """

    def __init__(self, bots: Sequence[str], rounds: int, blocks: int) -> None:
        self.encounters: list[Encounter] = []
        self._bots = tuple(bots)
        self._rounds, self._blocks = rounds, blocks
        self._round = 0

    @override
    def next_wave(self, withdrawn: Collection[str]) -> Wave | None:
        points = self.points()
        present = [bot for bot in self._bots if bot not in withdrawn]
        order = sorted(present, key=lambda bot: -round(points[bot], 9))
        if self._round == self._rounds or len(order) < 2:
            return None
        self._round += 1
        met = Counter(frozenset(encounter.bots) for encounter in self.encounters)
        if len(order) % 2:
            resting = min(reversed(order), key=lambda bot: met[frozenset((bot,))])
            order.remove(resting)
            self.encounters.append(Encounter(self._round, (resting,), ruling="bye"))
        pairs = (sorted(pair, key=self._bots.index) for pair in pair_neighbours(order, met))
        meetings = [Encounter(self._round, tuple(pair)) for pair in pairs]
        self.encounters += meetings
        return Wave(meetings, self._blocks)

    @override
    def points(self) -> dict[str, float]:
        points = dict.fromkeys(self._bots, 0.0)
        for encounter in self.encounters:
            for bot, sign in zip(encounter.bots, (1, -1), strict=False):
                points[bot] += sign * encounter.lead
        return points


class KnockoutRounds(Rounds):
    """The winner of a meeting goes on; the order of the bots seeds them.

    After a tie the two play up to `extra` further blocks until one leads; then the order decides.
    """

    def __init__(self, bots: Sequence[str], blocks: int, extra: int) -> None:
        self.encounters: list[Encounter] = []
        self._bots = tuple(bots)
        self._blocks, self._extra = blocks, extra
        self._round: list[Encounter] = []
        self._further = 0

    @override
    def next_wave(self, withdrawn: Collection[str]) -> Wave | None:
        if tied := self._tied(withdrawn):
            self._further += 1
            return Wave(tied, 1)
        while meetings := self._next_meetings(withdrawn):
            self._further = 0
            number = self._round[0].round + 1 if self._round else 1
            self._round = [
                Encounter(number, tuple(sorted(meeting, key=self._bots.index)))
                for meeting in meetings
            ]
            self.encounters += self._round
            played = [encounter for encounter in self._round if len(encounter.bots) == 2]
            for encounter in self._round:
                if encounter not in played:
                    encounter.decide("".join(encounter.bots), "bye")
            if played:
                return Wave(played, self._blocks)
        return None

    @override
    def points(self) -> dict[str, float]:
        wins = Counter(encounter.winner for encounter in self.encounters)
        return {bot: float(wins[bot]) for bot in self._bots}

    def _next_meetings(self, withdrawn: Collection[str]) -> list[tuple[str, ...]]:
        """Return the bots that meet in the next round, empty after the last one."""
        if not self._round:
            return bracket([bot for bot in self._bots if bot not in withdrawn])
        if len(self._round) < 2:
            return []
        # A bot may be withdrawn after its last win.
        bots = [w if (w := encounter.winner) not in withdrawn else "" for encounter in self._round]
        meetings = zip(bots[::2], bots[1::2], strict=True)
        return [tuple(bot for bot in meeting if bot) for meeting in meetings]

    def _tied(self, withdrawn: Collection[str]) -> list[Encounter]:
        """Decide the meetings of the round that are played; return those that play on."""
        tied = []
        for encounter in self._round:
            if encounter.ruling is not None:
                continue
            present = [bot for bot in encounter.bots if bot not in withdrawn]
            if len(present) < 2:
                encounter.decide("".join(present), "withdrawal")
            elif abs(encounter.lead) > SAME:
                winner = encounter.bots[0] if encounter.lead > 0 else encounter.bots[1]
                encounter.decide(winner, "further blocks" if self._further else "score")
            elif self._further < self._extra:
                tied.append(encounter)
            else:
                encounter.decide(min(present, key=self._bots.index), "order")
        return tied


def rounds_of(match: Match, contest: Contest) -> Rounds:
    """Return the rounds of a contest before the first one."""
    order, bots = match.order, rivals(match, contest)
    if order.mode == "swiss":
        return SwissRounds(bots, count_rounds(match, contest), order.blocks)
    return KnockoutRounds(bots, order.blocks, order.extra)


def places(points: Mapping[str, float]) -> tuple[PlaceRow, ...]:
    """Return the places of bots by their points, the best first."""
    rounded = {bot: round(value, 9) for bot, value in points.items()}
    rows = [
        PlaceRow(bot, 1 + sum(other > value for other in rounded.values()), value)
        for bot, value in rounded.items()
    ]
    return tuple(sorted(rows, key=lambda row: row.place))
