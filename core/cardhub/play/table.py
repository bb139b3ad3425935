"""Setting up a table, and letting bots play at it."""

from collections.abc import Mapping, Sequence
from random import Random

from cardhub.bots.bot import Bot
from cardhub.errors import BotError, IllegalActionError
from cardhub.game.game import Game, S
from cardhub.game.opening import settle_options, shuffled
from cardhub.play.referee import Referee
from cardhub.play.seating import Player
from cardhub.table.settings import Value


def set_up(
    game: Game[S], players: Sequence[Player], options: Mapping[str, Value], seed: int
) -> Referee[S]:
    """Return a referee with the cards dealt; `proceed` has not been called yet.

    Raises OptionError.
    """
    settings = settle_options(game, options, len(players))
    faces = shuffled(game, settings, len(players), Random(f"{seed} deal"))
    return Referee(game, players, settings, seed, faces)


def bot_generator(seed: int, seat: int) -> Random:
    """Return the generator for the bot at a seat, which no other part of a game draws from."""
    return Random(f"{seed} bot {seat}")


def let_bot_act(referee: Referee[S], bot: Bot) -> None:
    """Have a bot choose for the seat to act; raises BotError if it fails or answers illegally."""
    player = referee.players[referee.seat]
    observation = referee.observe(referee.seat)
    try:
        action = bot.choose(observation)
    except Exception as error:  # a stranger's code may raise anything
        raise BotError(f"the bot of {player} failed: {type(error).__name__}: {error}") from error
    try:
        referee.act(action)
    except IllegalActionError as error:
        raise BotError(f"the bot of {player} answered badly: {error}") from error


def play_out(referee: Referee[S], bots: Mapping[int, Bot]) -> None:
    """Let bots act until a seat without one is to act or the game is over."""
    while referee.seat in bots:
        let_bot_act(referee, bots[referee.seat])
