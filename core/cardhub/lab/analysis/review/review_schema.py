"""Schema of a review: the lines of `review.jsonl`, and the results that follow from them.

Losses are in the unit of the game: points, or percentage points between losing (0 %) and winning
(100 %) if only the result counts.
"""

from typing import Any, Literal

from msgspec import Struct

from cardhub.lab.estimate import OpenEstimate

# Name and version of the file in the folder of a match.
REVIEW, FORMAT = "review.jsonl", 1

# `sample`: the game was selected by its id; `result`: the bot lost it by a large margin.
Choice = Literal["sample", "result"]
# `exact`: in the whole tree of a small game; `search`: by the reviewing search.
Method = Literal["exact", "search"]


class ReviewHeader(Struct, frozen=True, forbid_unknown_fields=True):
    """First line: the identity of a review.

    `match` is the SHA-256 of the match in the first line of its log, and `games` the number of
    games in that log. `reviewer` is the spec of the bot that rates; it reviews `bots` in
    `contests`. For each bot in each contest, `seats` seats and `worst` lost games are reviewed, and
    `mistakes` decisions are rated again. `planned` is the number of all seats. `versions` has the
    versions of cardhub and of the games, with digests of their sources.

    `exact` are the contests that are rated exactly, all others are rated by the search. `asked` are
    the bots that are asked how they would act in other positions. In the contests `weighted`,
    tables at which all bots are asked are rated without the search: by continuations with these
    bots, in determinizations that are weighted by what the other seats did.
    """

    cardhub_review: int
    match: str
    games: int
    reviewer: str
    bots: tuple[str, ...]
    contests: tuple[str, ...]
    seats: int
    worst: int
    mistakes: int
    planned: int
    versions: dict[str, Any]
    exact: tuple[str, ...] = ()
    asked: tuple[str, ...] = ()
    weighted: tuple[str, ...] = ()


class ReviewedSeat(Struct, frozen=True, forbid_unknown_fields=True, tag="seat", tag_field="kind"):
    """Selection of a seat in a game: its bot, and the number of decisions to rate.

    `game_id` is the id of the game in the log; `contest`, `deal` and `bots` identify its block.
    """

    game_id: str
    seat: int
    bot: str
    contest: str
    deal: int
    bots: tuple[str, ...]
    chosen_by: Choice
    unit: str
    decisions: int


class ScreenedDecision(
    Struct, frozen=True, forbid_unknown_fields=True, tag="decision", tag_field="kind"
):
    """Rating of a decision: the action taken, and the best one by an independent search.

    The bot decided on the observation after `step`, a step of the game's replay. `verb` is the kind
    of the action taken, `legal` the number of legal actions. `situation` is a hash of the action
    and of everything that the seat had seen. The search that selected `best` does not rate the two
    actions; a second search does, because otherwise the expected `loss` would be inflated.

    In a contest that is rated exactly, `loss` is the smaller one of the losses against perfect
    opponents and against the actual ones. `gains` are estimates of what best play against the
    actual opponents gains over the action; they are empty if the opponents are not known.

    `worlds` is the effective number of weighted determinizations; 0 if all unseen cards were
    equally likely. `trust` is the power to which the weights were raised to be worth enough deals:
    1 for weights as they are, 0 for equal ones.
    """

    game_id: str
    seat: int
    step: int
    legal: int
    verb: str
    situation: str
    taken: str
    best: str
    loss: float
    gains: tuple[float, ...] = ()
    worlds: float = 0.0
    trust: float = 0.0


class ConfirmedDecision(
    Struct, frozen=True, forbid_unknown_fields=True, tag="again", tag_field="kind"
):
    """Ratings of a decision by further independent searches, one loss for each; or the exact loss.

    `worths` are the mean values of the action taken and the better one as text. `facts` describe
    the position as the seat saw it, `table` is the whole table as text.
    """

    game_id: str
    seat: int
    step: int
    losses: tuple[float, ...]
    worths: tuple[str, str]
    facts: tuple[str, ...]
    table: tuple[str, ...]


ReviewLine = ReviewedSeat | ScreenedDecision | ConfirmedDecision


class Mistake(Struct, frozen=True):
    """A decision that lost much in the screening, with its loss by independent searches.

    `error` is the standard error of `loss`, or None if the loss is exact. `is_confirmed`: the loss
    is above 0 beyond that error.
    `times` counts the reviewed decisions with the same action in the same situation.
    """

    game_id: str
    seat: int
    step: int
    chosen_by: Choice
    legal: int
    verb: str
    taken: str
    better: str
    loss: float
    error: float | None
    is_confirmed: bool
    times: int
    taken_worth: str
    better_worth: str
    facts: tuple[str, ...]
    table: tuple[str, ...]


class VerbLoss(Struct, frozen=True):
    """Decisions in which a bot took an action of one kind, by its verb.

    `mean_loss` is the mean over these decisions, `total_loss` their sum.
    """

    verb: str
    decisions: int
    agreed: int
    mean_loss: float
    total_loss: float


class BotReview(Struct, frozen=True):
    """Review of a bot in one contest, called `game` as in the match file.

    `seats` counts the completely reviewed seats, and `decisions` their decisions. `agreed` counts
    the decisions in which the reviewing search selected the same action. `mean_loss` is the mean
    loss per decision; its interval treats blocks as independent, and is unknown below two blocks.
    Games chosen by their result count in `mistakes` only, which are ordered by loss.

    `mean_gain` is what best play against the actual opponents would gain per decision, or None if
    it is unknown. Its interval includes the error of the policies of these opponents.

    `weighted` counts the decisions that were rated with weighted determinizations; `worlds` is the
    least effective number of them, and `flattened` counts decisions with flattened weights.
    """

    game: str
    bot: str
    unit: str
    seats: int
    blocks: int
    decisions: int
    agreed: int
    mean_loss: OpenEstimate | None
    verbs: tuple[VerbLoss, ...]
    mistakes: tuple[Mistake, ...]
    method: Method = "search"
    mean_gain: OpenEstimate | None = None
    weighted: int = 0
    flattened: int = 0
    worlds: float = 0.0

    @property
    def confirmed(self) -> tuple[Mistake, ...]:
        """The mistakes whose loss further searches confirmed."""
        return tuple(mistake for mistake in self.mistakes if mistake.is_confirmed)


class MatchReview(Struct, frozen=True):
    """Results of `review.jsonl`.

    `is_whole`: all decisions of the plan were rated. `level` is the confidence level.
    """

    header: ReviewHeader
    level: float
    is_whole: bool
    bots: tuple[BotReview, ...]
