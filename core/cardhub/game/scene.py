"""A scene: the table as data, the same for every front end."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Look = Literal["hand", "row", "pile", "count"]
"""How an area shows its cards.

`hand`: large, one by one, with their details; `row`: small, all in order; `pile`: how many there
are and the last few; `count`: only how many.
"""


class Target(NamedTuple):
    """Something on the table an action can point at.

    `kind` is card (key: token), site (key: number of the site, row by row), area (key: caption) or
    button (key: action).
    """

    kind: Literal["card", "site", "area", "button"]
    key: int | str


@dataclass(slots=True)
class Area:
    """Some cards under one caption, or a line of text about a seat or the table.

    `tokens` run from left to right; the front end shows a face where the viewer has seen it and a
    back elsewhere. With `closed` it shows no face even so. `seat` says whose area it is; the areas
    of one seat are drawn together beside its player's name. `note` is text after the caption.
    """

    caption: str
    tokens: Sequence[int] = ()
    seat: int | None = None
    look: Look = "row"
    note: str = ""
    closed: bool = False


@dataclass(slots=True)
class Grid:
    """A board of `rows` × `columns` sites, each with a stack of tokens, the top one last."""

    caption: str
    rows: int
    columns: int
    stacks: Sequence[Sequence[int]]


@dataclass(slots=True)
class Scene:
    """The table as one seat sees it.

    `prompt` says what the seat to act should do, as an instruction ("lay a card or pass"). `points`
    says what on the table an action points at: any of several targets for an action on a group.
    Actions on tokens and sites need no entry, and any other action becomes a button.
    """

    prompt: str
    areas: Sequence[Area | Grid]
    points: Mapping[int, Target | Sequence[Target]] = field(default_factory=dict)

    def targets(self, action: int) -> Sequence[Target]:
        """Return what the scene says an action points at."""
        targets = self.points.get(action, ())
        return (targets,) if isinstance(targets, Target) else targets
