"""The rule of thumb."""

from random import Random
from time import process_time

import pytest
from tests.kit.soaking import count_examples

from cardhub.bots import Bot, RandomBot
from cardhub.model.hidden.observation import Observation
from cardhub.play.seating import Player
from cardhub.play.setup import bot_generator, play_out
from cardhub.play.setup import set_up as set_up_table
from cardhub_garner import Garner
from cardhub_garner.layouts import LAYOUTS
from cardhub_garner.strategy.rule_bot import RuleOfThumb
from cardhub_garner.table import LIFTING, Table

from ..positions import Position, set_up

GAMES = count_examples(10)


def share(games: range, **options: str) -> float:
    """Return the share of games a rule of thumb wins against random play, from both seats."""
    won = 0.0
    for number in games:
        seat = number % 2
        players = [Player(f"P{n}", "rule" if n == seat else "random") for n in range(2)]
        referee = set_up_table(Garner(), players, options, seed=number)
        referee.proceed()
        bots: dict[int, Bot] = {
            seat: RuleOfThumb(bot_generator(number, seat)),
            1 - seat: RandomBot(bot_generator(number, 1 - seat)),
        }
        play_out(referee, bots)
        won += (referee.result().returns[seat] + 1) / 2
    return won / len(games)


def observed(at: Position) -> Observation[Table]:
    """Return the observation of the seat to act."""
    return Observation(at.game, at.state, at.state.seat)


def test_the_rule_of_thumb_beats_random_play_in_nine_games_of_ten() -> None:
    """A bot that wins 90 % on the base layout wins 10 games in a row with odds of 35 %."""
    options = {"stop_when_decided": "true"}  # which has the same winner (garner R9)
    assert share(range(GAMES), **options) == 1


@pytest.mark.parametrize(
    "options",
    [
        *({"layout": name} for name in LAYOUTS if name != "base"),
        {"layout": "a", "top_layer": "level"},
        {"layout": "d", "new_position": "all", "straight_line": "true"},
    ],
    ids=str,
)
def test_it_plays_every_layout_and_variation_well(options: dict[str, str]) -> None:
    """It wins most games in every layout."""
    assert share(range(4), **options) > 0.7


def test_a_turn_takes_a_fraction_of_a_second() -> None:
    """It is allowed a second per turn; a collection of garbage may fall into one of the games."""
    assert any(longest_turn() < 1 for _ in range(3))


def longest_turn() -> float:
    """Return the processor time of the longest turn of a game, in seconds."""
    players = [Player(name, "rule") for name in "AB"]
    referee = set_up_table(Garner(), players, {}, seed=3)
    bot = RuleOfThumb(Random(1))
    referee.proceed()
    longest = turn = 0.0
    while not referee.is_over:
        observation = referee.observe(referee.seat)
        if observation.state.phase == LIFTING:
            turn = 0.0
        began = process_time()
        referee.apply(bot.choose(observation))
        turn += process_time() - began
        longest = max(longest, turn)
    return longest


def test_it_lifts_for_the_best_collection() -> None:
    """Best collection after a good distribution: a card that closes the gap between its suit."""
    at = set_up("A1 B2 A3 \n C9 A5 C1 \n B6 A8 B9", layout="a")
    bot = RuleOfThumb(Random(1))
    for _ in range(3):
        observation = observed(at)
        at.game.apply(at.state, bot.choose(observation))
    assert len(at.state.won[0]) >= 4


def test_a_majority_is_worth_more_than_many_cards_of_a_lost_suit() -> None:
    rows = "A1 A2 A3 \n . . . \n B9 . C9"
    at = set_up(rows, {0: "B1-4", 1: "A5-9"}, layout="a").act("lift C9", "place r2c2")
    action = RuleOfThumb(Random(1)).choose(observed(at))
    assert at.game.actions.text(action, str) == "collect B9"


def test_the_same_seed_gives_the_same_answers() -> None:
    games = []
    for _ in range(2):
        referee = set_up_table(
            Garner(), [Player(name, "rule") for name in "AB"], {"layout": "d"}, seed=11
        )
        referee.proceed()
        play_out(referee, {seat: RuleOfThumb(Random(seat)) for seat in range(2)})
        games.append([step.action for step in referee.observe(0).history])
    assert games[0] == games[1]
