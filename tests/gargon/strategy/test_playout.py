"""Playouts of Gargon."""

from collections import Counter
from random import Random

from cardhub.model.game.initial_state import resolve_options
from cardhub.model.hidden.labels import Labels
from cardhub.model.table.state import OVER
from cardhub.testing.random_play import Trial, deal
from cardhub_gargon import Gargon

from ..positions import Position, set_up


def plays(at: Position) -> Counter[str]:
    """Return how often each action is chosen, of a hundred."""
    labels = Labels(at.game, at.state.face, at.state.back)
    choose = at.game.playout_action
    return Counter(labels.notation(choose(at.state, Random(seed))) for seed in range(100))


def test_low_cards_have_a_higher_value_in_a_colour_not_laid_yet() -> None:
    """A card that is not fought for is won (case A), and low ones wear more amulets."""
    at = set_up({0: "R9", 1: "", 2: "", 3: "B15 B1"}, leader=3)
    chosen = plays(at)
    assert chosen["lay B1"] > chosen["lay B15"]


def test_hopeless_cards_are_kept_and_new_ones_drawn() -> None:
    """A pass draws as many cards as it can (gargon R4)."""
    at = set_up({0: "R15", 1: "", 2: "", 3: "R1"})
    at.act("lay R15", "pass 1+0", "pass 1+0")
    chosen = plays(at)
    assert sum(count for text, count in chosen.items() if text.startswith("pass")) > 80
    assert not {"pass 1+0", "pass 0+1", "pass 1+1"} & set(chosen)


def test_playouts_beat_random_play() -> None:
    game, won = Gargon(), 0
    settings = resolve_options(game, {}, 4)
    for number in range(40):
        rng, state = Random(number), deal(game, Trial(4, settings, number))
        while state.seat != OVER:
            choose = game.playout_action if state.seat == number % 4 else game.random_action
            game.apply(state, choose(state, rng))
        scores = game.scores(state)
        won += scores[number % 4] == max(scores)
    assert won >= 20
