"""The state of a game: public positions of tokens, secret faces, and fields that a game adds."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Self

from cardhub.table.faces import Faces, PendingShuffle, Shuffle
from cardhub.table.settings import Settings
from cardhub.table.state_fields import TokenField, declared_fields, default_value, merged_names
from cardhub.table.zones import Viewers, Zone

# The value of `State.seat` once the game has ended.
OVER = -1
# The value of `State.seat` while the next action is chance's.
CHANCE = -2

# Of a zone: whether it is a single pile, the viewers, and whether it is of a rare kind, mixed or
# seen by all but the owner: one test for both. A plain tuple is unpacked faster than three
# attributes are read: `put` is on the hot path.
ZoneProperties = tuple[bool, Viewers, bool]

# The first values of the fields of every state.
INITIAL: dict[str, Any] = {
    "seat": 0,
    "phase": 0,
    "shuffle_log": (),
    "pending_shuffles": (),
    "answers": (),
    "recorded_answers": (),
}


class State:
    """A position: everything in it is public except the faces.

    A game derives its own class, declares its zones as class attributes (`hand =
    per_seat(faces="owner")`) and annotates all other fields (`leader: int`). The permitted types
    are int, bool, str, tuples, `list[int]` and `list[list[int]]`; they start as 0, False, "", ()
    and empty lists unless a default is given. The core derives `clone` and `==` from this.

    `answers` are the public answers so far; while a redacted record is replayed, `recorded_answers`
    are all of that record.
    """

    zones: ClassVar[tuple[Zone, ...]] = ()
    token_fields: ClassVar[tuple[str, ...]] = ()
    _properties_of: ClassVar[tuple[tuple[str, ZoneProperties], ...]] = ()
    _defaults: ClassVar[dict[str, Any]] = {}
    _lists: ClassVar[tuple[str, ...]] = ("seen",)
    _nested: ClassVar[tuple[str, ...]] = ()
    _nested_sizes: ClassVar[tuple[tuple[str, int | None], ...]] = ()
    _initial: ClassVar[dict[str, Any]] = INITIAL

    seats: int
    everybody: int
    seat: int
    phase: int
    settings: Settings
    face: Faces
    back: tuple[int, ...]
    seen: list[int]
    shuffle_log: tuple[Shuffle, ...]
    pending_shuffles: tuple[PendingShuffle, ...]
    answers: tuple[bool, ...]
    recorded_answers: tuple[bool, ...]

    def __init__(self, seats: int, faces: Faces, backs: Iterable[int], settings: Settings) -> None:
        # One dictionary for all attributes, as in `clone`: reads are faster if all instances get
        # their attributes in the same way.
        self.__dict__ = fields = self._initial.copy()
        for name in self._lists:
            fields[name] = []
        for name, count in self._nested_sizes:
            fields[name] = [[] for _ in range(seats if count is None else count)]
        fields["seats"] = seats
        fields["everybody"] = (2 << seats) - 1  # spectators have the bit after the last seat's
        fields["settings"] = settings
        fields["face"] = faces
        fields["back"] = tuple(backs)
        for name in ("seen", *self.token_fields):
            fields[name] = [0] * len(faces)

    def __init_subclass__(cls) -> None:
        zones = [zone for zone in vars(cls).values() if isinstance(zone, Zone)]
        fields = declared_fields(cls)
        plain = [name for name, copying in fields.items() if copying == "plain"]
        cls._defaults = cls._defaults | {name: default_value(cls, name) for name in plain}
        cls._initial = INITIAL | cls._defaults
        noted = [each.name for each in vars(cls).values() if isinstance(each, TokenField)]
        fields |= dict.fromkeys(noted, "list")
        cls.token_fields = (*(n for n in cls.token_fields if n not in fields), *noted)
        fields |= {zone.name: "list" if zone.count is None else "lists" for zone in zones}
        cls.zones = (*(z for z in cls.zones if z.name not in fields), *zones)
        cls._properties_of = tuple((z.name, zone_properties(z)) for z in cls.zones)
        cls._lists = merged_names(cls._lists, fields, "list")
        cls._nested = merged_names(cls._nested, fields, "lists")
        # Per-seat zones have one pile per seat; fields that are not zones start without rows.
        sizes = {zone.name: zone.count or None for zone in cls.zones}
        cls._nested_sizes = tuple((name, sizes.get(name, 0)) for name in cls._nested)
        for name in fields.keys() & vars(cls).keys():
            delattr(cls, name)  # an attribute of the class would slow every read of the instance's

    def clone(self) -> Self:
        """Return a copy that shares only immutable values and the faces with this state.

        Faces are never changed in place: a shuffle replaces them.
        """
        # Copying the dictionary takes over all plain fields at once; only lists need more. This
        # runs once per simulated game of a search, and a deepcopy would take ten times as long.
        copy = object.__new__(type(self))
        copy.__dict__ = fields = self.__dict__.copy()
        for name in self._lists:
            fields[name] = fields[name][:]
        for name in self._nested:
            fields[name] = list(map(list.copy, fields[name]))
        return copy

    def __eq__(self, other: object) -> bool:
        return type(self) is type(other) and self.__dict__ == other.__dict__

    __hash__ = None  # type: ignore[assignment]  # mutable, and compared by value

    def put(self, token: int, zone: list[Any], pile: int = 0) -> None:
        """Put `token` on top of a pile; the seats that see the zone learn its face.

        `zone` is the attribute (`state.hand`), `pile` the number of the seat or pile. The top of a
        pile is its last token.
        """
        is_single, faces, is_rare = self._properties(zone)
        if self.pending_shuffles:
            self._leave_mixed_zones((token,))
        (zone if is_single else zone[pile]).append(token)
        if is_rare:
            self._enter_rare((token,), faces, zone[pile], pile)
        elif faces == "all":
            self.seen[token] = self.everybody
        elif faces == "owner":
            self.seen[token] |= 1 << pile

    def put_all(self, tokens: Sequence[int], zone: list[Any], pile: int = 0) -> None:
        """Put several tokens on a pile, the last one on top; see `put`."""
        is_single, faces, is_rare = self._properties(zone)
        if self.pending_shuffles:  # tested here, so that most games do not pay for the call
            self._leave_mixed_zones(tokens)
        (zone if is_single else zone[pile]).extend(tokens)
        if is_rare:
            self._enter_rare(tokens, faces, zone[pile], pile)
        elif faces != "nobody":
            seen, viewers = self.seen, self.everybody if faces == "all" else 1 << pile
            for token in tokens:
                seen[token] |= viewers

    def move(self, token: int, source: list[int], zone: list[Any], pile: int = 0) -> None:
        """Remove `token` from the pile `source` and `put` it."""
        source.remove(token)
        self.put(token, zone, pile)

    def reveal(self, tokens: Iterable[int]) -> None:
        """Turn tokens up in place: all seats learn their faces."""
        for token in tokens:
            self.seen[token] = self.everybody

    def show(self, token: int, seat: int) -> None:
        """Show the face of a token to one seat."""
        self.seen[token] |= 1 << seat

    def answer(self, question: Callable[[], bool]) -> bool:
        """Return the answer to a question about hidden faces, and make it public.

        Use it whenever a player must say something about hidden cards ("I cannot lay any"). A
        record redacted for one seat contains the answers.
        """
        number, known = len(self.answers), self.recorded_answers
        # A replay of a redacted record cannot evaluate the question: it lacks the faces.
        answer = known[number] if number < len(known) else question()
        self.answers += (answer,)
        return answer

    def shuffle(self, tokens: Iterable[int]) -> None:
        """Have chance shuffle these tokens at the end of this action.

        No seat knows their faces afterwards. The tokens stay in place; backs move with the faces.
        At the end of the action they must lie in zones whose faces no seat sees.
        """
        self.pending_shuffles += (PendingShuffle(tuple(tokens), -1),)

    def gather(self, zone: list[Any], pile: int = 0) -> None:
        """Put all tokens of all zones on one pile, to be shuffled as by `shuffle`.

        For the next deal, which must be an action of its own, as a rule one of chance. No seat may
        see the faces of the zone.
        """
        is_single, faces, _ = self._properties(zone)
        if faces != "nobody":
            raise TypeError("gather() needs a pile of hidden cards. fix: faces='nobody'")
        # The order of the pile is public; that of zones and piles tells no face.
        tokens: list[int] = []
        for each in self.zones:
            for cards in each.piles(self):
                tokens += cards
                cards.clear()
        (zone if is_single else zone[pile]).extend(tokens)
        # Instead of earlier requests of this action: a shuffle of all tokens includes them.
        self.pending_shuffles = (PendingShuffle(tuple(tokens), -1),)

    def _enter_rare(
        self, tokens: Sequence[int], faces: Viewers, pile: list[int], owner: int
    ) -> None:
        viewers = self.everybody ^ 1 << owner if faces == "others" else 1 << owner
        for token in tokens:
            self.seen[token] |= viewers
        if faces == "owner":  # a mixed zone
            self._mix(pile, owner)

    def _mix(self, pile: list[int], keeper: int) -> None:
        # Several cards that enter a pile in one action are mixed once, with the final pile.
        others = (
            pending
            for pending in self.pending_shuffles
            if pending.keeper != keeper or not set(pending.tokens) <= set(pile)
        )
        self.pending_shuffles = (*others, PendingShuffle(tuple(pile), keeper))

    def _leave_mixed_zones(self, moved: Sequence[int]) -> None:
        # A token that has left the pile before the end of the action keeps its face.
        pending = (
            each
            if each.keeper < 0
            else PendingShuffle(tuple(t for t in each.tokens if t not in moved), each.keeper)
            for each in self.pending_shuffles
        )
        self.pending_shuffles = tuple(each for each in pending if each.tokens)

    def _properties(self, piles: list[Any]) -> ZoneProperties:
        # Games pass the list itself rather than the zone's name: type checkers understand it.
        fields = self.__dict__
        for name, properties in self._properties_of:
            if fields[name] is piles:
                return properties
        names = ", ".join(f"state.{zone.name}" for zone in self.zones)
        raise TypeError(f"not a zone of this state. fix: pass one of {names}")


def zone_properties(zone: Zone) -> ZoneProperties:
    """Return the properties of a zone that `put` needs."""
    return zone.count is None, zone.faces, zone.mixed or zone.faces == "others"


def declared_names(state: State) -> tuple[str, ...]:
    """Return the names of the fields, zones aside, that a game's state class declares."""
    declared = (*state._defaults, *state._lists[1:], *state._nested)
    return tuple(name for name in declared if name not in {zone.name for zone in state.zones})
