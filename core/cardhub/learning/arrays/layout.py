"""Layouts: observations as arrays, derived from the declarations of a game."""

import json
from collections.abc import Mapping, Sequence
from functools import cached_property
from hashlib import sha256
from typing import Any, SupportsIndex, TypeVar

import numpy as np
from numpy.typing import NDArray

from cardhub.base.errors import HiddenFaceError, LayoutError
from cardhub.base.errors.quoting import did_you_mean
from cardhub.learning.arrays.action_heads import ActionHeads
from cardhub.learning.arrays.alike_rows import AlikeRows, alike_rows
from cardhub.learning.arrays.alike_sites import AlikeSites, alike_sites
from cardhub.learning.arrays.feature_spec import Mask, Part, Row, Slots, bounds, indices, joined
from cardhub.learning.arrays.field_ranges import SCORES
from cardhub.learning.arrays.learner_actions import FACES, LegalActions, LegalBatch
from cardhub.learning.arrays.recall_features import CURRENT, check_recall
from cardhub.learning.arrays.sections import Arguments, RowCache, Sections
from cardhub.model.game.game import Game
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.hidden.observation import Observation
from cardhub.model.table.settings import Value, format_value
from cardhub.model.table.state import State

# Increase it if the values of arrays change although the parts stay the same.
ENCODING = 2
# Number of hexadecimal digits of a hash.
DIGITS = 16
SEPARATOR = " | "
# The remedy for a difference in these fields, which are hashes.
REMEDIES = {"parts": "train a new model", "actions": "train a new model"}
NAMES = ("game", "version", "seats", "options", "layout", "parts", "actions")


def fingerprint_of(
    game: Game[Any],
    parameters: Mapping[str, Any],
    parts: Sequence[Part],
    scales: Sequence[Sequence[float]],
    actions: Sequence[str],
) -> str:
    """Return the fingerprint of a layout.

    `actions`: the labels of the actions. `scales`: the scales of each section.
    """
    arguments = dict(parameters)
    seats, options = arguments.pop("seats"), arguments.pop("options")
    slots = [(p.name, p.shape, p.low, p.high, p.measured) for p in parts]
    cards = game.cards
    looks = [[card.name for card in cards.faces], [back.name for back in cards.backs]]
    values = (
        game.name,
        game.version,
        str(seats),
        _listed(options),
        _listed(arguments),
        _hash([ENCODING, slots, scales, looks]),
        _hash(list(actions)),
    )
    return SEPARATOR.join(f"{name} {value}" for name, value in zip(NAMES, values, strict=True))


def require_same(fingerprint: str, other: str) -> None:
    """Raise LayoutError, which names the differences, unless two fingerprints are equal."""
    if fingerprint == other:
        return
    mine, theirs = _fields(fingerprint), _fields(other)
    if theirs.keys() != mine.keys():
        raise LayoutError(
            f"not the fingerprint of a layout: {other!r}. fix: pass `Layout.fingerprint`"
        )
    differing = [name for name in NAMES if mine[name] != theirs[name]]
    words = "; ".join(
        f"{name}: {theirs[name] or 'none'}, here {mine[name] or 'none'}" for name in differing
    )
    # Parts and actions follow from the arguments: they count only if no argument differs.
    is_argument = any(name not in REMEDIES and name != "version" for name in differing)
    fix = "make the layout with the same arguments" if is_argument else "train a new model"
    if "version" in differing and not is_argument:
        fix += f", or install the version {theirs['version']} of the game"
    raise LayoutError(f"another layout of arrays: {words}. fix: {fix}")


def misfit(
    observation: Observation[Any],
    game: Game[Any],
    options: Mapping[str, Any],
    seats: int,
    cards: int,
) -> LayoutError:
    """Return the error for an observation that does not fit a layout."""
    state = observation.state
    theirs = _table(observation.game, state.settings, state.seats, len(state.face))
    mine = _table(game, options, seats, cards)
    return LayoutError(
        f"an observation of {theirs} does not fit a layout for {mine}. "
        "fix: make a layout for that table"
    )


def _table(game: Game[Any], options: Mapping[str, Any], seats: int, cards: int) -> str:
    settings = f" and {_listed(options)}" if options else ""
    return f"{game.name} {game.version} with {seats} seats, {cards} cards{settings}"


