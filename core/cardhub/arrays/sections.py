"""The sections of arrays of one table, side by side."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from typing import Any, NamedTuple

from cardhub.arrays.action_probe import Places
from cardhub.arrays.card_features import PileFeatures, TokenFeatures, TopFeatures
from cardhub.arrays.card_positions import Kinds, Piles
from cardhub.arrays.feature_spec import (
    OwnFeatures,
    ProvidesFeatures,
    Row,
    Section,
    Slots,
    consecutive,
)
from cardhub.arrays.learner_actions import FACES, LearnerActions
from cardhub.arrays.number_features import NumberFeatures
from cardhub.arrays.probe import Extents, probe
from cardhub.arrays.recall_features import PERFECT, RecallFeatures, room_for_recall
from cardhub.arrays.state_features import BitFeatures, left_out
from cardhub.arrays.turn_features import HistoryFeatures, PastActions, TurnFeatures
from cardhub.errors import OptionError
from cardhub.game.game import Game
from cardhub.game.initial_state import initial_state
from cardhub.table.actions import Tokens
from cardhub.table.settings import Settings

# Number of cards in a batch from which numpy is faster than a loop.
FEW_CARDS = 50
# Longer arrays are refused: one alone would take 256 MiB.
MOST_SLOTS = 1 << 26


class Arguments(NamedTuple):
    """The arguments of a layout besides the table; see `Layout`."""

    tokens: bool | None
    history: int
    actions: str
    recall: str
    recall_room: int | None


class Sections:
    """The sections of the arrays of one table: they fill `size` slots, which `parts` describe."""

    def __init__(
        self, game: Game[Any], seats: int, settings: Settings, arguments: Arguments
    ) -> None:
        pack = game.pack(settings, seats)
        self.cards = len(pack)
        self.piles = piles = Piles(initial_state(game, settings, seats, pack))
        self.kinds = kinds = Kinds(game.cards, pack, piles.size, seats)
        extents, places = probe(game, seats, settings)
        form = arguments.actions
        self.learner_actions = LearnerActions(game, seats, kinds, piles, places, form)
        self._sections = self._state_sections(game, seats, extents, arguments.recall)
        if arguments.history:
            past = PastActions(game, seats, kinds if form == FACES else None)
            self._sections.append(HistoryFeatures(past, seats, arguments.history))
        if arguments.recall == PERFECT:
            room = room_for_recall(game, seats, settings, arguments.recall_room)
            self._sections.append(RecallFeatures(game, seats, kinds, room))
        if arguments.tokens is None:
            arguments = arguments._replace(tokens=_needs_tokens(game, arguments, places))
        self.arguments = arguments
        has_tokens = arguments.tokens and self.cards > 0
        has_tops = form == FACES and _is_about_cards(game) and not has_tokens
        tops = TopFeatures(piles, kinds) if has_tops else None
        self._tops = tops if tops and tops.parts[0].size else None
        self._zones = PileFeatures(piles, kinds) if self.cards else None
        self._tokens = TokenFeatures(piles, kinds, self.cards, seats) if has_tokens else None
        self._place()
        if self.size > MOST_SLOTS:
            raise OptionError(
                f"{game.name}: an array would have {self.size:,} slots, more than {MOST_SLOTS:,}. "
                "fix: leave out `recall`, or choose a smaller `history`"
            )

    @property
    def scales(self) -> list[list[float]]:
        """The numbers besides the parts on which values depend, by section."""
        found = [[float(scale) for scale in section.scales] for section in self._sections]
        # The top cards have none, but fingerprints have a list for them.
        return [*found, []] if self._tops else found

    def fill(self, slots: Slots, rows: Sequence[Row]) -> None:
        """Encode at least one row into a batch of arrays, which are all 0."""
        # Sections write into views of one array: nothing is concatenated or copied.
        # Not strict: the slots of cards come last, and have no section.
        for section, where in zip(self._sections, self._slots, strict=False):
            section.fill(slots[:, where], rows)
        if not self._zones:
            return
        # After the sections: the slots of tops, of zones and of tokens, if there are any.
        starts = iter([where.start for where in self._slots[len(self._sections) :]])
        if not self._tops and not self._tokens and len(rows) * self.cards < FEW_CARDS:
            self._zones.fill_few(slots, next(starts), rows, self.piles, self.kinds)
            return
        positions = self.piles.positions(rows, self.kinds)
        if self._tops:
            self._tops.fill(slots, next(starts), positions)
        self._zones.fill(slots, next(starts), positions)
        if self._tokens:
            self._tokens.fill(slots, next(starts), positions, rows)

    def _state_sections(
        self, game: Game[Any], seats: int, extents: Extents, recall: str
    ) -> list[Section]:
        own: OwnFeatures | None = None
        if isinstance(game, ProvidesFeatures):
            own = game.own_features(recall)
        replaced = own.fields if own else ()
        extents = {name: extent for name, extent in extents.items() if name not in replaced}
        self.left_out = left_out(extents)
        bits = BitFeatures(extents, seats)
        return [
            TurnFeatures(game, seats),
            NumberFeatures(extents, seats),
            *([bits] if bits.parts else []),
            *([own] if own else []),
        ]

    def _place(self) -> None:
        groups = [section.parts for section in self._sections]
        groups += [section.parts for section in (self._tops, self._zones, self._tokens) if section]
        sizes = [sum(part.size for part in parts) for parts in groups]
        self._slots = [slice(*bounds) for bounds in pairwise(accumulate(sizes, initial=0))]
        self.size = sum(sizes)
        self.parts = consecutive([part for parts in groups for part in parts])


def _needs_tokens(game: Game[Any], arguments: Arguments, places: Places) -> bool:
    """Return whether players must distinguish tokens, or the order within a pile."""
    if any(zone.count for zone in game.state_type.zones if zone.faces == "all"):
        return True
    if arguments.actions == FACES and arguments.recall != PERFECT:
        return bool(places)
    return _is_about_cards(game) or any(zone.count for zone in game.state_type.zones)


def _is_about_cards(game: Game[Any]) -> bool:
    return any(isinstance(group, Tokens) for group in game.actions.groups)
