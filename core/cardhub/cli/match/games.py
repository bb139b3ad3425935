"""`cardhub match games`: the games of a match that a figure is computed from."""

import re
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

import click

from cardhub.cli.console import echo
from cardhub.cli.listing import print_json
from cardhub.cli.match.single_game import FOLDER
from cardhub.errors.suggestions import did_you_mean

if TYPE_CHECKING:
    from cardhub.match.match_spec import Match
    from cardhub.match.task import GameResult

SPAN = re.compile(r"(-?\d+)(?:\.\.(-?\d+))?")


class SpanType(click.ParamType[tuple[int, int]]):
    """Range of integers: `3` or `-4..-2`."""

    name = "span"

    def convert(
        self,
        value: str | tuple[int, int],
        param: click.Parameter | None,
        ctx: click.Context | None,
    ) -> tuple[int, int]:
        """Return the first and the last number."""
        if isinstance(value, tuple):
            return value
        found = SPAN.fullmatch(value)
        if found is None:
            self.fail(f"invalid range {value!r}: use an integer or 3..9", param, ctx)
        low, high = int(found[1]), int(found[2] or found[1])
        if low > high:
            self.fail(f"reversed range {value!r}: low must not exceed high", param, ctx)
        return low, high


@click.command()
@FOLDER
@click.option("--game", metavar="GAME", default="", help="Only of this game of the match.")
@click.option("--bots", metavar="A,B", default="", help="Only where these bots meet.")
@click.option("--deals", type=SpanType(), metavar="N..N", help="Only of these deals.")
@click.option(
    "--margin", type=SpanType(), metavar="N..N", help="Only where A is this many points ahead of B."
)
@click.option("--faulty", is_flag=True, help="Only those in which a bot was at fault.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
def games(
    folder: Path,
    game: str,
    bots: str,
    deals: tuple[int, int] | None,
    margin: tuple[int, int] | None,
    faulty: bool,
    as_json: bool,
) -> None:
    """List games of a match: id, game, deal, then bot, place and score by seat."""
    from cardhub.match.log.log_reader import read_games
    from cardhub.match.log.lookup import match_in
    from cardhub.report.view.selection import Selection

    names = tuple(filter(None, bots.split(",")))
    _check(match_in(folder), game, names)
    if margin is not None and len(names) != 2:
        raise click.UsageError("--margin needs two bots: --bots A,B")
    chosen = Selection(game, names, deals, margin, faulty)
    found = (result for _, result in read_games(folder) if chosen.has(result))
    if as_json:
        print_json([_facts(result) for result in found])
        return
    for line in _lines(found):
        echo(line)


def _check(match: "Match", game: str, bots: tuple[str, ...]) -> None:
    """Raise a usage error unless the match has this game and these bots."""
    known = [contest.id for contest in match.contests]
    if game and game not in known:
        raise click.UsageError(f"the match has no game {game!r}.{did_you_mean(game, known)}")
    entrants = [entrant.id for entrant in match.entrants]
    for bot in bots:
        if bot not in entrants:
            raise click.UsageError(f"the match has no bot {bot!r}.{did_you_mean(bot, entrants)}")


def _lines(games: "Iterator[GameResult]") -> Iterator[str]:
    from cardhub.report.view.game_row import game_row

    for row in map(game_row, games):
        seats = (f"{s.bot} {s.place} {s.score}{' absent' * s.is_absent}" for s in row.seats)
        where = f"{row.deal} ({row.options})" if row.options else str(row.deal)
        yield "  ".join([row.id, row.game, where, ", ".join(seats), *row.remarks])


def _facts(result: "GameResult") -> dict[str, object]:
    """Return a game without its cards and moves."""
    facts = asdict(result)
    left_out = ("cards", "moves", "contest")
    return {"game": result.contest} | {k: v for k, v in facts.items() if k not in left_out}
