"""The decisions in which bots lost most, as a review found them."""

from collections.abc import Iterator

from cardhub.base import writing
from cardhub.lab.analysis.review.review_schema import BotReview, MatchReview
from cardhub.lab.report import number_format as fmt
from cardhub.lab.report.view.listings import Listings, Selection
from cardhub.play.advice import PERCENT, SCALE
from cardhub.play.pages.building_data import ReplayMark


def list_mistakes(review: MatchReview, listings: Listings) -> None:
    """Register a list of the games with confirmed mistakes for each bot, so that they get pages."""
    for bot in review.bots:
        ids = tuple(dict.fromkeys(mistake.game_id for mistake in bot.confirmed))
        title = f"Games in which {bot.bot} lost most by a decision in {bot.game}"
        if ids:
            listings.link(Selection(ids=ids), title, len(ids))


def mistake_marks(review: MatchReview) -> dict[str, list[ReplayMark]]:
    """Return the marks of the mistakes on the pages of their games, by game id."""
    marks: dict[str, list[ReplayMark]] = {}
    for bot in review.bots:
        for mistake in bot.confirmed:
            loss = fmt.loss(mistake.loss, bot.unit, mistake.error)
            text = (
                f"{bot.bot}: {mistake.taken} loses {loss}; {mistake.better} is better by the "
                f"search of {review.header.reviewer}"
            )
            mark = ReplayMark(step=mistake.step, kind="mistake", text=text)
            marks.setdefault(mistake.game_id, []).append(mark)
    return marks


def loss_scale(review: MatchReview) -> str:
    """Return what percentages of losses mean, empty without percentages."""
    return SCALE if any(bot.unit == PERCENT for bot in review.bots) else ""


def review_notes(review: MatchReview, games: int) -> Iterator[str]:
    """Yield sentences on what a review lacks; `games` is the number of all games."""
    if not review.is_whole:
        yield "The review is unfinished: the same command continues it."
    if review.header.games != games:
        reviewed = writing.amount(review.header.games, "game")
        yield f"The review is of the first {reviewed} of the match."


def review_summary(review: BotReview, level: float) -> str:
    """Return a sentence on the mean loss of a bot's decisions."""
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
