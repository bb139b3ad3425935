"""`cardhub replay`: a recorded game once more."""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import click

from cardhub.cli.console import ask
from cardhub.cli.output import print_json
from cardhub.cli.params import BotType, RecordType
from cardhub.cli.records.access import choose_viewer, recorded_game, viewer_name, warn_damaged
from cardhub.cli.records.review_text import (
    agreement,
    analysis_facts,
    in_words,
    note_on,
    seats_to_analyse,
    verdict_facts,
)
from cardhub.cli.root import registry_of
from cardhub.cli.session.front_end import checked_bot
from cardhub.cli.session.painter import Painter, choose_glyphs
from cardhub.hidden.observation import EVERYTHING
from cardhub.play.events import Event, count_events, follow
from cardhub.play.records.reading import Record, read_record
from cardhub.play.records.replaying import open_record
from cardhub.play.records.replaying import replay as repeat
from cardhub.play.referee import Referee
from cardhub.play.review import DecisionReview, Reviewer, reviewing_bots
from cardhub.play.setup import closing
from cardhub.plugins.registry import PluginRegistry
from cardhub.text import Glyphs


@click.command()
@click.argument("file", type=RecordType(), help="A record.")
@click.option("--as", "who", metavar="NAME", help="Viewer: a player's name, `spectator` or `all`.")
@click.option(
    "--from",
    "first",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="Begin with this event; they are numbered from 0.",
)
@click.option("--to", "last", type=click.IntRange(min=0), metavar="N", help="End with this event.")
@click.option("--step", is_flag=True, help="Show the table after every event and wait for Enter.")
@click.option(
    "--analyse", "bot", type=BotType(), help="Print what this bot would have done instead."
)
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
    bot: str | None,
    ascii_only: bool,
    as_json: bool,
) -> None:
    """Print a recorded game event by event.

    The final table is shown, or with --step the table after every event. A finished game is shown
    with all cards; an unfinished one only as one of its people or a spectator saw it, so that
    nobody learns cards that may still matter. --analyse asks a bot at every decision, given no
    more than the player knew then.
    """
    record = warn_damaged(read_record(file))
    registry = registry_of(ctx)
    referee = open_record(recorded_game(registry, record), record)
    viewer = choose_viewer(record, who)
    with _analyst(registry, referee, viewer, bot) as analyst:
        again = Again(record, referee, viewer, first, last, bot or "", analyst)
        if as_json:
            print_json(_facts(again))
        else:
            _show(again, choose_glyphs(ascii_only), step=step)


@dataclass(frozen=True, slots=True)
class Again:
    """A record that is gone through once more: who looks, from which event to which.

    `analyst` judges decisions by what `bot` would have done, or is None.
    """

    record: Record
    referee: Referee[Any]
    viewer: int
    first: int
    last: int | None
    bot: str
    analyst: Reviewer | None

    def events(self) -> Iterator[tuple[Event, DecisionReview | None]]:
        """Yield the events, and what the bot would have done, while the referee repeats them."""
        told: list[Event] = []
        follow(self.referee, self.viewer, told.append)
        self._look()
        for _ in repeat(self.record, self.referee):
            while told:
                event = told.pop(0)
                if event.number >= self.first:
                    yield event, self.analyst.judge(event) if self.analyst else None
                if event.number == self.last:
                    return
            if self.last is not None and count_events(self.referee) > self.last:
                return
            self._look()

    def _look(self) -> None:
        if self.analyst:
            self.analyst.look(self.referee)


@contextmanager
def _analyst(
    registry: PluginRegistry, referee: Referee[Any], viewer: int, bot: str | None
) -> Iterator[Reviewer | None]:
    """Make the bots that judge what may be shown; raises click's usage error for an unknown bot."""
    if bot is None:
        yield None
        return
    game, seats = referee.game.name, seats_to_analyse(referee, viewer)
    checked_bot(registry, f"--analyse {bot}", bot, game)
    bots = reviewing_bots(seats, referee.seed, partial(registry.make_bot, bot, game))
    with closing(bots):
        yield Reviewer(seats, bots)


def _show(again: Again, glyphs: Glyphs, *, step: bool) -> None:
    referee, viewer = again.referee, again.viewer
    painter = Painter([p.name for p in referee.players], glyphs)
    painter.say(_title(again.record, referee, viewer))
    painter.say(*filter(None, [note_on(referee, viewer) if again.analyst else ""]), "")
    _tell(painter, again, step=step)
    painter.show(referee.observe(viewer))
    if referee.is_over:
        painter.show_result(referee)
    if again.analyst and again.analyst.seats:
        painter.say("", *agreement(referee, again.bot, again.analyst))


def _tell(painter: Painter, again: Again, *, step: bool) -> None:
    waits = step and sys.stdin.isatty()
    for event, verdict in again.events():
        for line in event.lines:
            painter.say(f"{event.number:4}  {line}")
        if verdict:
            painter.say(f"      {in_words(again.bot, verdict)}")
        if step:
            painter.show(again.referee.observe(again.viewer), event.changed)
        if waits and not _go_on():
            return


def _go_on() -> bool:
    try:
        return not ask("Enter: go on, q: stop ").strip().startswith("q")
    except EOFError:
        return False


def _title(record: Record, referee: Referee[Any], viewer: int) -> str:
    players = ", ".join(map(str, referee.players))
    seed = "" if viewer != EVERYTHING else f", seed {record.header.seed}"
    state = "" if record.is_finished else ", not over yet"
    seen = viewer_name(referee.players, viewer)
    return f"{referee.game.title}{seed}{state}: {players}; as seen by {seen}"


def _facts(again: Again) -> dict[str, Any]:
    record, referee, analyst = again.record, again.referee, again.analyst
    events = [_event_facts(again, *each) for each in again.events()]
    analysed = {"analysis": analysis_facts(referee, again.bot, analyst)} if analyst else {}
    return {
        "game": referee.game.name,
        "version": referee.game.version,
        "seed": record.header.seed if again.viewer == EVERYTHING else None,  # it tells the deal
        "options": dict(referee.settings),
        "players": [{"name": p.name, "kind": p.kind} for p in referee.players],
        "viewer": viewer_name(referee.players, again.viewer),
        "finished": record.is_finished,
        "events": events,
        "scores": referee.scores() if referee.is_over else None,
        "places": referee.places() if referee.is_over else None,
    } | analysed


def _event_facts(again: Again, event: Event, verdict: DecisionReview | None) -> dict[str, Any]:
    facts = {
        "number": event.number,
        "kind": event.kind,
        "player": again.referee.players[event.seat].name if event.seat >= 0 else None,
        "lines": list(event.lines),
    }
    return facts | ({"analysis": verdict_facts(verdict)} if again.analyst else {})