def _fields(fingerprint: str) -> dict[str, str]:
    pairs = (field.partition(" ") for field in str(fingerprint).split(SEPARATOR))
    return {name: value for name, _, value in pairs}


def _listed(values: Mapping[str, Any]) -> str:
    return " ".join(f"{name}={format_value(value)}" for name, value in sorted(values.items()))


def _hash(value: object) -> str:
    return sha256(json.dumps(value).encode()).hexdigest()[:DIGITS]


Bits = NDArray[np.uint8]

FLOAT = np.dtype("<f4")


class CompactForm:
    """A lossless form of arrays with these parts: `size` bytes per array.

    It holds one bit per slot (1 if the slot is not 0), then little-endian 32-bit floats with the
    values of all slots that can have other values than 0 and 1.
    """

    def __init__(self, parts: Sequence[Part]) -> None:
        self._slots = sum(part.size for part in parts)
        self._measured = np.array([slot for part in parts for slot in part.measured_slots], np.intp)
        self._bytes = -(-self._slots // 8)
        self.size = self._bytes + FLOAT.itemsize * len(self._measured)

    def pack(self, arrays: Slots) -> Bits:
        """Return the bytes of one array, or of several arrays in rows."""
        _check(arrays, self._slots, "an array")
        bits = np.packbits(arrays != 0, axis=-1, bitorder="little")
        floats = np.ascontiguousarray(arrays[..., self._measured], FLOAT).view(np.uint8)
        return np.concatenate([bits, floats], axis=-1)

    def unpack(self, packed: Bits) -> Slots:
        """Return exactly the arrays that were packed."""
        _check(packed, self.size, "a compact form")
        bits = packed[..., : self._bytes]
        arrays = np.unpackbits(bits, axis=-1, count=self._slots, bitorder="little")
        slots = arrays.astype(np.float32)
        slots[..., self._measured] = np.ascontiguousarray(packed[..., self._bytes :]).view(FLOAT)
        return slots


def _check(array: NDArray[Any], size: int, name: str) -> None:
    if not array.ndim or array.shape[-1] != size:
        raise LayoutError(
            f"{name} with shape {array.shape} does not fit this layout. "
            f"fix: the last axis has {size} values"
        )


# From this number of masks on, one operation of numpy is faster than one per mask.
FEW_MASKS = 4

T = TypeVar("T", bound=np.generic)


class Layout:
    """The encoding of observations of a game at one table: `size` slots, all from -1 to 1.

    Only the observation is encoded. Seats are counted from the viewer's seat. `history`: the number
    of last actions to include. `tokens`: True for a row for each card, False for the number of
    cards of each kind in each pile; the default is True for games with a board, for games in which
    actions name cards by place, and for actions numbered as tokens. `recall="perfect"`: encode
    everything that an information state has, with room for games `recall_room` times as long as the
    longest probe game. `actions`: the numbering of a learner's actions; `faces` numbers actions on
    cards by what the seat to act sees, `tokens` as the game does. The attribute `left_out` lists
    the fields of the game's states that are not encoded. Raises OptionError, and LayoutError for a
    game with secrets other than cards.
    """

    def __init__(
        self,
        game: Game[Any],
        seats: int | None = None,
        options: Mapping[str, Value] | None = None,
        *,
        tokens: bool | None = None,
        history: int = 0,
        actions: str = FACES,
        recall: str = CURRENT,
        recall_room: int | None = None,
    ) -> None:
        check_recall(recall)
        if game.state_type.views_field:
            raise LayoutError(
                f"{game.name} has no arrays: it has secrets other than cards, which no array has a "
                "place for. fix: use bots that get observations"
            )
        self.game = game
        self.seats = seats = game.seats.default if seats is None else seats
        self.settings = resolve_options(game, options or {}, seats)
        arguments = Arguments(tokens, history, actions, recall, recall_room)
        self.sections = Sections(game, seats, self.settings, arguments)
        self._arguments = self.sections.arguments
        self._actions = self.sections.learner_actions
        self.size, self.parts = self.sections.size, self.sections.parts
        self.left_out = self.sections.left_out

    @property
    def parameters(self) -> dict[str, Any]:
        """The arguments with which this game makes the same layout, as JSON values."""
        return {"seats": self.seats, "options": dict(self.settings), **self._arguments._asdict()}

    @cached_property
    def fingerprint(self) -> str:
        """One line with the game, its version, the parameters, and hashes of parts and actions."""
        scales, texts = self.sections.scales, self._actions.texts
        return fingerprint_of(self.game, self.parameters, self.parts, scales, texts)

    def require(self, fingerprint: str) -> None:
        """Raise LayoutError unless arrays of the layout with this fingerprint mean the same."""
        require_same(self.fingerprint, fingerprint)

    @cached_property
    def bounds(self) -> tuple[Slots, Slots]:
        """The least and the greatest possible value of each slot."""
        return bounds(self.parts)

    @cached_property
    def _compact(self) -> CompactForm:
        return CompactForm(self.parts)

    @property
    def compact_size(self) -> int:
        """The number of bytes of an array in its compact form."""
        return self._compact.size

    def compact(self, arrays: Slots) -> Bits:
        """Return one array or several, in rows, as bytes; raises LayoutError."""
        return self._compact.pack(arrays)

    def expand(self, compact: Bits) -> Slots:
        """Return exactly the arrays that were compacted; raises LayoutError."""
        return self._compact.unpack(compact)

    def encode(self, observation: Observation[Any]) -> Slots:
        """Encode an observation as a new array; raises LayoutError for another table."""
        row: Slots = self.encode_many([observation])[0]
        return row

    def encode_many(
        self, observations: Sequence[Observation[Any]], out: Slots | None = None
    ) -> Slots:
        """Encode observations as the rows of an array, into `out` if given; raises LayoutError."""
        for observation in observations:
            self._check(observation)
        rows = [
            Row(view.state, view.seat, view.history, known_scores(self.game, view.state))
            for view in observations
        ]
        return self.encode_rows(rows, out)

    def encode_rows(
        self, rows: Sequence[Row], out: Slots | None = None, cache: RowCache | None = None
    ) -> Slots:
        """Encode what each row's viewer has seen, into `out` if given; for environments.

        Unlike `encode_many`, it accepts true states of this table. `cache`: the cache of the same
        tables' last batch, if all rows are true states.
        """
        shape = len(rows), self.size
        if out is None:
            slots = np.zeros(shape, np.float32)
        else:
            slots = checked_output(out, shape, np.float32)
            slots.fill(0)
        if self.game.state_type.choices_field:
            rows = [row.without_secret_choices(self.game) for row in rows]
        if rows:
            self.sections.fill(slots, rows, cache)
        return slots

    def new_cache(self) -> RowCache:
        """Return an empty cache for `encode_rows`, which speeds up the next step's true states."""
        return self.sections.new_cache()

    @property
    def action_count(self) -> int:
        """The number of a learner's actions, which is the length of a mask."""
        return self._actions.size

    @cached_property
    def action_heads(self) -> ActionHeads:
        """The heads of a learner's actions: a verb and its parts instead of one number."""
        return ActionHeads(self._actions.groups)

    @cached_property
    def alike_rows(self) -> AlikeRows:
        """The slots and actions of what the game's heuristics declare in `face_rows`."""
        return alike_rows(self.game, self.sections.kinds, self.parts, self._actions.groups)

    @cached_property
    def alike_sites(self) -> AlikeSites | None:
        """The sites of the board, if the game's heuristics declare `site_fields`."""
        return alike_sites(self.game, self.sections, self._actions.groups)

    @property
    def score_scale(self) -> float:
        """How many points a slot with the value 1 would stand for in the part `scores`."""
        return next(
            number.scale for number in self.sections.numbers.numbers if number.field.name == SCORES
        )

    def action_text(self, number: SupportsIndex) -> str:
        """Return the label of a learner's action: `lay R14`; raises IndexError."""
        return self._actions.texts[number]

    def number_of(self, observation: Observation[Any], action: int) -> int:
        """Return the learner's number of an action; the viewer must be the seat to act."""
        return self._actions.numbers(observation.state, observation.seat, [action])[0]

    def action_of(self, observation: Observation[Any], number: SupportsIndex) -> int:
        """Return the legal action with a learner's number, the lowest if there are several.

        Raises IllegalActionError.
        """
        state, seat = observation.state, observation.seat
        return self.legal(state, seat, observation.legal()).chosen(number)

    def legal(self, state: State, seat: int, actions: Sequence[int]) -> LegalActions:
        """Return legal actions of the seat to act with a learner's numbers; for environments.

        The state may be the true one: only faces that the seat has seen are read.
        """
        numbers = self._actions.numbers(state, seat, actions)
        return LegalActions(numbers, actions, self._actions.texts)

    def legal_many(
        self, rows: Sequence[Row], actions: Sequence[Sequence[int]], cache: RowCache, masks: Mask
    ) -> LegalBatch:
        """Return the legal actions of each row's viewer, who is to act, and fill the masks.

        For environments: `rows` must be the rows that were last encoded with `cache`.
        """
        legal = self._actions.batch(rows, actions, cache.kinds)
        masks.fill(0)
        legal.mark(masks)
        return legal

    def mask(self, observation: Observation[Any]) -> Mask:
        """Return a mask of the learner's legal actions; all 0 if another seat is to act."""
        mask = np.zeros(self.action_count, np.int8)
        state, seat = observation.state, observation.seat
        if 0 <= seat == state.seat:
            mask[self._actions.numbers(state, seat, observation.legal())] = 1
        return mask

    def mask_many(self, legal: Sequence[Sequence[int]], out: Mask | None = None) -> Mask:
        """Return a mask for each list of legal numbers, in `out` if given; raises LayoutError."""
        shape = len(legal), self.action_count
        mask = np.zeros(shape, np.int8) if out is None else checked_output(out, shape, np.int8)
        mask.fill(0)
        if len(legal) < FEW_MASKS:
            for row, numbers in zip(mask, legal, strict=True):
                row[numbers] = 1
            return mask
        first = np.arange(0, mask.size, shape[1]).repeat(indices([*map(len, legal)]))
        mask.reshape(-1)[first + joined(legal)] = 1
        return mask

    def part(self, name: str) -> Part:
        """Return a part by name; raises LookupError, which lists the names."""
        for part in self.parts:
            if part.name == name:
                return part
        names = [part.name for part in self.parts]
        raise LookupError(
            f"no part is called {name!r}.{did_you_mean(name, names)} Parts: {', '.join(names)}"
        )

    def read(self, array: Slots, name: str) -> Slots:
        """Return a view of one part of an array, in the part's shape."""
        part = self.part(name)
        return array[part.slots].reshape(part.shape)

    def describe(self) -> str:
        """Return a line for each part: its slots, shape and meaning."""
        lines = [f"{self.game.title}, {self.seats} seats: {self.size} slots"]
        for part in self.parts:
            shape = "×".join(map(str, part.shape))
            lines.append(
                f"{part.name} [{part.slots.start}:{part.slots.stop}] {shape}: {part.meaning}"
            )
        if self.left_out:
            lines.append(f"left out: {', '.join(self.left_out)}")
        return "\n".join(lines)

    def _check(self, observation: Observation[Any]) -> None:
        # Other tables have other layouts: without this check their arrays would be misread.
        state, game = observation.state, observation.game
        is_fit = (
            (game is self.game or (game.name, game.version) == (self.game.name, self.game.version))
            and (state.settings is self.settings or state.settings == self.settings)
            and state.seats == self.seats
            and len(state.face) == self.sections.cards
        )
        if not is_fit:
            raise misfit(observation, self.game, self.settings, self.seats, self.sections.cards)


def known_scores(game: Game[Any], state: State) -> Sequence[int]:
    """Return a masked state's scores, or an empty sequence if they depend on unseen faces."""
    try:
        return game.scores(state)
    except HiddenFaceError:
        return ()


def checked_output(out: NDArray[T], shape: tuple[int, ...], kind: type[T]) -> NDArray[T]:
    """Return `out`; raises LayoutError if it has another shape or type."""
    # It must be contiguous, because it is filled through its flat form.
    if out.shape != shape or out.dtype != kind or not out.flags.c_contiguous:
        raise LayoutError(
            f"`out` is an array of {out.dtype} with shape {out.shape}. "
            f"fix: pass a contiguous array of {np.dtype(kind)} with shape {shape}"
        )
    return out
