"""Zones that everybody sees but their owner: what each viewer knows, and what search may assume."""

from collections.abc import Iterator
from random import Random

import pytest
from tests.games.lanterns import ACTIONS, CARDS, SUIT, SUITS, TELL, Lanterns, Table

from cardhub import Observation
from cardhub.base.errors import HiddenFaceError
from cardhub.model.hidden.observation import public_state
from cardhub.model.table.faces import BLANK, blanked
from cardhub.testing.random_play import default_trial, play

GAME = Lanterns()
DRAWS = 40


def states(seats: int = 3) -> Iterator[Table]:
    """Yield the states of a few random games."""
    for seed in range(3):
        yield from (position.state for position in play(GAME, default_trial(GAME, seats, seed)))


def test_the_owner_alone_cannot_see_a_hand() -> None:
    """All other seats and spectators have seen it; reading it as its owner raises an error."""
    for state in states():
        for viewer in range(state.seats + 1):
            known = blanked(Observation(GAME, state, viewer).state.face)
            for seat, hand in enumerate(state.hand):
                assert all((known[token] == BLANK) == (seat == viewer) for token in hand)
    first = next(states())
    with pytest.raises(HiddenFaceError):
        Observation(GAME, first, 0).state.face[first.hand[0][0]]


def test_determinizations_vary_for_the_owner_only() -> None:
    state, rng = next(states()), Random(1)
    GAME.apply(state, TELL)
    own, other = state.hand[1], state.hand[2]
    for viewer in range(state.seats + 1):
        observation = Observation(GAME, state, viewer)
        drawn = [observation.determinize(rng).face for _ in range(DRAWS)]
        for hand, owner in ((own, 1), (other, 2)):
            kinds = {tuple(face[token] for token in hand) for face in drawn}
            assert (len(kinds) > 1) == (viewer == owner)
        for token in own:
            is_red = SUIT[state.face[token]] == SUITS[0]
            assert {SUIT[face[token]] == SUITS[0] for face in drawn} == {is_red}


def test_public_knowledge_leaves_out_all_such_hands() -> None:
    """Masks of shuffles, chance and OpenSpiel's public observations are computed from it."""
    for state in states():
        known = blanked(public_state(state).face)
        hidden = {*state.stack, *(token for hand in state.hand for token in hand)}
        assert {token for token, face in enumerate(known) if face == BLANK} == hidden


def test_an_owner_names_the_own_cards_by_their_tokens() -> None:
    """Two unseen cards are two actions for their owner; the others know which is which."""
    state = next(states())
    first, second = state.hand[0]
    labels = [Observation(GAME, state, viewer).labels() for viewer in (0, 1)]
    legal = GAME.legal(state)
    assert labels[0].notation(first, legal) == f"light ?#{first}"
    assert labels[1].label(second) == f"light {CARDS.faces[state.face[second]].name}"
    assert ACTIONS.token(first) == first
