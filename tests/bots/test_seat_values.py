"""Values of the seats at the end of a simulation, by goal."""

from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cardhub import Goal
from cardhub.bots import Adviser
from cardhub.bots.search.search_bot import SearchBot
from cardhub.bots.search.search_budget import SearchBudget
from cardhub.bots.search.simulation import RankValues, Standardizer, WinValues, seat_values
from cardhub.model.table.scoring import Scoring
from cardhub.play import Table
from cardhub.play.seating import Player
from cardhub.play.setup import set_up
from cardhub.plugins.registry import find_plugins

REGISTRY = find_plugins()


def test_half_of_a_value_is_for_winning() -> None:
    """The other half is for the margin to the best of the others."""
    winner, loser = WinValues().of([10, 0], [10, 0])
    assert winner > 0.75
    assert winner + loser == pytest.approx(1)


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_winners_share_the_half_that_is_for_winning(seats: int) -> None:
    """All level: half of the margin's half, and a share of the other."""
    level = [4] * seats
    assert WinValues().of(level, level) == pytest.approx([0.25 + 0.5 / seats] * seats)


def test_values_are_rescaled_by_their_variance() -> None:
    """Close values are distinguished as well as distant values."""
    rng, near, far = Random(1), Standardizer(1), Standardizer(1)
    for _ in range(500):
        value = rng.random()
        rescaled = [near.of([0.5 + value / 10])[0], far.of([value])[0]]
    assert rescaled[0] == pytest.approx(rescaled[1], abs=0.1)


def test_the_lowest_score_is_best_where_the_lowest_wins() -> None:
    low, high = WinValues(lowest_wins=True).of([1, 20], [1, 20])
    assert low > 0.5 > high


def test_before_the_end_the_margin_is_all() -> None:
    ahead, behind = WinValues().of([3.5, 3.0], None)
    assert 0.5 < ahead < 0.8
    assert ahead + behind == pytest.approx(1)


@pytest.mark.parametrize("goal", [Goal.WIN, Goal.RANK])
@pytest.mark.parametrize("lowest_wins", [False, True])
def test_alone_at_a_table_more_is_better_below_0_as_well(goal: Goal, lowest_wins: bool) -> None:
    """A patience that counts penalties, or cards that are left with the lowest score winning."""
    values = seat_values(Scoring((0,), goal, lowest_wins))
    sign = 1 if lowest_wins else -1
    for _ in range(3):
        worse, better = (values.of([sign * n], [int(sign * n)])[0] for n in (30, 1))
        assert 0 <= worse < better <= 1


SCORE, COMMON = Scoring((0, 1, 2), Goal.SCORE), Scoring((0, 0, 0), Goal.COMMON)


def test_by_rank_half_of_a_value_is_for_the_place() -> None:
    """The margin is to the best of the others, so the second of three gains by its place alone."""
    _, second, last = RankValues().of([9, 2, 1], [9, 2, 1])
    assert WinValues().of([9, 2, 1], [9, 2, 1])[1] == pytest.approx(second - 0.25)
    assert second - last > 0.25
    first, tied, other = RankValues(lowest_wins=True).of([0, 0, 9], [0, 0, 9])
    assert first == tied > other


def test_with_two_players_the_place_is_winning() -> None:
    for scores in [3, 8], [5, 5], [8, 3]:
        assert RankValues().of(scores, scores) == WinValues().of(scores, scores)


@pytest.mark.parametrize("scoring", [SCORE, COMMON])
@settings(deadline=None)  # machines may be busy
@given(score=st.integers(-50, 50), shift=st.integers(-100, 100))
def test_where_scores_count_values_are_linear(scoring: Scoring, score: int, shift: int) -> None:
    values = seat_values(scoring)
    scores = [score + shift] * 3
    assert values.of([0.5] * 3, scores) == scores
    assert values.of(scores, None) == scores
    assert values.rating(score) == score


def test_only_the_own_score_counts() -> None:
    """A point counts equally for the last and the first; with COMMON all get the mean."""
    assert seat_values(SCORE).of([0, 0, 0], [30, 1, -9]) == [30, 1, -9]
    assert seat_values(COMMON).of([4.0, 5.0, 6.0], None) == [5.0, 5.0, 5.0]


