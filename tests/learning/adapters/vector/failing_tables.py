"""Tables whose rules raise an exception in the middle of a game."""

from tests.games.magpie import LAYING, Magpie, Table
from typing_extensions import override

from cardhub.learning.adapters.vector.table_spec import TableSpec
from cardhub.learning.arrays import Layout


class FailingMagpie(Magpie):
    """Magpie, but laying away a card fails."""

    @override
    def apply(self, state: Table, action: int) -> None:
        if state.phase == LAYING:
            raise ZeroDivisionError("no cards left to share")
        super().apply(state, action)


def failing_tables() -> TableSpec:
    """Return tables of this game."""
    # The layout comes from the game without the fault, because a layout's probe games would fail.
    layout = Layout(Magpie(), 2)
    layout.game = FailingMagpie()
    return TableSpec(layout)
