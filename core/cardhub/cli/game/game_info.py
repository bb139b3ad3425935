"""`cardhub games` and `cardhub rules`: the installed games, and the rules of one."""

from typing import Any

import click

from cardhub.cli.console import echo
from cardhub.cli.output import print_json, print_table
from cardhub.cli.params import AS_JSON, GAME, json_option
from cardhub.cli.root import registry_of, warn
from cardhub.model.cards import Card
from cardhub.model.game.game import Game
from cardhub.model.table.seats import Seats
from cardhub.model.table.settings import Option, format_value
from cardhub.plugins.discovery import Declaration
from cardhub.view.explain.card_texts import sentences
from cardhub.view.explain.explanations import rules_page


@click.command()
@AS_JSON
@click.pass_context
def games(ctx: click.Context, as_json: bool) -> None:
    """List the installed games."""
    registry = registry_of(ctx)
    declared = registry.games()
    if as_json:
        print_json([_game_facts(name, game) for name, game in declared.items()])
    elif declared:
        # Names and summaries come from metadata and source files, so broken games are listed, too.
        rows = [(name, game.origin, game.summarize()) for name, game in declared.items()]
        for collection, source in registry.collections():
            text = f"{collection.summary} {collection.missing}".rstrip()
            rows.append((f"{collection.name}:...", source.origin, text))
        print_table(("game", "from", ""), rows)
    else:
        echo("No games are installed.", err=True)
    warn(*registry.clashes())


def _game_facts(name: str, declared: Declaration) -> dict[str, str]:
    return {
        "name": name,
        "summary": declared.summarize(),
        "from": declared.distribution,
        "version": declared.version,
    }


@click.command()
@click.argument("name", metavar="GAME", type=GAME, help="The name of a game.")
@click.option("--cards", is_flag=True, help="List the cards instead.")
@click.option("--options", is_flag=True, help="List the options instead.")
@json_option("Print rules, options and cards as JSON.")
@click.pass_context
def rules(ctx: click.Context, name: str, cards: bool, options: bool, as_json: bool) -> None:
    """Explain a game: its rules, options and cards."""
    game = registry_of(ctx).game(name)
    if as_json:
        print_json(_facts(game))
        return
    if not cards and not options:
        echo(rules_page(game))
        echo(f"For {game.seats} players.\n")
    if options or not cards:
        _print_options(game)
    if cards:
        _print_cards(game)


def _values(option: Option, seats: Seats) -> str:
    least, most = option.describe(seats.low), option.describe(seats.high)
    if least == most:
        return least
    # Both ends: without a table, the number of players is not known yet.
    return f"with {seats.low} players {least}, with {seats.high} {most}"


def _print_options(game: Game[Any]) -> None:
    if not game.options:
        echo(f"{game.title} has no options.")
        return
    rows = [
        (key, format_value(option.default), f"{option.help} ({_values(option, game.seats)})")
        for key, option in game.options.items()
    ]
    print_table(("option", "default", "set with --set OPTION=VALUE"), rows)


def _print_cards(game: Game[Any]) -> None:
    fields = list(dict.fromkeys(key for card in game.cards.faces for key in card.fields))
    rows = []
    for card in game.cards.faces:
        values = [str(card.fields.get(key, "")) for key in fields]
        back = game.cards.backs[card.back].name
        # The default title is the name, which has a column already.
        title = card.title if card.title != card.name else ""
        text = sentences(title, " ".join(card.text.split()))
        rows.append((card.name, back, f"{card.copies}x", *values, text))
    print_table(("card", "back", "copies", *fields, "text"), rows)


def _facts(game: Game[Any]) -> dict[str, Any]:
    seats = game.seats
    return {
        "name": game.name,
        "title": game.title,
        "version": game.version,
        "seats": {"low": seats.low, "high": seats.high, "default": seats.default},
        "options": [
            {"name": key, "default": o.default, "values": o.describe(seats.default), "help": o.help}
            for key, o in game.options.items()
        ],
        "cards": [_card_facts(game, card) for card in game.cards.faces],
        "rules": game.display.rules(),
    }


def _card_facts(game: Game[Any], card: Card) -> dict[str, Any]:
    return {
        "name": card.name,
        "title": card.title,
        "back": game.cards.backs[card.back].name,
        "deck": game.cards.decks[card.deck],
        "copies": card.copies,
        "text": card.text,
        "fields": dict(card.fields),
    }
