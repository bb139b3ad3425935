"""Texts about a table of a server: its seats, clocks and requests, and its settings by name."""

from collections.abc import Sequence

from cardhub.base.writing import listed
from cardhub.model.table.settings import Value, format_value
from cardhub.online.wire.client_messages import AnswerNewcomer, AnswerTakeback, SetUp
from cardhub.online.wire.server_messages import ClockState, OptionState, SeatState, TableState
from cardhub.plugins.bot_index import EASY
from cardhub.view.view import View

# The text that switches a clock or a webhook off.
ON, OFF = "on", "off"


def seat_text(seat: SeatState) -> str:
    """Return the player at a seat, and whether the player is away."""
    if seat.replaced_person:
        return f"{seat.replaced_person}: away, {seat.bot} plays"
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
            "is reading the end of the round" if seat.is_reading else "",
        ]
        note = ", ".join(filter(None, notes))
        lines.append(f"{number + 1}  {seat_text(seat)}{f' ({note})' if note else ''}")
    return lines


def table_facts(state: TableState) -> list[str]:
    """Return lines about the game's options, the settings, the spectators and the games won."""
    options = ", ".join(f"{option.name} {format_value(option.value)}" for option in state.options)
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
    """Return the remaining time of a clock as text: `4:05`.

    `passed`: the seconds since the server sent the clock, which count only if it runs.
    """
    remaining = max(clock.seconds_left - (passed if clock.is_running else 0), 0)
    minutes, seconds = divmod(int(remaining), 60)
    hours, minutes = divmod(minutes, 60)
    if hours >= 48:
        return f"{hours // 24} days"
    return f"{hours}:{minutes:02}:{seconds:02}" if hours else f"{minutes}:{seconds:02}"


def takeback_text(state: TableState) -> str:
    """Return who asks for a takeback and who must agree; empty if there is no request."""
    if state.takeback is None:
        return ""
    missing = listed(names_of(state, state.takeback.missing))
    (asking,) = names_of(state, (state.takeback.seat,))
    return f"{asking} asks to take back their last action. It needs the consent of {missing}."


def newcomer_text(state: TableState) -> str:
    """Return which visitor asks for a seat and who must agree; empty if there is no request."""
    newcomer = state.newcomer
    if newcomer is None:
        return ""
    missing = listed(names_of(state, newcomer.missing))
    return (
        f"{newcomer.name}, a visitor, asks to take seat {newcomer.seat + 1}, and would see its "
        f"hand. It needs the consent of {missing}."
    )


def request_text(state: TableState | None, viewer: int) -> str:
    """Return the request that a viewer should read first: one that waits for the viewer's answer.

    Empty if there is no request.
    """
    if state is None:
        return ""
    if isinstance(pending_answer(state, viewer, agrees=True), AnswerNewcomer):
        return newcomer_text(state)
    return takeback_text(state) or newcomer_text(state)


def readers_text(state: TableState | None, view: View, viewer: int) -> str:
    """Return for whom the game waits because they read the end of a round; it may be empty.

    It is empty for a person who reads it as well, or who is to act.
    """
    seats = state.seats if state is not None and not view.is_over else ()
    readers = [number for number, seat in enumerate(seats) if seat.is_reading]
    if state is None or not readers or viewer in readers or view.to_act == viewer:
        return ""
    return f"Waiting for {listed(names_of(state, readers))} to read the end of the round."


def pending_answer(
    state: TableState | None, viewer: int, *, agrees: bool
) -> AnswerTakeback | AnswerNewcomer | None:
    """Return the answer to the request that waits for a viewer's consent, None if none does."""
    takeback = state.takeback if state is not None else None
    newcomer = state.newcomer if state is not None else None
    if takeback is not None and viewer in takeback.missing:
        return AnswerTakeback(agrees=agrees, request=takeback.request)
    if newcomer is not None and viewer in newcomer.missing:
        return AnswerNewcomer(name=newcomer.name, agrees=agrees)
    return None


def another_bot(state: TableState, seat: int) -> str:
    """Return the bot to put into a seat: `easy`, or another level if that plays there already."""
    others = [level for level in state.levels if level != state.seats[seat].bot]
    return EASY if EASY in others else next(iter(others), "random")


def names_of(state: TableState, seats: Sequence[int]) -> list[str]:
    """Return the players' names at some seats, or `seat N` for a seat without a name."""
    seat_numbers = range(len(state.seats))
    return [(state.seats[n].name if n in seat_numbers else "") or f"seat {n + 1}" for n in seats]


def table_settings(state: TableState) -> list[OptionState]:
    """Return the settings of a table, without the game's options; their values are texts."""
    switches = (
        ("chat", state.has_chat, "players and spectators write to each other"),
        ("helps", state.has_helps, "hints and undo"),
        ("listed", state.is_listed, "the lobby lists the table"),
        ("spectators", state.shows_spectators, "everybody with the link may watch"),
    )
    return [
        *(
            OptionState(name=name, value=ON if is_on else OFF, help=text, choices=(ON, OFF))
            for name, is_on, text in switches
        ),
        OptionState(
            name="clock", value=state.clock or OFF, help="time to act: 5+10, 30s, 3d or off"
        ),
        OptionState(
            name="webhook",
            value=ON if state.has_webhook else OFF,
            help="address to notify when a person's turn begins, or off",
        ),
    ]


def setting_change(state: TableState, name: str, text: str) -> SetUp | str:
    """Return the message that assigns a typed value to a setting or option, or an error text.

    The server checks the values of clocks, webhooks and options.
    """
    name, text = name.casefold(), text.strip()
    option = next((option for option in state.options if option.name == name), None)
    if option is not None and text:
        return SetUp(options={option.name: typed_value(option, text)})
    setting = next((item for item in table_settings(state) if item.name == name), None)
    if setting is None or not text:
        names = [item.name for item in table_settings(state)]
        names += [item.name for item in state.options]
        return f"Type a setting and its value: set chat off. Settings: {', '.join(names)}"
    if setting.choices:
        return _switch(name, text.casefold())
    text = "" if text.casefold() == OFF else text
    return SetUp(clock=text) if name == "clock" else SetUp(webhook=text)


def typed_value(option: OptionState, text: str) -> Value:
    """Return the value of an option that a typed text stands for."""
    choices = {format_value(value): value for value in option.choices}
    if text in choices:
        return choices[text]
    is_number = not choices and text.lstrip("-").isdecimal()
    return int(text) if is_number else text


def _switch(name: str, text: str) -> SetUp | str:
    if text not in (ON, OFF):
        return f"{name} can be on or off: set {name} on"
    is_on = text == ON
    match name:
        case "chat":
            return SetUp(has_chat=is_on)
        case "helps":
            return SetUp(has_helps=is_on)
        case "listed":
            return SetUp(is_listed=is_on)
        case _:
            return SetUp(shows_spectators=is_on)
