"""Reviews find planted mistakes, and value them as exact calculation does."""

from math import nan, sqrt
from pathlib import Path
from statistics import fmean, stdev

import pytest
from msgspec.structs import replace
from tests.lab.analysis.review.conftest import Play, Review, of_bot

from cardhub.lab.analysis.review.decision_rating import RatingTask, screen
from cardhub.lab.analysis.review.review_file import key_of, read_review
from cardhub.lab.analysis.review.review_run import ReviewRequest
from cardhub.lab.analysis.review.review_schema import MatchReview
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.log.lookup import match_in
from cardhub.lab.match.task import GameResult
from cardhub.plugins.registry import PluginRegistry

# By the rules of Kuhn poker: a King that folds gives up 2 chips and the ante that it has staked,
# a Jack that calls loses a chip more than by folding with any card of the other seat.
FOLDED_KING, CALLED_JACK = 3.0, 1.0


@pytest.fixture(scope="module")
def folder(play: Play) -> Path:
    """Return the folder of a match in which one bot blunders at known decisions."""
    return play("blunderer careful bluffer", "[{game: kuhn}]", 12)


@pytest.fixture(scope="module")
def kuhn(folder: Path, review: Review) -> MatchReview:
    """Return its review, with every decision that seems to lose rated again."""
    return review(folder, ReviewRequest(reviewer="ismcts:60", seats=20, mistakes=30))


def _planted(folder: Path, bot: str) -> dict[str, float]:
    """Return the exact losses of a bot's dominated actions, by game."""
    losses = {}
    for _, game in read_games(folder):
        if bot not in game.seats:
            continue
        answers = [action for seat, action in game.moves if seat == game.seats.index(bot)]
        card = game.cards[game.seats.index(bot)]
        if (card, answers[-1:]) == ("K", ["fold"]):
            losses[game.id] = FOLDED_KING
        if (card, answers[-1:]) == ("J", ["call"]):
            losses[game.id] = CALLED_JACK
    return losses


def test_a_planted_blunder_is_found_at_each_of_its_decisions_and_nowhere_else(
    folder: Path, kuhn: MatchReview
) -> None:
    """Folded Kings and called Jacks are listed with their exact loss and without an error."""
    content = read_review(folder)
    assert content is not None
    for bot in ("blunderer", "careful"):
        reviewed = {seat.game_id for seat in content.seats.values() if seat.bot == bot}
        planted = {game: loss for game, loss in _planted(folder, bot).items() if game in reviewed}
        mistakes = [mistake for mistake in of_bot(kuhn, bot).mistakes if mistake.error == 0]
        assert all(planted[mistake.game_id] == mistake.loss for mistake in mistakes)
        assert all(mistake.is_confirmed for mistake in mistakes)
        # Equal situations are listed once.
        assert sum(mistake.times for mistake in mistakes) == len(planted)
        assert bool(planted) == (bot == "blunderer")


def test_losses_are_in_the_unit_of_the_game(kuhn: MatchReview) -> None:
    worst = of_bot(kuhn, "blunderer").mistakes[0]
    assert of_bot(kuhn, "blunderer").unit == "chips"
    assert (worst.taken_worth, worst.better_worth) == ("−1.0 chips", "+2.0 chips")


def test_a_mistake_is_described_as_the_seat_saw_it(kuhn: MatchReview) -> None:
    """The facts name the own card only."""
    worst = of_bot(kuhn, "blunderer").mistakes[0]
    assert worst.legal == 2
    assert any(line.startswith("hand") and "K" in line for line in worst.facts)
    assert not any("hand" in line and ("J" in line or "Q" in line) for line in worst.facts)
    assert any(line.startswith("before: ") and "bet" in line for line in worst.facts)
    assert set(worst.facts[0].split(" · ")) & set(worst.table[0].split(" · "))


def test_kinds_of_actions_add_up_to_all_decisions(kuhn: MatchReview) -> None:
    review = of_bot(kuhn, "blunderer")
    assert review.mean_loss is not None
    assert sum(verb.decisions for verb in review.verbs) == review.decisions
    total = sum(verb.total_loss for verb in review.verbs)
    assert (review.mean_loss.value or nan) * review.decisions == pytest.approx(total)
    assert review.verbs[0].verb in ("fold", "call")


@pytest.fixture(scope="module")
def leduc(play: Play, review: Review) -> tuple[Path, MatchReview]:
    """Return the folder and the review of a match in which the reviewing search itself plays."""
    folder = play("ismcts:40 random", "[{game: leduc}]", 12)
    return folder, review(folder, ReviewRequest(reviewer="ismcts:40", seats=24, mistakes=6))


def test_the_reviewing_search_itself_loses_nothing_on_average(
    leduc: tuple[Path, MatchReview],
) -> None:
    """Its mean loss is 0 within the interval: neither the best of noisy values nor a bias."""
    own, other = (of_bot(leduc[1], bot) for bot in ("ismcts", "random"))
    assert own.mean_loss is not None
    assert other.mean_loss is not None
    assert (own.mean_loss.low or nan) < 0 < (own.mean_loss.high or nan)
    assert (other.mean_loss.low or nan) > 0


def test_a_loss_is_listed_as_independent_searches_rate_it(leduc: tuple[Path, MatchReview]) -> None:
    """The worst of many noisy losses are too large; the losses of the second stage are smaller."""
    content, own = read_review(leduc[0]), of_bot(leduc[1], "ismcts")
    assert content is not None
    first = [content.screened[key_of(item)].loss for item in own.mistakes]
    again = [content.confirmed[key_of(item)].losses for item in own.mistakes]
    assert [item.loss for item in own.mistakes] == pytest.approx([fmean(item) for item in again])
    assert [item.error for item in own.mistakes] == pytest.approx(
        [stdev(item) / sqrt(len(item)) for item in again]
    )
    assert fmean(first) > fmean(item.loss for item in own.mistakes)


def test_a_decision_is_rated_by_what_its_seat_had_seen(
    play: Play, registry: PluginRegistry
) -> None:
    """Games that differ in the rival's card only get the same rating of the first action."""
    folder = play("careful bluffer", "[{game: kuhn}]", 2)
    _, game = next(read_games(folder))
    own, rival, left = game.cards
    begun = replace(game, moves=game.moves[:1], end="steps")
    other = replace(begun, cards=(own, left, rival), id="other")
    rated = [screen(_task(folder, registry, result)) for result in (begun, other)]
    assert replace(rated[1], game_id=game.id) == rated[0]
    assert rated[0].legal == 2


def _task(folder: Path, registry: PluginRegistry, game: GameResult) -> RatingTask:
    match, directories = match_in(folder), registry.directories
    return RatingTask(match, "digest", game, directories, "ismcts:50", "seed", seat=0, step=0)
