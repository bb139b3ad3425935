"""Positions of Garner set up by hand."""

from collections.abc import Iterable, Mapping

from cardhub.model.table.settings import Value
from cardhub.testing import ByHand
from cardhub_garner import Garner
from cardhub_garner.layouts import LAYOUTS
from cardhub_garner.table import ACTIONS, PLACE, Table


class Position(ByHand[Table]):
    """A position of Garner."""

    def sites(self) -> set[str]:
        """Return where the next lifted card may go."""
        return {text.removeprefix("place ") for text in self.legal()}

    def stacks(self) -> dict[str, str]:
        """Return the cards of each stack by the notation of its site, the top one last."""
        stacks = enumerate(self.state.board)
        placed = ((ACTIONS.text(PLACE + site, str), stack) for site, stack in stacks if stack)
        return {text.removeprefix("place "): self.cards(stack) for text, stack in placed}


def set_up(rows: str, won: Mapping[int, str] | None = None, /, **options: Value) -> Position:
    """Set up a position: rows of stacks, `D4/A1` with the top card last, `.` for an empty site.

    `won` are the cards a seat has collected. Cards that are not named are nowhere.
    """
    at = Position(Garner(), 2, options)
    state = at.state
    cells = [row.split() for row in rows.strip().splitlines()]
    layout = LAYOUTS[state.settings.word("layout")]
    assert [len(row) for row in cells] == [layout.columns] * layout.rows
    stacks = [cell for row in cells for cell in row]
    for site, cell in zip(layout.sites, stacks, strict=True):
        if cell != ".":
            state.put_all(at.take(cell.split("/")), state.board, site)
    for seat, names in (won or {}).items():
        state.put_all(at.take(spelled_out(names)), state.won, seat)
    state.reveal(at.left)  # nothing is ever hidden, not even what a test leaves out
    return at


def spelled_out(names: str) -> Iterable[str]:
    """Yield the names of cards; `A1-5` stands for five cards."""
    for name in names.split():
        first, _, last = name.partition("-")
        suit, number = first[0], int(first[1:])
        yield from (f"{suit}{n}" for n in range(number, int(last or number) + 1))
