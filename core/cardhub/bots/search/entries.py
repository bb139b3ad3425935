"""The search bots as they are offered to players."""

from collections.abc import Callable
from functools import partial
from random import Random

from cardhub.bots.bot import Bot, BotEntry
from cardhub.bots.option import AnyBot
from cardhub.bots.random_bot import RandomBot
from cardhub.bots.search.bot import SearchBot
from cardhub.bots.search.budget import SearchBudget
from cardhub.bots.search.playouts import bot_playout, quick_playout
from cardhub.table.settings import Flag, Number, Option, Settings


def _search(
    rng: Random,
    *,
    iterations: int,
    milliseconds: int,
    rollout: Callable[[Random], Bot],
    keep: bool = False,
    mix: bool = False,
    is_flat: bool = False,
) -> SearchBot:
    # Seating `random` in playouts would be slow; it stands for the game's own quick playout.
    is_quick = isinstance(rollout(rng), RandomBot)
    return SearchBot(
        rng,
        budget=SearchBudget(iterations, milliseconds),
        make_playout=quick_playout if is_quick else partial(bot_playout, make=rollout),
        keeps=keep,
        mixes=mix,
        is_flat=is_flat,
    )


def _uses_clock(settings: Settings) -> bool:
    return settings.number("milliseconds") > 0


BUDGET: dict[str, Option] = {
    "iterations": Number(1000, "Determinizations to search for one decision.", 1, 10_000_000),
    "milliseconds": Number(0, "Time for one decision instead, if not 0.", 0, 3_600_000),
    "rollout": AnyBot("random", "The bot for playouts; random: the game's own fast playout."),
}

ISMCTS = BotEntry(
    "ismcts",
    "information-set Monte-Carlo tree search over many determinizations",
    _search,
    options={
        **BUDGET,
        "keep": Flag(True, "Reuse the search tree of the previous decision."),
        "mix": Flag(True, "Sample among near-best actions where rivals could infer cards."),
    },
    uses_clock=_uses_clock,
)

PIMC = BotEntry(
    "pimc",
    "flat Monte-Carlo search over many determinizations: a baseline",
    partial(_search, is_flat=True),
    options=BUDGET,
    uses_clock=_uses_clock,
)
