"""The sections of one table's arrays, and the cache of a batch of rows."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Any, NamedTuple

from cardhub.base.errors import OptionError
from cardhub.learning.arrays.card_features import (
    DepthFeatures,
    Kinds,
    LookCache,
    PileFeatures,
    Piles,
    TokenFeatures,
    TopFeatures,
    is_board,
)
from cardhub.learning.arrays.feature_spec import (
    Indices,
    OwnFeatures,
    ProvidesFeatures,
    Row,
    Section,
    Slots,
    consecutive,
)
from cardhub.learning.arrays.field_ranges import Extents, declared_extents
from cardhub.learning.arrays.learner_actions import FACES, LearnerActions
from cardhub.learning.arrays.number_features import (
    HistoryFeatures,
    NumberFeatures,
    PastActions,
    TurnFeatures,
)
from cardhub.learning.arrays.recall_features import PERFECT, RecallFeatures, room_for_recall
from cardhub.learning.arrays.state_features import (
    BitCache,
    BitFeatures,
    Reading,
    StateReader,
    left_out,
)
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import initial_state
from cardhub.model.table.actions import Tokens
from cardhub.model.table.settings import Settings
from cardhub.model.table.state import State

# From this number of cards in a batch on, numpy is faster than a loop.
FEW_CARDS = 120
# Longer arrays are refused: a single array would take 256 MiB.
MOST_SLOTS = 1 << 26


class Arguments(NamedTuple):
    """A layout's arguments without the table; see `Layout`."""

    tokens: bool | None
    history: int
    actions: str
    recall: str
    recall_room: int | None


@dataclass(slots=True)
class RowCache:
    """A cache of a batch of rows for the next batch of the same tables, which changes little.

    `kinds`: the kind of each token of this batch, by row, or None if numpy did not look them up.
    """

    looks: LookCache
    bits: list[BitCache]
    kinds: Indices | None = None


