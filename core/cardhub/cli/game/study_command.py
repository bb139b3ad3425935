"""`cardhub study`: play the matches of a study, and show its figures."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import click
from msgspec import to_builtins

from cardhub.cli.console import echo
from cardhub.cli.game.study_play import PlannedStudy, play_and_study
from cardhub.cli.game.study_text import print_comparison, print_study
from cardhub.cli.match.run_match import RUNS, processors
from cardhub.cli.output import print_json
from cardhub.cli.params import AS_JSON, GAME, SETTING, ParsedType
from cardhub.cli.root import registry_of
from cardhub.cli.session.front_end import checked_bot
from cardhub.lab.study.comparison import compare
from cardhub.lab.study.page.study_page import write_comparison, write_page
from cardhub.lab.study.study_folder import read_study
from cardhub.lab.study.study_request import StudyRequest, bot_id, default_bots
from cardhub.lab.study.study_schema import StudyResult
from cardhub.model.game.initial_state import resolve_options
from cardhub.model.table.settings import Value

Options = dict[str, Value]


def _parse_variants(text: str) -> tuple[Options, ...]:
    """Return the options of each variant: `coins=24,coins=32+first=navy`."""
    return tuple(_variant(part.strip()) for part in text.split(","))


def _variant(text: str) -> Options:
    found: Options = {}
    for each in [] if text == "default" else text.split("+"):
        name, equals, value = each.partition("=")
        if not (name and equals):
            raise ValueError(f"{text!r} is not OPTION=VALUE, nor `default`")
        found[name] = value
    return found


@click.command(epilog="The same command continues an interrupted study; more --deals play more.")
@click.argument("game", type=GAME)
@click.option("--players", type=click.IntRange(min=1), metavar="N", help="Number of players.")
@click.option(
    "--set",
    "settings",
    type=SETTING,
    multiple=True,
    help="Set an option of the game; `cardhub rules GAME --options` lists them.",
)
@click.option(
    "--compare",
    "variants",
    type=ParsedType("variants", _parse_variants),
    default=(),
    metavar="SET,SET",
    help="Study several sets of options, and compare them: coins=24,coins=32. One set is "
    "OPTION=VALUE+OPTION=VALUE, or default.",
)
@click.option(
    "--with",
    "others",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    multiple=True,
    metavar="DIR",
    help="Compare with the study in this folder, such as that of another version.",
)
@click.option(
    "--bot",
    "bots",
    multiple=True,
    metavar="BOT",
    help="A bot that plays, from the weakest to the strongest. Default: random, rule if the game "
    "has it, ismcts:25, ismcts:50 and ismcts:100; no search in games without determinizations.",
)
@click.option(
    "--deals",
    type=click.IntRange(min=1),
    default=100,
    show_default=True,
    metavar="N",
    help="Number of deals on which bots play copies of themselves.",
)
@click.option(
    "--search-deals",
    type=click.IntRange(min=0),
    default=10,
    show_default=True,
    metavar="N",
    help="The same for bots that search, which take longer.",
)
@click.option(
    "--ladder-deals",
    type=click.IntRange(min=0),
    default=20,
    show_default=True,
    metavar="N",
    help="Number of deals on which bots that search play one another.",
)
@click.option("--seed", type=int, default=1, show_default=True, metavar="N", help="Random seed.")
@click.option(
    "--out",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="DIR",
    help="Folder for the study. Default: runs/study-GAME, with the options.",
)
@click.option(
    "--workers",
    type=click.IntRange(min=1),
    metavar="N",
    help="Number of processes, which changes no figure. Default: one for each processor.",
)
@click.option("--no-play", is_flag=True, help="Play no game: study those in the folder.")
@AS_JSON
@click.pass_context
def study(
    ctx: click.Context,
    game: str,
    players: int | None,
    settings: tuple[tuple[str, str], ...],
    variants: tuple[Options, ...],
    others: tuple[Path, ...],
    bots: tuple[str, ...],
    deals: int,
    search_deals: int,
    ladder_deals: int,
    seed: int,
    out: Path | None,
    workers: int | None,
    no_play: bool,
    as_json: bool,
) -> None:
    """Study a game: what its designers ask, from matches between bots.

    Fairness of seats, length, choices, how early the winner is settled, skill and luck, and what
    cards and actions are worth. Bots of several strengths play themselves and one another.
    """
    registry = registry_of(ctx)
    rules = registry.game(game)
    seats = rules.seats.default if players is None else players
    chosen = bots or default_bots(registry, game)
    amounts = deals, search_deals, ladder_deals
    request = StudyRequest(game, seats, dict(settings), chosen, *amounts, seed)
    studies = _studies(request, variants or ({},), out)
    for each in studies:
        resolve_options(rules, each.request.options, seats)
    for bot in request.bots:
        checked_bot(registry, f"--bot {bot}", bot, game)
    number = workers or processors()
    found = [play_and_study(each, registry, number, is_played=not no_play) for each in studies]
    pages = [write_page(each.folder, result) for each, result in zip(studies, found, strict=True)]
    _show(studies, [*found, *map(read_study, others)], pages, out, as_json=as_json)


def _studies(
    request: StudyRequest, variants: Sequence[Options], out: Path | None
) -> list[PlannedStudy]:
    """Return the studies of all variants, each with a folder of its own."""
    found = []
    for options in variants:
        own = replace(request, options={**request.options, **options})
        name = _name(own, options if out else own.options)
        folder = (out / name if len(variants) > 1 else out) if out else RUNS / f"study-{name}"
        found.append(PlannedStudy(folder, own))
    return found


def _name(request: StudyRequest, options: Mapping[str, Value]) -> str:
    told = [f"{name}-{value}" for name, value in options.items()]
    return "-".join([bot_id(request.game), f"{request.players}p", *map(bot_id, told)])


def _show(
    studies: Sequence[PlannedStudy],
    found: Sequence[StudyResult],
    pages: Sequence[Path],
    out: Path | None,
    *,
    as_json: bool,
) -> None:
    page = pages[0]
    comparison = compare(found) if len(found) > 1 else None
    if comparison is not None:
        parent = out or studies[0].folder.parent
        name = f"compared-{bot_id(found[0].game)}.html"
        page = write_comparison(parent / name, comparison, found)
    if as_json:
        facts = [to_builtins(each) for each in found]
        compared = {"studies": facts, "comparison": to_builtins(comparison)}
        print_json(facts[0] if comparison is None else compared)
        return
    for result in found[: len(studies)]:
        print_study(result)
    if comparison is not None:
        print_comparison(comparison)
    echo(f"Page: {page}")
