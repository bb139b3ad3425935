"""Messages between processes: damaged observations, orders and replies are rejected as such."""

import traceback
from collections.abc import Callable, Iterator
from io import BytesIO
from random import Random
from typing import Any

from tests.attack.cases import Finding, Share
from tests.attack.mutations import mutate_bytes

from cardhub import Observation
from cardhub.bots.processes.child_process import FrameError
from cardhub.bots.processes.python_process import Failed, Ready, frame, read_frame
from cardhub.model.game.initial_state import Seed
from cardhub.model.hidden.serialization import deserialize, serialize
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.play.workers.bot_messages import (
    ORDER_DECODER,
    REPLY_CODEC,
    Advised,
    Chosen,
    Lineup,
    Question,
    TableQuestion,
)
from cardhub.plugins.registry import find_plugins

DOOR = "messages"
GAMES = ("kuhn", "gargon", "garner", "gamon")
SEED: Seed = 5


def attack(share: Share) -> Iterator[list[Finding]]:
    """Damage a message and read it, once for each case."""
    registry = find_plugins()
    seen = [_observed(registry.game(name)) for name in GAMES]
    for number in share.numbers:
        rng = Random(f"{share.seed} {DOOR} {number}")
        read, data = _message(rng.choice(seen), rng)
        try:
            read(mutate_bytes(data, rng))
        except (FrameError, ValueError):
            yield []
        except Exception as error:  # noqa: BLE001  # which one is the finding
            how = "".join(traceback.format_exception(error)[-2:])
            yield [Finding(DOOR, number, f"{type(error).__name__} is raised", how)]
        else:
            yield []


def _observed(game: Any) -> Observation[Any]:
    """Return the first seat's observation after a few random actions."""
    rng = Random(SEED)
    players = [Player(name, "random") for name in NAMES[: game.seats.default]]
    referee = set_up(game, players, {}, SEED)
    referee.proceed()
    for _ in range(20):
        if not referee.is_over:
            referee.apply(rng.choice(referee.observe(referee.seat).legal()))
    return referee.observe(0)


def _message(seen: Observation[Any], rng: Random) -> tuple[Callable[[bytes], object], bytes]:
    """Return a valid message and its parser."""
    lineup = Lineup(seen.game.name, {0: "random"}, {0: "seed"})
    orders = lineup, Question(3, serialize(seen)), TableQuestion(3, serialize(seen), 1, lineup)
    replies = (
        Ready(3),
        Chosen(3, 17),
        Advised(3, [(1, 20, 0.5, [(0, 2)]), (2, 0, -1.0, [])]),
        Failed(3, "exception", "no", "none"),
    )
    how = rng.randrange(4)
    if how == 0:
        order = frame(rng.choice(orders))
        return (lambda data: read_frame(BytesIO(data).read, ORDER_DECODER, None)), order
    if how == 1:
        return (lambda data: list(REPLY_CODEC.decode(BytesIO(data).read))), frame(
            rng.choice(replies)
        )
    return (lambda data: deserialize(seen.game, data)), serialize(seen)
