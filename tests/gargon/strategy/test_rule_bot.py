"""The rule of thumb."""

import pytest

from cardhub.bots.random_bot import RandomBot
from cardhub.play.seating import Player
from cardhub.play.setup import bot_generator, play_out, set_up
from cardhub_gargon import Gargon
from cardhub_gargon.strategy.rule_bot import RuleOfThumb


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
