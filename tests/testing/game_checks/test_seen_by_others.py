"""The checks know that a seat has not seen its own hand where all others have."""

from collections.abc import Callable

import pytest
from tests.games.lanterns import VALUE, Lanterns, LanternsDisplay, Table
from typing_extensions import override

from cardhub import Scene
from cardhub.testing import check_game, inspect_game


def test_a_game_of_such_hands_keeps_all_promises() -> None:
    """All checks pass with each number of players."""
    check_game(Lanterns(), games=1)


class LooksAtItsOwn(Lanterns):
    """The seat to act may light its highest card only."""

    @override
    def legal(self, state: Table) -> list[int]:
        hand = state.hand[state.seat]
        return [max(hand, key=lambda token: VALUE[state.face[token]])] if hand else []


class SortsItsOwnDisplay(LanternsDisplay):
    """The own hand is shown in order."""

    @override
    def scene(self, state: Table, viewer: int) -> Scene:
        if viewer < state.seats:
            sorted(state.hand[viewer], key=lambda token: VALUE[state.face[token]])
        return super().scene(state, viewer)


class SortsItsOwn(Lanterns):
    """The own hand is shown in order."""

    display_type = SortsItsOwnDisplay


class RulesOutByHands(Lanterns):
    """Rules out faces in hands for all other cards, though only a spectator knows them."""

    @override
    def possible(self, state: Table, token: int) -> int:
        seen = [state.face[other] for hand in state.hand for other in hand if other != token]
        return super().possible(state, token) if seen else 0


@pytest.mark.parametrize(
    ("plant", "check"),
    [
        (LooksAtItsOwn, "legal_is_public"),
        (SortsItsOwn, "scene"),
        (RulesOutByHands, "truth_is_allowed"),
    ],
)
def test_rules_that_show_an_owner_the_own_hand_are_found(
    plant: Callable[[], Lanterns], check: str
) -> None:
    """Legal actions, scenes and inferences from faces that only the others have seen."""
    finding = inspect_game(plant(), games=1).finding(check)
    assert finding is not None
    assert "hidden" in finding.problem