def test_penalties_are_negative_values() -> None:
    """Higher values are better in every game."""
    rummy = Scoring((0, 1), Goal.SCORE, lowest_wins=True)
    assert seat_values(rummy).of([0, 0], [40, 7]) == [-40, -7]


@pytest.mark.parametrize("goal", [Goal.WIN, Goal.RANK])
def test_the_others_are_the_other_teams(goal: Goal) -> None:
    """Partners share one value, and the margin to a partner does not exist."""
    partners = Scoring((0, 1, 0, 1), goal)
    of_four = seat_values(partners).of([9, 4, 9, 4], [9, 4, 9, 4])
    of_two = seat_values(Scoring((0, 1), goal)).of([9, 4], [9, 4])
    assert of_four == of_two * 2
    assert seat_values(partners).rating(1.0) == 1.0
    assert seat_values(partners).rating(0.0) == -1.0


@settings(deadline=None)  # machines may be busy
@given(unit=st.sampled_from([0.001, 1.0, 1000.0]), shift=st.sampled_from([-1e5, 0.0, 7.0]))
def test_linear_values_are_rescaled_alike_in_any_unit(unit: float, shift: float) -> None:
    """Chips, thousands of chips, or scores that begin at a thousand."""
    rng, plain, other = Random(1), Standardizer(2, is_linear=True), Standardizer(2, is_linear=True)
    for _ in range(200):
        values = [rng.gauss(0, 2), rng.gauss(5, 1)]
        expected = plain.of(values)
        assert other.of([unit * value + shift for value in values]) == pytest.approx(
            expected, abs=1e-3
        )
    assert expected != [0.5, 0.5]


def test_equal_linear_values_are_in_the_middle() -> None:
    """A game whose score cannot change any more has no variance."""
    level = Standardizer(1, is_linear=True)
    assert [level.of([98.0]) for _ in range(5)] == [[0.5]] * 5


@pytest.mark.parametrize(
    ("name", "seats", "least", "most"), [("leduc", 2, -13, 13), ("four_piles", 3, 0, 98)]
)
def test_ratings_are_expected_scores_where_scores_count(
    name: str, seats: int, least: int, most: int
) -> None:
    referee = set_up(REGISTRY.game(name), [Player(f"P{n}", "x") for n in range(seats)], {}, 4)
    referee.proceed()
    observation = referee.observe(referee.seat)
    bot = REGISTRY.make_bot("ismcts:iterations=60", name, Random(1))
    assert isinstance(bot, Adviser)
    values = [rated.value for rated in bot.advise(observation) if rated.visits]
    assert len(set(values)) > 1
    assert max(map(abs, values)) > 1
    assert all(least <= value <= most for value in values)


def test_partners_are_searched_for_as_one() -> None:
    """Spades: a rating is from -1 to 1, as winning counts for the team."""
    game = REGISTRY.game("spades")
    referee = set_up(game, [Player(f"P{n}", "x") for n in range(4)], {"target": 0}, 4)
    referee.proceed()
    bot = REGISTRY.make_bot("ismcts:iterations=20", "spades", Random(1))
    assert isinstance(bot, Adviser)
    rated = bot.advise(referee.observe(referee.seat))
    assert sum(rating.visits for rating in rated) == 20
    assert all(-1 <= rating.value <= 1 for rating in rated)


def test_a_sure_win_with_a_partner_is_rated_as_a_win() -> None:
    """Two of five seats are spies; one of them can end the game by a third sabotage."""
    playing = Table("rebels", 5, seed=1)
    spies = [seat for seat in range(5) if playing.game.side(playing.observation(-1).state, seat)]
    for mission in range(3):
        team = sorted(spies + [seat for seat in range(5) if seat not in spies][: mission % 2])
        for seat in team:
            playing.act(f"pick {seat}")
        for _ in range(5):
            playing.act("vote yes")
        while mission < 2 and playing.game.phases[playing.observation(-1).state.phase] == "mission":
            playing.act("sabotage" if playing.seat in spies else "support")
    assert playing.seat in spies
    bot = SearchBot(Random(1), budget=SearchBudget(60, 0))
    ratings = {rated.action: rated.value for rated in bot.advise(playing.observation())}
    assert ratings[playing.game.actions.starts[-1]] > 0.5
