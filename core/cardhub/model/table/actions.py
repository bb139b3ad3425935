"""Actions: ints in a fixed range, declared as named groups."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from string import ascii_lowercase
from typing import NoReturn

from cardhub.model.cards import Cards

# A function from a token to the name of its card for one viewer.
CardName = Callable[[int], str]


@dataclass(frozen=True, slots=True)
class Single:
    """One action without a card or value: `done`."""

    verb: str
    size: int = 1

    def text(self, index: int, name: CardName) -> str:
        """Return the notation of the action."""
        return self.verb

    def label(self, index: int, name: CardName) -> str:
        """Return the label of the action."""
        return self.verb

    def value(self, index: int) -> int:
        """Return 0: the action has no value."""
        return 0


@dataclass(frozen=True, slots=True)
class Tokens:
    """One action per token; it refers to that card: `lay R14`.

    Learners name its card by the look. If cards that look alike mean different steps, as unseen
    cards do, `place` is the zone in whose piles learners count them from the top, up to `depth`.
    """

    verb: str
    size: int
    place: str = ""
    depth: int = 1

    def text(self, index: int, name: CardName) -> str:
        """Return the notation of the action on token `index`."""
        return f"{self.verb} {name(index)}"

    def label(self, index: int, name: CardName) -> str:
        """Return the label of the action on token `index`."""
        return f"{self.verb} {name(index)}"

    def value(self, index: int) -> int:
        """Return the token."""
        return index


class Players:
    """One action per seat; it refers to that player: `ask Anna`.

    `seats` is the greatest number of players. Records have `ask seat2`, without the name.
    """

    def __init__(self, verb: str, seats: int) -> None:
        self.verb = verb
        self.size = seats

    def text(self, index: int, name: CardName) -> str:
        """Return the notation of the action on a seat."""
        return f"{self.verb} seat{index}"

    def label(self, index: int, name: CardName) -> str:
        """Return the label of the action on a seat without the player's name."""
        return self.text(index, name)

    def value(self, index: int) -> int:
        """Return the seat."""
        return index


class Choice:
    """One action per word, number or face: `fight red`, `call 4`, `collect C11`.

    `is_of_cards`: the words are the names of all faces, in their order. `labels` are the words that
    people read and type, by default the `words`, which records have. Raises ValueError if their
    numbers differ.
    """

    is_of_cards: bool
    words: tuple[str, ...]
    labels: tuple[str, ...]

    def __init__(
        self, verb: str, words: Iterable[str | int] | Cards, labels: Iterable[str] = ()
    ) -> None:
        self.verb = verb
        self.is_of_cards = isinstance(words, Cards)
        listed = [c.name for c in words.faces] if isinstance(words, Cards) else list(words)
        self.words = tuple(map(str, listed))
        self._numbers = [word for word in listed if isinstance(word, int)]
        titles = (c.label for c in words.faces) if isinstance(words, Cards) else self.words
        self.labels = tuple(labels) or tuple(titles)
        self.size = len(self.words)
        if len(self.labels) != self.size:
            count = f"{len(self.labels)} labels for {self.size} words"
            raise ValueError(f"the actions {verb!r} have {count}. fix: one label for every word")

    def text(self, index: int, name: CardName) -> str:
        """Return the notation of the action on word `index`."""
        return f"{self.verb} {self.words[index]}"

    def label(self, index: int, name: CardName) -> str:
        """Return the label of the action on word `index`."""
        return f"{self.verb} {self.labels[index]}"

    def value(self, index: int) -> int:
        """Return the number at `index`; if not all words are numbers, the index."""
        return self._numbers[index] if len(self._numbers) == self.size else index


class Sites(Choice):
    """One action per site of a grid, row by row; it refers to that site: `place e1`.

    Records contain the indexes of row and column: `place r0c4`.
    """

    def __init__(self, verb: str, rows: int, columns: int) -> None:
        sites = [(row, column) for row in range(rows) for column in range(columns)]
        super().__init__(
            verb, (f"r{r}c{c}" for r, c in sites), (site_label(r, c) for r, c in sites)
        )
        self.rows = rows
        self.columns = columns


# Instead of a secret action of another seat: no action, and no index of any list.
UNSEEN_ACTION = -(1 << 30)
# The part of an amount's text that the amount replaces.
BLANK_AMOUNT = "{amount}"


