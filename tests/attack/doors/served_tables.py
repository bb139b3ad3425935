"""Tables of a server: visitors who act at random, full disks and restarts, and a killed server."""

import traceback
from collections.abc import Iterator
from itertools import islice
from random import Random

from hypothesis import HealthCheck, Phase, seed, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.attack.cases import Finding, Share
from tests.online.server.killing import play_through_kills
from tests.online.server.tables.any_order import AnyOrder
from tests.online.server.tables.conftest import REGISTRY, FakeServer
from tests.online.server.tables.test_random_tables import RandomTable

VISITS, ANY_ORDER, KILLED = "visited tables", "tables in any order", "server killed"
STEPS, STEPS_IN_ANY_ORDER = 100, 60
# The first table of a case has the simplest commands, so one would not do.
TABLES = 3
SEVERAL_TABLES = settings(
    max_examples=TABLES,
    stateful_step_count=STEPS_IN_ANY_ORDER,
    deadline=None,
    database=None,
    phases=(Phase.generate,),
    suppress_health_check=list(HealthCheck),
)
# Kills that share one table.
TOGETHER = 5


def attack_visits(share: Share) -> Iterator[list[Finding]]:
    """Act at random as the visitors of a table, once for each case."""
    for number in share.numbers:
        rng = Random(f"{share.seed} {VISITS} {number}")
        games = [name for name in REGISTRY.game_names() if REGISTRY.game(name).seats.low > 1]
        try:
            server = FakeServer(share.scratch / str(number))
            table = RandomTable(server, rng.choice(games), rng)
            for _ in range(STEPS):
                table.step()
        except Exception as error:  # noqa: BLE001  # which one is the finding
            how = "".join(traceback.format_exception(error)[-3:])
            yield [Finding(VISITS, number, f"{type(error).__name__}: {error}", how)]
        else:
            yield []


def attack_any_order(share: Share) -> Iterator[list[Finding]]:
    """Run random commands, full disks and restarts at a few tables, once for each case."""
    for number in share.numbers:

        @seed(Random(f"{share.seed} {ANY_ORDER} {number}").randrange(2**32))
        class Table(AnyOrder):
            """A table of this case only, because a seed belongs to a class."""

        try:
            run_state_machine_as_test(Table, settings=SEVERAL_TABLES)
        except Exception as error:  # noqa: BLE001  # which one is the finding
            how = "".join(traceback.format_exception(error)[-3:])
            yield [Finding(ANY_ORDER, number, f"{type(error).__name__}: {error}", how)]
        else:
            yield []


def attack_killed(share: Share) -> Iterator[list[Finding]]:
    """Kill a server at which four people play, once for each case."""
    numbers = iter(share.numbers)
    while together := list(islice(numbers, TOGETHER)):
        first = together[0]
        seed = Random(f"{share.seed} {KILLED} {first}").randrange(2**32)
        try:
            players = play_through_kills(share.scratch / str(first), len(together), seed)
            wrong = [error for player in players for error in player.errors]
        except AssertionError as error:
            wrong = [str(error)]
        how = "see tests/online/server/killing.py"
        yield [Finding(KILLED, first, problem, how, len(together)) for problem in wrong]
        yield from ([] for _ in together[1:])
