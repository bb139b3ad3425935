"""The page of a game in a match: its replay for all viewers, with the faults of bots."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from cardhub.lab.match.log.model_words import ModelWords
from cardhub.lab.match.log.transcript import record_of
from cardhub.lab.match.match_spec import Match
from cardhub.lab.match.task import GameResult, player_names
from cardhub.model.game.game import Game
from cardhub.model.hidden.observation import EVERYTHING
from cardhub.play.history_entries import standing_actions
from cardhub.play.host.replays.replay import Replay, steps_of_record
from cardhub.play.pages.building_data import ReplayMark, build_replay_data
from cardhub.play.pages.replay_page import replay_html
from cardhub.play.records.replaying import open_record

# The folder of game pages, within the folder of a match.
PAGES = "games"
ENDINGS = {
    "fault": "ended by a fault",
    "steps": "stopped at the limit of actions",
    "decided": "ended when no place could change any more",
}


def page_path(folder: Path, game: str) -> Path:
    """Return the path of the page of a game, given its id."""
    return folder / PAGES / f"{game}.html"


def game_page(
    match: Match,
    result: GameResult,
    game: Game[Any],
    *,
    marks: Sequence[ReplayMark] = (),
    words: Sequence[ModelWords] = (),
    back: str = "",
) -> str:
    """Return a game of a match as a self-contained HTML page; the same game has the same text.

    All viewers may see everything, because the match has finished the game. `marks` are steps to
    point out in addition to the faults; `words`: what language models said; `back` is the relative
    address of the report. Raises RecordError if the game cannot be replayed.
    """
    replay = match_replay(match, result, game)
    data = build_replay_data(
        replay,
        facts=tuple(_facts(match, result)),
        marks=(*_fault_marks(replay, result), *marks, *_said_marks(replay, result, words)),
        back=back,
        ending=ENDINGS.get(result.end, ""),
    )
    return replay_html(data)


def match_replay(match: Match, result: GameResult, game: Game[Any]) -> Replay:
    """Return the replay of a game of a match, for all viewers; raises RecordError."""
    record = record_of(match, result, game, Path(f"{result.id}.jsonl"))
    referee = open_record(game, record)
    steps = steps_of_record(record, referee)
    seats = len(result.seats)
    return Replay(referee, steps, (*range(seats), seats, EVERYTHING), EVERYTHING)


def _facts(match: Match, result: GameResult) -> Iterator[tuple[str, str]]:
    yield "match", match.name
    yield "game", f"{result.contest} {result.id}"
    yield "deal", str(result.deal)
    for option, value in result.vary.items():
        yield option, str(value)
    for note in result.faults:
        yield "fault", _fault_text(note.seat, note.fault, result)


def _fault_marks(replay: Replay, result: GameResult) -> Iterator[ReplayMark]:
    stops = _stops_after(replay, [note.step for note in result.faults])
    for note, step in zip(result.faults, stops, strict=True):
        yield ReplayMark(step=step, kind="fault", text=_fault_text(note.seat, note.fault, result))


def _said_marks(
    replay: Replay, result: GameResult, words: Sequence[ModelWords]
) -> Iterator[ReplayMark]:
    names = player_names(result.seats)
    stops = _stops_after(replay, [said.action for said in words])
    for said, step in zip(words, stops, strict=True):
        yield ReplayMark(step=step, kind="said", text=f"{names[said.seat]}: {said.text}")


def _stops_after(replay: Replay, counts: Sequence[int]) -> Iterator[int]:
    """Yield for each number of actions the first stop after them."""
    # The steps of a replay include shuffles.
    actions = [0, *standing_actions(step.entry for step in replay.steps)]
    for count in counts:
        last = actions[min(count, len(actions) - 1)]
        yield next((stop for stop in replay.stops if stop >= last), replay.stops[-1])


def _fault_text(seat: int, fault: str, result: GameResult) -> str:
    names = player_names(result.seats)
    # A log that was edited by hand can name a seat that the game does not have.
    return f"{names[seat] if seat < len(names) else f'seat {seat}'}: {fault}"
