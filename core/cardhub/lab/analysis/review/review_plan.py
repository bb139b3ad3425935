"""The plan of a review: its arguments checked, its reviewer, and the seats that it selects."""

from collections.abc import Sequence
from pathlib import Path
from random import Random
from typing import NamedTuple

from cardhub.base.errors import MatchError, OptionError
from cardhub.bots.bot import Comparer
from cardhub.bots.spec import parse_spec
from cardhub.lab.analysis.review.review_schema import FORMAT, ReviewHeader
from cardhub.lab.analysis.review.seat_sample import SampledSeat, SeatSample
from cardhub.lab.match.log.log_reader import GAMES, read_games, read_header
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.provenance import game_versions
from cardhub.plugins.registry import PluginRegistry

# The default reviewer has at least LEAST iterations, and STRONGER times the iterations of the bots.
LEAST, STRONGER = 1000, 4
# The bots whose first option is a number of iterations.
SEARCHES = ("ismcts", "pimc")


class ReviewRequest(NamedTuple):
    """The arguments of a review, see ReviewHeader; empty `bots` and `contests` mean all."""

    bots: tuple[str, ...] = ()
    contests: tuple[str, ...] = ()
    reviewer: str = ""
    seats: int = 4
    worst: int = 0
    mistakes: int = 5


class ReviewPlan(NamedTuple):
    """The seats to review in a match, in order; `header` identifies the review."""

    match: Match
    header: ReviewHeader
    seats: tuple[SampledSeat, ...]


def plan_review(folder: Path, registry: PluginRegistry, request: ReviewRequest) -> ReviewPlan:
    """Return the plan of a review of the match in a folder; the same log gives the same plan.

    Raises MatchError, or PluginError or OptionError for a game or reviewer that is not installed.
    """
    match = match_in(folder)
    bots = request.bots or tuple(entrant.id for entrant in match.entrants)
    reviewer = request.reviewer or default_reviewer(match, registry)
    contests = reviewed_contests(match, registry, request)
    _check_reviewer(match, registry, contests, reviewer)
    sample, games = SeatSample(match, contests, bots, request.seats, request.worst), 0
    for _, result in read_games(folder):
        sample.add(result)
        games += 1
    seats = tuple(sample.plan())
    if not seats:
        raise MatchError(
            f"{folder / GAMES}: there is no game to review: these bots have not played yet"
        )
    header = ReviewHeader(
        cardhub_review=FORMAT,
        match=read_header(folder)["sha256"],
        games=games,
        reviewer=reviewer,
        bots=bots,
        contests=contests,
        seats=request.seats,
        worst=request.worst,
        mistakes=request.mistakes,
        planned=len(seats),
        versions=game_versions([match.contest(contest) for contest in contests], registry),
    )
    return ReviewPlan(match, header, seats)


def reviewed_contests(
    match: Match, registry: PluginRegistry, request: ReviewRequest
) -> tuple[str, ...]:
    """Return the contests of a request; by default all that its reviewer can rate.

    If it can rate none, return all contests: the error for the first contest gives the reason.
    """
    if request.contests:
        return request.contests
    name = parse_spec(request.reviewer or default_reviewer(match, registry)).name
    ratable = [contest.id for contest in match.contests if _can_rate(name, contest.game, registry)]
    return tuple(ratable or (contest.id for contest in match.contests))


def _can_rate(bot: str, game: str, registry: PluginRegistry) -> bool:
    # Any other reason why a bot cannot play a game is an error.
    has_determinizations = not registry.game(game).no_determinizations
    return has_determinizations or bot in registry.bots_for(game)


def default_reviewer(match: Match, registry: PluginRegistry) -> str:
    """Return the spec of a search with several times the iterations of every search in a match."""
    most = LEAST
    for entrant in match.entrants:
        name = parse_spec(entrant.use).name
        if name in SEARCHES:
            game = match.contest(entrant.plays[0]).game
            iterations = registry.settings_of(entrant.use, game).number("iterations")
            most = max(most, STRONGER * iterations)
    return f"{SEARCHES[0]}:iterations={most}"


def _check_reviewer(
    match: Match, registry: PluginRegistry, contests: Sequence[str], reviewer: str
) -> None:
    for contest in contests:
        game = match.contest(contest).game
        registry.game(game)
        if any(part.looks_at_clock for part in registry.parts(reviewer, game)):
            raise OptionError(
                f"{reviewer} looks at the clock: its ratings differ from run to run\n"
                "fix: give it a number of iterations instead"
            )
        if not isinstance(registry.make_bot(reviewer, game, Random(0)), Comparer):
            raise OptionError(
                f"{reviewer} cannot rate an action that it would not choose\n"
                "fix: --with ismcts:2000, or implement cardhub.Comparer"
            )