class Sections:
    """The sections of one table's arrays: they fill `size` slots, which `parts` describe."""

    def __init__(
        self, game: Game[Any], seats: int, settings: Settings, arguments: Arguments
    ) -> None:
        pack = game.pack(settings, seats)
        self.cards = len(pack)
        state = initial_state(game, settings, seats, pack)
        self.piles = piles = Piles(state)
        self.kinds = kinds = Kinds(game.cards, pack, piles.size, seats)
        form = arguments.actions
        self.learner_actions = LearnerActions(game, seats, kinds, piles, form)
        fields = self._encoded(game, state, arguments.recall)
        self.turn = TurnFeatures(game, seats)
        self.numbers = NumberFeatures(fields, seats, self.turn)
        self.bits = BitFeatures(fields, seats)
        sets = [field.name for field in self.bits.fields]
        zones = [*zip(piles.zones, piles.counts, strict=True)] if self.cards else []
        self._reader = StateReader(self.numbers.fields, sets, zones, self.cards, self.turn.acting)
        if arguments.history:
            past = PastActions(game, seats, kinds if form == FACES else None)
            self.others.append(HistoryFeatures(past, seats, arguments.history))
        if arguments.recall == PERFECT:
            room = room_for_recall(game, seats, settings, arguments.recall_room)
            self.others.append(RecallFeatures(game, seats, kinds, room))
        if arguments.tokens is None:
            arguments = arguments._replace(tokens=_needs_tokens(game, arguments, kinds))
        self.arguments = arguments
        has_tokens = arguments.tokens and self.cards > 0
        has_tops = form == FACES and _is_about_cards(game) and not has_tokens
        tops = TopFeatures(piles, kinds) if has_tops else None
        self.tops = tops if tops and tops.parts[0].size else None
        self.zones = PileFeatures(piles, kinds) if self.cards else None
        has_depths = self.cards > 0 and not has_tokens and any(map(is_board, piles.zones))
        self.depths = DepthFeatures(piles, kinds) if has_depths else None
        self.tokens = TokenFeatures(piles, kinds, self.cards, seats) if has_tokens else None
        self._place()
        if self.size > MOST_SLOTS:
            raise OptionError(
                f"{game.name}: an array would have {self.size:,} slots, more than {MOST_SLOTS:,}. "
                "fix: leave out `recall`, or choose a smaller `history`"
            )

    @property
    def scales(self) -> list[list[float]]:
        """By section, the numbers on which the values depend beyond the parts."""
        scales = [[], [*map(float, self.numbers.scales)]]
        if self.bits.parts:
            scales.append([])
        scales += [[*map(float, section.scales)] for section in self.others]
        # The top cards have no scales, but fingerprints have a list for them.
        return [*scales, []] if self.tops else scales

    def new_cache(self) -> RowCache:
        """Return an empty cache."""
        return RowCache(LookCache(), self.bits.new_caches())

    def fill(self, slots: Slots, rows: Sequence[Row], cache: RowCache | None = None) -> None:
        """Encode one row or more into a batch of arrays, which are all 0 before."""
        reading = self._reader(rows)
        # Sections write into views of one array, without concatenation or copies.
        self.numbers.fill(slots, reading)
        starts = iter(self.starts[2:])
        of_bits = next(starts)
        if self.bits.parts:
            bit_caches = cache.bits if cache else None
            self.bits.fill(slots, of_bits, reading.sets, reading.viewers, bit_caches)
        for section in self.others:
            start = next(starts)
            section.fill(slots[:, start : start + section.size], rows)
        is_few = not self.tokens and len(rows) * self.cards < FEW_CARDS
        if cache:
            cache.kinds = None
        if self.zones and is_few:
            self._fill_few_cards(slots, self.zones, starts, reading)
        elif self.zones:
            kinds = self.kinds.of(reading, cache.looks if cache else None)
            if cache:
                cache.kinds = kinds
            positions = self.piles.positions(reading, kinds, slots.shape[1])
            if self.tops:
                self.tops.fill(slots, next(starts), positions)
            self.zones.fill(slots, next(starts), positions)
            if self.depths:
                self.depths.fill(slots, next(starts), positions)
            if self.tokens:
                self.tokens.fill(slots, next(starts), positions, reading)

    def _fill_few_cards(
        self, slots: Slots, zones: PileFeatures, starts: Iterator[int], reading: Reading
    ) -> None:
        of_tops = next(starts) if self.tops else 0
        of_zones = next(starts)
        of_depths = next(starts) if self.depths else 0
        piles_by_row = self.piles.numbered_in(reading)
        for row, line, piles in zip(reading.rows, slots, piles_by_row, strict=True):
            kinds = self.kinds.of_row(row)
            if self.tops:
                self.tops.fill_row(line, of_tops, piles, kinds)
            zones.fill_row(line, of_zones, piles, kinds)
            if self.depths:
                self.depths.fill_row(line, of_depths, piles, kinds)

    def _encoded(self, game: Game[Any], state: State, recall: str) -> Extents:
        """Return the fields that are encoded here, and add the game's section for the others."""
        own_features: OwnFeatures | None = None
        if isinstance(game, ProvidesFeatures):
            own_features = game.own_features(recall)
        replaced = own_features.fields if own_features else ()
        extents = declared_extents(game, state, without=replaced)
        self.left_out = left_out(extents)
        self.others: list[Section] = [own_features] if own_features else []
        return extents

    def _place(self) -> None:
        groups = [self.turn.parts, self.numbers.parts, self.bits.parts]
        groups += [section.parts for section in self.others]
        of_cards = (self.tops, self.zones, self.depths, self.tokens)
        groups += [section.parts for section in of_cards if section]
        sizes = [sum(part.size for part in parts) for parts in groups]
        *self.starts, self.size = accumulate(sizes, initial=0)
        self.parts = consecutive([part for parts in groups for part in parts])


def _needs_tokens(game: Game[Any], arguments: Arguments, kinds: Kinds) -> bool:
    """Return whether players must distinguish tokens or the order within a pile."""
    is_by_face = arguments.actions == FACES and arguments.recall != PERFECT
    if any(map(is_board, game.state_type.zones)) and not (is_by_face and kinds.are_single):
        return True
    if is_by_face:
        return any(isinstance(group, Tokens) and group.place for group in game.actions.groups)
    return _is_about_cards(game) or any(zone.count for zone in game.state_type.zones)


def _is_about_cards(game: Game[Any]) -> bool:
    return any(isinstance(group, Tokens) for group in game.actions.groups)
