"""Seating and scoring."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cardhub.base.errors import SeatingError
from cardhub.model.table.goal import Goal
from cardhub.model.table.scoring import places, returns
from cardhub.play.seating import HUMAN, Player, bots_by_seat, seat_players


def test_without_players_a_person_sits_at_seat_0() -> None:
    players = seat_players([], 4, "rule")
    assert [str(player) for player in players] == [
        "Anna",
        "Bob (rule)",
        "Chris (rule)",
        "David (rule)",
    ]


def test_a_bot_has_no_name_that_begins_like_the_name_of_a_person() -> None:
    players = seat_players([Player("Ann", HUMAN), Player("bobby", HUMAN)], 4, "easy")
    assert [player.name for player in players[2:]] == ["Chris", "David"]


def test_bots_with_free_names_fill_the_seats() -> None:
    """Humans and bots mixed, seats filled by default."""
    players = seat_players([Player("Bob", "human"), Player("Zoe", "random")], 4, "rule")
    assert [player.name for player in players] == ["Bob", "Zoe", "Anna", "Chris"]


@pytest.mark.parametrize(
    ("names", "reason"),
    [
        (["Anna", "anna"], "two players are called 'anna'"),
        (["A", "B", "C", "D"], "4 players for 3 seats: leave D out"),
        ([" "], "invalid player name"),
        (["A\nB"], "invalid player name"),
        (["all"], "invalid player name 'all': the word is reserved"),
    ],
)
def test_players_that_do_not_fit_are_refused(names: list[str], reason: str) -> None:
    """Every player needs a seat and a different name."""
    with pytest.raises(SeatingError, match=reason):
        seat_players([Player(name, "human") for name in names], 3, "rule")


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        (HUMAN, ""),
        ("rule", "rule"),
        ("ismcts:iterations=20", "ismcts:iterations=20"),
        ("llm", "llm"),
        ("llm:url=http://localhost:8080/v1", "llm:url=http://localhost:8080/v1"),
        ("llm:gemma3,url=http://localhost:11434/v1", "model gemma3"),
        ("llm:model=meta/llama-4", "model meta/llama-4"),
    ],
)
def test_a_table_names_a_language_model_without_its_address(spec: str, shown: str) -> None:
    assert bots_by_seat([Player("Anna", spec)]) == [shown]


def test_equal_scores_share_the_better_place() -> None:
    assert places([5, 9, 5, 1]) == [2, 1, 2, 4]
    assert places([5, 9, 5, 1], lowest_wins=True) == [2, 4, 2, 1]


def test_places_count_teams() -> None:
    """Partners share a place, and the next team's place is one below."""
    partners = (0, 1, 0, 1)
    assert places([7, 9, 7, 9], teams=partners) == [2, 1, 2, 1]
    assert places([7, 9, 7, 9], lowest_wins=True, teams=partners) == [1, 2, 1, 2]
    assert places([7, 7, 7, 7], teams=partners) == [1, 1, 1, 1]
    assert places([4, 4, 4, 8], teams=(5, 5, 5, 2)) == [2, 2, 2, 1]
    assert places([3, 3, 3], teams=(0, 0, 0)) == [1, 1, 1]


def test_where_scores_count_they_are_the_returns() -> None:
    for goal in (Goal.SCORE, Goal.COMMON):
        assert returns([13, -13], goal=goal) == [13.0, -13.0]
        assert returns([13, 2], goal=goal, lowest_wins=True) == [-13.0, -2.0]


def test_where_winning_counts_all_losers_have_the_same_returns() -> None:
    """1 for the only winner; winners share the stakes of all."""
    assert returns([9, 5, 1], goal=Goal.WIN) == [1.0, -0.5, -0.5]
    assert returns([9, 9, 1], goal=Goal.WIN) == [0.25, 0.25, -0.5]
    assert returns([3, 3, 3], goal=Goal.WIN) == [0.0, 0.0, 0.0]
    assert returns([1, 2], goal=Goal.WIN, lowest_wins=True) == [1.0, -1.0]
    assert returns([6], goal=Goal.WIN) == [0.0]


@pytest.mark.parametrize("goal", [Goal.WIN, Goal.RANK])
def test_partners_have_the_same_returns(goal: Goal) -> None:
    """The sum over teams is 0 for teams of any size."""
    assert returns([8, 3, 8, 3], goal=goal, teams=(0, 1, 0, 1)) == [1.0, -1.0, 1.0, -1.0]
    assert returns([3, 3, 3, 8], goal=goal, teams=(0, 0, 0, 1)) == [-1.0, -1.0, -1.0, 1.0]


def test_returns_follow_places() -> None:
    """Returns in [-1, 1] that sum to zero."""
    assert returns([9, 5, 1]) == [1.0, 0.0, -1.0]
    assert returns([9, 9, 1]) == [0.5, 0.5, -1.0]
    assert returns([3, 3]) == [0.0, 0.0]


@given(
    st.lists(st.integers(-20, 20), min_size=1, max_size=6),
    st.booleans(),
    st.sampled_from([Goal.WIN, Goal.RANK]),
)
def test_returns_always_sum_to_zero(scores: list[int], lowest_wins: bool, goal: Goal) -> None:
    """Returns in [-1, 1] that sum to zero, better places never less."""
    utilities = returns(scores, goal=goal, lowest_wins=lowest_wins)
    assert sum(utilities) == pytest.approx(0)
    assert all(-1 <= utility <= 1 for utility in utilities)
    ranks = places(scores, lowest_wins=lowest_wins)
    by_rank = sorted(zip(ranks, utilities, strict=True))
    assert all(better[1] >= worse[1] for better, worse in pairwise(by_rank))
