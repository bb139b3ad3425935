"""Random commands, absences, full disks, broken bots and restarts: no table sticks."""

from hypothesis import Phase, settings
from tests.kit.soaking import count_examples
from tests.online.server.tables.any_order import AnyOrder

TestTablesInAnyOrder = AnyOrder.TestCase
TestTablesInAnyOrder.settings = settings(
    max_examples=count_examples(6),
    stateful_step_count=40,
    deadline=None,
    derandomize=True,
    database=None,
    # A failure is reported with all its commands: to find fewer ones takes minutes.
    phases=(Phase.generate,),
)
