"""Numbers of actions for learners, with the same meaning in every deal, and masks of legal actions.

Tokens are shuffled before the deal, so an action on a token concerns another card in every game.
For learners it is numbered by the look of the card: its face, or its back if the seat to act has
not seen the face.
"""

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from typing_extensions import override

from cardhub.base.errors import IllegalActionError, OptionError
from cardhub.base.errors.quoting import as_int
from cardhub.learning.arrays.action_heads import GroupParts, group_parts
from cardhub.learning.arrays.card_features import Kinds, Piles
from cardhub.learning.arrays.feature_spec import Indices, Mask, Row, indices, joined, relative
from cardhub.model.cards import Cards
from cardhub.model.game.game import Game
from cardhub.model.hidden.labels import unknown_action
from cardhub.model.table.actions import Group, Players, Tokens
from cardhub.model.table.state import State
from cardhub.model.table.state_declaration import Zone

# The action of a row before the lowest matching action is known.
UNKNOWN = np.iinfo(np.intp).max


class LegalBatch(ABC):
    """The legal actions at some tables, in rows."""

    @abstractmethod
    def mark(self, masks: Mask) -> None:
        """Set the slots of legal numbers to 1, in masks that are all 0 before."""

    @abstractmethod
    def meant(self, chosen: Indices) -> list[int]:
        """Return the action of each table's chosen number, the lowest if there are several.

        Numbers below 0 are returned unchanged.
        """


class FewLegal(LegalBatch):
    """The legal actions at few tables, for which loops are faster than numpy."""

    def __init__(self, numbers: Sequence[Sequence[int]], actions: Sequence[Sequence[int]]) -> None:
        self._numbers, self._actions = numbers, actions

    @override
    def mark(self, masks: Mask) -> None:
        for mask, numbers in zip(masks, self._numbers, strict=True):
            mask[numbers] = 1

    @override
    def meant(self, chosen: Indices) -> list[int]:
        legal = zip(chosen.tolist(), self._numbers, self._actions, strict=True)
        return [
            meant_action(numbers, actions, number) if number >= 0 else number
            for number, numbers, actions in legal
        ]


class ManyLegal(LegalBatch):
    """The legal actions at many tables, in flat arrays; `rows` has the row of each action."""

    def __init__(self, rows: Indices, numbers: Indices, actions: Indices) -> None:
        self._rows, self._numbers, self._actions = rows, numbers, actions

    @override
    def mark(self, masks: Mask) -> None:
        masks.reshape(-1)[self._rows * masks.shape[1] + self._numbers] = 1

    @override
    def meant(self, chosen: Indices) -> list[int]:
        if self._numbers is self._actions:
            same: list[int] = chosen.tolist()
            return same
        matches = (chosen.take(self._rows) == self._numbers).nonzero()[0]
        meant = np.where(chosen < 0, chosen, UNKNOWN)
        np.minimum.at(meant, self._rows.take(matches), self._actions.take(matches))
        actions: list[int] = meant.tolist()
        return actions


def meant_action(numbers: Sequence[int], actions: Sequence[int], number: int) -> int:
    """Return the action with a number, the lowest of several; raises ValueError."""
    # Fast path for environments, which call this at every decision: most numbers are unique.
    if numbers.count(number) < 2:
        return actions[numbers.index(number)]
    pairs = zip(numbers, actions, strict=True)
    return min(action for candidate, action in pairs if candidate == number)


FACES, TOKENS = "faces", "tokens"
FORMS = (FACES, TOKENS)

# The place holder for an action whose number depends on the look or the place of its card.
BY_CARD = -1


class LegalActions(NamedTuple):
    """The legal actions of a seat: `numbers` for learners, `actions` as the game numbers them.

    `texts`: the labels of all numbers of a learner, empty for outcomes of chance.
    """

    numbers: Sequence[int]
    actions: Sequence[int]
    texts: Sequence[str]

    def meant(self, number: int) -> int:
        """Return the action with a number, the lowest of several; raises ValueError."""
        return meant_action(self.numbers, self.actions, number)

    def chosen(self, number: object) -> int:
        """Return the action that a learner has chosen; raises IllegalActionError."""
        choice = None
        with suppress(TypeError):  # numpy raises it for arrays that are not integers
            choice = as_int(number)
        if choice is not None and choice in self.numbers:
            return self.meant(choice)
        raise self._refusal(number if choice is None else choice)

    def _refusal(self, number: object) -> IllegalActionError:
        words = unknown_action(number) + self._label(number)
        legal = ", ".join(f"{choice}{self._label(choice)}" for choice in sorted({*self.numbers}))
        return IllegalActionError(f"{words} is not legal for this agent. Legal: {legal}", number)

    def _label(self, number: object) -> str:
        # Other objects, for example arrays, have no label.
        if isinstance(number, int) and 0 <= number < len(self.texts):
            return f" ({self.texts[number]})"
        return ""


