"""Schema of `study.json`; docs/studies.md explains the fields.

Scores are match scores: from 0 to 1 by places or wins, or points. All intervals treat deals as
independent, and the games on one deal as dependent.
"""

from typing import Literal

from msgspec import Struct

from cardhub.lab.estimate import Measure

# Name and version of the file in the folder of a study.
STUDY, FORMAT = "study.json", 1

Scoring = Literal["rank", "win", "points"]
UseKind = Literal["action", "card", "dealt"]


class SeatAdvantage(Struct, frozen=True):
    """Mean score of a seat above the mean of all seats; `seats` are the indices of its team.

    `is_certain`: the advantage is not 0, in a test for all seats of a population together.
    """

    seats: tuple[int, ...]
    score: Measure
    advantage: Measure
    p_value: float | None
    is_certain: bool


class HistogramBar(Struct, frozen=True):
    """The number of games with a value from `low` to below `high`, or to `high` in the last bar."""

    low: float
    high: float
    games: int


class Distribution(Struct, frozen=True):
    """Distribution of a number over games; `quantiles` are at 5, 25, 50, 75 and 95 %."""

    mean: Measure
    deviation: float
    least: float
    greatest: float
    quantiles: tuple[float, ...]
    bars: tuple[HistogramBar, ...]


class ProgressPoint(Struct, frozen=True):
    """A value at a share of a game's decisions, from 0 to 1."""

    progress: float
    value: Measure | None


class Choices(Struct, frozen=True):
    """Number of legal actions by decision.

    `forced` is the share of decisions with one legal action. `free` is the number of other
    decisions per seat in a game. `log10_lines` is the mean decimal logarithm of the product of all
    numbers in a game: the size of the game tree if all games had this length.
    """

    mean: Measure
    most: int
    forced: Measure
    free: Measure
    log10_lines: Measure
    by_progress: tuple[ProgressPoint, ...]


class Leads(Struct, frozen=True):
    """How well the scores during a game predict its winner.

    `leader_wins`: by share of the game, how often its single leader (a seat or team) gets the first
    place. `led`: the share of games with a single leader at that point. `settled`: the share of a
    game's decisions after which the winner leads alone to the end, over games with one winner.
    `changes`: how often the lead passes from one seat or team to another.
    """

    leader_wins: tuple[ProgressPoint, ...]
    led: tuple[ProgressPoint, ...]
    settled: Distribution | None
    changes: Distribution


class Luck(Struct, frozen=True):
    """Shares of the variance of a seat's score between equal players; their sum is 1.

    `deal`: the part that games on the same deal with other play have in common. `seat`: the part
    of the fixed advantages of seats. `play`: the rest, from choices and from chance after the deal.
    """

    deal: Measure
    seat: float
    play: float


class Population(Struct, frozen=True):
    """Games of equal players: copies of one of `bots` sit at all seats of a game.

    A part is None if it does not apply; the notes of the result give the reason.
    """

    bots: tuple[str, ...]
    deals: int
    games: int
    seats: tuple[SeatAdvantage, ...]
    score: Measure | None
    reached: Measure | None
    draws: Measure | None
    length: Distribution
    choices: Choices
    leads: Leads | None
    luck: Luck | None


class UseRow(Struct, frozen=True):
    """Use of an action or a card, or of a dealt card that only its seat sees.

    `used`: the share of seats that use it in a game. `taken`: the share of decisions in which it is
    taken, of all decisions in which it is legal. `worth`: the difference in score between seats
    that use it and seats that do not, for the same bot at the same seat. For actions and cards it
    is a correlation: the cause that makes a card playable may also make its owner win. For dealt
    cards it is an effect, because chance deals them. `is_certain`: it is not 0, in a test for all
    rows together.
    """

    kind: UseKind
    name: str
    used: Measure
    taken: Measure | None
    worth: Measure | None
    p_value: float | None
    is_certain: bool


class BotStrength(Struct, frozen=True):
    """Strength of a bot among the others: its Elo by places and its mean score.

    `iterations` is the number of determinizations of a bot that searches.
    """

    bot: str
    iterations: int | None
    games: int
    elo: Measure | None
    score: Measure | None


class Skill(Struct, frozen=True):
    """The gain from stronger play.

    `elo_per_doubling` and `score_per_doubling` are the gain from twice the search, over all bots
    that search. `games_to_tell` is the number of games that show this gain at 95 % with a power of
    80 %, or None if the gain is not certain.
    """

    bots: tuple[BotStrength, ...]
    elo_per_doubling: Measure | None
    score_per_doubling: Measure | None
    games_to_tell: int | None


class Settling(Struct, frozen=True):
    """About how many deals make the intervals as narrow as `reach` to both sides.

    `reach` is 0.05 for scores from 0 to 1, and a tenth of the standard deviation of a seat's points
    otherwise. `seats`: deals for the advantage of every seat or team; `uses`: deals for the worth
    of a use that is in the middle, if all uses with an interval are ordered by their deals. None if
    no interval is known.
    """

    reach: float
    seats: int | None
    uses: int | None


class StudyResult(Struct, frozen=True):
    """Figures of a game under one set of options.

    `skilled` has the games of all bots but `random`, `by_bot` the games of each bot, from the
    weakest to the strongest. `sources` are the SHA-256 digests of the logs up to the last deal that
    counts. `excluded` is the number of games that count nowhere, because a bot was at fault or the
    game did not end. `deals`: the number of deals by part. `command`: the command line that plays
    exactly these deals and gives this result again.
    """

    cardhub_study: int
    game: str
    title: str
    version: str
    players: int
    options: dict[str, bool | int | str]
    teams: tuple[int, ...]
    scoring: Scoring
    unit: str
    target: int | None
    is_common: bool
    level: float
    seed: int
    sources: tuple[str, ...]
    is_whole: bool
    games: int
    excluded: int
    skilled: Population
    by_bot: tuple[Population, ...]
    skill: Skill | None
    uses: tuple[UseRow, ...]
    notes: tuple[str, ...] = ()
    settling: Settling | None = None
    deals: dict[str, int] = {}
    command: str = ""
