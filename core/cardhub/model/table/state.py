"""The state of a game: public positions of tokens, secret faces, and fields that a game adds."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from itertools import count
from types import MethodDescriptorType
from typing import Any, ClassVar, Self

from cardhub.model.table.beats import WATCHED, Beat, note_beat, note_sentence
from cardhub.model.table.faces import BLANK, SECRET, Faces, PendingShuffle, Shuffle, blanked
from cardhub.model.table.settings import Settings
from cardhub.model.table.state_declaration import StateDeclaration, Zone
from cardhub.model.table.state_source import written_methods

# The value of `State.seat` once the game has ended.
OVER = -1
# The value of `State.seat` while the next action is chance's.
CHANCE = -2
# Instead of a seat's choice in a round of simultaneous choices: it has yet to choose, or is not
# asked.
OPEN, NOT_ASKED = -1, -2
# The message for a choice outside of a round.
UNASKED = "choose() without ask(). fix: call state.ask(seats) first"
# The greatest number that rules can disclose.
MOST_DISCLOSED = 100


class State:
    """A position: everything in it is public except the faces and what is declared as private.

    A game derives its own class, declares its zones as class attributes (`hand =
    per_seat(faces="owner")`) and annotates all other fields (`leader: int`). The permitted types
    are int, bool, str, tuples, `list[int]` and `list[list[int]]`; they start as 0, False, "", ()
    and empty lists unless a default is given. The core derives `clone` and `==` from this.

    A state is changed in place, and copied many thousand times in a search. Keep all of it in zones
    and fields, never in the game object, a class or a module. Each token is in exactly one pile,
    the top one last: a card that leaves a pile must enter another one, and `move` does both.
    """

    _declaration: ClassVar[StateDeclaration] = StateDeclaration("State")
    zones: ClassVar[tuple[Zone, ...]] = ()
    """The declared zones; set by the core."""
    token_fields: ClassVar[tuple[str, ...]] = ()
    """The names of the fields declared by `per_token`; set by the core."""
    choices_field: ClassVar[str] = ""
    """The name of the field declared by `simultaneous`, empty without one; set by the core."""
    views_field: ClassVar[str] = ""
    """The name of the field declared by `view_history`, or empty; set by the core."""
    private_fields: ClassVar[tuple[str, ...]] = ()
    """The names of the fields declared by `private`; set by the core."""
    # The METHODS as written for the fields of this class. A class has them as its own, unless its
    # author wrote one.
    _written: ClassVar[Mapping[str, Callable[..., Any]]] = {}

    seats: int
    """The number of players."""
    everybody: int
    """The bits of all seats and of spectators, as `seen` has them."""
    seat: int
    """The seat to act, from 0, or CHANCE or OVER; `apply` sets it."""
    phase: int
    """An index into the game's `phases`."""
    settings: Settings
    """The values of the options: `state.settings.number("start")`."""
    face: Faces
    """By token, the index of its face in the game's cards."""
    back: tuple[int, ...]
    """By token, the index of its back in the game's cards; public."""
    seen: list[int]
    """By token, the seats that have seen its face, as bits."""
    shuffle_log: tuple[Shuffle, ...]
    """The past shuffles; kept by the core."""
    pending_shuffles: tuple[PendingShuffle, ...]
    """The shuffles at the end of the present action; kept by the core."""
    answers: tuple[bool, ...]
    """The public answers so far (`answer`)."""
    recorded_answers: tuple[bool, ...]
    """All answers of the redacted record that is being replayed; kept by the core."""

    def __init__(self, seats: int, faces: Faces, backs: Iterable[int], settings: Settings) -> None:
        self._written["__init__"](self, seats, faces, backs, settings)

    def __init_subclass__(cls) -> None:
        if isinstance(vars(cls).get("clone"), MethodDescriptorType):
            return  # a compiled class: `declare` is called for it
        declaration = cls._declaration.extended(cls)
        declare(cls, declaration)
        for name in vars(cls).keys() & {*declaration.fields}:
            delattr(cls, name)  # an attribute of the class would slow every read of the instance's
        cls._written = written_methods(cls, declaration)
        for name, method in cls._written.items():
            if _is_overridden(cls, name) or (name == "move" and _is_overridden(cls, "put")):
                _withdraw(cls, name)
            else:
                setattr(cls, name, method)

    def clone(self) -> Self:
        """Return a copy that shares only immutable values and the faces with this state.

        Faces are never changed in place: a shuffle replaces them. Leave it to the core, or copy
        every list that is ever changed.
        """
        # This runs once per simulated game of a search; a deepcopy would take ten times as long.
        copy: Self = self._written["clone"](self)
        return copy

    def __eq__(self, other: object) -> bool:
        return isinstance(other, State) and _is_equal(self, other)

    __hash__ = None  # type: ignore[assignment]  # mutable, and compared by value

    def __reduce__(self) -> tuple[Any, ...]:
        # A compiled base keeps its attributes elsewhere than in the instance's dictionary.
        return restored, (type(self), fields_of(self))

    def put(self, token: int, zone: list[Any], pile: int = 0) -> None:
        """Put `token` on top of a pile; the seats that see the zone learn its face.

        `zone` is the attribute (`state.hand`), `pile` the number of the seat or pile. The top of a
        pile is its last token.
        """
        # Games pass the list itself rather than the zone's name: type checkers understand it.
        self._written["put"](self, token, zone, pile)

    def put_all(self, tokens: Sequence[int], zone: list[Any], pile: int = 0) -> None:
        """Put several tokens on a pile, the last one on top; see `put`."""
        self._written["put_all"](self, tokens, zone, pile)

    def move(self, token: int, source: list[int], zone: list[Any], pile: int = 0) -> None:
        """Remove `token` from the pile `source` and `put` it."""
        source.remove(token)
        self.put(token, zone, pile)

    def reveal(self, tokens: Iterable[int]) -> None:
        """Turn tokens up in place: all seats and spectators learn their faces."""
        seen, everybody = self.seen, self.everybody
        # Compiled code loops over lists natively, and over other iterables by calls of Python.
        for token in tokens if isinstance(tokens, list) else list(tokens):
            seen[token] = everybody

    def show(self, token: int, seat: int, *, is_secret: bool = False) -> None:
        """Show the face of a token to one seat, which knows it until the token is shuffled.

        Others learn of a look unless it `is_secret`, which needs `views = view_history()`.
        """
        bit = 1 << seat
        if not is_secret:
            self.seen[token] = (self.seen[token] | bit) & ~(bit << SECRET)
        elif not self.views_field:
            raise TypeError("a secret look needs views. fix: declare `views = view_history()`")
        elif not self.seen[token] & bit:
            self.seen[token] |= bit | bit << SECRET

    def answer(self, question: Callable[[], bool]) -> bool:
        """Return the answer to a question about hidden faces, and make it public.

        Use it whenever a player must state a fact about hidden cards ("I cannot lay any"). Declare
        what the answer means for single cards in `Game.allows`, and for several cards together in
        `Game.plausible`. A record redacted for one seat contains the answers.
        """
        number, known = len(self.answers), self.recorded_answers
        # A replay of a redacted record cannot evaluate the question: it lacks the faces.
        answer = known[number] if number < len(known) else question()
        self.answers += (answer,)
        return answer

    def disclose(self, number: int) -> int:
        """Return a number from 0 to 100 that follows from secrets, and make it public."""
        if not 0 <= number <= MOST_DISCLOSED:
            problem = f"disclose() got {number}, not a number from 0 to {MOST_DISCLOSED}"
            raise TypeError(f"{problem}. fix: disclose a smaller number, such as an index")
        # As answers, which records and determinizations respect: more than 0? more than 1?
        return next(n for n in count() if not self.answer(partial(number.__gt__, n)))

    def ask(self, seats: Iterable[int]) -> None:
        """Begin a round in which these seats choose at the same time; `state.seat` is the first.

        The class declares `choices = simultaneous()`. `Game.legal` is asked for each of them, and
        `Game.apply` passes each choice to `choose`. Until all have chosen, nothing of the state
        changes, and no seat sees what others have chosen.
        """
        choices = self._choices()
        asked = {*seats}
        if any(choice >= 0 for choice in choices):
            raise TypeError("ask() during a round. fix: call it after choose() returned choices")
        if not asked or not asked <= {*range(self.seats)}:
            raise TypeError(f"ask() needs at least one seat of 0 to {self.seats - 1}: {asked}")
        choices[:] = [OPEN if seat in asked else NOT_ASKED for seat in range(self.seats)]
        self.seat = min(asked)

    def choose(self, action: int) -> dict[int, int]:
        """Keep the choice of the seat to act secret; return all choices by seat after the last.

        Until then it returns an empty dict, and the next seat of the round is to act. After the
        last choice `state.seat` is the first seat that was asked, whatever the order of choices.
        """
        choices = self._choices()
        if not choices or choices[self.seat] != OPEN:
            raise TypeError(UNASKED)
        choices[self.seat] = action
        if OPEN in choices:
            self.seat = choices.index(OPEN)
            return {}
        made = {seat: choice for seat, choice in enumerate(choices) if choice != NOT_ASKED}
        choices.clear()
        self.seat = min(made)
        return made

    def known_choices(self) -> dict[int, int]:
        """Return by seat the choices of the present round that the viewer of this state knows.

        In `Display.narration` and `summary` of the last choice, the state before has all of them.
        """
        return {seat: choice for seat, choice in enumerate(self._choices()) if choice >= 0}

    def pause(self, text: str, cards: Iterable[int] = (), by: int | None = None) -> None:
        """Show the table to everybody as it is now, before this action goes on.

        Call it where an action would sweep away what people want to see: with the last card of a
        trick on the table, or with both cards turned up. `text` is one sentence, with `{player}`
        for the player at seat `by`, who stands out, and `{cards}` for the names of `cards`, which
        are marked: "{player} takes the trick". Screens hold the table for as long as the sentence
        takes to read; in search and matches nobody looks. The scene must suit this moment.
        """
        if WATCHED:
            note_beat(Beat(self, text, tuple(cards), by))

    def log(
        self,
        text: str,
        by: int | None = None,
        cards: Iterable[int] = (),
        *,
        other: int | None = None,
        is_private: bool = False,
        has_pause: bool = False,
        **values: int,
    ) -> None:
        """Write a sentence about this action into the log: "{player} takes {cards}".

        `{player}` and `{other}` are the players at the seats `by` and `other`. `{cards}` are the
        cards by the names that each viewer knows now; with `is_private`, viewers who do not know
        all of them get no sentence. Other names are those of `values`: `{points}` is a number,
        `{points:point}` has its noun: "3 points", "no points". With `has_pause`, the sentence is
        that of a pause, too. The sentences follow the narration of the action, or its default
        description. In a rule that search calls often, first ask `if WATCHED`.
        """
        if WATCHED:
            beat = Beat(self, text, tuple(cards), by, other, values)
            note_sentence(beat, is_private=is_private, has_pause=has_pause)

    def shuffle(self, tokens: Iterable[int]) -> None:
        """Schedule a shuffle of these tokens for the end of this action.

        No seat knows their faces afterwards. The tokens stay in place; backs move with the faces.
        At the end of the action they must be in zones whose faces no seat sees.
        """
        self.pending_shuffles += (PendingShuffle(tuple(tokens), -1),)

    def has_private(self, seat: int) -> bool:
        """Return whether private fields of a seat can be read; an observation has the viewer's."""
        return _known_seats(self)[seat]

    def has_face(self, token: int) -> bool:
        """Return whether the face of a token can be read; an observation has its viewer's faces."""
        return blanked(self.face)[token] != BLANK

    def gather(self, zone: list[Any], pile: int = 0) -> None:
        """Collect all tokens of all zones in one pile and schedule a shuffle.

        Deal in a later action, usually a chance action. No seat may see the faces of the zone.
        """
        target = next((z for z in self.zones if getattr(self, z.name) is zone), None)
        if target is None:
            raise self._not_a_zone()
        if target.faces != "nobody":
            raise TypeError("gather() needs a pile of hidden cards. fix: faces='nobody'")
        tokens = _collect(self)
        (zone if target.count is None else zone[pile]).extend(tokens)
        # Instead of earlier requests of this action: a shuffle of all tokens includes them.
        self.pending_shuffles = (PendingShuffle(tuple(tokens), -1),)

    def _choices(self) -> list[int]:
        """Return the choices of the present round by seat, an empty list outside of a round."""
        if not self.choices_field:
            raise TypeError("no simultaneous choices. fix: declare `choices = simultaneous()`")
        choices: list[int] = getattr(self, self.choices_field)
        return choices

    # The written methods call those below; the first two only if this class is compiled.

    def _begin(self, seats: int, faces: Faces, backs: Iterable[int], settings: Settings) -> None:
        self.seats, self.everybody = seats, (2 << seats) - 1
        self.settings, self.face, self.back = settings, faces, tuple(backs)
        self.seen = [0] * len(faces)
        self.seat = self.phase = 0
        self.shuffle_log, self.pending_shuffles = (), ()
        self.answers, self.recorded_answers = (), ()

    def _copy_to(self, copy: "State") -> None:
        copy.seats, copy.everybody, copy.settings = self.seats, self.everybody, self.settings
        copy.face, copy.back, copy.seen = self.face, self.back, self.seen[:]
        copy.seat, copy.phase = self.seat, self.phase
        copy.shuffle_log, copy.pending_shuffles = self.shuffle_log, self.pending_shuffles
        copy.answers, copy.recorded_answers = self.answers, self.recorded_answers

    def _mix(self, pile: list[int], keeper: int) -> None:
        """Request a shuffle by the owner of a pile in a mixed zone, at the end of this action."""
        # Several cards that enter a pile in one action are mixed once, with the final pile.
        others = (
            s for s in self.pending_shuffles if s.keeper != keeper or not {*s.tokens} <= {*pile}
        )
        self.pending_shuffles = (*others, PendingShuffle(tuple(pile), keeper))

    def _leave_mixed_zones(self, moved: Sequence[int]) -> None:
        """Leave tokens out of pending shuffles by owners: they keep their faces."""
        pending = (
            s if s.keeper < 0 else s._replace(tokens=tuple(t for t in s.tokens if t not in moved))
            for s in self.pending_shuffles
        )
        self.pending_shuffles = tuple(shuffle for shuffle in pending if shuffle.tokens)

    def _not_a_zone(self) -> TypeError:
        """Return the error for a list that is not a zone of this state, for written methods too."""
        names = ", ".join(f"state.{zone.name}" for zone in self.zones)
        return TypeError(f"not a zone of this state. fix: pass one of {names}")


