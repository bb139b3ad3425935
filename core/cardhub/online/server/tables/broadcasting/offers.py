"""The offers of games and tables in the lobby, and the message that describes a table.

Both are the same for all clients.
"""

from collections.abc import Iterable, Mapping
from contextlib import suppress
from typing import Any

import msgspec

from cardhub.base.errors import CardhubError
from cardhub.model.game.game import Game
from cardhub.model.table.settings import Flag, Number, OneOf, Option, SeatNumber, Value
from cardhub.online.server.tables.bot_choice import offered_bots, offered_here
from cardhub.online.server.tables.storage.table_store import TableFile
from cardhub.online.server.tables.table_context import TableContext
from cardhub.online.wire.server_messages import OptionState, SeatState, TableState
from cardhub.online.wire.wire_codec import GameOffer, TableOffer
from cardhub.play.host.saved.home_facts import OWN_GAMES
from cardhub.plugins.registry import PluginRegistry
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.view import CardCatalogue

# The number of cards in the fan that illustrates a game.
FAN_FACES = 5


def option_states(
    game: Game[Any], values: Mapping[str, Value], seats: int
) -> tuple[OptionState, ...]:
    """Return the options of a game with their values or defaults."""
    return tuple(
        _state(name, option, values.get(name, option.default), seats)
        for name, option in game.options.items()
    )


def game_offers(registry: PluginRegistry, collected: Iterable[str]) -> tuple[GameOffer, ...]:
    """Return the offers of all installed games that can be imported.

    Order: cardhub's games, other installed games, games of collections by name.
    """
    offers = {}
    for name, declared in registry.games().items():
        # Skip a game that cannot be imported, because players cannot repair it.
        with suppress(CardhubError):
            game = registry.game(name)
            offers[game.name] = game_offer(registry, game, declared.summarize() or game.tagline)
    for game in map(registry.game, collected):
        offers[game.name] = game_offer(registry, game, game.tagline)
    first = [offers.pop(name) for name in OWN_GAMES if name in offers]
    return (*first, *offers.values())


def game_offer(registry: PluginRegistry, game: Game[Any], about: str) -> GameOffer:
    """Return the offer of a game; raises PluginError if a level is invalid."""
    seats = game.seats
    return GameOffer(
        name=game.name,
        title=game.title,
        about=about,
        fewest=seats.low,
        most=seats.high,
        seats=seats.default,
        options=option_states(game, {}, seats.default),
        levels=offered_bots(registry, game.name),
        fan=_fan(game),
        has_lesson=game.display.lesson() is not None,
    )


def table_offer(state: TableState) -> TableOffer:
    """Return the entry of a table in the lobby."""
    return TableOffer(
        table=state.table,
        game=state.game,
        title=state.title,
        stage=state.stage,
        names=tuple(seat.name for seat in state.seats if seat.name),
        free=sum(not seat.name and not seat.bot for seat in state.seats),
        spectators=state.spectators,
        is_lesson=state.is_lesson,
    )


def stored_offer(file: TableFile, title: str, *, is_turn: bool) -> TableOffer:
    """Return the entry of a table that is not in memory, for one of its people."""
    return TableOffer(
        table=file.table,
        game=file.game,
        title=title,
        stage=file.stage,
        names=tuple(chair.name for chair in file.chairs if chair.name),
        free=sum(chair.is_free for chair in file.chairs),
        is_turn=is_turn,
        is_lesson=file.is_lesson,
    )


def _fan(game: Game[Any]) -> CardCatalogue:
    """Return a catalogue of a few evenly spaced faces of a game, with their drawings."""
    catalogue = build_catalogue(game)
    faces, count = catalogue.faces, min(len(catalogue.faces), FAN_FACES)
    shown = tuple(faces[(2 * n + 1) * len(faces) // (2 * count)] for n in range(count))
    drawn = {name for face in shown for name in face.art}
    drawn |= {name for back in catalogue.backs for name in back.art}
    art = {name: drawing for name, drawing in catalogue.art.items() if name in drawn}
    return msgspec.structs.replace(catalogue, faces=shown, art=art)


def _state(name: str, option: Option, value: Value, seats: int) -> OptionState:
    match option:
        case Number(low=low, high=high):
            return OptionState(name=name, value=value, help=option.help, least=low, most=high)
        case SeatNumber():
            return OptionState(name=name, value=value, help=option.help, least=0, most=seats - 1)
        case OneOf(values=values):
            return OptionState(name=name, value=value, help=option.help, choices=values)
        case Flag():
            return OptionState(name=name, value=value, help=option.help, choices=(True, False))
        case _:
            return OptionState(name=name, value=value, help=option.help)


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
        levels=offered_here(context),
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
