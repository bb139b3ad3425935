"""Actions: ints in a fixed range, declared as named groups."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property

from cardhub.cards import Cards

CardName = Callable[[int], str]
"""Names a token's card as far as whoever reads the name may know it."""


@dataclass(frozen=True, slots=True)
class Single:
    """One action without an object: `done`."""

    verb: str
    size: int = 1

    def text(self, index: int, name: CardName) -> str:
        """Return the label of the action."""
        return self.verb


@dataclass(frozen=True, slots=True)
class Tokens:
    """One action per token; points at that card: `lay R14`."""

    verb: str
    size: int

    def text(self, index: int, name: CardName) -> str:
        """Return the label of the action on token `index`."""
        return f"{self.verb} {name(index)}"


class Choice:
    """One action per word, number or face name: `fight red`, `call 4`, `collect C11`."""

    def __init__(self, verb: str, words: Iterable[str | int] | Cards) -> None:
        self.verb = verb
        names = (c.name for c in words.faces) if isinstance(words, Cards) else map(str, words)
        self.words = tuple(names)
        self.size = len(self.words)

    def text(self, index: int, name: CardName) -> str:
        """Return the label of the action on word `index`."""
        return f"{self.verb} {self.words[index]}"


class Sites(Choice):
    """One action per site of a grid, row by row; points at that site: `place r0c4`."""

    def __init__(self, verb: str, rows: int, columns: int) -> None:
        super().__init__(verb, (f"r{r}c{c}" for r in range(rows) for c in range(columns)))


Group = Single | Tokens | Choice


class Actions:
    """All actions of a game, numbered from 0 in the order of their groups."""

    def __init__(self, *groups: str | Group) -> None:
        self.groups = tuple(Single(g) if isinstance(g, str) else g for g in groups)
        starts = [0]
        for group in self.groups:
            starts.append(starts[-1] + group.size)
        self.starts = tuple(starts[:-1])
        self.size = starts[-1]
        self.places = [(group, index) for group in self.groups for index in range(group.size)]
        """For every action its group, and its number within that."""
        self.lone = [self._is_lone(group) for group, _ in self.places]
        """For every action whether no label of another group could be its own."""

    @cached_property
    def fixed(self) -> list[str | None]:
        """For every action its label, None where that depends on a card."""
        return [
            None if isinstance(group, Tokens) else group.text(index, str)
            for group, index in self.places
        ]

    def group(self, action: int) -> tuple[Group, int]:
        """Return the group of an action and its number within it; IndexError if out of range."""
        if action < 0:  # which a list would count from its end
            raise IndexError(f"action {action} is below 0")
        return self.places[action]

    def text(self, action: int, name: CardName) -> str:
        """Return the label of an action, with cards called what `name` calls their tokens."""
        group, index = self.group(action)
        return group.text(index, name)

    def mask(self, legal: Iterable[int]) -> list[bool]:
        """Return for every action of the range whether it is among the legal ones."""
        mask = [False] * self.size
        for action in legal:
            mask[action] = True
        return mask

    def token(self, action: int) -> int | None:
        """Return the token an action is about, None if it is about none or out of range."""
        if not 0 <= action < self.size:
            return None
        group, index = self.places[action]
        return index if isinstance(group, Tokens) else None

    def _is_lone(self, group: Group) -> bool:
        others = (other.verb for other in self.groups if other is not group)
        return not any(verb.startswith(group.verb) for verb in others)
