"""`cardhub match games`, `show` and `repro`: single games of a match."""

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import click
from msgspec import to_builtins

from cardhub.base.errors.quoting import did_you_mean
from cardhub.base.files import record_access, replace_text
from cardhub.base.writing import amount
from cardhub.cli.bot.repro_fault import repro as repro_file
from cardhub.cli.console import echo
from cardhub.cli.output import print_json, print_paragraph
from cardhub.cli.params import AS_JSON, VIEWER, ParsedType, new_file_option
from cardhub.cli.records.access import write_new
from cardhub.cli.records.replay_record import replay
from cardhub.cli.root import registry_of
from cardhub.lab.analysis.review import reviews_in
from cardhub.lab.frames import Rows
from cardhub.lab.match.log.game_page import game_page, page_path
from cardhub.lab.match.log.log_reader import read_games
from cardhub.lab.match.log.lookup import fault_of, find_game, match_in
from cardhub.lab.match.log.model_words import ModelWords, model_words
from cardhub.lab.match.log.transcript import record_text
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.task import GameResult
from cardhub.lab.report.game_pages import REPORT, page_list
from cardhub.lab.report.view.game_view import game_remarks, ordinal
from cardhub.lab.report.view.listings import Selection
from cardhub.lab.report.view.page import mistake_marks
from cardhub.lab.seat_rows import SeatRow, seat_rows
from cardhub.model.game.game import Game
from cardhub.play.pages.building_data import ReplayMark

FOLDER = click.argument(
    "folder", metavar="DIR", type=click.Path(path_type=Path), help="A match's folder."
)
GAME = click.argument("game", help="The id of a game, or a unique prefix of it.")
INDENT = " " * 4
TABLES = (".csv", ".parquet")
FOR_ALL = (
    "the page of a match's game is for all viewers. fix: leave out --as, and add #viewer=0 to the "
    "address for the first seat"
)
PRIVATE = (
    "--with-answers needs a page of its own, because the answers are private. fix: --html FILE"
)
SPAN = re.compile(r"(-?\d+)(?:\.\.(-?\d+))?")


def _parse_span(text: str) -> tuple[int, int]:
    groups = SPAN.fullmatch(text)
    if groups is None:
        raise ValueError(f"invalid range {text!r}: use an integer or 3..9")
    low, high = int(groups[1]), int(groups[2] or groups[1])
    if low > high:
        raise ValueError(f"reversed range {text!r}: low must not exceed high")
    return low, high


# Range of integers: `3` or `-4..-2`.
SPAN_TYPE = ParsedType("span", _parse_span)


@click.command()
@FOLDER
@click.option("--game", metavar="GAME", default="", help="Only games of this game of the match.")
@click.option("--bots", metavar="A,B", default="", help="Only games with these bots.")
@click.option("--deals", type=SPAN_TYPE, metavar="N..N", help="Only games with these deals.")
@click.option(
    "--margin",
    type=SPAN_TYPE,
    metavar="N..N",
    help="Only games in which A is this many points ahead of B.",
)
@click.option(
    "--partners",
    type=click.Choice(["same", "mixed"]),
    help="Only games of whole teams, or of mixed ones; then --bots are the partners.",
)
@click.option("--faulty", is_flag=True, help="Only games in which a bot was at fault.")
@new_file_option(
    "--table", "Write a table to this new file, .csv or .parquet, instead.", metavar="FILE"
)
@AS_JSON
def games(
    folder: Path,
    game: str,
    bots: str,
    deals: tuple[int, int] | None,
    margin: tuple[int, int] | None,
    partners: str | None,
    faulty: bool,
    table: Path | None,
    as_json: bool,
) -> None:
    """List games of a match.

    Columns: id, game, deal, then bot, place and score of each seat. A table has a row for each
    seat instead, for spreadsheets and data frames.
    """
    if table is not None and as_json:
        raise click.UsageError("--table and --json are mutually exclusive")
    if table is not None and table.suffix not in TABLES:
        raise click.UsageError(f"{table} must end in {' or '.join(TABLES)}")
    names = tuple(filter(None, bots.split(",")))
    # An unknown name is an error, because an empty list would not show the reason.
    _check(match_in(folder), game, names)
    if margin is not None and len(names) != 2:
        raise click.UsageError("--margin needs two bots: --bots A,B")
    chosen = Selection(game, names, deals, margin, faulty, partners=partners or "")
    results = (result for _, result in read_games(folder) if chosen.has(result))
    if table is not None:
        rows = Rows(SeatRow, seat_rows(results))
        write_new(table, rows.csv() if table.suffix == ".csv" else rows.parquet())
        return
    if as_json:
        print_json([_facts(result) for result in results])
        return
    for line in _lines(results):
        echo(line)


def _check(match: Match, game: str, bots: tuple[str, ...]) -> None:
    games = [contest.id for contest in match.contests]
    if game and game not in games:
        raise click.UsageError(f"the match has no game {game!r}.{did_you_mean(game, games)}")
    entrants = [entrant.id for entrant in match.entrants]
    for bot in bots:
        if bot not in entrants:
            raise click.UsageError(f"the match has no bot {bot!r}.{did_you_mean(bot, entrants)}")


