"""Reviews of small games: losses against perfect and against actual opponents, and calibration."""

from functools import partial
from pathlib import Path

import pytest
from tests.lab.analysis.review.conftest import Play, Review, of_bot

from cardhub.bots.solving.sequence_form import sequence_form
from cardhub.lab.analysis.bot_policies import BotPolicy
from cardhub.lab.analysis.review import exact_rating, reviews_in
from cardhub.lab.analysis.review.exact_rating import SolvedTable, gains_of
from cardhub.lab.analysis.review.review_file import read_review
from cardhub.lab.analysis.review.review_run import ReviewOptions, ReviewRequest, plan_review
from cardhub.lab.analysis.review.review_schema import REVIEW, BotReview, MatchReview
from cardhub.lab.match.run.executors import make_executor
from cardhub.model.game.initial_state import resolve_options
from cardhub.play.setup import MakeBot
from cardhub.plugins.registry import PluginRegistry

WHOLE = ReviewRequest(seats=24, mistakes=5)


@pytest.fixture(scope="module")
def kuhn(play: Play) -> Path:
    """Return the folder of a match in which one bot blunders and another one bets always."""
    return play("blunderer careful bluffer", "[{game: kuhn}]", 12)


@pytest.fixture(scope="module")
def reviewed(kuhn: Path, review: Review) -> MatchReview:
    return review(kuhn, WHOLE)


def test_blunders_lose_what_they_give_away_to_any_opponent(
    kuhn: Path, reviewed: MatchReview
) -> None:
    """A King that folds gives up 3 chips; the loss has no error, and the other actions lose 0."""
    assert reviewed.header.exact == ("kuhn",)
    blunderer = of_bot(reviewed, "blunderer")
    worst = blunderer.mistakes[0]
    assert (worst.taken, worst.better) == ("fold", "call")
    assert worst.loss == pytest.approx(3)
    assert (worst.error, worst.is_confirmed) == (None, True)
    assert (worst.taken_worth, worst.better_worth) == ("−1.0 chips", "+2.0 chips")
    assert {verb.verb for verb in blunderer.verbs if verb.total_loss > 0.1} == {"call", "fold"}


def test_safe_play_is_no_mistake_even_if_an_opponent_could_be_exploited(
    reviewed: MatchReview,
) -> None:
    """The careful bot folds its Queen to a bot that always bets."""
    careful = of_bot(reviewed, "careful")
    lost, gained = _means(careful)
    assert lost == 0
    assert gained > 0.1
    assert not careful.mistakes


def test_losses_are_no_greater_than_what_a_best_response_gains(
    kuhn: Path, reviewed: MatchReview
) -> None:
    content = read_review(kuhn)
    assert content is not None
    for decision in content.screened.values():
        assert 0 <= decision.loss <= max(*decision.gains, 0) + 1e-9


def test_the_file_is_the_same_for_any_number_of_workers(
    kuhn: Path, review: Review, reviewed: MatchReview
) -> None:
    before = (kuhn / REVIEW).read_bytes()
    review(kuhn, WHOLE, ReviewOptions(make_executor(2), ahead=4, is_fresh=True))
    assert (kuhn / REVIEW).read_bytes() == before


def test_a_named_search_rates_all_games(kuhn: Path, registry: PluginRegistry) -> None:
    plan = plan_review(kuhn, registry, WHOLE._replace(reviewer="ismcts:5"))
    assert plan.header.exact == plan.header.asked == ()


def test_a_review_of_an_earlier_version_is_still_read(play: Play, review: Review) -> None:
    """It names neither exact or weighted games nor bots that were asked."""
    folder = play("careful random", "[{game: kuhn}]", 2)
    before = review(folder, ReviewRequest(reviewer="ismcts:5", seats=2, mistakes=1))
    path = folder / REVIEW
    old = path.read_text("utf-8")
    for field in (
        '"asked":[],',
        '"exact":[],',
        '"gains":[],',
        '"weighted":[],',
        ',"worlds":0.0',
        '"trust":0.0,',
    ):
        assert field in old
        old = old.replace(field, "")
    path.write_text(old, "utf-8")
    assert reviews_in(folder) == before
    assert of_bot(before, "careful").method == "search"


@pytest.mark.parametrize(("bot", "least", "most"), [("cfr:300", 0, 1), ("random", 0.8, 1)])
def test_losses_are_calibrated_against_the_gain_of_a_best_response(
    registry: PluginRegistry, bot: str, least: float, most: float
) -> None:
    """In Kuhn poker against `cfr`: a solved bot loses nothing, random play almost all of it."""
    game, settings = registry.game("kuhn"), resolve_options(registry.game("kuhn"), {}, 2)
    form, table = sequence_form(game, 2, settings), SolvedTable(game, 2, settings)
    own, rival = (BotPolicy(_maker(registry, use), 2, "", 0) for use in (bot, "cfr:100"))
    lost, gained = 0.0, 0.0
    for plex in form.treeplexes:
        strategy, opponents = plex.uniform(), table.against(rival)
        for number, seen in enumerate(plex.observations):
            sequences = slice(plex.first[number], plex.first[number + 1])
            strategy[sequences] = [*own(seen).values()]
            reach = plex.realization(strategy)[sequences] * opponents.belief(seen).reach
            for action, chance in zip(plex.actions[number], reach, strict=True):
                rating = table.rate(seen, action, [opponents])
                lost += chance * rating.loss
                gained += chance * rating.gains[0]
    assert least * gained <= lost <= most * gained
    assert lost < 0.001 or bot == "random"


def _maker(registry: PluginRegistry, use: str) -> MakeBot:
    return partial(registry.make_bot, use, "kuhn")


def _means(review: BotReview) -> tuple[float, float]:
    """Return the mean loss, and the mean gain of best play against the actual opponents."""
    assert review.mean_loss is not None
    assert review.mean_gain is not None
    assert review.mean_loss.value is not None
    assert review.mean_gain.value is not None
    return review.mean_loss.value, review.mean_gain.value


def test_every_decision_of_a_tree_of_the_greatest_size_is_rated(
    registry: PluginRegistry, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The limit is that of the whole tree: no decision has more nodes before or after it."""
    game, settings = registry.game("kuhn"), resolve_options(registry.game("kuhn"), {}, 2)
    form = sequence_form(game, 2, settings)
    monkeypatch.setattr(exact_rating, "MOST_NODES", form.nodes)
    table = SolvedTable(game, 2, settings)
    for plex in form.treeplexes:
        for seen in plex.observations:
            assert table.rate(seen, seen.legal()[0], []).gains == ()


def test_the_best_action_by_one_estimate_is_valued_by_the_other() -> None:
    """Each estimate overrates its own best action; known values have no such error."""
    first, second = {0: 1.0, 1: 3.0}, {0: 2.0, 1: 1.5}
    assert gains_of([first, second], 0) == (1.5 - 2.0, 1.0 - 1.0)
    assert gains_of([first], 0) == (2.0,)
    assert gains_of([], 0) == ()