class LearnerActions:
    """The actions of a game in the order in which learners number them.

    `texts`: their labels; `size`: how many there are. An action on a card is numbered by the card's
    kind, in groups with a `place` by its pile and its distance from the top; actions on seats are
    numbered from the seat to act. With the form `tokens` a learner uses the game's numbers. Raises
    OptionError unless the form is `faces` or `tokens`.
    """

    def __init__(self, game: Game[Any], seats: int, kinds: Kinds, piles: Piles, form: str) -> None:
        if form not in FORMS:
            forms = " or ".join(map(repr, FORMS))
            raise OptionError(f"actions cannot be {form!r}: it is {forms}")
        self._kinds, self._piles = kinds, piles
        self.texts: list[str] = []
        self.groups: list[GroupParts] = []
        """The groups of these actions, with their parts for heads."""
        self.token_of = [index for _, index in game.actions.by_action]
        self.starts: list[int] = []
        self.slots: dict[int, PlaceSlots] = {}
        fixed: list[list[int]] = [[] for _ in range(seats)]
        for group in game.actions.groups:
            start = len(self.texts)
            self.starts += [start] * group.size
            for seat, numbers in enumerate(fixed):
                numbers += _fixed_numbers(group, start, seat, seats, form)
            if form == TOKENS or not isinstance(group, Tokens):
                self.texts += _group_texts(group, seats, form)
            elif group.place:
                slots = self.slots[start] = PlaceSlots(group, piles, start)
                self.texts += [f"{group.verb} {text}" for text in slots.texts]
            else:
                self.texts += _kind_texts(group, kinds, game.cards)
            is_by_place = isinstance(group, Tokens) and group.place
            card = "token" if form == TOKENS else "" if is_by_place else "card"
            self.groups.append(group_parts(group, len(self.texts) - start, card))
        self.size = len(self.texts)
        self.fixed = fixed
        self._fixed_table = np.array(fixed, np.intp)
        self._token_table = np.array(
            [index if isinstance(group, Tokens) else 0 for group, index in game.actions.by_action],
            np.intp,
        )
        self._start_table = np.array(self.starts, np.intp) - kinds.first
        self.is_same = all(numbers == [*range(game.actions.size)] for numbers in fixed)

    def numbers(self, state: State, viewer: int, actions: Sequence[int]) -> Sequence[int]:
        """Return the numbers of these actions; the viewer must be the seat to act."""
        if self.is_same:
            return actions
        fixed, starts, token_of = self.fixed[viewer], self.starts, self.token_of
        faces, backs, seen = state.face, state.back, state.seen
        of_back, first = self._kinds.by_back, self._kinds.first
        # Environments call this at every decision, so the loop makes no calls per action. The last
        # kind of a back belongs to the face BLANK, for cards that the viewer has not seen.
        numbers = [
            fixed[action]
            if fixed[action] != BY_CARD
            else starts[action]
            + of_back[backs[token]][faces[token] if seen[token] >> viewer & 1 else -1]
            - first
            for action in actions
            for token in (token_of[action],)
        ]
        if self.slots:
            self._number_by_place(numbers, state, viewer, actions)
        return numbers

    def batch(
        self, rows: Sequence[Row], actions: Sequence[Sequence[int]], kinds: Indices | None
    ) -> LegalBatch:
        """Return the legal actions of each row's viewer, who is the seat to act.

        `kinds`: the kinds of all tokens for each row's viewer, or None if there are few rows.
        """
        if kinds is None or self.slots:
            if self.is_same:
                return FewLegal(actions, actions)
            turns = zip(rows, actions, strict=True)
            numbers = [self.numbers(row.state, row.viewer, of_row) for row, of_row in turns]
            return FewLegal(numbers, actions)
        row_of = np.arange(len(rows)).repeat(indices([*map(len, actions)]))
        joined_actions = joined(actions)
        if self.is_same:
            return ManyLegal(row_of, joined_actions, joined_actions)
        viewers = indices([row.viewer for row in rows])
        numbers_of_all = self._fixed_table.take(
            joined_actions + (viewers * self._fixed_table.shape[1]).take(row_of)
        )
        looks = kinds.take(self._token_table.take(joined_actions) + row_of * kinds.shape[1])
        by_card = numbers_of_all == BY_CARD
        return ManyLegal(
            row_of,
            np.where(by_card, looks + self._start_table.take(joined_actions), numbers_of_all),
            joined_actions,
        )

    def _number_by_place(
        self, numbers: list[int], state: State, viewer: int, actions: Sequence[int]
    ) -> None:
        """Replace the numbers of actions in the groups that name cards by place."""
        piles = [*self._piles.numbered(state, viewer)]
        of_token = {start: slots.numbers(piles) for start, slots in self.slots.items()}
        for place, action in enumerate(actions):
            start = self.starts[action]
            if start in of_token:
                elsewhere = self.slots[start].elsewhere
                numbers[place] = of_token[start].get(self.token_of[action], elsewhere)


