"""The layouts: sites, cards, weights of suits and special rules."""

from dataclasses import dataclass, field

from cardhub import site_label

# The board of the largest layout. Each layout is in its upper left corner, so a site has the
# same number in all layouts.
COLUMNS = 5
ROWS = 5


@dataclass(frozen=True, slots=True)
class Layout:
    """A layout, with `cards` and `weights` by suit; a suit of n cards has the numbers 1 to n.

    Weights are integers; where one suit counts half, the others weigh 2. With `never_six` no seat
    may hold exactly six cards of a suit. `sites` are indexes on the largest board, `board` is their
    mask. `majorities` are the cards needed to win each suit, `enough` the suit weight needed to win
    the game: more than half of the total (garner R8). After `idle_turns` successive turns without a
    collected card the game ends (garner R7).
    """

    rows: int
    columns: int
    height: int
    cards: tuple[int, ...]
    weights: tuple[int, ...]
    never_six: bool = False
    sites: tuple[int, ...] = field(init=False)
    board: int = field(init=False)
    majorities: tuple[int, ...] = field(init=False)
    enough: int = field(init=False)
    idle_turns: int = field(init=False)

    def __post_init__(self) -> None:
        rows, columns = range(self.rows), range(self.columns)
        sites = tuple(row * COLUMNS + column for row in rows for column in columns)
        derived = {
            "sites": sites,
            "board": sum(1 << site for site in sites),
            "majorities": tuple(count // 2 + 1 for count in self.cards),
            "enough": sum(self.weights) // 2 + 1,
            "idle_turns": 2 * len(sites),
        }
        for name, value in derived.items():
            object.__setattr__(self, name, value)
        if len(sites) * self.height != sum(self.cards) or len(self.cards) != len(self.weights):
            raise ValueError(
                f"a layout of {len(sites)} stacks of {self.height} takes {len(sites) * self.height}"
                f" cards, not {sum(self.cards)}, and each suit needs a weight"
            )


LAYOUTS = {
    "base": Layout(5, 5, 3, (15,) * 5, (1,) * 5),
    "a": Layout(3, 3, 3, (9,) * 3, (1,) * 3),
    "b": Layout(3, 3, 4, (12,) * 3, (1,) * 3, never_six=True),
    "c": Layout(4, 4, 3, (13, 13, 13, 9), (2, 2, 2, 1)),
    "d": Layout(3, 5, 3, (9,) * 5, (1,) * 5),
    "e": Layout(4, 5, 3, (12,) * 5, (1,) * 5, never_six=True),
}


def site_name(site: int) -> str:
    """Return the label of a site: `a1` is at the top left."""
    return site_label(*divmod(site, COLUMNS))
