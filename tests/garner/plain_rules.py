"""A plain reference implementation of Garner's rules."""

from collections.abc import Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

Site = tuple[int, int]


@dataclass
class PlainTextTable:
    """A position: stacks of card names by site, and the lifted cards."""

    stacks: dict[Site, list[str]]
    options: Mapping[str, Any]
    won: list[list[str]]
    seat: int = 0
    phase: str = "lift"
    lifted: list[tuple[str, Site]] = field(default_factory=list)
    placed: list[tuple[Site, Site]] = field(default_factory=list)
    group: list[str] = field(default_factory=list)

    def top(self) -> dict[Site, str]:
        """Return the top layer (garner R2)."""
        shown = {site: stack for site, stack in self.stacks.items() if stack}
        if self.options.get("top_layer") == "level":
            height = max(map(len, shown.values()), default=0)
            shown = {site: stack for site, stack in shown.items() if len(stack) == height}
        return {site: stack[-1] for site, stack in shown.items()}

    def groups(self, part: slice) -> list[list[str]]:
        """Return the groups of cards whose names share a part, each in suit order."""
        collected, left = [], self.top()
        while left:
            group = [next(iter(left))]
            for row, column in group:
                steps = ((row + 1, column), (row - 1, column), (row, column + 1), (row, column - 1))
                same = self.top()[row, column][part]
                group += [
                    s for s in steps if s in left and left[s][part] == same and s not in group
                ]
            collected.append(sorted((left.pop(site) for site in group), key=in_order))
        return collected

    def actions(self) -> list[str]:
        """Return the legal actions, written as in records."""
        if self.phase == "lift":
            return [f"lift {group[0]}" for group in self.groups(slice(1, None))]
        if self.phase == "place":
            return [f"place r{r}c{c}" for r, c in self.stacks if self.can_finish((r, c))]
        if self.phase == "collect":
            return [f"collect {group[0]}" for group in self.groups(slice(0, 1))]
        return [f"leave {card}" for card in self.group]

    def can_finish(self, site: Site) -> bool:
        """Return whether the group can be placed legally if the next card goes to a site."""
        (_, origin), *rest = self.lifted
        placed = [*self.placed, (origin, site)]
        return any(self.is_fine([*placed, *more]) for more in self.continued(placed, rest))

    def continued(
        self, placed: list[tuple[Site, Site]], rest: list[tuple[str, Site]]
    ) -> Iterator[list[tuple[Site, Site]]]:
        """Yield all ways of placing the rest, including ones against the rules."""
        if not rest:
            yield []
            return
        for site in self.stacks:
            step = (rest[0][1], site)
            for more in self.continued([*placed, step], rest[1:]):
                yield [step, *more]

    def is_fine(self, placed: list[tuple[Site, Site]]) -> bool:
        """Return whether a whole distribution is as the variations want it."""
        moved = [origin != site for origin, site in placed]
        rule = self.options.get("new_position", "none")
        fits = {"none": True, "any": any(moved), "all": all(moved)}[rule]
        if self.options.get("straight_line"):
            fits = fits and all(is_straight(*step) for step in placed)
        return fits and len({site for _, site in placed}) == len(placed)

    def after(self, action: str) -> "PlainTextTable":
        """Return the position after an action."""
        table = deepcopy(self)
        verb, name = action.split()
        getattr(table, f"do_{verb}")(name)
        return table

    def do_lift(self, name: str) -> None:
        """Lift the group named."""
        group = next(g for g in self.groups(slice(1, None)) if g[0] == name)
        self.lifted = [(card, self.take(card)) for card in group]
        self.phase, self.placed = "place", []

    def do_place(self, name: str) -> None:
        """Place the next card."""
        site = (int(name[1]), int(name[3]))
        card, origin = self.lifted.pop(0)
        self.stacks[site].append(card)
        self.placed.append((origin, site))
        self.phase = "place" if self.lifted else "collect"

    def do_collect(self, name: str) -> None:
        """Collect the named group, or ask which of its cards stays (garner R6)."""
        group = next(g for g in self.groups(slice(0, 1)) if g[0] == name)
        held = sum(card[0] == name[0] for card in self.won[self.seat])
        if self.options.get("layout") not in ("b", "e") or held + len(group) != 6:
            self.end_turn(group)
        elif len(group) == 1:
            self.end_turn([])
        else:
            self.group, self.phase = group, "leave"

    def do_leave(self, name: str) -> None:
        """Collect all of the group but one card."""
        self.end_turn([card for card in self.group if card != name])

    def end_turn(self, collected: list[str]) -> None:
        """Put cards on the scoring pile and pass the turn."""
        for card in collected:
            self.take(card)
        self.won[self.seat] += collected
        self.seat, self.phase, self.group = 1 - self.seat, "lift", []

    def take(self, card: str) -> Site:
        """Take the top card of this name off its stack."""
        site = next(site for site, stack in self.stacks.items() if stack and stack[-1] == card)
        self.stacks[site].pop()
        return site

    def count(self, depth: int) -> int:
        """Return the number of action sequences of this length."""
        if depth == 0:
            return 1
        return sum(self.after(action).count(depth - 1) for action in self.actions())


def in_order(card: str) -> tuple[str, int]:
    """Order cards by suit, then by number."""
    return card[0], int(card[1:])


def is_straight(origin: Site, site: Site) -> bool:
    """Return whether two sites are on a row, a column or a diagonal."""
    rows, columns = abs(origin[0] - site[0]), abs(origin[1] - site[1])
    return 0 in (rows, columns) or rows == columns