def _lines(games: Iterator[GameResult]) -> Iterator[str]:
    for game in games:
        seats = zip(game.seats, game.places, game.scores, strict=True)
        texts = (
            f"{bot} {ordinal(place)} {score}{' absent' if seat in game.absent else ''}"
            for seat, (bot, place, score) in enumerate(seats)
        )
        options = ", ".join(f"{name} {value}" for name, value in game.vary.items())
        deal = f"{game.deal} ({options})" if options else str(game.deal)
        yield "  ".join([game.id, game.contest, deal, ", ".join(texts), *game_remarks(game)])


def _facts(result: GameResult) -> dict[str, object]:
    facts = to_builtins(result)
    omitted = ("cards", "moves")  # of any length
    return {"game": facts.pop("game")} | {k: facts[k] for k in facts if k not in omitted}


@click.command()
@FOLDER
@GAME
@new_file_option("--record", "Write the record to this new file instead.", metavar="FILE")
@new_file_option(
    "--html",
    "Write a page to watch the game in a browser: this new file, or games/ID.html in DIR.",
    "page",
    is_flag=False,
    flag_value="",
    metavar="[FILE]",
)
@click.option(
    "--with-answers",
    "has_words",
    is_flag=True,
    help="Show what language models said at their actions; with --html on the page.",
)
@VIEWER
@click.pass_context
def show(
    ctx: click.Context,
    folder: Path,
    game: str,
    record: Path | None,
    page: Path | None,
    has_words: bool,
    who: str | None,
) -> None:
    """Show a game of a match, or write its record or a page that replays it.

    The page is one file that needs no network: send it to a friend.
    """
    if has_words and (record is not None or page == Path()):
        raise click.UsageError(PRIVATE)
    if page is not None and record is not None:
        raise click.UsageError("--html and --record are mutually exclusive")
    if page is not None and who is not None:
        raise click.UsageError(FOR_ALL)
    match, result = match_in(folder), find_game(folder, game)
    rules = registry_of(ctx).game(match.contest(result.contest).game)
    words = model_words(folder, result) if has_words else []
    if page is not None:
        _write_page(folder, page, match, result, rules, words)
        return
    if has_words:
        _print_words(words, result)
        return
    text = record_text(match, result, rules)
    path = record or folder / "records" / f"{result.id}.jsonl"
    if record is not None:
        write_new(path, text)
    else:
        with record_access(path, "written"):
            # A cache of the match, unlike a file named with --record: it may be written again.
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, "utf-8", newline="\n")  # the same bytes as any earlier time
    echo(f"{rules.title}, deal {result.deal}: {path}", err=True)
    if record is None:
        ctx.invoke(replay, file=path, who=who, first=0)


def _print_words(words: Sequence[ModelWords], result: GameResult) -> None:
    if not words:
        echo("No language model has said anything in this game, or its answers are not here.")
    actions = [notation for _, notation in result.moves if isinstance(notation, str)]
    for said in words:
        again = f", after {amount(said.refused, 'refused answer')}" if said.refused else ""
        bot = result.seats[said.seat]
        echo(f"{said.action}. {bot} (seat {said.seat}): {actions[said.action - 1]}{again}")
        for line in said.text.splitlines():
            print_paragraph(line, INDENT)


def _write_page(
    folder: Path,
    out: Path,
    match: Match,
    result: GameResult,
    rules: Game[Any],
    words: Sequence[ModelWords],
) -> None:
    path = page_path(folder, result.id) if out == Path() else out
    marks = _marks(folder, match, result)
    if out != Path():
        write_new(out, game_page(match, result, rules, marks=marks, words=words))
    # The report has written the page of a game that its figures name, with more marks.
    elif result.id not in page_list(folder).games or not path.exists():
        with record_access(path, "written"):
            # A cache of the match, like its records.
            path.parent.mkdir(exist_ok=True)
            back = REPORT if (path.parent / REPORT).exists() else ""
            text = game_page(match, result, rules, marks=marks, back=back)
            replace_text(path, text)
    echo(f"{rules.title}, deal {result.deal}: {path}", err=True)


def _marks(folder: Path, match: Match, result: GameResult) -> Sequence[ReplayMark]:
    """Return the marks of the mistakes that a review found in a game; raises MatchError."""
    review = reviews_in(folder, match.rating.level)
    if review is None:
        return ()
    return mistake_marks(review).get(result.id, ())


@click.command(epilog="The exit code is 3 if the bot is at fault again, 0 if it is not.")
@FOLDER
@GAME
@click.option(
    "--seat",
    type=int,
    metavar="N",
    help="The seat of the bot. Default: the first that was at fault.",
)
@click.option("--bot", "spec", metavar="BOT", help="Ask this bot instead of the one at fault.")
@AS_JSON
@click.pass_context
def repro(
    ctx: click.Context, folder: Path, game: str, seat: int | None, spec: str | None, as_json: bool
) -> None:
    """Ask a bot again at the decision in which it was at fault."""
    path = fault_of(folder, find_game(folder, game), seat)
    ctx.invoke(repro_file, file=path, spec=spec, record=None, as_json=as_json)
