"""The number of blocks that a plan asks for keeps its promise."""

from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from tests.lab.analysis.conftest import write_log

from cardhub.base.errors import MatchError
from cardhub.lab.analysis.pairs.comparisons import Comparison
from cardhub.lab.analysis.planning import (
    ALL_GAMES,
    Scatter,
    assumed_scatter,
    games_in,
    pilot_of,
    scatters_of,
)
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.matchfile.reader import parse_match, read_match
from cardhub.lab.match.task import GameTask
from cardhub.lab.stats.types import Floats
from cardhub.plugins.registry import find_plugins

LEVEL = 0.95


def results(rng: np.random.Generator, effect: float, blocks: int) -> Floats:
    """Return the results of blocks of two games, of which some end with one win for each bot."""
    chances = [0.3 - effect, 0.4, 0.3 + effect]
    return rng.choice([-0.5, 0.0, 0.5], size=blocks, p=chances)


@pytest.mark.parametrize(("effect", "power"), [(0.1, 0.8), (0.1, 0.5), (0.06, 0.9)])
def test_matches_of_the_planned_length_find_the_difference_as_often_as_promised(
    effect: float, power: float
) -> None:
    """The verdict needs the sign-flip test as well as Student's."""
    rng = np.random.default_rng(5)
    hits, number = 0, 400
    for _ in range(number):
        pilot = results(rng, 0.0, 60)
        scatter = Scatter("x", float(pilot.std(ddof=1)), 1, len(pilot), grain=0.5)
        scores = results(rng, effect, scatter.blocks_for(effect, power, LEVEL))
        deals = np.arange(len(scores))
        comparison = Comparison(("a", "b"), deals, scores, 0.5, True, LEVEL)
        hits += comparison.p_fixed() <= 1 - LEVEL and scores.mean() > 0
    assert hits / number == pytest.approx(power, abs=0.06)


def test_the_effect_of_a_number_of_blocks_is_the_inverse() -> None:
    scatter = Scatter("x", 0.4, 6, 50, grain=0.5)
    blocks = scatter.blocks_for(0.05, 0.8, LEVEL)
    assert scatter.effect_for(blocks, 0.8, LEVEL) == pytest.approx(0.05, rel=1e-2)
    assert blocks > scatter._replace(pairs=1).blocks_for(0.05, 0.8, LEVEL)
    assert scatter.effect_for(3, 0.8, LEVEL) == float("inf")


def test_a_match_shows_how_much_its_games_vary(tmp_path: Path, cup: Callable[..., str]) -> None:
    """With equal chances of each game a block of two varies by 0.35, and through opponents less."""
    rng = Random(3)

    def toss(task: GameTask) -> tuple[int, int]:
        return (1, 0) if rng.random() < 0.5 else (0, 1)

    games = "[{game: kuhn, score: rank}, {game: leduc, score: rank}]"
    (tmp_path / "cup.yaml").write_text(cup("abc", games, 400), "utf-8")
    match = read_match(tmp_path / "cup.yaml", find_plugins())
    write_log(match, tmp_path, toss)
    kuhn, leduc, both = scatters_of(match, tmp_path)
    assumed = assumed_scatter(match)
    assert assumed is not None
    for scatter in (kuhn, leduc):
        assert scatter.deviation == pytest.approx(0.5 / 2**0.5 * (2 / 3) ** 0.5, rel=0.1)
        assert (scatter.pairs, scatter.deals) == (3, 400)
    assert both.subject == assumed.subject == ALL_GAMES
    assert both.deviation == pytest.approx(assumed.deviation, rel=0.1)
    assert games_in(match, 10) == 2 * 3 * 10 * 2


def test_too_few_deals_show_nothing(tmp_path: Path, cup: Callable[..., str]) -> None:
    (tmp_path / "cup.yaml").write_text(cup("ab", blocks=5), "utf-8")
    match = read_match(tmp_path / "cup.yaml", find_plugins())
    write_log(match, tmp_path, lambda task: (1, 0))
    with pytest.raises(MatchError, match="too few deals to show how much results vary"):
        scatters_of(match, tmp_path)


def small(**more: object) -> Match:
    """Return a match of two bots."""
    content = {"bots": ["random", "cfr"], "games": ["kuhn"], **more}
    return parse_match(content, find_plugins())


def test_a_pilot_has_other_deals_and_no_end_by_results() -> None:
    race = small(schedule={"mode": "racing", "blocks": 30})
    pilot = pilot_of(race, 12)
    assert pilot.seed != race.seed
    assert (pilot.order.mode, pilot.order.blocks, pilot.sprt) == ("round_robin", 12, None)
    assert assumed_scatter(race) is None
    assert assumed_scatter(small(games=[{"game": "kuhn", "score": "points"}])) is None
