"""What a state class declares: its fields, and its zones, whose faces some seats see."""

import inspect
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Literal, cast, get_args, get_origin

from cardhub.model.table.ranges import Numbers, Omitted

# The seats that see the faces in a zone; the `owner` is the seat of the pile, and `others` are all
# other seats and spectators.
Viewers = Literal["nobody", "owner", "others", "all"]
# Those that only zones with one pile per seat can have.
OF_OWNERS = ("owner", "others")


@dataclass(slots=True, kw_only=True)
class DeclaredField:
    """A declaration in the body of a state class; `name` is the attribute to which it is set."""

    name: str = ""

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name


@dataclass(slots=True)
class Zone(DeclaredField):
    """A zone of a state class.

    `count` is None for a single pile, 0 for one pile per seat, else the number of piles. `nouns`:
    the piles' names in a sentence, or one name for all of them.
    """

    faces: Viewers
    count: int | None = None
    mixed: bool = False
    nouns: tuple[str, ...] = ()

    @property
    def noun(self) -> str:
        """The name in a sentence, such as `won cards`; by default the attribute as words."""
        return self.nouns[0] if len(self.nouns) == 1 else self.name.replace("_", " ").strip()

    def piles(self, state: object) -> list[list[int]]:
        """Return the piles of this zone in `state`; a single pile as a list of one."""
        value = getattr(state, self.name)
        return [value] if self.count is None else value


def shows_spectators_more(zones: Iterable[Zone]) -> bool:
    """Return whether spectators see faces that some seat has not seen."""
    return any(zone.faces == "others" for zone in zones)


# The functions below return a Zone, but are typed as the lists of tokens that replace it in each
# state, because authors use `state.hand` as lists of tokens.


def shared(faces: Viewers, *, noun: str = "") -> list[int]:
    """Declare one pile for the whole table.

    `noun`: its name in "from the discard pile", if the attribute's name is not a noun.
    """
    if faces in OF_OWNERS:
        raise TypeError("a shared zone has no owner. fix: faces='nobody' or faces='all'")
    return cast("list[int]", Zone(faces, nouns=(noun,) if noun else ()))


def per_seat(faces: Viewers, *, mixed: bool = False, noun: str = "") -> list[list[int]]:
    """Declare one pile per seat.

    `noun`: its name in "from Anna's won cards", if the attribute's name is not a noun.
    With `faces="others"` every seat and spectators see the faces, but not the owner.
    In a `mixed` zone the owner may rearrange the cards unseen: whenever a card enters after the
    deal, the pile's tokens become indistinguishable to all seats but the owner's.
    """
    if mixed and faces != "owner":
        raise TypeError("a mixed zone hides its cards from other seats. fix: faces='owner'")
    nouns = (noun,) if noun else ()
    return cast("list[list[int]]", Zone(faces, count=0, mixed=mixed, nouns=nouns))


def piles(
    count: int, faces: Viewers, *, noun: str = "", nouns: tuple[str, ...] = ()
) -> list[list[int]]:
    """Declare `count` piles without an owner, such as the sites of a board.

    `noun`: the name of a pile in "from meld 2"; `nouns`: a name for each, such as "the left stack".
    """
    if count < 1 or faces in OF_OWNERS:
        raise TypeError("piles() needs a count of at least 1 and faces='nobody' or faces='all'")
    names = nouns or ((noun,) if noun else ())
    return cast("list[list[int]]", Zone(faces, count=count, nouns=names))


# How a field is cloned: `plain` values are shared, a `list` is copied, `lists` also row by row.
Copying = Literal["plain", "list", "lists"]


@dataclass(slots=True)
class TokenField(DeclaredField):
    """A field of a state class that has a number for each token; `numbers`: which ones."""

    numbers: Numbers | None = None


def per_token(numbers: Numbers | None = None) -> list[int]:
    """Declare a number for each token: 0 at first, and again after a shuffle of the token.

    Use it for public knowledge about a card, such as a mask of the faces that it cannot have:
    `per_token(BitsOf("faces"))`.
    """
    # It has the type of the attribute that replaces it in each state, as zones do.
    return cast("list[int]", TokenField(numbers))


class ChoicesField(DeclaredField):
    """A field of a state class that has the choices of a round in which several seats choose."""


