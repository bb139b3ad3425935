"""The rule of thumb."""

from random import Random

import pytest

from cardhub.bots.random_bot import RandomBot
from cardhub.play.seating import Player
from cardhub.play.table import bot_generator, play_out, set_up
from cardhub_gargon import Gargon
from cardhub_gargon.bot import RuleOfThumb


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
        referee = set_up(Gargon(), players, {}, seed=number)
        makers = [RuleOfThumb if seat == place else RandomBot for seat in range(seats)]
        bots = {seat: make(bot_generator(number, seat)) for seat, make in enumerate(makers)}
        referee.proceed()
        play_out(referee, bots)
        places = referee.places()
        won += (places[place] == 1) / places.count(1)
    assert won / games > 0.5


def test_the_same_seed_gives_the_same_answers() -> None:
    """Randomness only through the generator passed in."""
    games = []
    for _ in range(2):
        referee = set_up(Gargon(), [Player(name, "rule") for name in "ABC"], {}, seed=11)
        referee.proceed()
        play_out(referee, {seat: RuleOfThumb(Random(seat)) for seat in range(3)})
        games.append([step.action for step in referee.observe(0).history])
    assert games[0] == games[1]


def test_it_sees_no_more_than_its_seat() -> None:
    """Permuting what the seat cannot see does not change the answer."""
    referee = set_up(Gargon(), [Player(name, "rule") for name in "ABCD"], {}, seed=5)
    referee.proceed()
    rng = Random(1)
    for _ in range(40):
        observation = referee.observe(referee.seat)
        answer = RuleOfThumb(Random(3)).choose(observation)
        other = observation.determinize(rng)
        again = type(observation)(Gargon(), other, referee.seat, observation.history)
        assert RuleOfThumb(Random(3)).choose(again) == answer
        referee.act(answer)
