"""Rebels: the rules by example, and what each player can conclude."""

from collections.abc import Iterable
from random import Random

import pytest

from cardhub import OVER, HiddenFaceError, Observation, advance
from cardhub.testing import Step, checks, initial_state, resolve_options
from rebels import Rebels
from rebels.game import CARDS, MISSION, NO, PICK, SABOTAGE, SPY, SUPPORT, YES, Table

REBELS = Rebels()
test_rebels = checks(REBELS, games=1)


class Played:
    """A game with these roles by seat, in which a test acts for all seats."""

    def __init__(self, roles: str) -> None:
        faces = [CARDS.face(name) for name in roles.split()]
        seats = len(faces)
        self._settings = resolve_options(REBELS, {}, seats)
        self.state: Table = initial_state(REBELS, self._settings, seats, faces)
        self.history: list[Step] = []

    def act(self, action: int) -> None:
        """Take an action of the seat to act."""
        assert action in REBELS.legal(self.state)
        self.history.append(Step(self.state.seat, action))
        advance(REBELS, self.state, action, Random(0))

    def mission(self, team: Iterable[int], spies: Iterable[int] = (), vote: int = YES) -> None:
        """Pick a team; all vote the same, and the spies of the team sabotage the mission."""
        team = list(team)
        for seat in team:
            self.act(PICK + seat)
        for _ in range(self.state.seats):
            self.act(vote)
        if vote == YES:
            for seat in team:
                self.act(SABOTAGE if seat in spies else SUPPORT)

    def observe(self, viewer: int) -> Observation[Table]:
        """Return what a viewer sees."""
        return Observation(REBELS, self.state, viewer, self.history)

    def suspects(self, viewer: int) -> set[tuple[int, ...]]:
        """Return the groups of spies that a viewer takes for possible."""
        seen, rng = self.observe(viewer), Random(1)
        drawn = (seen.determinize(rng) for _ in range(60))
        return {
            tuple(seat for seat in range(state.seats) if state.face[state.role[seat][0]] == SPY)
            for state in drawn
        }


def test_spies_know_each_other_and_rebels_know_nobody() -> None:
    game = Played("S R R S R")
    assert game.suspects(0) == game.suspects(3) == {(0, 3)}
    assert game.suspects(1) == {(0, 2), (0, 3), (0, 4), (2, 3), (2, 4), (3, 4)}
    assert len(game.suspects(5)) == 10


def test_who_has_seen_a_role_is_no_hint() -> None:
    game, other = Played("S R R S R"), Played("S R S R R")
    assert game.observe(1).state == other.observe(1).state


def test_a_mission_that_two_players_sabotaged_shows_the_spies() -> None:
    game = Played("S R R S R")
    game.mission([0, 3], spies=[0, 3])
    assert game.suspects(1) == game.suspects(5) == {(0, 3)}


def test_one_of_a_team_with_a_sabotage_is_a_spy() -> None:
    game = Played("S R R S R")
    game.mission([0, 1], spies=[0])
    assert all({0, 1} & {*spies} for spies in game.suspects(5))
    assert all(0 in spies for spies in game.suspects(1))


def test_a_success_does_not_clear_a_spy() -> None:
    game = Played("S R R S R")
    game.mission([0, 3])
    assert (0, 3) in game.suspects(1)


def test_nobody_else_sees_who_sabotaged() -> None:
    game, other = Played("S R R S R"), Played("S R R S R")
    game.mission([0, 3], spies=[0])
    other.mission([0, 3], spies=[3])
    for viewer in (1, 2, 4, 5):
        here, there = game.observe(viewer), other.observe(viewer)
        assert (here.state, here.history) == (there.state, there.history)
    assert game.observe(0).state.treason[0] == [0]


def test_rebels_can_only_support() -> None:
    game = Played("R S R S R")
    for action in (PICK, PICK + 1, YES, YES, YES, NO, NO):
        game.act(action)
    assert game.state.phase == MISSION
    assert REBELS.legal(game.state) == [SUPPORT]
    game.act(SUPPORT)
    assert REBELS.legal(game.state) == [SUPPORT, SABOTAGE]


def test_the_spies_win_after_five_refusals_in_a_row() -> None:
    game = Played("S R R S R")
    for _ in range(4):
        game.mission([0, 1], vote=NO)
        assert game.state.seat == game.state.leader != 0
    game.mission([0, 1], vote=NO)
    assert game.state.seat == OVER
    assert REBELS.scores(game.state) == [1, 0, 0, 1, 0]


def test_the_rebels_win_with_three_missions() -> None:
    game = Played("S R R S R")
    for team in ([1, 2], [1, 2, 4], [1, 2]):
        game.mission(team)
    assert (game.state.seat, REBELS.scores(game.state)) == (OVER, [0, 1, 1, 0, 1])
    assert game.suspects(1) == {(0, 3)}


def test_with_seven_players_the_fourth_mission_fails_after_two_sabotages() -> None:
    game = Played("S S S R R R R")
    game.mission([0, 3], spies=[0])
    game.mission([0, 3, 4], spies=[0])
    game.mission([3, 4, 5])
    game.mission([0, 3, 4, 5], spies=[0])
    assert (game.state.seat != OVER, game.state.sabotages) == (True, [1, 1, 0, 1])
    game.mission([3, 4, 5, 6])
    assert REBELS.scores(game.state) == [0, 0, 0, 1, 1, 1, 1]


@pytest.mark.parametrize(("seats", "spies"), [(5, 2), (6, 2), (7, 3)])
def test_the_number_of_spies_follows_the_number_of_players(seats: int, spies: int) -> None:
    assert REBELS.pack(resolve_options(REBELS, {}, seats), seats).count(SPY) == spies


def test_a_team_is_picked_in_the_order_of_seats() -> None:
    game = Played("S R R S R")
    assert REBELS.legal(game.state) == [PICK, PICK + 1, PICK + 2, PICK + 3]
    game.act(PICK + 2)
    assert REBELS.legal(game.state) == [PICK + 3, PICK + 4]


def test_a_rebel_is_told_why_it_cannot_sabotage() -> None:
    game = Played("R S R S R")
    for action in (PICK, PICK + 1, *[YES] * 5):
        game.act(action)
    names = game.observe(0).labels()
    assert REBELS.display.why_not(game.state, SABOTAGE, names) == "a rebel supports every mission"
    assert REBELS.display.why_not(game.state, SUPPORT, names) is None


def shown_sides(observation: Observation[Table]) -> list[int | None]:
    """Return the sides that the viewer knows, None for unknown ones."""
    sides: list[int | None] = []
    for seat in range(observation.state.seats):
        try:
            sides.append(REBELS.side(observation.state, seat))
        except HiddenFaceError:
            sides.append(None)
    return sides


def test_spies_know_all_sides_and_rebels_their_own() -> None:
    game = Played("S R R S R")
    assert shown_sides(game.observe(0)) == shown_sides(game.observe(3)) == [1, 0, 0, 1, 0]
    assert shown_sides(game.observe(1)) == [None, 0, None, None, None]
    assert shown_sides(game.observe(5)) == [None] * 5


def test_at_the_end_everybody_knows_the_sides() -> None:
    game = Played("S R R S R")
    for team in ([1, 2], [1, 2, 4], [1, 2]):
        game.mission(team)
    assert shown_sides(game.observe(1)) == shown_sides(game.observe(5)) == [1, 0, 0, 1, 0]
