"""The result of a replayed game as plain data."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from cardhub.base.errors import HiddenFaceError
from cardhub.base.writing import amount
from cardhub.model.game.display_values import as_breakdown
from cardhub.model.game.scene import BreakdownRow, BreakdownSection
from cardhub.model.hidden.observation import EVERYTHING, NamedStep, Observation
from cardhub.model.table.faces import BLANK, blanked
from cardhub.play.announcing.events import Event, standing_summaries
from cardhub.play.host.replays.replay import Replay, has_chapters, replay_so_far
from cardhub.play.host.replays.results.turning_points import turning_points
from cardhub.play.host.scheduler import Scheduler
from cardhub.play.referee import Referee, final_sides, result_scoring
from cardhub.play.result_text import joined_names, result_headline
from cardhub.play.seeds import seed_in_words
from cardhub.view.view import (
    BreakdownCell,
    BreakdownView,
    CauseView,
    FinalHand,
    ResultColumn,
    ResultView,
)

# The beginning of the name of a saved game, see `save_paths`.
STAMP, STAMP_LENGTH = "%Y-%m-%dT%H-%M-%S", 19
# Longest time in seconds that a game is taken to have lasted without a break: 6 hours.
LONGEST = 6 * 60 * 60


def build_result(replay: Replay, viewer: int) -> ResultView:
    """Return the result as a permitted viewer may see it, or the standing of an unfinished game."""
    referee = replay.referee
    end = replay.observe(replay.last, EVERYTHING if replay.sees_all(viewer) else viewer)
    # A copy for one viewer of a game that opens its cards has neither causes nor hands.
    shows_cards = replay.is_over and (replay.sees_all(viewer) or not replay.game.opens_at_end)
    causes = _causes(end) if shows_cards else ()
    columns = _columns(replay, viewer, causes)
    events = standing_summaries(replay.events(viewer))
    summaries = tuple(event.summary for event in events if event.summary)
    return ResultView(
        title=replay.game.title,
        sentence=_sentence(replay),
        is_over=replay.is_over,
        goal=referee.scoring.goal,
        unit=referee.scoring.unit,
        columns=columns,
        sections=tuple(_sections(replay, causes, columns, end)),
        summaries=summaries,
        hands=tuple(_hands(replay, end)) if shows_cards else (),
        turning_points=tuple(turning_points(replay, viewer)),
        parts=_parts(replay, viewer, len(summaries)),
        seconds=_seconds(replay.path),
        seed=seed_in_words(referee.seed, is_open=True) if replay.sees_all(viewer) else "",
        path=str(replay.path or ""),
    )


def _sentence(replay: Replay) -> str:
    if not replay.is_over:
        return "not over yet"
    scores, scoring = replay.referee.scores(), result_scoring(replay.referee)
    names = [player.name for player in replay.players]
    return result_headline(names, scores, scoring, replay.game.title)


def _columns(
    replay: Replay, viewer: int, causes: Sequence[BreakdownSection]
) -> tuple[ResultColumn, ...]:
    scoring = result_scoring(replay.referee)
    scores = _scores(replay, viewer)
    places = scoring.places(scores) if replay.is_over and scores else [0] * len(replay.players)
    teams = _teams(replay, causes)
    columns = [
        ResultColumn(
            place=places[seats[0]],
            name=_column_name(replay, seats),
            seats=tuple(seats),
            score=scoring.text(scores[seats[0]]) if scores else "",
            bot=_bot(replay, seats),
        )
        for seats in teams
    ]
    return tuple(sorted(columns, key=lambda column: column.place))


def _column_name(replay: Replay, seats: Sequence[int]) -> str:
    """Return the names of the players of a column, with their side if the game has sides."""
    names = joined_names([replay.players[seat].name for seat in seats])
    sides = final_sides(replay.referee)
    return f"{names} ({replay.game.sides[sides[seats[0]]]})" if sides else names


def _bot(replay: Replay, seats: Sequence[int]) -> str:
    player = replay.players[seats[0]]
    return "" if player.is_human or len(seats) > 1 else player.kind


def _scores(replay: Replay, viewer: int) -> Sequence[int]:
    """Return the scores, empty if the game is unfinished and they depend on unseen faces."""
    state = replay.observe(replay.last, viewer).state
    try:
        return replay.referee.scores() if replay.is_over else replay.game.scores(state)
    except HiddenFaceError:
        return ()


def _teams(replay: Replay, causes: Sequence[BreakdownSection]) -> list[list[int]]:
    """Return the seats of every column: teams, or single seats where causes differ in a team."""
    seats, teams = range(len(replay.players)), result_scoring(replay.referee).teams
    columns = [[seat for seat in seats if teams[seat] == team] for team in dict.fromkeys(teams)]
    rows = [row for section in causes for row in (*section.rows, *section.subtotals)]
    alike = all(
        row.points[s] == row.points[team[0]] for row in rows for team in columns for s in team
    )
    return columns if alike else [[seat] for seat in seats]


def _causes(end: Observation[Any]) -> Sequence[BreakdownSection]:
    """Return the scores by cause, none if they depend on a face that the viewer has not seen."""
    game: Any = end.game  # compiled code would check the sections, with another error
    try:
        with NamedStep(end):
            return as_breakdown(game, game.display.breakdown(end.state))
    except HiddenFaceError:
        if end.seat == EVERYTHING:
            raise
        return ()


def _sections(
    replay: Replay,
    causes: Sequence[BreakdownSection],
    columns: Sequence[ResultColumn],
    end: Observation[Any],
) -> Iterator[BreakdownView]:
    faces = blanked(end.state.face)
    for section in causes:
        rows, subtotals = (
            tuple(_cause(replay, row, columns, faces) for row in rows)
            for rows in (section.rows, section.subtotals)
        )
        yield BreakdownView(title=section.title, rows=rows, subtotals=subtotals)


def _cause(
    replay: Replay, row: BreakdownRow, columns: Sequence[ResultColumn], faces: Sequence[int]
) -> CauseView:
    return CauseView(
        label=row.label,
        colour=row.colour,
        cells=tuple(_cell(replay, row, column.seats, faces) for column in columns),
    )


def _cell(
    replay: Replay, row: BreakdownRow, seats: Sequence[int], face: Sequence[int]
) -> BreakdownCell:
    """Return the points of a team, which are alike for its seats, with the cards seen of them."""
    tokens = [token for seat in seats for token in row.tokens[seat]] if row.tokens else []
    return BreakdownCell(
        points=replay.referee.scoring.text(row.points[seats[0]]),
        note=row.notes[seats[0]] if row.notes else "",
        faces=tuple(sorted(face[token] for token in tokens if face[token] != BLANK)),
    )


def _hands(replay: Replay, end: Observation[Any]) -> Iterator[FinalHand]:
    """Yield the piles of zones that only their owners saw, if the viewer may see all of a pile."""
    state, face = end.state, blanked(end.state.face)
    for zone in state.zones:
        if zone.faces != "owner":
            continue
        for seat, pile in enumerate(zone.piles(state)):
            faces = tuple(sorted(face[token] for token in pile))
            if faces and BLANK not in faces:
                name = replay.players[seat].name
                yield FinalHand(name=name, seat=seat, zone=zone.noun, faces=faces)


def _parts(replay: Replay, viewer: int, rounds: int) -> str:
    """Return the number of chapters in the game's own word, or else of rounds."""
    if not has_chapters(replay.game):
        return amount(rounds, "round") if rounds else ""
    chapters = replay.chapters(viewer)
    words = {chapter.title.split()[0] for chapter in chapters}
    # Chapters without a common word, such as "15 cards collected", are not worth counting.
    return amount(len(chapters), words.pop()) if len(words) == 1 else ""


