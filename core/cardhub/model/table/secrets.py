"""Secrets other than faces: private fields, secret looks, secret actions, and what viewers saw.

A state class with such secrets has a history of views: for each viewer a number for all that it saw
before each action. A game in which all these numbers are equal is the same game to this viewer. In
states without that field nothing is noted or hidden.
"""

from collections.abc import Container
from hashlib import blake2b
from typing import Any, NoReturn, TypeVar

from cardhub.base.errors import PrivateValueError
from cardhub.model.table.faces import BLANK, blanked, known_looks
from cardhub.model.table.rounds import count_choices
from cardhub.model.table.state import OPEN, State

S = TypeVar("S", bound=State)
# By viewer, or of one viewer only in an observation: numbers before each action.
ViewRows = tuple[Any, ...]
# The views of a determinization for search, whose later views are not needed.
NOT_KEPT: ViewRows = (-1,)


class UnseenRow:
    """The row of a private field that belongs to another seat; reading it raises HiddenFaceError.

    It is not a list, because the methods of lists in C would read a subclass as an empty list.
    """

    __slots__ = ("_field", "_seat")

    def __init__(self, field: str, seat: int) -> None:
        self._field, self._seat = field, seat

    def _refuse(self, *_: object) -> NoReturn:
        raise PrivateValueError(
            f"state.{self._field}[{self._seat}] is private: only seat {self._seat} knows it"
        )

    __getitem__ = __setitem__ = __delitem__ = __contains__ = __len__ = __iter__ = _refuse
    __add__ = __radd__ = __iadd__ = __mul__ = __rmul__ = __lt__ = __le__ = __gt__ = __ge__ = _refuse
    __reversed__ = append = extend = insert = pop = remove = clear = _refuse
    index = count = sort = reverse = _refuse

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, UnseenRow):
            self._refuse()
        return (self._field, self._seat) == (other._field, other._seat)

    __hash__ = None  # type: ignore[assignment]  # as of the list that it stands for

    def __repr__(self) -> str:
        return "<private>"

    def __reduce__(self) -> tuple[Any, ...]:
        return UnseenRow, (self._field, self._seat)

    def copy(self) -> "UnseenRow":
        """Return the row itself, which never changes."""
        return self


def note_views(state: State) -> None:
    """Add what each viewer sees before the next action to the history of views, if it is kept."""
    rows: ViewRows = getattr(state, state.views_field)
    if rows != NOT_KEPT:
        row = tuple(view_number(state, viewer) for viewer in range(state.seats + 1))
        setattr(state, state.views_field, (*rows, row))


def noted_clone(state: S) -> S:
    """Return a clone to which the next action can be applied: with what each viewer sees now."""
    clone = state.clone()
    if clone.views_field:
        note_views(clone)
    return clone


def view_number(state: State, viewer: int) -> int:
    """Return a number that differs for two states, unless the viewer sees the same in both.

    `state` is a true state or an observation of this viewer.
    """
    view: list[Any] = [state.seat, state.phase, state.back, state.answers, len(state.shuffle_log)]
    known = zip(blanked(state.face), state.seen, strict=True)
    view += [[face if bits >> viewer & 1 else BLANK for face, bits in known]]
    view += [known_looks(state.seen, 1 << viewer)]
    for name in state._declaration.added:
        value = getattr(state, name)
        view.append(value[viewer : viewer + 1] if name in state.private_fields else value)
    view += [zone.piles(state) for zone in state.zones]
    if state.choices_field and (choices := getattr(state, state.choices_field)):
        view[0] = [c if c < 0 or seat == viewer else OPEN for seat, c in enumerate(choices)]
    return int.from_bytes(blake2b(repr(view).encode(), digest_size=7).digest())


def hide_secrets(observed: State, state: State, viewer: int) -> None:
    """Hide in a copy of `state` what only other seats know: fields, looks and views."""
    observed.seen = known_looks(state.seen, 1 << viewer)
    for name in state.private_fields:
        rows = getattr(state, name)
        known = [
            row.copy() if seat == viewer else UnseenRow(name, seat) for seat, row in enumerate(rows)
        ]
        setattr(observed, name, known)
    setattr(observed, state.views_field, _known_rows(state, viewer))


def known_private(state: State, unseen: list[int] | None) -> dict[str, Any]:
    """Return the private fields of a state by name, with `unseen` for rows of other seats."""
    return {
        name: [unseen if isinstance(row, UnseenRow) else row for row in getattr(state, name)]
        for name in state.private_fields
    }


def known_views(observed: State, viewer: int) -> ViewRows:
    """Return the numbers of all views of an observation's viewer, the present one included."""
    return (*getattr(observed, observed.views_field), view_number(observed, viewer))


def hide_secret_choices(observed: State, viewer: int, secret: Container[int]) -> None:
    """Hide in place the choices of a complete round that stay secret to a viewer."""
    choices = getattr(observed, observed.choices_field)
    for seat, choice in enumerate(choices):
        if choice in secret and seat != viewer:
            choices[seat] = OPEN


def _known_rows(state: State, viewer: int) -> ViewRows:
    """Return the viewer's numbers, one for each action that it knows of."""
    rows: ViewRows = getattr(state, state.views_field)
    hidden = count_choices(state) if state.choices_field else 0
    if hidden and rows != NOT_KEPT:
        # Of the choices of an incomplete round, the viewer knows its own only; until then it saw
        # the same as when the round began.
        has_chosen = viewer < state.seats and getattr(state, state.choices_field)[viewer] >= 0
        rows = (*rows[:-hidden], *rows[-hidden:][: int(has_chosen)])
    return tuple(row if type(row) is int else row[viewer] for row in rows)
