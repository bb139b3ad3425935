"""`cardhub replay`: print a recorded game, and let a bot review it."""

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
from cardhub.cli.params import AS_JSON, ASCII, BOT, RECORD, VIEWER
from cardhub.cli.records.access import choose_viewer, recorded_game, viewer_name, warn_damaged
from cardhub.cli.records.review_text import (
    agreement_facts,
    agreement_lines,
    omission_note,
    review_facts,
    review_line,
    seats_to_analyse,
)
from cardhub.cli.root import registry_of
from cardhub.cli.session.front_end import checked_bot
from cardhub.cli.session.painter import Painter, choose_glyphs
from cardhub.hidden.observation import EVERYTHING
from cardhub.play.events import Event, count_events, follow
from cardhub.play.records.reading import Record, read_record
from cardhub.play.records.replaying import open_record, replay_to_end
from cardhub.play.referee import Referee
from cardhub.play.review import DecisionReview, Reviewer, reviewing_bots
from cardhub.play.setup import closing
from cardhub.plugins.registry import PluginRegistry
from cardhub.text import Glyphs


@click.command()
@click.argument("file", type=RECORD, help="A record.")
@VIEWER
@click.option(
    "--from",
    "first",
    type=click.IntRange(min=0),
    default=0,
    metavar="N",
    help="First event to print, counted from 0.",
)
@click.option("--to", "last", type=click.IntRange(min=0), metavar="N", help="Last event to print.")
@click.option("--step", is_flag=True, help="Show the table after every event and wait for Enter.")
@click.option("--analyse", "bot", type=BOT, help="Print at every decision what this bot would do.")
@ASCII
@AS_JSON
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
    with all cards, an unfinished one only as a person at the table or a spectator saw it. --analyse
    asks a bot at every decision, given only the observation that the player had then.
    """
    record = warn_damaged(read_record(file))
    registry = registry_of(ctx)
    game = recorded_game(registry, record)
    referee = open_record(game, record)
    viewer = choose_viewer(game, record, who)
    with _open_reviewer(registry, referee, viewer, bot) as reviewer:
        replay = Replay(record, referee, viewer, first, last, bot or "", reviewer)
        if as_json:
            print_json(_facts(replay))
        else:
            _print_replay(replay, choose_glyphs(ascii_only), step=step)


@dataclass(frozen=True, slots=True)
class Replay:
    """A replay of a record for a viewer, from the event `first` to the event `last`.

    `reviewer` compares the decisions with those of `bot`; it is None without a bot.
    """

    record: Record
    referee: Referee[Any]
    viewer: int
    first: int
    last: int | None
    bot: str
    reviewer: Reviewer | None

    def events(self) -> Iterator[tuple[Event, DecisionReview | None]]:
        """Replay the record; yield its events, each with the optional review of its decision."""
        # Filled by the callback while a line is replayed, which may have no event for this viewer.
        pending: list[Event] = []
        follow(self.referee, self.viewer, pending.append)
        # The observation before a line is what its player knew; after the line it is gone.
        self._look()
        for _ in replay_to_end(self.record, self.referee):
            while pending:
                event = pending.pop(0)
                if event.number >= self.first:
                    yield event, self.reviewer.judge(event) if self.reviewer else None
                if event.number == self.last:
                    return
            # The last event may be hidden from this viewer: then no event has its number.
            if self.last is not None and count_events(self.referee) > self.last:
                return
            self._look()

    def _look(self) -> None:
        if self.reviewer:
            self.reviewer.look(self.referee)


@contextmanager
def _open_reviewer(
    registry: PluginRegistry, referee: Referee[Any], viewer: int, bot: str | None
) -> Iterator[Reviewer | None]:
    if bot is None:
        yield None
        return
    game, seats = referee.game.name, seats_to_analyse(referee, viewer)
    checked_bot(registry, f"--analyse {bot}", bot, game)
    bots = reviewing_bots(seats, referee.seed, partial(registry.make_bot, bot, game))
    with closing(bots):
        yield Reviewer(seats, bots)


def _print_replay(replay: Replay, glyphs: Glyphs, *, step: bool) -> None:
    referee, viewer = replay.referee, replay.viewer
    painter = Painter([p.name for p in referee.players], glyphs)
    painter.say(_title(replay.record, referee, viewer))
    note = omission_note(referee, viewer) if replay.reviewer else ""
    painter.say(*filter(None, [note]), "")
    _print_events(painter, replay, step=step)
    painter.show(referee.observe(viewer))
    if referee.is_over:
        painter.show_result(referee)
    if replay.reviewer and replay.reviewer.seats:
        painter.say("", *agreement_lines(referee, replay.bot, replay.reviewer))


def _print_events(painter: Painter, replay: Replay, *, step: bool) -> None:
    # Without a terminal there is no key to wait for.
    waits = step and sys.stdin.isatty()
    for event, review in replay.events():
        for line in event.lines:
            painter.say(f"{event.number:4}  {line}")
        if review:
            painter.say(f"      {review_line(replay.bot, review)}")
        if step:
            painter.show(replay.referee.observe(replay.viewer), event.changed)
        if waits and not _wants_next():
            return


def _wants_next() -> bool:
    try:
        return not ask("Enter: continue, q: stop ").strip().startswith("q")
    except EOFError:
        return False


def _title(record: Record, referee: Referee[Any], viewer: int) -> str:
    players = ", ".join(map(str, referee.players))
    seed = f", seed {record.header.seed}" if viewer == EVERYTHING else ""
    state = "" if record.is_finished else ", not over yet"
    name = viewer_name(referee.players, viewer)
    return f"{referee.game.title}{seed}{state}: {players}; as seen by {name}"


def _facts(replay: Replay) -> dict[str, Any]:
    record, referee, reviewer = replay.record, replay.referee, replay.reviewer
    events = [_event_facts(replay, *each) for each in replay.events()]  # before `is_over` is read
    analysis = {"analysis": agreement_facts(referee, replay.bot, reviewer)} if reviewer else {}
    return {
        "game": referee.game.name,
        "version": referee.game.version,
        # The deal could be computed from the seed.
        "seed": record.header.seed if replay.viewer == EVERYTHING else None,
        "options": dict(referee.settings),
        "players": [{"name": p.name, "kind": p.kind} for p in referee.players],
        "viewer": viewer_name(referee.players, replay.viewer),
        "finished": record.is_finished or referee.is_over,
        "events": events,
        "scores": referee.scores() if referee.is_over else None,
        "places": referee.places() if referee.is_over else None,
    } | analysis


def _event_facts(replay: Replay, event: Event, review: DecisionReview | None) -> dict[str, Any]:
    facts = {
        "number": event.number,
        "kind": event.kind,
        "player": replay.referee.players[event.seat].name if event.seat >= 0 else None,
        "lines": list(event.lines),
    }
    return facts | ({"analysis": review_facts(review)} if replay.reviewer else {})
