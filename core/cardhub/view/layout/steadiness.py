"""Whether a game's table keeps its plan: no region moves and no card changes its size."""

from collections.abc import Iterable
from typing import NamedTuple

from cardhub.view.layout.plan import Plan, TerminalSize, plan_of
from cardhub.view.layout.shape import Shape, shape_of
from cardhub.view.view import CardCatalogue, View

# Terminals with which every threshold of a plan is met.
CHECKED_SIZES = tuple(
    TerminalSize(*size) for size in ((60, 20), (80, 24), (100, 30), (120, 40), (200, 50))
)


class PlanChange(NamedTuple):
    """A view whose plan differs from that of earlier views: in these regions, at this size."""

    size: TerminalSize
    view: View
    regions: tuple[str, ...]


def plan_changes(
    views: Iterable[View],
    catalogue: CardCatalogue,
    sizes: Iterable[TerminalSize] = CHECKED_SIZES,
) -> list[PlanChange]:
    """Return the changes of plan in the views of one viewer, in their order in one game.

    The cause is an area without `room`, or one that is missing in some positions.
    """
    shape: Shape | None = None
    plans: dict[TerminalSize, Plan] = {}
    changes = []
    for view in views:
        shape, before = shape_of(view, catalogue, shape), shape
        if shape == before:
            continue
        for size in sizes:
            plan = plan_of(shape, size)
            regions = _differing(plans.setdefault(size, plan), plan)
            plans[size] = plan
            if regions:
                changes.append(PlanChange(size, view, regions))
    return changes


def _differing(before: Plan, after: Plan) -> tuple[str, ...]:
    names = sorted({*before.regions, *after.regions})
    moved = [name for name in names if before.box(name) != after.box(name)]
    sizes = zip(before.sizes._fields, before.sizes, after.sizes, strict=True)
    resized = [f"size of {field}" for field, old, new in sizes if old != new]
    return (*moved, *resized)
