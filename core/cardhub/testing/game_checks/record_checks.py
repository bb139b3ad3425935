"""Checks of records: they replay and resume anywhere, and redacted ones keep hidden cards."""

from collections.abc import Iterable
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

from cardhub.base.errors import CardhubError, RecordError
from cardhub.bots import RandomBot
from cardhub.model.game.game import Game, S
from cardhub.model.hidden.observation import Observation
from cardhub.play.records.reading import read_record
from cardhub.play.records.recording import record_to
from cardhub.play.records.redaction import redact_game, why_not_redacted
from cardhub.play.records.replaying import open_record, replayed, resume
from cardhub.play.referee import Referee
from cardhub.play.seating import NAMES, Player
from cardhub.play.setup import set_up
from cardhub.testing.checking import ConformanceError
from cardhub.testing.deal_replay import retrace
from cardhub.testing.random_play import Position, Trial

CUTS = 4
# Length of the incomplete last line of a record that was interrupted while writing.
TORN_BYTES = 9


def check_record(game: Game[Any], trial: Trial, cuts: int = CUTS) -> None:
    """Check that a record replays, also redacted, and resumes after each of `cuts` interruptions.

    The resumed game must give the same bytes.
    """
    with TemporaryDirectory() as folder:
        path = Path(folder) / "whole.jsonl"
        try:
            _write_record(game, trial, path)
            _replay_redacted(game, trial, path, range(trial.seats + 1))
            ends = [
                index + 1 for index, byte in enumerate(path.read_bytes()[:-1]) if byte == ord("\n")
            ]
            for end in Random(f"{trial.seed} cuts").sample(ends, min(cuts, len(ends))):
                _check_cut(game, trial, path, end)
        except CardhubError as error:
            # Without the temporary folder: the message is the same in every run.
            trial.fail(game, "record", str(error).replace(folder, ""))


def check_golden(game: Game[Any], _: None, path: Path) -> None:
    """Check that a finished record replays to the scores in it."""
    try:
        record = read_record(path)
        if record.header.game != game.name:
            raise record.wrong(1, f"this is a record of {record.header.game}, not of {game.name}")
        if not record.is_finished:
            last = record.lines[-1][0] if record.lines else 1
            raise record.wrong(last, "the game is not over, so there are no scores to compare")
        replayed(record, open_record(game, record))
    except RecordError as error:
        raise ConformanceError("golden", game.name, str(error)) from error


def check_same_record(game: Game[S], position: Position[S], viewer: int, rng: Random) -> None:
    """Check that the redacted record is the same for a determinization of the viewer."""
    if why_not_redacted(game):
        return
    drawn = Observation(game, position.state, viewer).determinize_whole(rng)
    here, elsewhere = (
        redact_game(retrace(game, position, s), viewer).splitlines()
        for s in (position.state, drawn)
    )
    for line, other in zip(here, elsewhere, strict=True):
        if line != other:
            problem = f"a record reveals a hidden card to seat {viewer}: {line} (or else {other})"
            position.fail(game, "same_record", problem)


def _check_cut(game: Game[Any], trial: Trial, whole: Path, end: int) -> None:
    part = whole.with_name("part.jsonl")
    # A reader drops a torn line, so the redacted records of both parts are the same.
    for length in (end, end + TORN_BYTES):
        part.write_bytes(whole.read_bytes()[:length])
        if length == end:
            # One viewer for each interruption: the whole record is replayed for all of them.
            viewer = Random(f"{trial.seed} viewer {end}").randrange(trial.seats + 1)
            _replay_redacted(game, trial, part, [viewer])
        _play_to_end(resume(game, read_record(part)), trial)
        if part.read_bytes() != whole.read_bytes():
            problem = f"a record cut after {length} bytes goes on differently"
            trial.fail(game, "record", problem)


def _write_record(game: Game[Any], trial: Trial, path: Path) -> None:
    players = [Player(name, "random") for name in NAMES[: trial.seats]]
    referee = set_up(game, players, dict(trial.settings), trial.seed)
    record_to(referee, path)
    _play_to_end(referee, trial)


def _replay_redacted(game: Game[Any], trial: Trial, path: Path, viewers: Iterable[int]) -> None:
    record = read_record(path)
    referee = replayed(record, open_record(game, record))
    if why_not_redacted(game):
        return
    for viewer in viewers:
        part = path.with_name(f"seat{viewer}.jsonl")
        part.write_text(redact_game(referee, viewer), "utf-8")
        redacted = read_record(part)
        # Faces seen only after the interruption are blank here, so this finds rules that read faces
        # of other players.
        replayed(redacted, open_record(game, redacted))


def _play_to_end(referee: Referee[Any], trial: Trial) -> None:
    referee.proceed()
    while not referee.is_over:
        observation = referee.observe(referee.seat)
        # A generator per action: a resumed game continues with the same choices.
        rng = Random(f"{trial.seed} bot {len(observation.history)}")
        referee.apply(RandomBot(rng).choose(observation))
