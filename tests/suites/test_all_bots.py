"""What every bot of every installed game keeps to."""

import sys
from pathlib import Path
from random import Random
from typing import Any

import pytest

from cardhub import Game
from cardhub.bots import CMD
from cardhub.hidden.observation import Observation
from cardhub.play.seating import NAMES, Player
from cardhub.play.table import closing, play_out, seated, set_up
from cardhub.plugins.find import find_plugins

REGISTRY = find_plugins()
BOTS = [(game, bot) for game in REGISTRY.game_names() for bot in REGISTRY.bots_for(game)]
ACTIONS = 60
EXAMPLE = Path(__file__).parents[2] / "examples" / "bots" / "simple_bot.py"
SPECS = {CMD.name: f"cmd:'{sys.executable}' '{EXAMPLE}'"}
"""What a bot needs more than its name."""


def seats_for(bot: str, game: Game[Any]) -> list[Player]:
    """Return a table full of one kind of bot."""
    return [Player(name, SPECS.get(bot, bot)) for name in NAMES[: game.seats.default]]


@pytest.mark.parametrize(("name", "bot"), BOTS)
def test_the_same_seed_gives_the_same_game(name: str, bot: str) -> None:
    """Randomness only through the generator passed in."""
    game = REGISTRY.game(name)
    players = seats_for(bot, game)
    histories = []
    for _ in range(2):
        referee = set_up(game, players, {}, seed=11)
        referee.proceed()
        with seated(REGISTRY, referee) as bots:
            play_out(referee, bots)
        histories.append(referee.observe(0).history)
    assert histories[0] == histories[1]


@pytest.mark.parametrize(("name", "bot"), BOTS)
def test_no_bot_sees_more_than_its_seat(name: str, bot: str) -> None:
    """Permuting what the seat cannot see does not change the answer."""
    game, rng = REGISTRY.game(name), Random(1)
    referee = set_up(game, seats_for(bot, game), {}, seed=5)
    referee.proceed()
    for number in range(ACTIONS):
        if referee.is_over:
            break
        seen = referee.observe(referee.seat)
        elsewhere = Observation(game, seen.determinize(rng), referee.seat, seen.history)
        answers = []
        for world in (seen, elsewhere):
            asked = {0: REGISTRY.make_bot(SPECS.get(bot, bot), name, Random(number))}
            with closing(asked):
                answers.append(asked[0].choose(world))
        assert answers[0] == answers[1]
        referee.act(answers[0])
