"""Numbers of actions for learners: the same number means the same in every deal.

Tokens are shuffled before the deal, so an action on a token is about another card in every game.
For learners it is numbered by the look of the card: its face, or its back if the seat to act has
not seen it.
"""

from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from cardhub.base.errors import IllegalActionError, OptionError
from cardhub.base.errors.quoting import as_int
from cardhub.learning.arrays.card_positions import Kinds, Piles
from cardhub.learning.arrays.feature_spec import Indices, Row, indices, joined, relative
from cardhub.learning.arrays.legal_batch import FewLegal, LegalBatch, ManyLegal, meant_action
from cardhub.learning.arrays.probe import Depths, Place, Seating
from cardhub.model.cards import Cards
from cardhub.model.game.game import Game
from cardhub.model.hidden.labels import unknown_action
from cardhub.model.table.actions import Group, Players, Tokens
from cardhub.model.table.state import State
from cardhub.model.table.zones import Zone

FACES, TOKENS = "faces", "tokens"
FORMS = (FACES, TOKENS)

# In place of the number of an action that depends on where or what its card is.
BY_CARD = -1


class LegalActions(NamedTuple):
    """The legal actions of a seat: their `numbers` for learners, and as the game numbers them.

    `texts` are the labels of all numbers, empty for outcomes of chance.
    """

    numbers: Sequence[int]
    actions: Sequence[int]
    texts: Sequence[str]

    def meant(self, number: int) -> int:
        """Return the action with a number, the lowest one of several; raises ValueError."""
        return meant_action(self.numbers, self.actions, number)

    def chosen(self, number: object) -> int:
        """Return the action that a learner has chosen; raises IllegalActionError."""
        found = None
        with suppress(TypeError):  # raised by numpy for arrays that are no integers
            found = as_int(number)
        if found is not None and found in self.numbers:
            return self.meant(found)
        raise self._refusal(number if found is None else found)

    def _refusal(self, number: object) -> IllegalActionError:
        words = unknown_action(number) + self._label(number)
        legal = ", ".join(f"{each}{self._label(each)}" for each in sorted({*self.numbers}))
        return IllegalActionError(f"{words} is not legal for this agent. Legal: {legal}", number)

    def _label(self, number: object) -> str:
        # Other objects, such as an array, have no label.
        if isinstance(number, int) and 0 <= number < len(self.texts):
            return f" ({self.texts[number]})"
        return ""