class Amount:
    """One action per amount from `low` to `high`, in steps of `step`: `raise 37`.

    The bounds are those of the largest table; the rules return the amounts that are legal now by
    `between`. `text` is what people read, with the amount in it: `raise to {amount}`. People
    choose an amount in a number field instead of a list. Raises ValueError without any amount, or
    if the text has no amount in it.
    """

    def __init__(self, verb: str, low: int, high: int, step: int = 1, text: str = "") -> None:
        self.verb = verb
        self.text_of = text or f"{verb} {BLANK_AMOUNT}"
        if step < 1 or high < low:
            problem = f"the amount {verb!r} goes from {low} to {high} in steps of {step}"
            raise ValueError(f"{problem}. fix: a step of at least 1, and low <= high")
        if self.text_of.count(BLANK_AMOUNT) != 1:
            problem = f"the text of the amount {verb!r} is {text!r}"
            raise ValueError(f"{problem}. fix: name the amount once: '{verb} to {BLANK_AMOUNT}'")
        self.amounts = range(low, high + 1, step)
        self.size = len(self.amounts)
        self._start: int | None = None

    @property
    def start(self) -> int:
        """The action of the least amount; ValueError if no `Actions` has this group."""
        if self._start is None:
            problem = f"the amount {self.verb!r} is not part of any actions"
            raise ValueError(f"{problem}. fix: Actions(..., amount)")
        return self._start

    def place(self, start: int) -> None:
        """Set the action of the least amount; ValueError if other actions have this group."""
        if self._start not in (None, start):
            problem = f"the amount {self.verb!r} is part of two Actions"
            raise ValueError(f"{problem}. fix: create an Amount for each of them")
        self._start = start

    def between(self, low: int, high: int, step: int = 0) -> range:
        """Return the actions with these amounts; none if `low` is greater than `high`.

        `step` is by default the declared one. Raises ValueError for amounts that are not declared.
        """
        if low > high:
            return range(0)
        stride = self._stride(step)
        first = self.action(low)
        if high > self.amounts[-1]:
            self._refuse(high)
        return range(first, first + (high - low) // self.amounts.step + 1, stride)

    def action(self, amount: int) -> int:
        """Return the action with an amount; ValueError if it is not declared."""
        if amount not in self.amounts:
            self._refuse(amount)
        return self.start + self.amounts.index(amount)

    def amount(self, action: int) -> int:
        """Return the amount of an action; ValueError if it is an action of another group."""
        if action not in self:
            problem = f"action {action} has no amount of {self.verb!r}"
            raise ValueError(f"{problem}. fix: ask `action in amount` first")
        return self.amounts[action - self.start]

    def __contains__(self, action: int) -> bool:
        """Return whether an action belongs to this group."""
        return 0 <= action - self.start < self.size

    def text(self, index: int, name: CardName) -> str:
        """Return the notation of the action with the amount at `index`."""
        return f"{self.verb} {self.amounts[index]}"

    def label(self, index: int, name: CardName) -> str:
        """Return the label of the action with the amount at `index`."""
        return self.label_of(str(self.amounts[index]))

    def label_of(self, amount: str) -> str:
        """Return the text with an amount, or with several of them: `raise to 4–100`."""
        return self.text_of.replace(BLANK_AMOUNT, amount)

    def value(self, index: int) -> int:
        """Return the amount at `index`."""
        return self.amounts[index]

    def _stride(self, step: int) -> int:
        stride, rest = divmod(step or self.amounts.step, self.amounts.step)
        if stride < 1 or rest:
            problem = f"the amounts of {self.verb!r} have steps of {self.amounts.step}, not {step}"
            raise ValueError(f"{problem}. fix: a multiple of the declared step")
        return stride

    def _refuse(self, amount: int) -> NoReturn:
        first, last, step = self.amounts[0], self.amounts[-1], self.amounts.step
        steps = f" in steps of {step}" if step > 1 else ""
        problem = f"the amount {self.verb!r} goes from {first} to {last}{steps}, not to {amount}"
        raise ValueError(
            f"{problem}. fix: declare the amounts of the largest table, or do not offer {amount}"
        )


Group = Single | Tokens | Players | Choice | Amount


def site_label(row: int, column: int) -> str:
    """Return the label of a site, given indexes from the top left: column letter, row number.

    `a1` is the first site, `e1` the fifth of the first row. Columns after `z` go on with `aa`.
    """
    return f"{column_label(column)}{row + 1}"


def column_label(column: int) -> str:
    """Return the letters of a column, given its index: `a` to `z`, then `aa`."""
    first, last = divmod(column, len(ascii_lowercase))
    return (column_label(first - 1) if first else "") + ascii_lowercase[last]


class Actions:
    """All actions of a game, numbered from 0 in the order of their groups.

    `secret`: the verbs of actions of which others learn only that the seat has acted. Raises
    ValueError for a verb that no group has.
    """

    def __init__(self, *groups: str | Group, secret: Iterable[str] = ()) -> None:
        self.groups = tuple(Single(g) if isinstance(g, str) else g for g in groups)
        starts = [0]
        for group in self.groups:
            if isinstance(group, Amount):
                group.place(starts[-1])
            starts.append(starts[-1] + group.size)
        self.starts = tuple(starts[:-1])
        self.size = starts[-1]
        self.by_action = [(group, index) for group in self.groups for index in range(group.size)]
        """By action, its group and its index within the group."""
        self.verb_and_index = [(group.verb, index) for group, index in self.by_action]
        """By action, the verb of its group and its index within the group."""
        self.verb_and_value = [(group.verb, group.value(index)) for group, index in self.by_action]
        """By action, the verb of its group and its value.

        The value is the amount, the number (`call 4`), the token, the seat, or the index of a word
        or site; 0 for an action without a value.
        """
        self.is_distinct = [self._is_distinct(group) for group, _ in self.by_action]
        """By action, whether its label differs from all labels of other groups."""
        verbs = set(secret)
        if unknown := verbs - {group.verb for group in self.groups}:
            problem = f"there are no actions {sorted(unknown)[0]!r} to be secret"
            raise ValueError(f"{problem}. fix: secret=... has verbs of the groups before it")
        self.secret = frozenset(
            action for action, (verb, _) in enumerate(self.verb_and_index) if verb in verbs
        )
        """The secret actions."""

    # Notations that depend on a card differ by viewer; all others are computed once per game.
    @cached_property
    def fixed_notations(self) -> list[str | None]:
        """By action, its notation; None if it depends on a card."""
        return [
            None if isinstance(group, Tokens) else group.text(index, str)
            for group, index in self.by_action
        ]

    def group(self, action: int) -> tuple[Group, int]:
        """Return the group of an action and its index within it; IndexError if out of range."""
        if action < 0:  # a list would count it from the end
            raise IndexError(f"action {action} is below 0")
        return self.by_action[action]

    def text(self, action: int, name: CardName) -> str:
        """Return the notation of an action; `name` returns the name of a token's card."""
        group, index = self.group(action)
        return group.text(index, name)

    def mask(self, legal: Iterable[int]) -> list[bool]:
        """Return by action whether it is legal."""
        mask = [False] * self.size
        for action in legal:
            mask[action] = True
        return mask

    def is_in_play(self, action: int, tokens: int, seats: int | None = None) -> bool:
        """Return whether an int is an action at a table with these numbers of tokens and seats.

        The actions include all tokens and seats that a game can have. None: any number of seats.
        """
        if not 0 <= action < self.size:
            return False
        group, index = self.by_action[action]
        if isinstance(group, Players):
            return seats is None or index < seats
        return index < tokens or not isinstance(group, Tokens)

    def token(self, action: int) -> int | None:
        """Return the token of an action; None if it has none or is out of range."""
        if not 0 <= action < self.size:
            return None
        group, index = self.by_action[action]
        return index if isinstance(group, Tokens) else None

    def seat(self, action: int) -> int | None:
        """Return the seat of an action on a player; None for any other action."""
        if not 0 <= action < self.size:
            return None
        group, index = self.by_action[action]
        return index if isinstance(group, Players) else None

    def _is_distinct(self, group: Group) -> bool:
        # Labels begin with the verb. Only if one verb begins another one can two groups share a
        # label: `pass` and `pass 2`.
        others = (other.verb for other in self.groups if other is not group)
        return not any(verb.startswith(group.verb) for verb in others)