def simultaneous() -> list[int]:
    """Declare that several seats may choose at the same time; see `State.ask`."""
    return cast("list[int]", ChoicesField())


class ViewsField(DeclaredField):
    """A field of a state class that has what each viewer saw before each action, as numbers."""


def view_history() -> tuple[Any, ...]:
    """Declare that secrets other than faces are possible, and that determinizations replay games.

    The core keeps what each viewer saw before each action. A determinization is a whole game in
    which this viewer would have seen the same, from the deal on.
    """
    return cast("tuple[Any, ...]", ViewsField())


class PrivateField(DeclaredField):
    """A field of a state class with a list for each seat, which only this seat knows."""


def private() -> list[list[int]]:
    """Declare a list of numbers for each seat that only this seat knows, empty at first.

    Reading it in the observations of other seats and of spectators raises HiddenFaceError;
    `state.has_private(seat)` is False there.
    """
    return cast("list[list[int]]", PrivateField())


def declared_fields(cls: type) -> dict[str, Copying]:
    """Return how each annotated field of a class is cloned, by name; raises TypeError."""
    hints = inspect.get_annotations(cls, eval_str=True).items()
    return {name: _copying(cls, name, hint) for name, hint in hints if _kind(hint) is not ClassVar}


def declared_numbers(cls: type) -> dict[str, Numbers | Omitted]:
    """Return which numbers the fields of a class have, by name; raises TypeError."""
    hints = inspect.get_annotations(cls, eval_str=True).items()
    declared: dict[str, Numbers | Omitted] = {}
    for name, hint in hints:
        for numbers in hint.__metadata__ if _has_metadata(hint) else ():
            if isinstance(numbers, Numbers | Omitted):
                declared[name] = numbers
                if _kind(hint) not in (int, bool, list) or _copying(cls, name, hint) == "lists":
                    raise TypeError(
                        f"{cls.__name__}.{name}: numbers are declared for int, bool and list[int] "
                        f"only. fix: leave out {numbers}"
                    )
    token_fields = [field for field in vars(cls).values() if isinstance(field, TokenField)]
    return declared | {f.name: f.numbers for f in token_fields if f.numbers is not None}


def _copying(cls: type, name: str, hint: Any) -> Copying:
    kind, hint = _kind(hint), _plain(hint)
    if kind is list:
        inner = get_args(hint)
        return "lists" if inner and get_origin(inner[0]) is list else "list"
    if kind in (int, bool, str, tuple):
        return "plain"
    raise TypeError(
        f"{cls.__name__}.{name}: a state holds int, bool, str, tuples, list[int] and "
        "list[list[int]]; give the class its own clone for anything else"
    )


def default_value(cls: type, name: str) -> Any:
    """Return the first value of a plain field."""
    hint = inspect.get_annotations(cls, eval_str=True)[name]
    return vars(cls).get(name, _kind(hint)())


def _kind(hint: Any) -> Any:
    hint = _plain(hint)
    return get_origin(hint) or hint


def _plain(hint: Any) -> Any:
    """Return a type without the numbers that it declares."""
    return get_args(hint)[0] if _has_metadata(hint) else hint


def _has_metadata(hint: Any) -> bool:
    origin: Any = get_origin(hint)
    return origin is Annotated


# The first values of those fields of every state that do not depend on the deal.
INITIAL: Mapping[str, Any] = {
    "seat": 0,
    "phase": 0,
    "shuffle_log": (),
    "pending_shuffles": (),
    "answers": (),
    "recorded_answers": (),
}
# The fields of every state that are set from the deal.
DEALT = ("seats", "everybody", "settings", "face", "back", "seen")
# The fields of every state.
CORE = frozenset((*DEALT, *INITIAL))


