"""The set-up of a table before a game: seats, bots, options and permissions."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from cardhub.base.errors import CardhubError
from cardhub.base.writing import listed
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.table.settings import Value
from cardhub.online.server.table_interface import LobbyError
from cardhub.online.server.tables.bot_choice import check_bot
from cardhub.online.server.tables.storage.table_store import Chair, TableFile
from cardhub.online.server.tables.table_context import (
    Client,
    RefusedError,
    TableContext,
    TableServices,
)
from cardhub.online.server.tables.table_stage import count_winners
from cardhub.online.server.tables.webhooks import check_address
from cardhub.online.wire.client_messages import SetUp, TableSettings
from cardhub.online.wire.wire_codec import NewTable
from cardhub.play.host.lessons.lesson_file import Lesson
from cardhub.play.host.lessons.lesson_table import lesson_of
from cardhub.play.host.turns.clock import TimeControl
from cardhub.play.seating import check_player_name

# The settings that an owner may change during a game, and those that a table keeps by their names.
ALWAYS = ("is_listed", "has_chat", "shows_spectators", "webhook")
SWITCHES = (*ALWAYS, "has_helps", "clock")


def set_up(context: TableContext, client: Client, message: SetUp) -> None:
    """Change the settings of a table, or raise RefusedError and leave them unchanged."""
    context.check_owner(client)
    given = _given_values(message, message.__struct_fields__)
    if context.file.is_lesson and given.keys() - set(ALWAYS):
        raise RefusedError("a lesson has its own seats and cards. fix: make a table of the game")
    if context.stage == "playing" and (late := given.keys() - set(ALWAYS)):
        names = listed(sorted(late))
        raise RefusedError(f"{names} cannot change during a game. fix: wait for its end")
    if context.stage == "playing" and message.shows_spectators:
        _check_spectators(context)
    _check_texts(message)
    changes = _given_values(message, SWITCHES)
    chairs = _chairs(context, message)
    options = _options(context, message.options, len(chairs))
    finished = context.host if context.stage == "over" else None
    is_new_game = (chairs, options) != (context.chairs, context.file.options)
    if is_new_game and finished is not None:
        changes |= count_winners(context.file, finished) | {"stage": "open"}
    context.update(chairs=chairs, options=options, **changes)
    if is_new_game and finished is not None:
        # Its views do not fit the new seats. Only now, because the disk may have been full.
        finished.close()
        context.host = None


def _check_spectators(context: TableContext) -> None:
    """Raise RefusedError if spectators, who may be anybody, would see hands of this game."""
    is_change = not context.file.shows_spectators
    if is_change and context.host is not None and context.host.shows_spectators_hands:
        raise RefusedError(
            "spectators of this game see hands, so they cannot be let in before it ends. "
            "fix: wait for its end"
        )


def _given_values(message: TableSettings, names: Sequence[str]) -> dict[str, Any]:
    values = {name: getattr(message, name) for name in names}
    return {name: value for name, value in values.items() if value is not None}


def _check_texts(message: TableSettings) -> None:
    if message.clock:
        TimeControl.parse(message.clock)
    if message.webhook:
        check_address(message.webhook)


def _chairs(context: TableContext, message: SetUp) -> tuple[Chair, ...]:
    chairs = list(context.chairs)
    if message.seats is not None:
        chairs = _resized(context, chairs, message.seats)
    if message.order is not None:
        if sorted(message.order) != list(range(len(chairs))):
            raise RefusedError("the order is invalid. fix: name every seat once")
        chairs = [chairs[seat] for seat in message.order]
    if message.bots is not None:
        if len(message.bots) != len(chairs):
            counts = f"{len(message.bots)} bots for {len(chairs)} seats"
            raise RefusedError(f"there are {counts}. fix: send one entry per seat")
        pairs = zip(chairs, message.bots, strict=True)
        chairs = [_with_bot(context, chair, bot) for chair, bot in pairs]
    return tuple(chairs)


def _resized(context: TableContext, chairs: Sequence[Chair], seats: int) -> list[Chair]:
    game = context.game
    if seats not in game.seats:
        raise RefusedError(f"{game.title} is for {game.seats} players, not for {seats}")
    resized = list(chairs)
    while len(resized) > seats:
        # Remove the last seat without a person.
        empty = [number for number, chair in enumerate(resized) if not chair.token]
        if not empty:
            problem = f"more than {seats} people have seats"
            raise RefusedError(f"{problem}. fix: ask somebody to stand up first")
        del resized[empty[-1]]
    return resized + [Chair()] * (seats - len(resized))


def _with_bot(context: TableContext, chair: Chair, bot: str) -> Chair:
    if chair.token:
        if bot and (chair.name or bot != chair.bot):
            raise RefusedError(f"{chair.name or 'an invited person'} has this seat, so no bot can")
        return chair
    return Chair(bot=check_bot(context, bot) if bot else "")


def _options(
    context: TableContext, given: Mapping[str, Value] | None, seats: int
) -> Mapping[str, Value]:
    """Return the options whose values are not the default; raises RefusedError."""
    file = context.file
    try:
        settings = resolve_options(context.game, {**file.options, **(given or {})}, seats)
    except CardhubError as error:
        raise RefusedError(f"{error}. fix: choose other options") from error
    defaults = {name: option.default for name, option in context.game.options.items()}
    return {name: value for name, value in settings.items() if value != defaults[name]}


def new_table_file(
    services: TableServices, request: NewTable, table: str, owner: str, address: str
) -> TableFile:
    """Return the file of a new table; raises LobbyError with the reason for its maker.

    `owner`: the hash of the owner's token. If the request has a name, the owner gets the first free
    seat.
    """
    try:
        game = services.game(request.game)
        file = TableFile(
            table=table,
            game=request.game,
            made=services.time(),
            changed=services.time(),
            visited=services.time(),
            owner=owner,
            address=address,
            # One chair, because the game has not checked the client's number of seats yet.
            chairs=(Chair(),),
            **_given_values(request, SWITCHES),
        )
        if request.is_lesson:
            return _as_lesson(file, lesson_of(game))
        context = TableContext(file, services)
        _check_texts(request)
        seats = request.seats or game.seats.default
        chairs = _chairs(context, SetUp(seats=seats, bots=request.bots))
        options = _options(context, request.options, seats)
        return msgspec.structs.replace(
            file, chairs=_with_owner(chairs, request.name, owner), options=options
        )
    except CardhubError as error:
        raise LobbyError(str(error)) from error


def _as_lesson(file: TableFile, lesson: Lesson) -> TableFile:
    """Return the file of a new table for a lesson: the owner is the learner."""
    bots = (Chair(bot=lesson.bot, bot_name=name) for name in lesson.players[1:])
    return msgspec.structs.replace(
        file,
        chairs=(Chair(name=lesson.players[0], token=file.owner), *bots),
        options=lesson.options,
        has_chat=False,
        is_lesson=True,
    )


def _with_owner(chairs: Sequence[Chair], name: str, owner: str) -> tuple[Chair, ...]:
    if not name:
        return tuple(chairs)
    check_player_name(name)
    free = [seat for seat, chair in enumerate(chairs) if chair.is_free]
    if not free:
        raise RefusedError("bots have all seats. fix: leave a seat for the owner, or give no name")
    owners = Chair(name=name, token=owner)
    return tuple(owners if seat == free[0] else chair for seat, chair in enumerate(chairs))
