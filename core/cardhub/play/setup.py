"""Set up a game, create its bots and play their turns."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from random import Random
from typing import Any

from cardhub.base.errors import BotFaultError, BotIllegalError, IllegalActionError
from cardhub.bots.asking import Answer, ask, call_bot
from cardhub.bots.bot import Bot
from cardhub.model.game.game import Game, S
from cardhub.model.game.initial_state import Seed, resolve_options, shuffled_pack
from cardhub.model.table.settings import Value
from cardhub.play.referee import Referee, check_action
from cardhub.play.seating import Player
from cardhub.play.seeds import bot_seed
from cardhub.plugins.bot_files import spec_at
from cardhub.plugins.registry import PluginRegistry

MakeBot = Callable[[Random], Bot]


def set_up(
    game: Game[S],
    players: Sequence[Player],
    options: Mapping[str, Value],
    seed: Seed,
    commitment: str | None = None,
) -> Referee[S]:
    """Return a referee with the cards dealt; `proceed` has not been called yet.

    With a `commitment` to the seed, records begin with it and end with the seed. Raises
    OptionError.
    """
    # One seed, but one generator for each use: the deal here, each bot, each outcome of chance.
    settings = resolve_options(game, options, len(players))
    faces = shuffled_pack(game, settings, len(players), Random(f"{seed} deal"))
    return Referee(game, players, settings, seed, faces, commitment=commitment)


def bot_generator(seed: Seed, seat: int) -> Random:
    """Return the generator of the bot at a seat, which no other part of a game uses."""
    return Random(bot_seed(seed, seat))


def spec_here(registry: PluginRegistry, referee: Referee[Any], spec: str) -> str:
    """Return the spec that plays at a table; raises as `spec_at`."""
    settings, seats = referee.settings, len(referee.players)
    return spec_at(registry, spec, referee.game.name, seats, settings)


@contextmanager
def seated(registry: PluginRegistry, referee: Referee[Any]) -> Iterator[dict[int, Bot]]:
    """Create a bot for every seat that is not a person's; they are closed with the block.

    Raises PluginError or BotError.
    """
    bots: dict[int, Bot] = {}
    with closing(bots):
        for seat, player in enumerate(referee.players):
            if not player.is_human:
                spec = spec_here(registry, referee, player.kind)
                rng = bot_generator(referee.seed, seat)
                bots[seat] = registry.make_bot(spec, referee.game.name, rng)
        yield bots


@contextmanager
def closing(bots: Mapping[int, Bot]) -> Iterator[None]:
    """Close the bots of a mapping at the end of the block.

    Raises BotFaultError if one cannot be closed, unless the block raised an exception.
    """
    try:
        yield
    except BaseException:
        # The exception of the block matters more than a bot that cannot be closed.
        with suppress(BotFaultError):
            close_bots(bots.values())
        raise
    close_bots(bots.values())


def close_bots(bots: Iterable[Bot]) -> None:
    """Close all bots; raises BotFaultError for the last that failed."""
    with ExitStack() as stack:  # closes the others even if one fails
        for bot in reversed(list(bots)):
            stack.callback(close, bot)


def close(bot: Bot) -> None:
    """Call a bot's `close()`, if it has one; raises BotFaultError."""
    method = getattr(bot, "close", None)
    if method is None:
        return
    try:
        call_bot(method)
    except BotFaultError as fault:
        # Shown to the players, so it must not quote the bot, which may name cards.
        message = f"the bot {type(bot).__name__} cannot be closed: it {fault.public}"
        raise fault.with_message(message) from fault


def ask_to_act(referee: Referee[S], bot: Bot, seat: int | None = None) -> int:
    """Return the legal action that a bot chooses for a seat to act; raises BotFaultError.

    `seat`: by default the referee's; another one only if they choose at the same time.

    Its message is for the bot's author; `public_fault` is the text for other players. Raises
    IllegalActionError if no seat is to act.
    """
    if referee.seat < 0:
        # Before the bot is asked: as viewers, negative numbers are not seats.
        why = "the game is over" if referee.is_over else "chance is to act. fix: call `proceed`"
        raise IllegalActionError(f"no bot can act: {why}")
    asked = referee.seat if seat is None else seat
    return legal_action(referee, ask(bot, referee.observe(asked)), asked)


def legal_action(referee: Referee[S], answer: Answer, seat: int | None = None) -> int:
    """Return the action of the bot of a seat to act; raises BotFaultError."""
    action, asked = answer.chosen(), referee.seat if seat is None else seat
    try:
        return check_action(referee, asked, action)
    except IllegalActionError:
        # A new observation, because the bot may have changed the one that it got.
        raise BotIllegalError(referee.observe(asked).refusal(action), action) from None


def let_bot_act(referee: Referee[S], bot: Bot) -> None:
    """Ask a bot for the seat to act and apply its action; raises as `ask_to_act`."""
    referee.apply(ask_to_act(referee, bot))


def play_out(referee: Referee[S], bots: Mapping[int, Bot]) -> None:
    """Play the bots' turns until a seat without a bot is to act or the game is over."""
    while referee.seat in bots:
        let_bot_act(referee, bots[referee.seat])
