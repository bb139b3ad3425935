"""Determinizations are as likely as chance makes them: compared with every history there is."""

import os
from collections import Counter
from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from tests.games.pockets import Table, TinyPockets
from tests.kit.soaking import count_examples
from tests.model.hidden.chisquare import marginal, p_value
from tests.model.hidden.posterior import World, posterior
from tests.model.hidden.probing import positions, probe

from cardhub import Game
from cardhub.model.hidden.constraints.face_masks import masks_of
from cardhub.model.hidden.observation import Observation
from cardhub.model.hidden.shuffles.segments import face_snapshots
from cardhub.testing.random_play import Position, default_trial, play
from hearts import Hearts

DRAWS = count_examples(300)
# Positions of the tiny game.
SAMPLES = 60
# No p-value may be below the first, and at most this share of them below the second.
LEAST, SMALL, FEW = 1e-4, 0.01, 0.05
# Determinized positions of a game with mixed hands; `make probes` has a hundred thousand.
PROBES = int(os.environ.get("CARDHUB_PROBES", "80"))


class Sample:
    """A position as a viewer sees it, and the exact probabilities of all histories."""

    def __init__(self, game: Game[Any], position: Position[Any], viewer: int) -> None:
        self.seen = Observation(game, position.state, viewer, position.history)
        self.masks = masks_of(game, self.seen.state, range(len(position.state.seen)))
        self.exact = posterior(game, self.seen.state, self.masks)

    @property
    def has_denial(self) -> bool:
        """Whether a number was denied, now or before a shuffle."""
        return any(mask != -1 for mask in self.masks) or any(
            s.allowed for s in self.seen.state.shuffle_log
        )

    def p_now(self, draws: int = DRAWS) -> float:
        """Return the p-value of the faces drawn for the present."""
        rng = Random(1)
        drawn = Counter(tuple(self.seen.determinize(rng).face) for _ in range(draws))
        return p_value(drawn, marginal(self.exact, 1))

    def p_whole(self, draws: int = DRAWS // 2) -> float:
        """Return the p-value of deal and present together."""
        rng, drawn = Random(2), Counter[World]()
        for _ in range(draws):
            state = self.seen.determinize_whole(rng)
            drawn[tuple(face_snapshots(state)[0]), tuple(state.face)] += 1
        return p_value(drawn, self.exact)


@cache
def samples() -> list[Sample]:
    """Return positions of a tiny game, each with many possible histories."""
    game, drawn, rng = TinyPockets(), list[Sample](), Random(3)
    for position in positions(game, 20):
        viewer = rng.randrange(position.state.seats + 1)
        sample = Sample(game, position, viewer)
        if position.state.shuffle_log and len(sample.exact) > 5:
            drawn.append(sample)
        if len(drawn) == SAMPLES:
            return drawn
    raise AssertionError("there are games without end")


def check(values: list[float]) -> None:
    """Fail if p-values are such as right draws hardly ever give."""
    assert min(values) > LEAST
    assert sum(value < SMALL for value in values) <= FEW * len(values)


def test_the_present_is_drawn_as_chance_makes_it() -> None:
    check([sample.p_now() for sample in samples()])


def test_the_deal_and_the_present_are_drawn_together() -> None:
    """The past is drawn afterwards, and yet as likely as it is."""
    check([sample.p_whole() for sample in samples()[::5]])


def test_what_was_denied_before_a_shuffle_still_counts() -> None:
    """Enough positions have such an exclusion, and their past is right."""
    denied = [s for s in samples() if any(shuffle.allowed for shuffle in s.seen.state.shuffle_log)]
    assert len(denied) > 12
    assert sum(sample.has_denial for sample in samples()) > 24
    check([sample.p_whole() for sample in denied[:12]])


def test_the_positions_are_as_varied_as_that_needs() -> None:
    """They have many shuffles and histories, excluded faces, and all kinds of viewers."""
    assert max(len(sample.exact) for sample in samples()) > 60
    assert max(len(sample.seen.state.shuffle_log) for sample in samples()) > 5
    viewers = Counter(s.seen.seat == s.seen.state.seats for s in samples())
    assert min(viewers.values()) > 9, "spectators and players"


class Plausible(TinyPockets):
    """A seat is known to hold the same card twice, or no seat holds two."""

    def plausible(self, state: Table) -> bool:
        """Return whether the condition holds, from the values in hand."""
        return is_plausible(tuple(state.face), state)


def is_plausible(faces: tuple[int, ...], state: Table) -> bool:
    """Return whether the values in hand add up to an even number."""
    return sum(faces[token] for hand in state.hand for token in hand) % 2 == 0


def test_plausible_leaves_the_others_as_likely_as_they_were() -> None:
    """Redrawing is exact, as every draw is independent."""
    values = []
    for sample in samples()[:30]:
        state = sample.seen.state
        fits = {w: p for w, p in sample.exact.items() if is_plausible(w[1], state)}
        if fits:
            sample.exact = {history: share / sum(fits.values()) for history, share in fits.items()}
            sample.seen = Observation(Plausible(), state, sample.seen.seat, sample.seen.history)
            values.append(sample.p_now())
    samples.cache_clear()
    assert len(values) > 15
    check(values)


def test_hearts_is_drawn_as_enumeration_says() -> None:
    """Who did not follow suit has none of it, and every hand that this leaves is as likely."""
    values: list[float] = []
    for seed in range(12):
        game = Hearts()
        late = [p for p in play(game, default_trial(game, 4, seed)) if p.state.number == 0]
        sample = Sample(game, late[-9 - seed % 2], seed % 4)
        if len(sample.exact) > 1:
            values.append(sample.p_now())
    assert len(values) > 8
    check(values)


def test_mixed_hands_are_always_determinized() -> None:
    """Games for three to six can be determinized at every position, for every viewer."""
    assert probe(PROBES) > 0.8 * PROBES


@pytest.mark.parametrize("draw", [Observation.determinize, Observation.determinize_whole])
def test_equal_generators_draw_the_same_for_every_true_state(draw: Callable[..., Any]) -> None:
    """Draws do not depend on the true state, even if there are too many states to list."""
    for sample in samples()[::5]:
        seen, rng = sample.seen, Random(4)
        first = draw(seen, Random(5))
        truth = seen.determinize_whole(rng)
        other = Observation(seen.game, truth, seen.seat, seen.history)
        assert other.state == seen.state
        assert draw(other, Random(5)) == first == draw(seen, Random(5))
