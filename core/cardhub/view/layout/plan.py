"""The plan of a table: the box of every region and the sizes of its cards.

A plan depends on the terminal and the shape of the game's table only, so that no region moves and
no card changes its size while a game goes on.
"""

from collections.abc import Mapping
from typing import Literal, NamedTuple

from cardhub.view.layout.card_sizes import CardSize
from cardhub.view.layout.frame import Box
from cardhub.view.layout.regions.board_plan import board_regions
from cardhub.view.layout.regions.ladder import HandSizes, hand_sizes
from cardhub.view.layout.regions.panes import PanePlan, panes_of
from cardhub.view.layout.regions.table_rows import table_regions
from cardhub.view.layout.shape import Shape

# The smallest terminal that has room for a table.
LEAST_WIDTH, LEAST_HEIGHT = 60, 20


class TerminalSize(NamedTuple):
    """Columns and rows of a terminal."""

    width: int
    height: int


class PlanOptions(NamedTuple):
    """The wishes of a person or a screen for a plan.

    `small` cards are at most M, `large` ones take the width of the panes. `has_log`: panes beside
    the table where the terminal is wide enough. `controls` is a number of rows which the screen
    draws in the region `actions` instead of buttons, such as the timeline of a replay.
    """

    cards: Literal["auto", "small", "large"] = "auto"
    has_log: bool = True
    controls: int = 0


AUTO = PlanOptions()


class Plan(NamedTuple):
    """Boxes by region, and sizes of cards.

    Regions are prompt, news, others, fronts, centre, own_front, own_line, own_row, hand, actions,
    detail, footer, and beside the table log, here, standing and unseen; those of a board are board
    and side too. A region that a table has not is missing. Without `fits` there are none: the
    terminal is too small. Cards of `hand`, fronts, sites and `backs` of a lone opponent have one
    size each.
    """

    width: int
    height: int
    fits: bool
    shape: Shape
    sizes: HandSizes
    regions: Mapping[str, Box]

    def box(self, region: str) -> Box:
        """Return the box of a region, empty for one that the table has not."""
        return self.regions.get(region, EMPTY)


EMPTY = Box(0, 0, 0, 0)


def plan_of(shape: Shape, size: TerminalSize, options: PlanOptions = AUTO) -> Plan:
    """Return the plan of a table on a terminal."""
    width, height = size
    if width < LEAST_WIDTH or height < LEAST_HEIGHT:
        return Plan(width, height, False, shape, HandSizes(), {})
    if shape.board:
        sizes, regions = board_regions(shape, shape.board, width, height, options.controls)
    else:
        has_log = options.has_log and options.cards != "large"
        sizes, regions = _hand_game(shape, panes_of(width, height, has_log), options)
        if has_log and sizes.hand is CardSize.S:
            # A pane is worth less than cards that can be read: named ones in a row are cut first.
            alone = _hand_game(shape, panes_of(width, height, False), options)
            sizes, regions = max((sizes, regions), alone, key=_hand_size)
    return Plan(width, height, True, shape, sizes, regions)


def _hand_size(plan: tuple[HandSizes, Mapping[str, Box]]) -> CardSize:
    return plan[0].hand


def _hand_game(
    shape: Shape, panes: PanePlan, options: PlanOptions
) -> tuple[HandSizes, Mapping[str, Box]]:
    largest = CardSize.M if options.cards == "small" else CardSize.XL
    sizes = hand_sizes(shape, panes, largest, options.controls)
    return sizes, {**panes.regions, **table_regions(shape, panes, sizes)}
