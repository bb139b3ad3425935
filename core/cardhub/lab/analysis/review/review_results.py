"""Results of a review: mean losses of bots, their kinds of actions, and their worst decisions."""

from collections import Counter
from collections.abc import Iterable, Sequence
from math import fsum, sqrt
from pathlib import Path

import numpy as np

from cardhub.lab.analysis.review.review_file import ReviewContent, SeatKey, key_of, read_review
from cardhub.lab.analysis.review.review_schema import (
    BotReview,
    ConfirmedDecision,
    MatchReview,
    Mistake,
    ReviewedSeat,
    ScreenedDecision,
    VerbLoss,
)
from cardhub.lab.stats import mean_of_clusters
from cardhub.lab.stats.elo import student


def results_in(folder: Path, level: float) -> MatchReview | None:
    """Return the results of a review; see `cardhub.lab.analysis.review.reviews_in`."""
    content = read_review(folder)
    return None if content is None else results_of(content, level)


def results_of(content: ReviewContent, level: float = 0.95) -> MatchReview:
    """Return the results of a review, complete or not."""
    header = content.header
    groups = [(contest, bot) for contest in header.contests for bot in header.bots]
    reviews = [_bot_review(content, *group, level) for group in groups]
    return MatchReview(
        header, level, _is_whole(content), tuple(review for review in reviews if review is not None)
    )


def candidates(content: ReviewContent, contest: str, bot: str) -> list[ScreenedDecision]:
    """Return the decisions to rate again: the greatest losses in the screening, worst first.

    Equal decisions in equal situations are returned once.
    """
    lost = [decision for decision in _screened(content, contest, bot) if decision.loss > 0]
    lost.sort(key=lambda decision: (-decision.loss, key_of(decision)))
    distinct: dict[str, ScreenedDecision] = {}
    for decision in lost:
        distinct.setdefault(decision.situation, decision)
    return list(distinct.values())[: content.header.mistakes]


def _screened(content: ReviewContent, contest: str, bot: str) -> list[ScreenedDecision]:
    seats = [s for s in content.seats.values() if (s.contest, s.bot) == (contest, bot)]
    return [decision for seat in seats for decision in content.decisions_of(seat)]


def _is_whole(content: ReviewContent) -> bool:
    header = content.header
    if len(content.seats) < header.planned:
        return False
    return all(content.is_complete(seat) for seat in content.seats.values()) and all(
        key_of(decision) in content.confirmed
        for contest in header.contests
        for bot in header.bots
        for decision in candidates(content, contest, bot)
    )


def _bot_review(content: ReviewContent, contest: str, bot: str, level: float) -> BotReview | None:
    seats = [s for s in content.seats.values() if (s.contest, s.bot) == (contest, bot)]
    whole = [s for s in seats if s.chosen_by == "sample" and content.is_complete(s)]
    if not seats:
        return None
    decisions = [d for seat in whole for d in content.decisions_of(seat)]
    blocks = _by_block(content, whole)
    mean = mean_of_clusters([fsum(b) for b in blocks], [len(b) for b in blocks], level)
    return BotReview(
        game=contest,
        bot=bot,
        unit=seats[0].unit,
        seats=len(whole),
        blocks=len(blocks),
        decisions=len(decisions),
        agreed=sum(d.taken == d.best for d in decisions),
        mean_loss=mean,
        verbs=tuple(_verb_losses(decisions)),
        mistakes=tuple(_mistakes(content, contest, bot, level)),
    )


def _by_block(content: ReviewContent, seats: Iterable[ReviewedSeat]) -> list[list[float]]:
    by_block: dict[tuple[int, tuple[str, ...]], list[float]] = {}
    for seat in seats:
        losses = [decision.loss for decision in content.decisions_of(seat)]
        by_block.setdefault((seat.deal, seat.bots), []).extend(losses)
    return list(by_block.values())


def _verb_losses(decisions: Sequence[ScreenedDecision]) -> list[VerbLoss]:
    rows = []
    for verb in {decision.verb for decision in decisions}:
        of_verb = [decision for decision in decisions if decision.verb == verb]
        total = fsum(decision.loss for decision in of_verb)
        agreed = sum(decision.taken == decision.best for decision in of_verb)
        rows.append(VerbLoss(verb, len(of_verb), agreed, total / len(of_verb), total))
    return sorted(rows, key=lambda row: (-row.total_loss, row.verb))


def _mistakes(content: ReviewContent, contest: str, bot: str, level: float) -> list[Mistake]:
    times = Counter(decision.situation for decision in _screened(content, contest, bot))
    mistakes = [
        _mistake(content, decision, again, times[decision.situation], level)
        for decision in candidates(content, contest, bot)
        if (again := content.confirmed.get(key_of(decision))) is not None
    ]
    return sorted(mistakes, key=lambda decision: (-decision.loss, decision.game_id, decision.step))


def _mistake(
    content: ReviewContent,
    screened: ScreenedDecision,
    again: ConfirmedDecision,
    times: int,
    level: float,
) -> Mistake:
    # Searches are independent, so their spread is the whole random error of this search.
    losses = np.asarray(again.losses, dtype=np.float64)
    loss, error = float(losses.mean()), float(losses.std(ddof=1)) / sqrt(len(losses))
    return Mistake(
        game_id=screened.game_id,
        seat=screened.seat,
        step=screened.step,
        chosen_by=content.seats[SeatKey(screened.game_id, screened.seat)].chosen_by,
        legal=screened.legal,
        verb=screened.verb,
        taken=screened.taken,
        better=screened.best,
        loss=loss,
        error=error,
        is_confirmed=loss > student(len(losses), level) * error,
        times=times,
        taken_worth=again.worths[0],
        better_worth=again.worths[1],
        facts=again.facts,
        table=again.table,
    )
