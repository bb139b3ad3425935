"""Reviews that believe what opponents did, where the tree is too large for exact values."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.lab.analysis.review.conftest import IN_PROCESS, Play, Review, of_bot

from cardhub.lab.analysis.review import review_run, weighted_rating
from cardhub.lab.analysis.review.review_run import ReviewOptions, ReviewRequest
from cardhub.lab.analysis.review.review_schema import REVIEW, BotReview, MatchReview
from cardhub.lab.analysis.review.weighted_rating import EFFORT, LEAST, TableModel, WeightedWorlds
from cardhub.lab.match.run.executors import make_executor
from cardhub.lab.report.view.page import rater_name, review_methods, review_summary
from cardhub.model.hidden.observation import Observation
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import PluginRegistry

WHOLE = ReviewRequest(seats=6, mistakes=1)
BET, KING = 1, 2


@pytest.fixture(scope="module", autouse=True)
def _no_exact_games() -> Iterator[None]:
    """Review Kuhn poker as if its tree were large, with few continuations."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(weighted_rating, "EFFORT", 150)
        patch.setattr(review_run, "_exact_contests", lambda *_: ())
        yield


@pytest.fixture(scope="module")
def kuhn(play: Play) -> Path:
    return play("blunderer careful bluffer", "[{game: kuhn}]", 3)


@pytest.fixture(scope="module")
def reviewed(kuhn: Path, review: Review) -> MatchReview:
    return review(kuhn, WHOLE)


def test_a_blunder_loses_as_much_as_by_the_exact_rating(reviewed: MatchReview) -> None:
    """A King that folds gives up 3 chips with any cards and luck."""
    worst = of_bot(reviewed, "blunderer").mistakes[0]
    assert (worst.taken, worst.better) == ("fold", "call")
    assert worst.loss == pytest.approx(3)
    assert worst.is_confirmed
    assert (worst.taken_worth, worst.better_worth) == ("−1.0 chips", "+2.0 chips")


def test_safe_play_is_no_mistake_even_if_an_opponent_could_be_exploited(
    reviewed: MatchReview,
) -> None:
    """The careful bot folds its Queen to a bot that always bets, as it should to itself."""
    (folds,) = (verb for verb in of_bot(reviewed, "careful").verbs if verb.verb == "fold")
    assert folds.decisions
    assert folds.total_loss == 0


def test_a_solved_bot_loses_nothing_and_a_weak_one_most_of_its_true_loss(
    play: Play, review: Review
) -> None:
    folder = play("cfr:300 blunderer", "[{game: kuhn}]", 6)
    weighted = review(folder, WHOLE)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(review_run, "_exact_contests", lambda *_: ("kuhn",))
        exact = review(folder, WHOLE, ReviewOptions(IN_PROCESS.make, is_fresh=True))
    solved = of_bot(weighted, "cfr").mean_loss
    assert solved is not None
    assert solved.low is None or solved.low <= 0
    assert _loss(of_bot(weighted, "cfr")) < 0.05
    assert _loss(of_bot(weighted, "blunderer")) >= 0.8 * _loss(of_bot(exact, "blunderer")) > 0.1


def test_the_review_says_whose_actions_weigh_the_cards(reviewed: MatchReview) -> None:
    careful = of_bot(reviewed, "careful")
    assert reviewed.header.weighted == ("kuhn",)
    assert 0 < careful.weighted <= careful.decisions
    assert careful.worlds >= 24
    assert rater_name(reviewed) == "ismcts:iterations=1000 or by games of the bots themselves"
    methods = " ".join(review_methods(reviewed))
    assert "act in known ways: blunderer, careful and bluffer." in methods
    assert "weighted by what the other players did" in review_summary(careful, 0.95)


def test_without_a_known_policy_all_cards_are_equally_likely(play: Play, review: Review) -> None:
    """A search would take too long to ask."""
    results = review(play("careful pimc:2", "[{game: kuhn}]", 1), ReviewRequest(seats=1))
    assert results.header.asked == ("careful",)
    assert of_bot(results, "careful").weighted == 0
    assert "assuming that all unseen cards are equally likely" in " ".join(review_methods(results))


def test_the_file_is_the_same_for_any_number_of_workers(
    play: Play, review: Review, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Workers do not have the patched limit."""
    monkeypatch.setattr(weighted_rating, "EFFORT", EFFORT)
    folder = play("blunderer careful", "[{game: kuhn}]", 1)
    request = ReviewRequest(bots=("blunderer",), seats=1, mistakes=1)
    review(folder, request)
    before = (folder / REVIEW).read_bytes()
    review(folder, request, ReviewOptions(make_executor(2), ahead=4, is_fresh=True))
    assert (folder / REVIEW).read_bytes() == before


def test_a_bet_makes_the_cards_likely_with_which_the_bot_bets(registry: PluginRegistry) -> None:
    """The careful bot bets with the King only; other cards keep a small weight."""
    game = registry.game("kuhn")
    observations = [_after_bet(registry, seed) for seed in range(20)]
    seen = next(seen for seen in observations if KING not in _own_faces(seen))
    maker = partial(registry.make_bot, "careful", game.name)
    drawn = TableModel(("careful",) * 2, {"careful": maker}, "seed").worlds(seen, Random(1))
    rival = seen.state.hand[1 - seen.seat][0]
    cards = [world.face[rival] for world in drawn.worlds]
    likely = {card for card, w in zip(cards, drawn.weights, strict=True) if w > 0.5}
    assert likely == {KING}
    assert min(drawn.weights) > 0
    assert drawn.effective < len(drawn.worlds)


def test_few_heavy_determinizations_count_as_few() -> None:
    assert WeightedWorlds([], [1.0, 1.0, 1.0, 1.0]).effective == 4
    assert WeightedWorlds([], [1.0, 0.0, 0.0, 0.0]).effective == 1
    assert WeightedWorlds([], []).effective == 0


def test_weights_of_which_one_decides_are_flattened() -> None:
    """Just as far as needed, and in the same order; enough weights stay as they are."""
    steep = WeightedWorlds([], [2.0**-n for n in range(96)])
    flat = steep.flattened()
    assert steep.effective < LEAST <= flat.effective < LEAST + 0.01
    assert 0 < flat.trust < 1
    assert flat.weights == sorted(flat.weights, reverse=True)
    even = WeightedWorlds([], [1.0] * 96)
    assert even.flattened() is even
    tiny = WeightedWorlds([], [1e-300 * 0.5**n for n in range(30)])
    assert tiny.flattened().effective >= LEAST


def _own_faces(seen: Observation[Any]) -> list[int]:
    return [seen.state.face[token] for token in seen.state.hand[seen.seat]]


def _after_bet(registry: PluginRegistry, seed: int) -> Observation[Any]:
    players = [Player("Ann", "human"), Player("Ben", "human")]
    referee = set_up(registry.game("kuhn"), players, {}, f"{seed}")
    referee.proceed()
    referee.apply(BET)
    return referee.observe(referee.seat)


def _loss(review: BotReview) -> float:
    assert review.mean_loss is not None
    assert review.mean_loss.value is not None
    return review.mean_loss.value
