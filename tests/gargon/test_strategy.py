"""Evaluation, playouts and the rule of thumb of Gargon."""

from collections import Counter
from random import Random

import pytest

from cardhub.bots.random_bot import RandomBot
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.hidden.labels import Labels
from cardhub.model.table.state import OVER
from cardhub.play.seating import Player
from cardhub.play.setup import bot_generator, play_out
from cardhub.play.setup import set_up as open_table
from cardhub.testing.random_play import Trial, deal
from cardhub_gargon import Gargon
from cardhub_gargon.strategy.rule_bot import RuleOfThumb

from .positions import Position, set_up

HEURISTICS = Gargon().heuristics
STACKS = ("W4 W5 W6 W7 W8 W9", "B4 B5 B6 B7 B8 B9")


def test_at_the_end_it_is_the_score() -> None:
    """Cards in hand do not count any more."""
    game = Gargon()
    state, rng = deal(game, Trial(4, resolve_options(game, {}, 4), 1)), Random(1)
    while state.seat != OVER:
        game.apply(state, HEURISTICS.playout_action(state, rng))
    assert HEURISTICS.evaluate(state) == game.scores(state)


def test_the_leader_in_a_colour_may_expect_its_bonus() -> None:
    """A longer lead makes the bonus more certain."""
    ahead, level, behind, far_behind = HEURISTICS.evaluate(
        set_up({}, STACKS, won={0: "R13 R14 R15", 1: "R12 Y13", 2: "G13"}).state
    )
    assert ahead > level > behind > far_behind
    assert ahead + level + behind + far_behind == pytest.approx(6 * 12 + 1)


def test_low_cards_in_hand_count_as_amulets() -> None:
    """A zero won doubles their value, in its colour."""
    low, high, doubled, none = HEURISTICS.evaluate(
        set_up({0: "R1", 1: "R15", 2: "V1"}, STACKS, won={2: "V0"}).state
    )
    assert low > high == none
    assert doubled - low > 4


def test_a_zero_in_hand_counts_as_doubling_amulets_won() -> None:
    """It counts only if the seat has won amulets of its colour."""
    at = set_up({0: "R0", 1: "Y0"}, STACKS, won={0: "R1 R2", 1: "G1 G2"})
    same, other, *_ = HEURISTICS.evaluate(at.state)
    assert same - other == pytest.approx(0.65 * 10)


def test_cards_in_hand_count_less_towards_the_end() -> None:
    """There is not enough time to lay them all; laid cards already count in full."""
    early = HEURISTICS.evaluate(set_up({0: "R1 R2 R3"}, STACKS, only_named=True).state)
    late = HEURISTICS.evaluate(set_up({0: "R1 R2 R3"}, ("W4", "B4"), only_named=True).state)
    assert late[0] < early[0]


def plays(at: Position) -> Counter[str]:
    """Return how often each action is chosen, of a hundred."""
    labels = Labels(at.game, at.state.face, at.state.back)
    choose = at.game.heuristics.playout_action
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
            choose = (
                game.heuristics.playout_action if state.seat == number % 4 else game.random_action
            )
            game.apply(state, choose(state, rng))
        scores = game.scores(state)
        won += scores[number % 4] == max(scores)
    assert won >= 20


@pytest.mark.parametrize("seats", [3, 4, 5])
def test_the_rule_of_thumb_beats_random_players(seats: int) -> None:
    """A person needs an opponent: one rule-of-thumb bot wins more than half of its games."""
    won = 0.0
    games = 30
    for number in range(games):
        place = number % seats
        players = [
            Player(f"P{seat}", "rule" if seat == place else "random") for seat in range(seats)
        ]
        referee = open_table(Gargon(), players, {}, seed=number)
        makers = [RuleOfThumb if seat == place else RandomBot for seat in range(seats)]
        bots = {seat: make(bot_generator(number, seat)) for seat, make in enumerate(makers)}
        referee.proceed()
        play_out(referee, bots)
        places = referee.places()
        won += (places[place] == 1) / places.count(1)
    assert won / games > 0.5
