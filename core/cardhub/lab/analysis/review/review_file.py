"""The file `review.jsonl`: an append-only log of ratings, and the results that follow from it.

Each line depends only on the header and its decision, not on the lines before. A review that was
interrupted and continued is therefore the same file as an uninterrupted review.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from math import fsum, hypot, sqrt
from pathlib import Path
from statistics import NormalDist, fmean, stdev

import msgspec

from cardhub.base.errors import MatchError
from cardhub.lab.analysis.review.review_schema import (
    FORMAT,
    REVIEW,
    BotReview,
    ConfirmedDecision,
    MatchReview,
    Mistake,
    ReviewedSeat,
    ReviewHeader,
    ReviewLine,
    ScreenedDecision,
    VerbLoss,
)
from cardhub.lab.estimate import OpenEstimate
from cardhub.lab.match.log.log_reader import explained, read_header
from cardhub.lab.match.log.log_writer import Lines, drop_incomplete_line, locked
from cardhub.lab.match.match_spec import canonical
from cardhub.lab.stats import mean_of_clusters
from cardhub.lab.stats.elo import student

BUSY = "another program is reviewing this match; wait for it, or stop it"
AFRESH = "fix: make a new review: cardhub match review --fresh"

# The id of a game in the log with a seat, and of a decision also the step before its action.
SeatKey = tuple[str, int]
DecisionKey = tuple[str, int, int]

_HEADER = msgspec.json.Decoder(ReviewHeader)
_LINE = msgspec.json.Decoder(ReviewLine)


@dataclass(slots=True)
class ReviewContent:
    """The lines of a review by their keys, in the order of the file."""

    header: ReviewHeader
    seats: dict[SeatKey, ReviewedSeat] = field(default_factory=dict)
    screened: dict[DecisionKey, ScreenedDecision] = field(default_factory=dict)
    confirmed: dict[DecisionKey, ConfirmedDecision] = field(default_factory=dict)
    _by_seat: dict[SeatKey, list[ScreenedDecision]] = field(default_factory=dict)

    def add(self, line: ReviewLine) -> None:
        """Add a line; a later line with the same key is ignored."""
        match line:
            case ReviewedSeat():
                self.seats.setdefault((line.game_id, line.seat), line)
            case ScreenedDecision():
                if self.screened.setdefault(key_of(line), line) is line:
                    self._by_seat.setdefault((line.game_id, line.seat), []).append(line)
            case ConfirmedDecision():
                self.confirmed.setdefault(key_of(line), line)

    def decisions_of(self, seat: ReviewedSeat) -> list[ScreenedDecision]:
        """Return the rated decisions of a seat, in order."""
        return self._by_seat.get((seat.game_id, seat.seat), [])

    def is_complete(self, seat: ReviewedSeat) -> bool:
        """Return whether all decisions of a seat are rated."""
        return len(self.decisions_of(seat)) == seat.decisions


def key_of(line: ScreenedDecision | ConfirmedDecision | Mistake) -> DecisionKey:
    """Return the key of a rated decision."""
    return line.game_id, line.seat, line.step


class ReviewWriter:
    """A review that is open for appending; every line is flushed."""

    def __init__(self, content: ReviewContent, lines: Lines) -> None:
        self.content = content
        self._lines = lines

    def append(self, line: ReviewLine) -> None:
        """Write a line and add it to the content; raises OSError."""
        self._lines.append(canonical(msgspec.to_builtins(line)))
        self.content.add(line)


def read_review(folder: Path) -> ReviewContent | None:
    """Decode the review in the folder of a match; None without one.

    An incomplete last line is skipped. Raises MatchError if a line is invalid, or if the
    review belongs to another match.
    """
    path = folder / REVIEW
    if not path.exists():
        return None
    with explained(path):
        lines = path.read_bytes().split(b"\n")[:-1]
    if not lines:
        return None
    content = ReviewContent(_header(path, lines[0]))
    if content.header.match != read_header(folder)["sha256"]:
        raise MatchError(f"{path}: this review belongs to another match\nfix: remove it")
    for number, line in enumerate(lines[1:], 2):
        try:
            content.add(_LINE.decode(line))
        except msgspec.DecodeError as error:
            raise MatchError(f"{path}:{number}: {error}\n{AFRESH}") from error
    return content


@contextmanager
def open_review(
    folder: Path, header: ReviewHeader, *, is_fresh: bool = False
) -> Iterator[ReviewWriter]:
    """Open the review of a match for appending, and lock it; `is_fresh` discards an older review.

    Raises MatchError if the file has a review with other arguments.
    """
    path = folder / REVIEW
    with ExitStack() as stack:
        with explained(path):
            path.open("ab").close()
            stack.enter_context(locked(path, BUSY))
            if is_fresh:
                path.write_bytes(b"")
            drop_incomplete_line(path)
            content = read_review(folder)
            lines = stack.enter_context(closing(Lines(path)))
            if content is None:
                lines.append(canonical(msgspec.to_builtins(header)))
        if content is not None:
            _check_same(path, content.header, header)
        yield ReviewWriter(content or ReviewContent(header), lines)


def _header(path: Path, line: bytes) -> ReviewHeader:
    try:
        header = _HEADER.decode(line)
    except msgspec.DecodeError as error:
        raise MatchError(
            f"{path}:1: this is not the first line of a review: {error}\n{AFRESH}"
        ) from error
    if header.cardhub_review != FORMAT:
        problem = f"the file has version {header.cardhub_review}, not {FORMAT}"
        raise MatchError(f"{path}:1: {problem}\n{AFRESH}")
    return header


def _check_same(path: Path, existing: ReviewHeader, wanted: ReviewHeader) -> None:
    fields = [name for name in ReviewHeader.__struct_fields__ if name != "versions"]
    differing = [
        f"{name} {_in_words(existing, name)} instead of {_in_words(wanted, name)}"
        for name in fields
        if getattr(existing, name) != getattr(wanted, name)
    ]
    if differing:
        raise MatchError(
            f"{path}: this review has other arguments: {', '.join(differing)}\n{AFRESH}"
        )
    if existing.versions != wanted.versions:
        raise MatchError(f"{path}: cardhub or a game changed since this review began\n{AFRESH}")


def _in_words(header: ReviewHeader, name: str) -> str:
    value = getattr(header, name)
    return ", ".join(value) if isinstance(value, tuple) else str(value)


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
    losses = [fsum(decision.loss for decision in block) for block in blocks]
    worlds = [decision.worlds for decision in decisions if decision.worlds]
    mean = mean_of_clusters(losses, [len(block) for block in blocks], level)
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
        method="exact" if contest in content.header.exact else "search",
        mean_gain=_mean_gain(blocks, level),
        weighted=len(worlds),
        flattened=sum(0 < decision.trust < 1 for decision in decisions),
        worlds=min(worlds, default=0.0),
    )


def _by_block(
    content: ReviewContent, seats: Iterable[ReviewedSeat]
) -> list[list[ScreenedDecision]]:
    by_block: dict[tuple[int, tuple[str, ...]], list[ScreenedDecision]] = {}
    for seat in seats:
        by_block.setdefault((seat.deal, seat.bots), []).extend(content.decisions_of(seat))
    return list(by_block.values())


def _mean_gain(blocks: Sequence[Sequence[ScreenedDecision]], level: float) -> OpenEstimate | None:
    """Return the mean gain of best play, None unless it is known for every decision.

    The interval adds the error of the opponents' policies, which all decisions have in common: half
    the difference between the means of both estimates.
    """
    decisions = [decision for block in blocks for decision in block]
    if not all(decision.gains for decision in decisions):
        return None
    totals = [fsum(fmean(decision.gains) for decision in block) for block in blocks]
    mean = mean_of_clusters(totals, [len(block) for block in blocks], level)
    if mean is None or mean.low is None or mean.high is None:
        return mean
    first, second = (fmean(decision.gains[end] for decision in decisions) for end in (0, -1))
    spread = hypot(
        (mean.high - mean.low) / 2, NormalDist().inv_cdf((1 + level) / 2) * (first - second) / 2
    )
    return OpenEstimate(mean.value, mean.value - spread, mean.value + spread)


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
    loss, error, reach = fmean(again.losses), None, 0.0
    if len(again.losses) > 1:  # a single loss is exact
        # Searches are independent, so their spread is the whole random error of this search.
        error = stdev(again.losses) / sqrt(len(again.losses))
        reach = student(len(again.losses), level) * error
    return Mistake(
        game_id=screened.game_id,
        seat=screened.seat,
        step=screened.step,
        chosen_by=content.seats[screened.game_id, screened.seat].chosen_by,
        legal=screened.legal,
        verb=screened.verb,
        taken=screened.taken,
        better=screened.best,
        loss=loss,
        error=error,
        is_confirmed=loss > reach,
        times=times,
        taken_worth=again.worths[0],
        better_worth=again.worths[1],
        facts=again.facts,
        table=again.table,
    )
