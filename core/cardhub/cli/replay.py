"""`cardhub replay`: a recorded game once more."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from cardhub.cli.listing import print_json
from cardhub.cli.params import RecordType
from cardhub.cli.picture import Painter, choose_glyphs
from cardhub.cli.root import registry_of, warn_damaged
from cardhub.cli.viewpoint import choose_viewer, viewer_name
from cardhub.play.events import Event
from cardhub.play.reading import Record, read_record
from cardhub.play.referee import Referee
from cardhub.play.replaying import open_record
from cardhub.play.replaying import replay as repeat


@click.command()
@click.argument("file", type=RecordType(), help="A record.")
@click.option(
    "--as", "who", metavar="NAME", help="Whose eyes to see with: a player's, `spectator` or `all`."
)
@click.option(
    "--from", "first", type=click.IntRange(min=0), default=0, help="Begin with this event."
)
@click.option("--to", "last", type=click.IntRange(min=0), help="End with this event.")
@click.option("--step", is_flag=True, help="Show the table after every event and wait for Enter.")
@click.option("--ascii", "ascii_only", is_flag=True, help="Draw with plain characters only.")
@click.option("--json", "as_json", is_flag=True, help="Print JSON.")
@click.pass_context
def replay(
    ctx: click.Context,
    file: Path,
    who: str | None,
    first: int,
    last: int | None,
    step: bool,
    ascii_only: bool,
    as_json: bool,
) -> None:
    """Tell a recorded game event by event.

    The table is shown as it lies in the end, or with --step after every event. A finished game is
    shown with all cards known; one that is not over yet only as one of its people, or a spectator,
    saw it, so that nobody learns what may still matter.
    """
    record = warn_damaged(read_record(file))
    game = registry_of(ctx).game(record.header.game)
    viewer = choose_viewer(record, who)
    referee = open_record(game, record)
    events = _events(record, referee, viewer, last)
    if as_json:
        print_json(_facts(record, referee, viewer, [e for e in events if e.number >= first]))
        return
    painter = Painter([p.name for p in referee.players], choose_glyphs(ascii_only))
    painter.say(_title(record, referee, viewer), "")
    _tell(painter, referee, viewer, (e for e in events if e.number >= first), step)
    painter.show(referee.observe(viewer))
    if referee.is_over:
        painter.show_result(referee)


def _events(
    record: Record, referee: Referee[Any], viewer: int, last: int | None
) -> Iterator[Event]:
    """Yield the events while the referee repeats the record, up to number `last`."""
    told: list[Event] = []
    referee.subscribe(viewer, told.append)
    for _ in repeat(record, referee):
        while told:
            event = told.pop(0)
            yield event
            if event.number == last:
                return


def _tell(
    painter: Painter, referee: Referee[Any], viewer: int, events: Iterator[Event], step: bool
) -> None:
    waits = step and sys.stdin.isatty()
    for event in events:
        for line in event.lines:
            painter.say(f"{event.number:4}  {line}")
        if step:
            painter.show(referee.observe(viewer), event.changed)
        if waits and not _go_on():
            return


def _go_on() -> bool:
    try:
        return not input("Enter: go on, q: stop ").strip().startswith("q")
    except EOFError:
        return False


def _title(record: Record, referee: Referee[Any], viewer: int) -> str:
    players = ", ".join(map(str, referee.players))
    seed = "" if record.header.seed is None else f", seed {record.header.seed}"
    state = "" if record.is_finished else ", not over yet"
    seen = viewer_name(referee.players, viewer)
    return f"{referee.game.title}{seed}{state}: {players}; as seen by {seen}"


def _facts(
    record: Record, referee: Referee[Any], viewer: int, events: list[Event]
) -> dict[str, Any]:
    return {
        "game": referee.game.name,
        "version": referee.game.version,
        "seed": record.header.seed,
        "options": dict(referee.settings),
        "players": [{"name": p.name, "kind": p.kind} for p in referee.players],
        "viewer": viewer_name(referee.players, viewer),
        "finished": record.is_finished,
        "events": [
            {
                "number": event.number,
                "kind": event.kind,
                "player": referee.players[event.seat].name if event.seat >= 0 else None,
                "lines": list(event.lines),
            }
            for event in events
        ],
        "scores": referee.scores() if referee.is_over else None,
        "places": referee.places() if referee.is_over else None,
    }
