"""The message that describes a table, the same for all clients."""

from cardhub.online.server.tables.bot_choice import offered_bots
from cardhub.online.server.tables.broadcasting.offers import option_states
from cardhub.online.server.tables.table_context import TableContext
from cardhub.online.wire.server_messages import SeatState, TableState


def table_state(context: TableContext) -> TableState:
    """Return the state of a table."""
    file, game = context.file, context.game
    owner = context.viewer_of(file.owner)
    spectators = sum(context.file.seat_of(c.token) is None for c in context.clients.values())
    return TableState(
        table=file.table,
        stage=context.stage,
        game=game.name,
        title=game.title,
        number=file.number,
        seats=tuple(_seat(context, seat) for seat in range(len(file.chairs))),
        fewest=game.seats.low,
        most=game.seats.high,
        owner=None if owner == context.spectator else owner,
        options=option_states(game, file.options, len(file.chairs)),
        levels=offered_bots(context.services.registry, game.name),
        is_listed=file.is_listed,
        has_chat=file.has_chat,
        has_helps=file.has_helps,
        shows_spectators=file.shows_spectators,
        clock=file.clock,
        has_webhook=bool(file.webhook),
        spectators=spectators,
        scores=file.scores,
        replay=f"/t/{file.table}/replay/{file.number}.html" if context.stage == "over" else "",
        is_lesson=file.is_lesson,
    )


def _seat(context: TableContext, seat: int) -> SeatState:
    chair, host = context.chairs[seat], context.host
    is_here = context.is_here(seat)
    if host is None or context.stage != "playing":
        return SeatState(name=chair.name, bot=chair.bot, is_here=is_here)
    player = host.players[seat]
    is_bot = not player.is_human
    return SeatState(
        name=player.name,
        bot=player.kind if is_bot else "",
        is_here=is_here,
        replaced_person=chair.name if is_bot and chair.is_persons else "",
        is_open=is_bot and chair.is_free,
    )
