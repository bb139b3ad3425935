"""Features of everything that a viewer has seen and done: perfect recall."""

from collections.abc import Iterator, Sequence
from itertools import chain
from random import Random
from typing import Any, NamedTuple

import numpy as np
from typing_extensions import override

from cardhub.base.errors import LayoutError, OptionError
from cardhub.learning.arrays.card_features import Kinds
from cardhub.learning.arrays.feature_spec import Part, Row, Section, Slots, consecutive, relative
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import initial_state, shuffled_pack
from cardhub.model.hidden.chance import random_step
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.model.table.faces import BLANK, masked_log
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import OVER, State

# The values of `Layout.recall`: the present table, or everything that was seen and done.
CURRENT, PERFECT = "current", "perfect"
# The number of probe games, random games that show how long games are, and the least number of
# positions in all of them. They have fixed seeds, so equal tables get equal layouts.
GAMES, POSITIONS = 10, 1000
# Games may be longer than the probe games by this factor.
DEFAULT_FACTOR = 2


class RecallFeatures(Section):
    """The parts that make an array an information state.

    `history`: all actions, the first one first. `faces`: the look of each token. `shuffled`: the
    looks of the cards before each shuffle. `answers`: the public answers to questions about hidden
    cards. `fill` raises LayoutError if a game exceeds the room.
    """

    def __init__(self, game: Game[Any], seats: int, kinds: Kinds, room: "RecallRoom") -> None:
        self._name, self._seats, self._kinds, self._room = game.name, seats, kinds, room
        actions, looks = game.actions.size, kinds.size
        who = f"who took it, seats from the viewer's on, chance ({seats + 1})"
        look = f"its face if the viewer knows it ({len(kinds.faces)}), else its back"
        parts = [
            Part(
                "history",
                (room.lengths.actions, seats + 1 + actions),
                f"a row for each action, the first one first: {who}, and which ({actions})",
            ),
            Part("faces", (room.tokens, looks), f"a row for each token: {look}"),
            Part(
                "shuffled",
                (room.lengths.cards, looks),
                f"a row for each card that was shuffled, shuffle by shuffle: before it, {look}",
            ),
            Part("answers", (room.lengths.answers, 2), "a row for each public answer: no, yes"),
        ]
        self.parts = consecutive([part for part in parts if part.size])

    @override
    def fill(self, slots: Slots, rows: Sequence[Row]) -> None:
        by_name = {
            part.name: slots[:, part.slots].reshape(len(rows), *part.shape) for part in self.parts
        }
        empty = np.zeros((len(rows), 0, 0), np.float32)
        for number, row in enumerate(rows):
            self._check(row)
            self._fill_actions(by_name["history"][number], row)
            self._mark(by_name.get("faces", empty)[number], self._looks(row))
            self._mark(by_name.get("shuffled", empty)[number], self._shuffled(row))
            self._mark(by_name.get("answers", empty)[number], [*map(int, row.state.answers)])

    def _mark(self, ones: Slots, columns: Sequence[int]) -> None:
        ones[np.arange(len(columns)), columns] = 1

    def _fill_actions(self, ones: Slots, row: Row) -> None:
        count = len(row.history)
        if count:
            seats = self._seats
            first = [relative(seat, row.viewer, seats) for seat in range(seats)]
            # Chance has a negative seat number; its column follows the seats' columns.
            actors = [first[step.seat] if step.seat >= 0 else seats for step in row.history]
            actions = np.fromiter((step.action for step in row.history), np.intp, count)
            ones[np.arange(count), actors] = 1
            ones[np.arange(count), actions + seats + 1] = 1

    def _looks(self, row: Row) -> list[int]:
        first = self._kinds.first
        return [kind - first for kind in self._kinds.of_row(row)]

    def _shuffled(self, row: Row) -> list[int]:
        """Return the looks of all cards before their shuffles."""
        log = row.state.shuffle_log
        if log and row.viewer != EVERYTHING:
            log = masked_log(log, row.viewer)  # a row may hold the true state
        by_back, first = self._kinds.by_back, self._kinds.first
        cards = chain.from_iterable(zip(s.backs, s.faces, strict=True) for s in log)
        # The last look of a back belongs to unseen cards.
        return [by_back[back][face if face != BLANK else -1] - first for back, face in cards]

    def _check(self, row: Row) -> None:
        recall_room = self._room
        lengths = Lengths(len(row.history), shuffled_cards(row.state), len(row.state.answers))
        for name, count, room in zip(Lengths._fields, lengths, recall_room.lengths, strict=True):
            if count > room:
                raise LayoutError(
                    f"{self._name}: a game with {count} {LABELS[name]} does not fit an array with "
                    f"room for {room}. fix: recall_room={2 * recall_room.factor} or more"
                )


class Lengths(NamedTuple):
    """The numbers of actions, of shuffled cards and of public answers in a game."""

    actions: int
    cards: int
    answers: int


LABELS = {"actions": "actions", "cards": "shuffled cards", "answers": "answers"}


class RecallRoom(NamedTuple):
    """The longest game that fits: `factor` times the longest probe game, with `tokens` tokens."""

    lengths: Lengths
    tokens: int
    factor: int


def check_recall(recall: str) -> None:
    """Raise OptionError unless the recall is `current` or `perfect`."""
    if recall not in (CURRENT, PERFECT):
        raise OptionError(f"recall cannot be {recall!r}: it is {CURRENT!r} or {PERFECT!r}")


def room_for_recall(
    game: Game[Any], seats: int, settings: Settings, factor: int | None = None
) -> RecallRoom:
    """Return the room for perfect recall at a table; raises OptionError for a factor below 1.

    Without a factor, a length has twice the room of the longest probe game, or exactly its room if
    that length is the same in all probe games.
    """
    if factor is not None and factor < 1:
        raise OptionError(f"recall_room cannot be {factor}: it is at least 1")
    tokens, games = 0, list[Lengths]()
    count = 0
    for state in probe_states(game, seats, settings):
        tokens = len(state.face)
        if state.seat == OVER:
            games.append(Lengths(count, shuffled_cards(state), len(state.answers)))
            count = 0
        else:
            count += 1
    # Probe games without shuffles or answers do not bound their number in other games.
    least = Lengths(1, tokens, 1) if factor else Lengths(0, 0, 0)
    rooms = [
        max(counts) * (factor or (DEFAULT_FACTOR if min(counts) < max(counts) else 1)) or minimum
        for counts, minimum in zip(zip(*games, strict=True), least, strict=True)
    ]
    return RecallRoom(Lengths(*rooms), tokens, factor or DEFAULT_FACTOR)


def probe_states(game: Game[Any], seats: int, settings: Settings) -> Iterator[State]:
    """Yield all positions of the probe games, game by game, from the deal to the end.

    The yielded state is changed in place: it is valid until the next one is requested.
    """
    games = positions = 0
    while games < GAMES or positions < POSITIONS:
        # The text of the seed decides the layout of arrays, so it must not change.
        rng = Random(f"rehearsal {games}")
        state = initial_state(game, settings, seats, shuffled_pack(game, settings, seats, rng))
        yield state
        while state.seat != OVER:
            random_step(game, state, rng)
            positions += 1
            yield state
        games += 1


def shuffled_cards(state: State) -> int:
    """Return the number of cards in all past shuffles of a state."""
    return sum(len(shuffle.tokens) for shuffle in state.shuffle_log)
