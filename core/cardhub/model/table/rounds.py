"""Rounds in which several seats choose at the same time, as referees, search and learners see them.

Rules use `State.ask` and `State.choose`. In states without such rounds nothing is asked or hidden.
"""

from cardhub.model.table.state import OPEN, State


def is_in_round(state: State) -> bool:
    """Return whether a round of simultaneous choices is incomplete."""
    return bool(state.choices_field) and bool(_choices(state))


def asked_seats(state: State) -> list[int]:
    """Return the seats that have yet to choose in a round of simultaneous choices, in order."""
    if not state.choices_field:
        return []
    return [seat for seat, choice in enumerate(_choices(state)) if choice == OPEN]


def acting_seats(state: State) -> list[int]:
    """Return the seats to act, in order: several if they have yet to choose at the same time."""
    if state.choices_field and (asked := asked_seats(state)):
        return asked
    return [state.seat] if state.seat >= 0 else []


def count_choices(state: State) -> int:
    """Return the number of choices in an incomplete round: they are the last actions."""
    if not state.choices_field:
        return 0
    return sum(choice >= 0 for choice in _choices(state))


def is_round_complete(before: State, after: State) -> bool:
    """Return whether the action between two states was the last choice of a round."""
    return is_in_round(before) and not count_choices(after)


def turn_to(state: State, seat: int) -> None:
    """Let `seat` choose next if it has yet to choose in a round; the order does not matter."""
    if seat in asked_seats(state):
        state.seat = seat


def hide_choices(state: State, viewer: int) -> None:
    """Hide the choices of other seats than `viewer` in place, until their round is complete.

    Then nobody else has chosen, and the viewer chooses next unless it has. So the order in which
    the seats choose tells nothing.
    """
    if not is_in_round(state):
        return
    choices = _choices(state)
    for seat, choice in enumerate(choices):
        if choice >= 0 and seat != viewer:
            choices[seat] = OPEN
    is_asked = viewer < len(choices) and choices[viewer] == OPEN
    state.seat = viewer if is_asked else choices.index(OPEN)


def reveal_choices(observed: State, before: State, action: int) -> None:
    """Add the choices of a round to an observed state in place: those in `before`, and the last."""
    choices = _choices(observed)
    choices[:] = _choices(before)
    choices[before.seat] = action
    observed.seat = before.seat


def _choices(state: State) -> list[int]:
    """Return the state's own list of choices by seat, empty outside of a round.

    Only for states with the field of choices.
    """
    choices: list[int] = getattr(state, state.choices_field)
    return choices