def _seconds(path: Path | None) -> int | None:
    """Return the time from the name of a saved game to its last change, None if unknown."""
    if path is None:
        return None
    try:
        begun = datetime.strptime(path.name[:STAMP_LENGTH], STAMP)
        seconds = int(path.stat().st_mtime - begun.timestamp())
    except (ValueError, OSError):
        return None
    # A game that was left and continued another day did not last that long.
    return seconds if 0 <= seconds <= LONGEST else None


class FinalResults:
    """Makes the results of a finished game; its replay, with all states, is dropped soon after."""

    def __init__(self, scheduler: Scheduler, path: Path | None) -> None:
        self._scheduler = scheduler
        self._path = path
        self._replay: Replay | None = None

    def of(self, referee: Referee[Any], viewer: int, events: Sequence[Event]) -> ResultView:
        """Return the result for a viewer, given all of the viewer's events."""
        replay = self._replay
        if replay is None:
            everything = (EVERYTHING,) if referee.game.opens_at_end else ()
            viewers = (*range(len(referee.players) + 1), *everything)
            replay = self._replay = replay_so_far(referee, viewers, self._path)
            # All viewers of a table get its end in one callback, so they share a replay.
            self._scheduler.call_soon(self._drop)
        replay.keep_events(viewer, events)
        return build_result(replay, viewer)

    def _drop(self) -> None:
        self._replay = None
