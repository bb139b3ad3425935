"""Determinizations agree with the observation they are sampled from."""

from collections import Counter
from random import Random

import pytest

from cardhub.base.errors import DeterminizationError
from cardhub.model.game.initial_state import initial_state, resolve_options, shuffled_pack
from cardhub.model.hidden.constraints.sampler import face_draw
from cardhub.model.hidden.observation import EVERYTHING, Observation
from cardhub_gargon import Gargon
from cardhub_gargon.table import CARDS, VALUE, Table


def dealt(game: Gargon) -> Table:
    """Return a dealt game of four."""
    settings = resolve_options(game, {}, 4)
    return initial_state(game, settings, 4, shuffled_pack(game, settings, 4, Random(1)))


def test_unseen_faces_change_places_among_equal_backs() -> None:
    """Unseen faces permuted among tokens with the same back; seen ones stay."""
    state = dealt(Gargon())
    drawn = Observation(Gargon(), state, 0).determinize(Random(2))
    for token, face in enumerate(state.face):
        assert CARDS.back_of[drawn.face[token]] == CARDS.back_of[face]
        if state.seen[token] & 1:
            assert drawn.face[token] == face
    assert sorted(drawn.face) == sorted(state.face)
    assert list(drawn.face) != list(state.face)


def test_it_is_computed_from_the_observation_alone() -> None:
    """It cannot peek: two truths that look the same give the same determinizations."""
    truth = dealt(Gargon())
    other = Observation(Gargon(), truth, 2).determinize(Random(3))
    drawn = [Observation(Gargon(), state, 2).determinize(Random(4)) for state in (truth, other)]
    assert drawn[0] == drawn[1]


def test_drawing_twice_with_equal_generators_gives_the_same() -> None:
    """The same seed gives the same bytes, however often one has drawn before."""
    observation = Observation(Gargon(), dealt(Gargon()), 1)
    first = observation.determinize(Random(5))
    observation.determinize(Random(6))
    assert observation.determinize(Random(5)) == first


class NoHighCards(Gargon):
    """A game that rules high values out for one player's hand."""

    def allows(self, state: Table, token: int, face: int) -> bool:
        """Seat 1 has no card above 9."""
        return token not in state.hand[1] or VALUE[face] < 10


def test_faces_that_no_rule_excludes_are_drawn_from_pools() -> None:
    """A draw sorts each pool by random numbers, in the order of the pools."""
    observation = Observation(Gargon(), dealt(Gargon()), 0)
    rng, plan = Random(7), observation.face_plan()
    assert plan is not None
    pools, tables, is_tested = plan
    assert (len(pools) > 1, tables, is_tested) == (True, [], False)
    expected = observation.determinize(Random(7)).face
    for tokens, pool in pools:
        drawn = sorted(pool, key=lambda _: rng.random())
        assert [expected[token] for token in tokens] == drawn
    constrained = Observation(NoHighCards(), dealt(NoHighCards()), 0).face_plan()
    assert constrained is not None
    assert constrained.tables


def test_every_unseen_face_is_equally_likely() -> None:
    """A token of an opponent may bear any unseen face of its back, none favoured."""
    state = dealt(Gargon())
    observation, rng = Observation(Gargon(), state, 0), Random(7)
    token = state.hand[1][0]
    drawn = Counter(observation.determinize(rng).face[token] for _ in range(3000))
    unseen = Counter(
        face
        for other, face in enumerate(state.face)
        if not state.seen[other] & 1 and state.back[other] == state.back[token]
    )
    assert drawn.keys() == unseen.keys()
    for face, copies in unseen.items():
        assert drawn[face] == pytest.approx(3000 * copies / unseen.total(), rel=0.4)


def test_a_game_rules_faces_out_for_a_token() -> None:
    """`allows`: every face drawn is allowed where it lies."""
    game = NoHighCards()
    state, rng = dealt(game), Random(8)
    for _ in range(50):
        drawn = Observation(game, state, 0).determinize(rng)
        assert all(VALUE[drawn.face[token]] < 10 for token in state.hand[1])
        assert sorted(drawn.face) == sorted(state.face)


def test_faces_are_shared_out_whenever_there_is_a_way() -> None:
    """Ruling faces out never fails where the truth itself is allowed."""
    tokens = range(9)
    for seed in range(20):
        pool = Random(seed).sample(tokens, 9)
        drawn = [-1] * 9
        masks = [(2 << token) - 1 for token in tokens]
        face_draw(pool, tokens, masks).draw(Random(seed), drawn)
        assert drawn == list(tokens)


def test_implausible_determinizations_are_redrawn() -> None:
    """The game gives a cheap test and the core redraws, within a bound."""

    class SomeZero(Gargon):
        """Seat 1 holds a zero."""

        def plausible(self, state: Table) -> bool:
            """Return whether seat 1 holds a zero."""
            return any(VALUE[state.face[token]] == 0 for token in state.hand[1])

    class Nothing(Gargon):
        """No determinization is plausible."""

        def plausible(self, state: Table) -> bool:
            """Rule everything out."""
            return False

    state = dealt(SomeZero())
    for seed in range(20):
        drawn = Observation(SomeZero(), state, 0).determinize(Random(seed))
        assert any(VALUE[drawn.face[token]] == 0 for token in state.hand[1])
    with pytest.raises(
        DeterminizationError, match=r"gargon: plausible\(\) accepts too few .*: 0 of 20000"
    ):
        Observation(Nothing(), state, 0).determinize(Random(1))


def test_who_sees_everything_has_one_determinization() -> None:
    """The viewer EVERYTHING sees all faces of a finished game."""
    state = dealt(Gargon())
    assert Observation(Gargon(), state, EVERYTHING).determinize(Random(1)) == state