class PlaceSlots:
    """The numbers of one group's actions, by pile (from the viewer's seat) and by depth.

    `elsewhere`: the number for cards in all other piles.
    """

    def __init__(self, group: Tokens, piles: Piles, start: int) -> None:
        self.texts: list[str] = []
        self.depth = group.depth
        self.by_pile: dict[int, range] = {}
        pile = 0
        for zone, count in zip(piles.zones, piles.counts, strict=True):
            for number in range(count):
                if zone.name == group.place:
                    first = start + len(self.texts)
                    self.by_pile[pile] = range(first, first + group.depth)
                    self.texts += _place_texts(zone, number, group.depth)
                pile += 1
        self.elsewhere = start + len(self.texts)
        self.texts.append("a card elsewhere")

    def numbers(self, piles: Sequence[tuple[int, list[int]]]) -> dict[int, int]:
        """Return the number of each token in the piles; `piles` have their relative numbers."""
        number_of = {}
        for number, tokens in piles:
            slots = self.by_pile.get(number)
            if slots is not None:
                # All deeper cards share the last number of the pile.
                for depth, token in enumerate(reversed(tokens)):
                    number_of[token] = slots[min(depth, len(slots) - 1)]
        return number_of


def _fixed_numbers(group: Group, start: int, seat: int, seats: int, form: str) -> Sequence[int]:
    """Return the numbers of a group's actions for a seat to act, by index."""
    if form == TOKENS:
        return range(start, start + group.size)
    if isinstance(group, Tokens):
        return [BY_CARD] * group.size
    if isinstance(group, Players):
        # Actions on seats without a player are never legal.
        return [start + relative(other, seat, seats) % seats for other in range(group.size)]
    return range(start, start + group.size)


def _group_texts(group: Group, seats: int, form: str) -> list[str]:
    if isinstance(group, Players) and form == FACES:
        return [f"{group.verb} {_seat_text(number)}" for number in range(seats)]
    labels = [group.label(index, "#{}".format) for index in range(group.size)]
    # Labels may be equal; notations are unique.
    counts = Counter(labels)
    return [
        label if counts[label] == 1 else group.text(index, "#{}".format)
        for index, label in enumerate(labels)
    ]


def _kind_texts(group: Tokens, kinds: Kinds, cards: Cards) -> list[str]:
    labels = Counter(cards.faces[face].label for face in kinds.faces)
    faces = (
        card.label if labels[card.label] == 1 else card.name
        for card in (cards.faces[face] for face in kinds.faces)
    )
    backs = (cards.backs[back].title for back in kinds.backs)
    return [f"{group.verb} {text}" for text in chain(faces, backs)]


def _place_texts(zone: Zone, number: int, room: int) -> list[str]:
    pile = zone.name
    if zone.count == 0:
        pile = f"{zone.name} of {_seat_text(number)}"
    elif zone.count is not None:
        pile = f"{zone.name} {number + 1}"
    if room == 1:
        return [f"the top of {pile}"]
    return [f"card {depth + 1} from the top of {pile}" for depth in range(room)]


def _seat_text(number: int) -> str:
    return f"the seat {number} to the left" if number else "the own seat"
