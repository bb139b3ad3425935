"""The search bots as they are offered to players."""

from collections.abc import Callable
from functools import partial
from random import Random

from cardhub.bots.bot import Bot, BotEntry
from cardhub.bots.option import AnyBot
from cardhub.bots.random_bot import RandomBot
from cardhub.bots.search.bot import SearchBot
from cardhub.bots.search.budget import Budget
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
        budget=Budget(iterations, milliseconds),
        make_playout=quick_playout if is_quick else partial(bot_playout, make=rollout),
        keeps=keep,
        mixes=mix,
        is_flat=is_flat,
    )


def _uses_clock(settings: Settings) -> bool:
    return settings.number("milliseconds") > 0


BUDGET: dict[str, Option] = {
    "iterations": Number(1000, "Worlds to play in for one choice.", 1, 10_000_000),
    "milliseconds": Number(0, "Time for one choice instead, if not 0.", 0, 3_600_000),
    "rollout": AnyBot("random", "Who plays worlds out; random: the game's own quick way."),
}

ISMCTS = BotEntry(
    "ismcts",
    "searches a tree of what could happen, in many worlds that fit what it knows",
    _search,
    options={
        **BUDGET,
        "keep": Flag(True, "Go on with what was learned for the choice before."),
        "mix": Flag(True, "Draw by lot among good choices where rivals could read its mind."),
    },
    uses_clock=_uses_clock,
)

PIMC = BotEntry(
    "pimc",
    "tries every action equally often in many worlds, looking no further: a yardstick",
    partial(_search, is_flat=True),
    options=BUDGET,
    uses_clock=_uses_clock,
)