State._written = written_methods(State, State._declaration)


def fields_of(state: State) -> dict[str, Any]:
    """Return the values of all attributes of a state by name."""
    declared = {name: getattr(state, name) for name in state._declaration.fields}
    # A class with its own `clone` may have further attributes.
    return declared | getattr(state, "__dict__", {})


def restored(kind: type[State], fields: Mapping[str, Any]) -> Any:
    """Return a state of a class with the values that `fields_of` returned."""
    # Compiled state classes are open to subclasses: otherwise mypyc would call `__init__` here.
    state = kind.__new__(kind)
    for name, value in fields.items():
        setattr(state, name, value)
    return state


def declare(cls: type[State], declaration: StateDeclaration) -> None:
    """Attach its declaration to a state class; compiled classes call this themselves."""
    cls._declaration = declaration
    cls.zones, cls.token_fields = declaration.zones, declaration.token_fields
    cls.choices_field, cls.views_field = declaration.choices, declaration.views
    cls.private_fields = declaration.private


def declared_names(state: State) -> tuple[str, ...]:
    """Return the names of the fields, zones aside, that a game's state class declares."""
    return state._declaration.added


def _is_equal(state: State, other: State) -> bool:
    """Return whether two states are of one class and have the same values."""
    if type(state) is not type(other):
        return False
    # First, because a comparison of private rows raises unless both states have them.
    if state.private_fields and _known_seats(state) != _known_seats(other):
        return False
    return fields_of(state) == fields_of(other)


