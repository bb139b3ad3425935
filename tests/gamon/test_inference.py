"""Public conclusions about hidden cards, and their use in determinizations."""

from random import Random

import pytest

from cardhub_gamon import Gamon
from cardhub_gamon.table import CARDS

from .positions import Position, set_up

NAVY = "gunner corsair petty-officer naval-spy high-officer"
PIRATES = "cannoneer boatswain deckhand mate-with-a-cutlass hornswagging-seadog"
DRAWS = 200


def can_be(at: Position, viewer: int, token: int, card: str) -> bool:
    """Return whether a card is possible there for a viewer; determinizations must agree."""
    observation, face, rng = at.observe(viewer), CARDS.face(card), Random(1)
    allowed = bool(Gamon().possible(observation.state, token) >> face & 1)
    drawn = (observation.determinize(rng).face[token] == face for _ in range(DRAWS))
    assert allowed or not any(drawn)
    return allowed


@pytest.mark.parametrize(("prize", "can"), [(3, False), (4, True)])
def test_a_placed_card_is_not_the_queen_unless_the_prize_allows_it(prize: int, can: bool) -> None:
    """A card placed while its condition failed is ruled out."""
    at = set_up(NAVY, PIRATES, attacker=1, prize=prize).act("place cannoneer")
    token = at.state.placed[1][0]
    assert can_be(at, 0, token, "queen-annes-vengeance") == can
    assert not can_be(at, 0, token, "the-flying-dutchman"), "both purses are empty"


def test_a_placed_card_is_not_peril_after_a_lost_battle() -> None:
    """HMS Peril cannot be placed by who has lost a battle this round."""
    at = set_up(NAVY, PIRATES).act("place corsair")
    assert can_be(at, 1, at.state.placed[0][0], "hms-peril")
    at.act("call 3", "place cannoneer", "call 4", "believe", "believe", "place gunner")
    assert not can_be(at, 1, at.state.placed[0][0], "hms-peril")


@pytest.mark.parametrize(("called", "can"), [(4, True), (5, False), (6, True)])
def test_a_card_called_5_is_not_one_that_never_is(called: int, can: bool) -> None:
    """A card called 5 is neither Ship in the Fog nor Singing Sirens."""
    at = set_up(NAVY, PIRATES).act("place gunner", f"call {called}")
    assert can_be(at, 1, at.state.placed[0][0], "ship-in-the-fog") == can
    at.act("place boatswain", f"call {called}")
    assert can_be(at, 0, at.state.placed[1][0], "singing-sirens") == can
    assert can_be(at, 0, at.state.placed[1][0], "captain-blackbrow")


def test_cards_held_back_stay_possible() -> None:
    at = set_up(NAVY, PIRATES, attacker=1).act("place cannoneer", "call 5")
    assert can_be(at, 0, at.state.hand[1][0], "queen-annes-vengeance")
    assert can_be(at, 0, at.state.hand[1][0], "singing-sirens")


def test_the_hand_of_a_stuck_player_is_known_to_be_unplayable() -> None:
    """Who says they are stuck holds only cards whose conditions fail."""
    stuck = "queen-annes-vengeance the-flying-dutchman"
    at = set_up(NAVY, stuck, attacker=0, prize=2)
    token = at.state.hand[1][0]
    assert not can_be(at, 0, token, "boatswain")
    assert can_be(at, 0, token, "queen-annes-vengeance")
    assert can_be(at, 0, token, "the-flying-dutchman")


def test_who_was_not_stuck_held_a_card_that_can_be_placed() -> None:
    """Two cards of which none could be placed are implausible."""
    at = set_up("naval-spy gunner", PIRATES, attacker=0)
    game, truth = Gamon(), at.state
    assert game.plausible(truth)
    world = truth.clone()
    world.face = [truth.face[token] for token in range(len(truth.face))]
    for token, name in zip(truth.hand[0], ("hms-peril", "lord-of-the-seas"), strict=True):
        world.face[token] = CARDS.face(name)
    assert game.plausible(world), "HMS Peril could be placed"
    at.turn("naval-spy 2", "cannoneer 4")
    assert not can_be(at, 1, at.state.hand[0][0], "hms-peril"), "the last card can be placed"
    at = set_up("naval-spy gunner", "boatswain cannoneer", attacker=1)
    world = at.state.clone()
    world.face = [at.state.face[token] for token in range(len(at.state.face))]
    queens = ("queen-annes-vengeance", "the-flying-dutchman")
    for token, name in zip(at.state.hand[1], queens, strict=True):
        world.face[token] = CARDS.face(name)
    assert not game.plausible(world)
    for seed in range(DRAWS):
        assert game.plausible(at.observe(0).determinize(Random(seed)))