@dataclass(frozen=True, slots=True)
class StateDeclaration:
    """The zones and fields of a state class; `plain` has the first values of plain fields.

    `lists` also has zones of a single pile, token fields and the field `choices` of simultaneous
    choices, `nested` all other zones and the `private` fields. `views`: the field of the view
    history, which is a plain field as well, or an empty name. `numbers`: which numbers a field has,
    if that is declared.
    """

    name: str
    zones: tuple[Zone, ...] = ()
    token_fields: tuple[str, ...] = ()
    plain: Mapping[str, Any] = field(default_factory=dict)
    lists: tuple[str, ...] = ()
    nested: tuple[str, ...] = ()
    choices: str = ""
    views: str = ""
    private: tuple[str, ...] = ()
    numbers: Mapping[str, Numbers | Omitted] = field(default_factory=dict)

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of all attributes of a state, in the order in which they are set."""
        return tuple(dict.fromkeys((*DEALT, *INITIAL, *self.plain, *self.lists, *self.nested)))

    @property
    def added(self) -> tuple[str, ...]:
        """The names of the fields, without zones, choices and views, that the class adds."""
        others = {zone.name for zone in self.zones} | {self.choices, self.views}
        return tuple(n for n in (*self.plain, *self.lists, *self.nested) if n not in others)

    @property
    def is_mixed(self) -> bool:
        """Whether a zone is mixed."""
        return any(zone.mixed for zone in self.zones)

    @property
    def is_literal(self) -> bool:
        """Whether all first values are literals, whose representation is source code."""
        return all(map(is_literal, self.plain.values()))

    def initial(self) -> dict[str, Any]:
        """Return the first values of all plain fields that do not depend on the deal."""
        both = {**INITIAL, **self.plain}
        return {name: value for name, value in both.items() if name not in DEALT}

    def zone_sizes(self) -> dict[str, int | None]:
        """Return the number of rows of every nested field at first; None: one per seat."""
        # Zones and private fields of seats have a row per seat; other fields start without rows.
        sizes = {zone.name: zone.count or None for zone in self.zones}
        sizes |= dict.fromkeys(self.private)
        return {name: sizes.get(name, 0) for name in self.nested}

    def extended(self, cls: type) -> "StateDeclaration":
        """Return the declaration of a subclass; raises TypeError for a field it cannot have."""
        attributes = vars(cls).values()
        views = [a.name for a in attributes if isinstance(a, ViewsField)]
        hidden = [a.name for a in attributes if isinstance(a, PrivateField)]
        if hidden and not (views or self.views):
            raise TypeError(
                f"{cls.__name__}.{hidden[0]} is private() without a history of views. "
                "fix: declare `views = view_history()` too"
            )
        zones = [attribute for attribute in attributes if isinstance(attribute, Zone)]
        noted = [a.name for a in attributes if isinstance(a, TokenField)]
        choices = [a.name for a in attributes if isinstance(a, ChoicesField)]
        if len(choices) + bool(self.choices) > 1:
            name = cls.__name__
            raise TypeError(f"{name} declares simultaneous() twice. fix: one field is enough")
        fields = declared_fields(cls)
        plain = {n: default_value(cls, n) for n, kind in fields.items() if kind == "plain"}
        fields |= dict.fromkeys(views, "plain")
        plain |= dict.fromkeys(views, ())
        fields |= dict.fromkeys([*noted, *choices], "list")
        fields |= dict.fromkeys(hidden, "lists")
        fields |= {zone.name: "list" if zone.count is None else "lists" for zone in zones}
        # A subclass may declare a field again with another kind.
        numbers = {n: value for n, value in self.numbers.items() if n not in fields}
        inherited = {
            n: value for n, value in self.plain.items() if fields.get(n, "plain") == "plain"
        }
        return StateDeclaration(
            cls.__qualname__.rpartition(".")[2],
            (*(zone for zone in self.zones if zone.name not in fields), *zones),
            (*(name for name in self.token_fields if name not in fields), *noted),
            inherited | plain,
            _merged(self.lists, fields, "list"),
            _merged(self.nested, fields, "lists"),
            "".join(choices) or self.choices,
            "".join(views[:1]) or self.views,
            (*(name for name in self.private if name not in fields), *hidden),
            numbers | declared_numbers(cls),
        )


def _merged(
    inherited: tuple[str, ...], fields: dict[str, Copying], kind: Copying
) -> tuple[str, ...]:
    """Return the names of all fields of a kind: inherited fields first."""
    kept = (name for name in inherited if name not in fields)
    own = (name for name, copying in fields.items() if copying == kind and name not in DEALT)
    return (*kept, *own)


def is_literal(value: object) -> bool:
    """Return whether `repr` of a first value is its source code."""
    if type(value) is tuple:
        return all(map(is_literal, value))
    return type(value) in (int, bool, str)
