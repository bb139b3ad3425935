"""What every bot of every installed game keeps to."""

from random import Random

import pytest

from cardhub.hidden.observation import Observation
from cardhub.play.seating import NAMES, Player
from cardhub.play.table import bot_generator, play_out, set_up
from cardhub.plugins.find import find_plugins

REGISTRY = find_plugins()
BOTS = [(game, bot) for game in REGISTRY.game_names() for bot in REGISTRY.bots_for(game)]
ACTIONS = 60


@pytest.mark.parametrize(("name", "bot"), BOTS)
def test_the_same_seed_gives_the_same_game(name: str, bot: str) -> None:
    """Randomness only through the generator passed in."""
    game = REGISTRY.game(name)
    players = [Player(player, bot) for player in NAMES[: game.seats.default]]
    histories = []
    for _ in range(2):
        referee = set_up(game, players, {}, seed=11)
        referee.proceed()
        seats = range(len(players))
        bots = {seat: REGISTRY.make_bot(bot, name, bot_generator(11, seat)) for seat in seats}
        play_out(referee, bots)
        histories.append(referee.observe(0).history)
    assert histories[0] == histories[1]


@pytest.mark.parametrize(("name", "bot"), BOTS)
def test_no_bot_sees_more_than_its_seat(name: str, bot: str) -> None:
    """Permuting what the seat cannot see does not change the answer."""
    game, rng = REGISTRY.game(name), Random(1)
    players = [Player(player, bot) for player in NAMES[: game.seats.default]]
    referee = set_up(game, players, {}, seed=5)
    referee.proceed()
    for number in range(ACTIONS):
        if referee.is_over:
            break
        seen = referee.observe(referee.seat)
        elsewhere = Observation(game, seen.determinize(rng), referee.seat, seen.history)
        answers = [
            REGISTRY.make_bot(bot, name, Random(number)).choose(world)
            for world in (seen, elsewhere)
        ]
        assert answers[0] == answers[1]
        referee.act(answers[0])
