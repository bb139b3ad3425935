"""The view of a review: the decisions in which bots lost most."""

from collections.abc import Iterator
from dataclasses import dataclass

from cardhub.base import writing
from cardhub.lab.analysis.review.review_schema import BotReview, MatchReview, Mistake, VerbLoss
from cardhub.lab.report import number_format as fmt
from cardhub.lab.report.view.listings import Listings, Selection
from cardhub.play.advice import PERCENT, SCALE
from cardhub.play.pages.replay_data import ReplayMark


@dataclass(frozen=True)
class MistakeView:
    """A decision that lost much; `fragment` opens the page of its game at this step."""

    mistake: Mistake
    loss: str
    fragment: str


@dataclass(frozen=True)
class BotMistakes:
    """A bot's review in one game of the match; `link` is the HTML id of a list of games.

    `mistakes` has confirmed mistakes only; `unsure` counts the others. `verbs` are the kinds of
    actions, each with its mean loss and the sum of its losses as strings.
    """

    review: BotReview
    summary: str
    mistakes: tuple[MistakeView, ...]
    unsure: int
    verbs: tuple[tuple[VerbLoss, str, str], ...]
    link: str


@dataclass(frozen=True)
class MistakesView:
    """The review of a match: the spec of the reviewing bot, and the results of each bot.

    `scale` explains percentages; it is empty without percentages.
    """

    reviewer: str
    scale: str
    notes: tuple[str, ...]
    bots: tuple[BotMistakes, ...]

    def marks(self) -> dict[str, list[ReplayMark]]:
        """Return the marks of the mistakes on the pages of their games, by game id."""
        marks: dict[str, list[ReplayMark]] = {}
        for row in self.bots:
            for shown in row.mistakes:
                mistake = shown.mistake
                text = (
                    f"{row.review.bot}: {mistake.taken} loses {shown.loss}; {mistake.better} is "
                    f"better by the search of {self.reviewer}"
                )
                mark = ReplayMark(step=mistake.step, kind="mistake", text=text)
                marks.setdefault(mistake.game_id, []).append(mark)
        return marks


def mistakes_of(review: MatchReview, games: int, listings: Listings) -> MistakesView:
    """Return the view of a review, and register its lists; `games`: the count of all games."""
    return MistakesView(
        review.header.reviewer,
        SCALE if any(bot.unit == PERCENT for bot in review.bots) else "",
        tuple(_notes(review, games)),
        tuple(_bot(bot, review.level, listings) for bot in review.bots),
    )


def _notes(review: MatchReview, games: int) -> Iterator[str]:
    if not review.is_whole:
        yield "The review is unfinished: the same command continues it."
    if review.header.games != games:
        reviewed = writing.amount(review.header.games, "game")
        yield f"The review is of the first {reviewed} of the match."


def _bot(review: BotReview, level: float, listings: Listings) -> BotMistakes:
    sure = [mistake for mistake in review.mistakes if mistake.is_confirmed]
    ids = tuple(dict.fromkeys(mistake.game_id for mistake in sure))
    title = f"Games in which {review.bot} lost most by a decision in {review.game}"
    return BotMistakes(
        review,
        _summary(review, level),
        tuple(_mistake(mistake, review.unit) for mistake in sure),
        len(review.mistakes) - len(sure),
        tuple(
            (verb, fmt.loss(verb.mean_loss, review.unit), fmt.loss(verb.total_loss, review.unit))
            for verb in review.verbs
        ),
        listings.link(Selection(ids=ids), title, len(ids)) if ids else "",
    )


def _mistake(mistake: Mistake, unit: str) -> MistakeView:
    fragment = f"#step={mistake.step}&viewer={mistake.seat}"
    return MistakeView(mistake, fmt.loss(mistake.loss, unit, mistake.error), fragment)


def _summary(review: BotReview, level: float) -> str:
    if not review.decisions:
        return "No game is reviewed completely yet."
    share = writing.percent(review.agreed / review.decisions)
    decisions = writing.amount(review.decisions, "decision")
    text = (
        f"{decisions} in {writing.amount(review.seats, 'game')}, "
        f"{share} of them agree with the search."
    )
    loss = review.mean_loss
    if loss is None or loss.value is None:
        return text
    mean = fmt.loss(loss.value, review.unit)
    if loss.low is None or loss.high is None:
        return f"{text} A decision loses {mean} on average."
    low, high = writing.number(loss.low, 2), writing.number(loss.high, 2)
    span = f"{low} to {high} at {writing.percent(level)}"
    return f"{text} A decision loses {mean} on average ({span})."