class LearnerActions:
    """The actions of a game in the order in which learners number them.

    `texts` are their labels, `size` is their number. Actions on a card are numbered by its kind,
    those of the groups in `places` by its pile and its distance from the top; actions on seats
    from the seat to act on. With the form `tokens` the numbers are those of the game. Raises
    OptionError for another form than `faces` and `tokens`.
    """

    def __init__(
        self, game: Game[Any], seats: int, kinds: Kinds, piles: Piles, places: Seating, form: str
    ) -> None:
        if form not in FORMS:
            forms = " or ".join(map(repr, FORMS))
            raise OptionError(f"actions cannot be {form!r}: it is {forms}")
        self._kinds, self._piles = kinds, piles
        self.texts: list[str] = []
        self._token_of = [index for _, index in game.actions.by_action]
        self._starts: list[int] = []
        self._slots: dict[int, PlaceSlots] = {}
        fixed: list[list[int]] = [[] for _ in range(seats)]
        for number, group in enumerate(game.actions.groups):
            start = len(self.texts)
            self._starts += [start] * group.size
            for seat, numbers in enumerate(fixed):
                numbers += _fixed_numbers(group, start, seat, seats, form)
            if form == TOKENS or not isinstance(group, Tokens):
                self.texts += _group_texts(group, seats, form)
            elif number in places:
                slots = self._slots[start] = PlaceSlots(places[number], piles, start)
                self.texts += [f"{group.verb} {text}" for text in slots.texts]
            else:
                self.texts += _kind_texts(group, kinds, game.cards)
        self.size = len(self.texts)
        self._fixed = fixed
        self._fixed_table = np.array(fixed, np.intp)
        self._token_table = np.array(
            [index if isinstance(group, Tokens) else 0 for group, index in game.actions.by_action],
            np.intp,
        )
        self._start_table = np.array(self._starts, np.intp) - kinds.first
        self._is_same = all(numbers == [*range(game.actions.size)] for numbers in fixed)

    def numbers(self, state: State, viewer: int, actions: Sequence[int]) -> Sequence[int]:
        """Return the numbers of some actions of the viewer, who is the seat to act."""
        if self._is_same:
            return actions
        fixed, starts, token_of = self._fixed[viewer], self._starts, self._token_of
        faces, backs, seen = state.face, state.back, state.seen
        of_back, first = self._kinds.by_back, self._kinds.first
        # Environments come here at every decision, so there are no calls for each action. The last
        # kind of a back is that of the face BLANK, for cards that the viewer has not seen.
        found = [
            fixed[action]
            if fixed[action] != BY_CARD
            else starts[action]
            + of_back[backs[token]][faces[token] if seen[token] >> viewer & 1 else -1]
            - first
            for action in actions
            for token in (token_of[action],)
        ]
        if self._slots:
            self._number_by_place(found, state, viewer, actions)
        return found

    def batch(
        self, rows: Sequence[Row], actions: Sequence[Sequence[int]], kinds: Indices | None
    ) -> LegalBatch:
        """Return the legal actions of each row's viewer, who is the seat to act.

        `kinds` are those of all tokens for the rows' viewers, None for few rows.
        """
        if kinds is None or self._slots:
            if self._is_same:
                return FewLegal(actions, actions)
            turns = zip(rows, actions, strict=True)
            numbers = [self.numbers(row.state, row.viewer, of_row) for row, of_row in turns]
            return FewLegal(numbers, actions)
        row_of = np.arange(len(rows)).repeat(indices([*map(len, actions)]))
        taken = joined(actions)
        if self._is_same:
            return ManyLegal(row_of, taken, taken)
        viewers = indices([row.viewer for row in rows])
        found = self._fixed_table.take(taken + (viewers * self._fixed_table.shape[1]).take(row_of))
        looks = kinds.take(self._token_table.take(taken) + row_of * kinds.shape[1])
        by_card = found == BY_CARD
        return ManyLegal(
            row_of, np.where(by_card, looks + self._start_table.take(taken), found), taken
        )

    def _number_by_place(
        self, found: list[int], state: State, viewer: int, actions: Sequence[int]
    ) -> None:
        """Replace the numbers of the actions of the groups by place."""
        piles = [*self._piles.numbered(state, viewer)]
        of_token = {start: slots.numbers(piles) for start, slots in self._slots.items()}
        for place, action in enumerate(actions):
            start = self._starts[action]
            if start in of_token:
                elsewhere = self._slots[start].elsewhere
                found[place] = of_token[start].get(self._token_of[action], elsewhere)


class PileSlots(NamedTuple):
    """The first number of a pile, and how many it has; the last one is for all cards below, too."""

    start: int
    room: int


class PlaceSlots:
    """The numbers of the actions of one group, by pile from the viewer's on and by depth.

    `elsewhere` is the number for cards in all other piles.
    """

    def __init__(self, depths: Depths, piles: Piles, start: int) -> None:
        self.texts: list[str] = []
        self._by_pile: dict[int, PileSlots] = {}
        pile = 0
        for zone, count in zip(piles.zones, piles.counts, strict=True):
            for number in range(count):
                depth = depths.get(Place(zone.name, zone.count == 0 and number == 0), 0)
                # Later games may have longer piles than the probe games.
                room = depth if depth < 2 else 2 * depth
                if room:
                    self._by_pile[pile] = PileSlots(start + len(self.texts), room)
                    self.texts += _place_texts(zone, number, room)
                pile += 1
        self.elsewhere = start + len(self.texts)
        self.texts.append("a card elsewhere")

    def numbers(self, piles: Sequence[tuple[int, list[int]]]) -> dict[int, int]:
        """Return the number of each token in the piles, which have their relative numbers."""
        found = {}
        for number, tokens in piles:
            slots = self._by_pile.get(number)
            if slots is not None:
                for depth, token in enumerate(reversed(tokens)):
                    found[token] = slots.start + min(depth, slots.room - 1)
        return found


def _fixed_numbers(group: Group, start: int, seat: int, seats: int, form: str) -> Sequence[int]:
    """Return by index the numbers of a group for a seat to act."""
    if form == TOKENS:
        return range(start, start + group.size)
    if isinstance(group, Tokens):
        return [BY_CARD] * group.size
    if isinstance(group, Players):
        # With few players, actions on the seats beyond them are never legal.
        return [start + relative(other, seat, seats) % seats for other in range(group.size)]
    return range(start, start + group.size)


def _group_texts(group: Group, seats: int, form: str) -> list[str]:
    if isinstance(group, Players) and form == FACES:
        return [f"{group.verb} {_seat_text(number)}" for number in range(seats)]
    labels = [group.label(index, "#{}".format) for index in range(group.size)]
    # Labels may be equal, notations never are.
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
