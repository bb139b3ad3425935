"""Sentences about a table of a server: its seats, options, clocks and requests."""

from collections.abc import Sequence

from cardhub.table.settings import format_value
from cardhub.wire.server_messages import ClockState, SeatState, TableState


def seat_text(seat: SeatState) -> str:
    """Return the player at a seat, and whether a client of them is connected."""
    if seat.stood_in:
        return f"{seat.stood_in}: away, {seat.bot} plays"
    if not seat.name and not seat.bot:
        return "free"
    if seat.bot:
        return f"{seat.name} ({seat.bot})" if seat.name else f"bot {seat.bot}"
    return seat.name if seat.is_here else f"{seat.name}: away"


def seat_lines(state: TableState, viewer: int) -> list[str]:
    """Return a line for each seat: number, player, owner, clock and rematch."""
    lines = []
    for number, seat in enumerate(state.seats):
        notes = [
            "you" if number == viewer else "",
            "owner" if number == state.owner else "",
            clock_text(seat.clock) if seat.clock else "",
            "wants a rematch" if seat.wants_rematch else "",
        ]
        said = ", ".join(filter(None, notes))
        lines.append(f"{number + 1}  {seat_text(seat)}{f' ({said})' if said else ''}")
    return lines


def table_facts(state: TableState) -> list[str]:
    """Return lines on the options, the table's settings, spectators and games won."""
    options = ", ".join(f"{each.name} {format_value(each.value)}" for each in state.options)
    facts = [
        f"chat {'on' if state.has_chat else 'off'}",
        f"hints and undo {'allowed' if state.has_helps else 'off'}",
        f"clock {state.clock}" if state.clock else "",
        "in the lobby's list" if state.is_listed else "",
        f"{state.spectators} watching" if state.spectators else "",
    ]
    scores = ", ".join(f"{name} {won}" for name, won in state.scores.items())
    lines = [options, ", ".join(filter(None, facts)), f"Games won: {scores}" if scores else ""]
    return [line for line in lines if line]


def clock_text(clock: ClockState, passed: float = 0) -> str:
    """Return the time that is left on a clock, `passed` seconds later if it runs: `4:05`."""
    left = max(clock.left - (passed if clock.is_running else 0), 0)
    minutes, seconds = divmod(int(left), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 48:
        return f"{hours // 24} days"
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def takeback_text(state: TableState) -> str:
    """Return who asks for a takeback and who has to agree; empty if nobody asks."""
    if state.takeback is None:
        return ""
    missing = names_of(state, state.takeback.missing)
    (asking,) = names_of(state, (state.takeback.seat,))
    return f"{asking} asks to take an action back; {', '.join(missing)} must agree."


def must_agree(state: TableState | None, viewer: int) -> bool:
    """Return whether a viewer is asked to agree to a takeback."""
    takeback = state.takeback if state is not None else None
    return takeback is not None and viewer in takeback.missing


def names_of(state: TableState, seats: Sequence[int]) -> list[str]:
    """Return the names of the players at some seats; a number where there is none."""
    known = range(len(state.seats))
    return [(state.seats[n].name if n in known else "") or f"seat {n + 1}" for n in seats]
