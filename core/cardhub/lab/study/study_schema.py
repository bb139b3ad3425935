"""Schema of `study.json`; docs/studies.md explains the fields.

Scores are those of matches: from 0 to 1 by places or wins, or points. All intervals treat deals as
independent, and the games on one deal as dependent.
"""

from typing import Literal

from msgspec import Struct

# Name and version of the file in the folder of a study.
STUDY, FORMAT = "study.json", 1

Scoring = Literal["rank", "win", "points"]
UseKind = Literal["action", "card", "dealt"]


class Measure(Struct, frozen=True):
    """An estimate with its interval, from `deals` deals.

    `error` is the standard error and `freedom` the degrees of freedom of Student's t; an error of
    None is unknown, and so is the interval then.
    """

    value: float
    low: float | None
    high: float | None
    error: float | None
    freedom: float
    deals: int


class SeatAdvantage(Struct, frozen=True):
    """Mean score of a seat above the mean of all seats; `seats` are the indices of its team.

    `is_certain`: it is not 0, in a test that holds for all seats of a population together.
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
    """Distribution of a number over games; `quantiles` are those at 5, 25, 50, 75 and 95 %."""

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

    `forced` is the share of decisions with one legal action. `free` is the number of the others
    per seat in a game. `log10_lines` is the mean decimal logarithm of the product of all numbers in
    a game: the size of its tree, if all games were as long.
    """

    mean: Measure
    most: int
    forced: Measure
    free: Measure
    log10_lines: Measure
    by_progress: tuple[ProgressPoint, ...]


class Leads(Struct, frozen=True):
    """How the scores during a game foretell its winner.

    `leader_wins` is the share of first places of the seat or team that leads alone at a share of
    the game; `led` the share of games in which one does. `settled` is the share of a game's
    decisions after which the winner led alone to the end, over games with one winner. `changes`
    counts how often the lead passed from one seat or team to another.
    """

    leader_wins: tuple[ProgressPoint, ...]
    led: tuple[ProgressPoint, ...]
    settled: Distribution | None
    changes: Distribution


class Luck(Struct, frozen=True):
    """Shares of the variance of a seat's score between equal players; their sum is 1.

    `deal` is what games on the same deal with other play have in common, `seat` that of the fixed
    advantages of seats, `play` the rest: the players' choices and chance after the deal.
    """

    deal: Measure
    seat: float
    play: float


class Population(Struct, frozen=True):
    """Games of equal players: all seats of a game have the same one of `bots`.

    A part is None where it does not apply; the notes of the result say why.
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
    """Use of an action or a card, or a card that a seat was dealt and sees alone.

    `used` is the share of seats that used it in a game, `taken` the share of the decisions in which
    it was taken, of those in which it was legal. `worth` is the difference in score between seats
    that used it and seats that did not, of the same bot at the same seat. For actions and cards it
    is a correlation: what makes a card playable may also make its owner win. For dealt cards chance
    decides who has them, so that it is an effect. `is_certain` holds for all rows together.
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
    """How strength pays.

    `elo_per_doubling` and `score_per_doubling` are those of twice the search, over all bots that
    search. `games_to_tell` is the number of games after which twice the search shows at 95 % with a
    power of 80 %; None if it is not certain to pay at all.
    """

    bots: tuple[BotStrength, ...]
    elo_per_doubling: Measure | None
    score_per_doubling: Measure | None
    games_to_tell: int | None


class StudyResult(Struct, frozen=True):
    """Figures of a game under one set of options.

    `skilled` are the games of all bots but `random`, `by_bot` those of each bot, from the weakest
    given to the strongest. `sources` are the SHA-256 digests of the matches that they rest on.
    `excluded` is the number of games with a fault or without an end, which count nowhere.
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
