"""Statistics of one person's games."""

from pathlib import Path

import pytest

from cardhub.play.host.saved.personal_results import interval, outcomes, sides_of, tabulate
from cardhub.play.host.saved.saved_list import SavedGame
from cardhub.play.seating import Player
from cardhub.plugins.registry import find_plugins

ANNA, RULE, RANDOM = Player("Anna", "human"), Player("Bob", "rule"), Player("Chris", "random")


def game(
    scores: tuple[int, ...],
    places: tuple[int, ...],
    players: tuple[Player, ...] = (ANNA, RULE),
    hints: int = 0,
    name: str = "gamon",
) -> SavedGame:
    """Return a finished game."""
    return SavedGame(1, Path("x"), name, players, {}, 1, 9, hints, 0, 0.0, scores, places)


def each_alone(saved: SavedGame) -> range:
    """Return a team for every seat."""
    return range(len(saved.players))


def test_games_are_counted_by_game_and_bots() -> None:
    results = outcomes([game((5, 3), (1, 2)), game((1, 3), (2, 1))], each_alone)
    [row] = tabulate(results)
    assert row[:5] == ("gamon", "rule", False, 2, 0.5)
    assert row.average == 3


def test_games_with_hints_are_counted_apart() -> None:
    """The bot that helped has played a part of them."""
    rows = tabulate(outcomes([game((5, 3), (1, 2), hints=1), game((5, 3), (1, 2))], each_alone))
    assert [(row.is_helped, row.games) for row in rows] == [(False, 1), (True, 1)]


def test_a_shared_first_place_counts_as_its_share() -> None:
    three = (ANNA, RULE, RANDOM)
    assert outcomes([game((3, 3, 1), (1, 1, 3), three)], each_alone)[0].outcome.won == 0.5
    partners = game((3, 1, 3, 1), (1, 2, 1, 2), (*three, Player("David", "rule")))
    assert outcomes([partners], lambda _: (0, 1, 0, 1))[0].outcome.won == 1


def test_games_without_opponents_have_no_winner() -> None:
    [row] = tabulate(outcomes([game((7, 7), (1, 1))], lambda _: (0, 0)))
    assert (row.share, row.low, row.high, row.average) == (None, None, None, 7)


@pytest.mark.parametrize(
    "left_out",
    [
        game((), ()),
        game((1, 2), (2, 1), (ANNA, Player("Eva", "human"))),
        game((1, 2), (2, 1), (RULE, RANDOM)),
    ],
)
def test_unfinished_games_and_games_of_several_people_are_left_out(left_out: SavedGame) -> None:
    """They do not have a result of one person against bots."""
    assert outcomes([left_out], each_alone) == []


def test_a_name_selects_the_games_of_one_person() -> None:
    assert len(outcomes([game((1, 2), (2, 1))], each_alone, "anna")) == 1
    assert outcomes([game((1, 2), (2, 1))], each_alone, "Zoe") == []


def test_the_interval_is_the_score_interval() -> None:
    """Published values for 0 of 10 and 5 of 10 (Wilson, 95 %)."""
    assert interval(0, 10) == pytest.approx((0, 0.2775), abs=5e-4)
    assert interval(0.5, 10) == pytest.approx((0.2366, 0.7634), abs=5e-4)


def test_teams_come_from_the_game_if_it_is_installed() -> None:
    sides = sides_of(find_plugins())
    four = (ANNA, RULE, RANDOM, Player("David", "rule"))
    scores, places = (1, 2, 1, 2), (3, 1, 3, 1)
    assert list(sides(game(scores, places, four, name="spades"))) == [0, 1, 0, 1]
    assert list(sides(game(scores, places, four, name="gone"))) == [0, 1, 2, 3]
