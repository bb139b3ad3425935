"""The state of a game: public places, secret faces, and whatever ints a game adds."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, Self

from cardhub.table.faces import Faces, Shuffle
from cardhub.table.settings import Settings
from cardhub.table.state_fields import Copying, declared_fields, start_value
from cardhub.table.zones import Zone

OVER = -1
"""The value of `State.seat` once the game has ended."""
CHANCE = -2
"""The value of `State.seat` while the next action is chance's."""

START: dict[str, Any] = {
    "seat": 0,
    "phase": 0,
    "shuffle_log": (),
    "pending_shuffles": (),
    "answers": (),
    "recorded_answers": (),  # the answers a redacted record has in store
}
"""What every state begins with."""


class State:
    """A position: everything in it is public but the faces.

    A game derives its own class, declares its zones as class attributes (`hand =
    per_seat(faces="owner")`) and annotates what else it keeps (`leader: int`). The permitted kinds
    are int, bool, str, tuples, `list[int]` and `list[list[int]]`; they start as 0, False, "", ()
    and empty lists unless a default is given. From this the core derives `clone` and `==`.
    """

    zones: ClassVar[tuple[Zone, ...]] = ()
    _rules: ClassVar[tuple[tuple[str, tuple[bool, str, bool]], ...]] = ()
    _defaults: ClassVar[dict[str, Any]] = {}
    _lists: ClassVar[tuple[str, ...]] = ("seen",)
    _nested: ClassVar[tuple[str, ...]] = ()
    _rows: ClassVar[tuple[tuple[str, int], ...]] = ()
    _blank: ClassVar[dict[str, Any]] = START

    seats: int
    everybody: int
    seat: int
    phase: int
    settings: Settings
    face: Faces
    back: tuple[int, ...]
    seen: list[int]
    shuffle_log: tuple[Shuffle, ...]
    pending_shuffles: tuple[tuple[tuple[int, ...], int], ...]
    answers: tuple[bool, ...]
    recorded_answers: tuple[bool, ...]

    def __init__(self, seats: int, faces: Faces, backs: Iterable[int], settings: Settings) -> None:
        # All attributes at once, as in `clone`: they are read faster when all states have come
        # about in one way.
        self.__dict__ = fields = self._blank.copy()
        for name in self._lists:
            fields[name] = []
        for name, count in self._rows:
            fields[name] = [[] for _ in range(count or seats)]
        fields["seats"] = seats
        fields["everybody"] = (2 << seats) - 1  # spectators have the bit after the last seat's
        fields["settings"] = settings
        fields["face"] = faces
        fields["back"] = tuple(backs)
        fields["seen"] = [0] * len(faces)

    def __init_subclass__(cls) -> None:
        """Read the zones and annotations of a game's state class."""
        zones = [_named(zone, name) for name, zone in vars(cls).items() if isinstance(zone, Zone)]
        fields = declared_fields(cls)
        defaults = {n: start_value(cls, n) for n, copying in fields.items() if copying == "plain"}
        fields |= {zone.name: "list" if zone.count is None else "lists" for zone in zones}
        cls.zones = (*(z for z in cls.zones if z.name not in fields), *zones)
        cls._rules = tuple((z.name, (z.count is None, z.faces, z.mixed)) for z in cls.zones)
        cls._defaults = cls._defaults | defaults
        cls._lists = _redeclared(cls._lists, fields, "list")
        cls._nested = _redeclared(cls._nested, fields, "lists")
        counts = {zone.name: zone.count for zone in cls.zones}
        cls._rows = tuple((name, _count(counts.get(name))) for name in cls._nested)
        cls._blank = START | cls._defaults
        for name in fields.keys() & vars(cls).keys():
            delattr(cls, name)  # an attribute of the class would slow every read of the instance's

    def clone(self) -> Self:
        """Return a copy that shares no list with this state but the faces.

        Those are never changed in place: a shuffle replaces them.
        """
        # One copy of the dictionary takes over all plain fields at once; only lists need more. This
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
        """Lay `token` on top of a zone's pile, and teach its face to whom the zone shows it.

        `zone` is the attribute itself (`state.hand`), `pile` the seat or pile number; a pile's top
        is its last token.
        """
        is_single, faces, mixed = self._rules_of(zone)
        if self.pending_shuffles:
            self._keep_apart((token,))
        (zone if is_single else zone[pile]).append(token)
        if faces == "all":
            self.seen[token] = self.everybody
        elif faces == "owner":
            self.seen[token] |= 1 << pile
        if mixed:
            self._mix(zone[pile], pile)

    def put_all(self, tokens: Sequence[int], zone: list[Any], pile: int = 0) -> None:
        """Lay several tokens on a pile, the last one on top; see `put`."""
        is_single, faces, mixed = self._rules_of(zone)
        if self.pending_shuffles:  # never on the way of games without mixed zones
            self._keep_apart(tokens)
        (zone if is_single else zone[pile]).extend(tokens)
        if faces != "nobody":
            seen, taught = self.seen, self.everybody if faces == "all" else 1 << pile
            for token in tokens:
                seen[token] |= taught
        if mixed:
            self._mix(zone[pile], pile)

    def move(self, token: int, source: list[int], zone: list[Any], pile: int = 0) -> None:
        """Take `token` out of the pile `source` and `put` it."""
        source.remove(token)
        self.put(token, zone, pile)

    def reveal(self, tokens: Iterable[int]) -> None:
        """Turn tokens up where they lie: everybody learns their faces."""
        for token in tokens:
            self.seen[token] = self.everybody

    def show(self, token: int, seat: int) -> None:
        """Let one seat look at the face of a token."""
        self.seen[token] |= 1 << seat

    def answer(self, question: Callable[[], bool]) -> bool:
        """Return, for all to hear, the answer to a question about faces not all have seen.

        Ask so whenever rules make a player say something of hidden cards ("I cannot lay any"). What
        follows from the answer is public; a record redacted for one seat holds the answers.
        """
        number = len(self.answers)
        answer = (
            self.recorded_answers[number] if number < len(self.recorded_answers) else question()
        )
        self.answers += (answer,)
        return answer

    def shuffle(self, tokens: Iterable[int]) -> None:
        """Have chance shuffle these tokens as soon as this action is over.

        Nobody knows their faces afterwards. Their places stay; their backs move with the faces. At
        the end of the action they must lie where nobody is shown a face.
        """
        self.pending_shuffles += ((tuple(tokens), -1),)

    def _mix(self, pile: list[int], keeper: int) -> None:
        others = (u for u in self.pending_shuffles if u[1] != keeper or not set(u[0]) <= set(pile))
        self.pending_shuffles = (*others, (tuple(pile), keeper))

    def _keep_apart(self, moved: Sequence[int]) -> None:
        """Leave tokens out of what their keepers are to rearrange: they lie elsewhere now."""
        rearranged = (
            (tokens if keeper < 0 else tuple(t for t in tokens if t not in moved), keeper)
            for tokens, keeper in self.pending_shuffles
        )
        self.pending_shuffles = tuple((tokens, keeper) for tokens, keeper in rearranged if tokens)

    def _rules_of(self, piles: list[Any]) -> tuple[bool, str, bool]:
        # Games hand over the list itself, which type checkers understand, rather than its name.
        fields = self.__dict__
        for name, rules in self._rules:
            if fields[name] is piles:
                return rules
        names = ", ".join(f"state.{zone.name}" for zone in self.zones)
        raise TypeError(f"put() takes a zone of this state: {names}")


def kept_by(state: State) -> tuple[str, ...]:
    """Return the names of what a game's state class declares besides zones."""
    declared = (*state._defaults, *state._lists[1:], *state._nested)
    return tuple(name for name in declared if name not in {zone.name for zone in state.zones})


def _named(zone: Zone, name: str) -> Zone:
    zone.name = name
    return zone


def _count(count: int | None) -> int:
    """Return how many piles a zone has, 0 for one per seat; less than that if it is no zone."""
    return -1 if count is None else count


def _redeclared(
    inherited: tuple[str, ...], fields: dict[str, Copying], kind: Copying
) -> tuple[str, ...]:
    """Return the names of the fields of a kind; what a class declares anew is not inherited."""
    kept = (name for name in inherited if name not in fields)
    return (*kept, *(name for name, copying in fields.items() if copying == kind))