def _collect(state: State) -> list[int]:
    """Remove all tokens from their piles, and return them in an order that reveals no face."""
    tokens: list[int] = []
    for zone in state.zones:
        for pile in zone.piles(state):
            tokens += pile
            pile.clear()
    return tokens


def _known_seats(state: State) -> list[bool]:
    """Return by seat whether a state has all of its private rows; others are not lists."""
    rows = [getattr(state, name) for name in state.private_fields]
    return [all(type(row[seat]) is list for row in rows) for seat in range(state.seats)]


def _is_overridden(cls: type[State], name: str) -> bool:
    """Return whether the author of a state class, or of a base, wrote this method."""
    owner = next(base for base in cls.__mro__ if name in vars(base))
    return owner is not State and _is_own(owner, name)


def _is_own(owner: type, name: str) -> bool:
    """Return whether a method is not the written one; a base need not be a state class."""
    written: Mapping[str, Any] = getattr(owner, "_written", {})
    return vars(owner).get(name) is not written.get(name)


def _withdraw(cls: type[State], name: str) -> None:
    """Let State's method take the place of those written for the bases of a class.

    An own method extends it by `super()`; the one written for a base knows the base's fields only.
    """
    for base in cls.__mro__[1:]:
        is_written = name in vars(base) and not _is_own(base, name)
        if is_written and base is not State:
            delattr(base, name)
