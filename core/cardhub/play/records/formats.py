"""Recorded games for exporters, and two formats: a transcript and a table for spreadsheets."""

import csv
from collections.abc import Iterator
from io import StringIO
from typing import Any

import msgspec

from cardhub.model.game.initial_state import game_scoring
from cardhub.model.game.sides import with_sides
from cardhub.model.hidden.observation import EVERYTHING, is_secret
from cardhub.model.table.settings import format_value
from cardhub.play.announcing.announcer import follow
from cardhub.play.announcing.events import Event
from cardhub.play.history_entries import Taken
from cardhub.play.records.header import notation_with_token
from cardhub.play.records.reading import Record
from cardhub.play.records.replaying import replay_to_end
from cardhub.play.referee import Referee, final_sides
from cardhub.play.result_text import result_columns
from cardhub.plugins.hookspecs import hookimpl
from cardhub.plugins.registrations import Exporter, Moment, Playthrough
from cardhub.view.building import build_view
from cardhub.view.card_catalogue import build_catalogue
from cardhub.view.text import summary_lines, table_lines

COLUMNS = ("number", "kind", "player", "action", "told")


def go_through(record: Record, referee: Referee[Any], viewer: int, called: str) -> Playthrough:
    """Return the playthrough of a record for `viewer`, whose name is `called`; raises RecordError.

    The referee is at the start of the record; it is moved to the end.
    """
    events: list[Event] = []
    follow(referee, viewer, events.append)
    # Observed before the first line: a replay begins with the deal.
    start = referee.observe(viewer)
    moments: list[Moment] = []
    for _ in replay_to_end(record, referee):
        moments += [_moment(event, referee, viewer) for event in events]
        events.clear()
    return Playthrough(
        game=referee.game,
        settings=referee.settings,
        players=tuple((player.name, player.kind) for player in referee.players),
        viewer=called,
        seed=record.header.seed if viewer == EVERYTHING else None,  # it would tell the deal
        start=start,
        moments=tuple(moments),
        scores=tuple(referee.scores()) if referee.is_over else None,
        places=tuple(referee.places()) if referee.is_over else None,
        sides=final_sides(referee),
    )


def as_csv(game: Playthrough) -> Iterator[str]:
    """Encode as CSV: yield the header and a line per event, its sentences joined by `; `."""
    yield _csv_line(COLUMNS)
    for moment in game.moments:
        # At the end of the game no player has acted.
        player = moment.player if moment.kind != "over" else ""
        sentences = "; ".join(moment.lines)
        yield _csv_line((str(moment.number), moment.kind, player, moment.action, sentences))


def as_text(game: Playthrough) -> Iterator[str]:
    """Yield the lines of a transcript: the events, the last table, the result."""
    yield f"{_title(game)}\n"
    yield f"At the table: {', '.join(_player(*player) for player in game.players)}\n"
    yield f"As seen by: {game.viewer}\n\n"
    for moment in game.moments:
        for line in moment.lines:
            yield f"{moment.number:4}  {line}\n"
        if moment.summary is not None:
            yield from (f"      {line}\n" for line in summary_lines(moment.summary))
    table = game.moments[-1].table if game.moments else game.start
    yield "\n"
    view = build_view(table, [name for name, _ in game.players])
    # A transcript is for reading: its last table offers no choices.
    shown = msgspec.structs.replace(view, choices=())
    yield "".join(f"{line}\n" for line in table_lines(shown, build_catalogue(game.game)))
    yield from _result(game)


def _moment(event: Event, referee: Referee[Any], viewer: int) -> Moment:
    table, entry, notation = referee.observe(viewer), referee.entries[-1], ""
    if isinstance(entry, Taken) and not is_secret(referee.game, entry.seat, entry.action, viewer):
        notation = entry.notation
        if viewer != EVERYTHING:
            # The record's notation may name a card that this viewer has not seen.
            notation = notation_with_token(referee.game, table.labels(), entry.action)
    player = referee.players[event.seat].name if event.seat >= 0 else ""
    content = event.lines, table, event.summary
    return Moment(event.number, event.kind, event.seat, notation, *content, player)


def _csv_line(cells: tuple[str, ...]) -> str:
    text = StringIO()
    csv.writer(text, lineterminator="\n").writerow(cells)
    return text.getvalue()


def _title(game: Playthrough) -> str:
    defaults = {name: option.default for name, option in game.game.options.items()}
    changed = [f"{n}={format_value(v)}" for n, v in game.settings.items() if v != defaults[n]]
    seed = [] if game.seed is None else [f"seed {game.seed}"]
    return ", ".join([game.game.title, *changed, *seed])


def _result(game: Playthrough) -> Iterator[str]:
    if game.places is None or game.scores is None:
        yield "The game is not over yet.\n"
        return
    yield "Result:\n"
    scoring = game_scoring(game.game, game.settings, len(game.players))
    scoring = with_sides(scoring, game.sides)
    names = [game.player(seat) for seat in range(len(game.players))]
    for team in result_columns(names, game.scores, scoring):
        yield f"  {team.place}. {team.name}  {team.score}\n"


def _player(name: str, kind: str) -> str:
    return name if kind == "human" else f"{name} ({kind})"


@hookimpl
def register_exporters() -> list[Exporter]:
    """Register a transcript and a table."""
    return [
        Exporter("text", "a transcript: the whole game in sentences, and the last table", as_text),
        Exporter("csv", "a table: a line for each event, with who did what", as_csv),
    ]
